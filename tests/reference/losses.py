"""Golden values of the losses that predictors learn by, with their gradients.

Run: python3 tests/reference/losses.py
Needs NumPy and PyTorch. The stored file was made with NumPy 1.24.2 and PyTorch 1.13.0a0.

Each loss is the weighted mean over the rows of a batch, in double:

    total = task + 0.7 E + sum_i d_i r_i

with E the quadratic error of the paper and r_i what its pair term compares: the probability of the true
class, or the predicted value.
"""

import golden
import numpy as np
import torch
import torch.nn.functional as F

ERROR_WEIGHT = 0.7


def classes(scores, y):
    probability = torch.softmax(scores, dim=1)
    error = ((F.one_hot(y, scores.shape[1]) - probability) ** 2).sum(1)
    prediction = probability[torch.arange(len(y)), y]
    return F.cross_entropy(scores, y, reduction="none"), error, prediction


def values(loss):
    def parts(scores, y):
        prediction = scores[:, 0]
        return loss(prediction, y, reduction="none"), (prediction - y) ** 2, prediction

    return parts


def measure(parts, scores, y, weight, d):
    scores = torch.tensor(scores, requires_grad=True)
    task, error, prediction = parts(scores, torch.tensor(y))
    share = torch.tensor(weight / weight.sum())
    task, error = (share * task).sum(), (share * error).sum()
    (task + ERROR_WEIGHT * error + (torch.tensor(d) * prediction).sum()).backward()
    return task.item(), error.item(), scores.grad.numpy()


def main():
    random = np.random.default_rng(7)
    rows = 21
    weight = golden.single(random.uniform(0, 3, rows))
    d = golden.single(random.normal(size=rows) / 10)
    arrays = {"weight": weight, "d_predictions": d}
    scores = golden.single(2 * random.normal(size=(rows, 4)))
    y = random.integers(0, 4, rows)
    arrays |= {"class_scores": scores, "classes": y}
    score, value = golden.single(random.normal(size=(rows, 1))), golden.single(random.normal(size=rows))
    arrays |= {"value_scores": score, "values": value}
    for name, parts, s, target in [
        ("cross-entropy", classes, scores, y),
        ("absolute", values(F.l1_loss), score, value),
        ("squared", values(F.mse_loss), score, value),
    ]:
        task, error, gradient = measure(parts, s, target, weight, d)
        arrays |= {f"{name}_parts": [task, error], f"{name}_gradient": gradient}
    golden.write("losses", f"tests/reference/losses.py, PyTorch {torch.__version__}", **arrays)


if __name__ == "__main__":
    main()
