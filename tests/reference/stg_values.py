"""Values of the stg package for stg_test.cc.

    python3 -m venv --system-site-packages env && env/bin/pip install stg==0.1.2
    env/bin/python tests/reference/stg_values.py

Made with stg 0.1.2, torch 2.15.0, numpy 2.4.6. The package keeps the gates' means without the 1/2 that
it adds when it draws them; here it is added. It asks for names that Python 3.10 moved to collections.abc.
"""

import collections
import collections.abc

import numpy as np
import torch

for name in ("Sequence", "Set", "Mapping"):
    setattr(collections, name, getattr(collections.abc, name))
from stg import STG  # noqa: E402

import golden  # noqa: E402

MADE_BY = "tests/reference/stg_values.py, stg 0.1.2, torch 2.15.0"


def write_training():
    """Steps of the package's own model and optimiser, with noise that the test can repeat."""
    x, y = golden.classification(rows=40, columns=6)
    random = np.random.default_rng(2)
    steps, lam = 5, 2.0
    arrays = {"x": x, "y": y, "lambda": lam}
    # Wide noise shuts and saturates gates; narrow noise leaves all of them between 0 and 1.
    for kind, width, decay, rate in (("SGD", 1.5, 0.0, 0.1), ("Adam", 0.3, 1e-3, 0.02)):
        noise = golden.single(random.normal(size=(steps, x.shape[1])).clip(-2, 2) * width)
        torch.manual_seed(0)
        net = STG(task_type="classification", input_dim=x.shape[1], output_dim=3, hidden_dims=[5],
                  sigma=0.5, lam=lam, optimizer=kind, learning_rate=rate, weight_decay=decay,
                  batch_size=len(x), device="cpu")
        model = net._model
        model.train()
        feed = {"input": torch.from_numpy(x).float(), "label": torch.from_numpy(y).long()}

        def store(stage):
            hidden, output = model.mlp[0][0], model.mlp[1]
            arrays[f"mu_{kind}_{stage}"] = model.mu.detach().numpy() + 0.5
            arrays[f"hidden_{kind}_{stage}"] = hidden.weight.detach().numpy().T.copy()
            arrays[f"hidden_bias_{kind}_{stage}"] = hidden.bias.detach().numpy().copy()
            arrays[f"upper_{kind}_{stage}"] = output.weight.detach().numpy().T.copy()
            arrays[f"upper_bias_{kind}_{stage}"] = output.bias.detach().numpy().copy()

        store("start")
        for step in range(steps):
            fixed = torch.from_numpy(noise[step]).float()

            def gate(inputs, fixed=fixed):
                selector = model.FeatureSelector
                return inputs * selector.hard_sigmoid(selector.mu + selector.sigma * fixed)

            model.FeatureSelector.forward = gate
            if step == 0:
                loss, _, _ = model(feed)
                penalty = torch.mean(model.reg((model.mu + 0.5) / model.sigma))
                net._optimizer.zero_grad()
                loss.backward()
                arrays[f"penalty_{kind}"] = penalty.item()
                arrays[f"loss_{kind}"] = loss.item() - lam * penalty.item()
                arrays[f"d_mu_{kind}"] = model.mu.grad.numpy().copy()
            net.train_step(feed)
        store("end")
        arrays[f"noise_{kind}"] = noise
        arrays[f"rate_{kind}"], arrays[f"decay_{kind}"] = rate, decay
    golden.write("stg_training", MADE_BY, **arrays)


def write_choice():
    """Which three gates the package leaves widest open."""
    x, y = golden.classification(rows=120, columns=10, seed=3)
    torch.manual_seed(0)
    net = STG(task_type="classification", input_dim=x.shape[1], output_dim=3, hidden_dims=[16],
              sigma=0.5, lam=2.0, optimizer="Adam", learning_rate=5e-3, batch_size=40, device="cpu")
    net.fit(x, y, nr_epochs=300, valid_X=x, valid_y=y, verbose=False, shuffle=True)
    order = np.argsort(-net.get_gates("raw"))
    golden.write("stg_choice", MADE_BY, x=x, y=y, largest=np.sort(order[:3]))


if __name__ == "__main__":
    torch.set_num_threads(1)
    write_training()
    write_choice()
