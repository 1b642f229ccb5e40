"""Which pixels does a convolutional network need? The mask of SLM in front of one.

    torch_convolution.py [IMAGES LABELS]

IMAGES and LABELS are files of MNIST as its publishers ship them (IDX, gz); without them scikit-learn's digits.
"""

# %% Images as rows of pixels, from 0 to 1.
import gzip
import sys

import torch

from slm.torch import SparseMask

if len(sys.argv) == 3:
    images, labels = (gzip.open(path).read() for path in sys.argv[1:])
    x = torch.frombuffer(bytearray(images[16:]), dtype=torch.uint8).reshape(-1, 28 * 28).float() / 255
    y = torch.frombuffer(bytearray(labels[8:]), dtype=torch.uint8).long()
else:
    from sklearn.datasets import load_digits

    digits = load_digits()
    x, y = torch.tensor(digits.data).float() / 16, torch.tensor(digits.target).long()
torch.manual_seed(0)
pixels, side, k = x.shape[1], int(x.shape[1] ** 0.5), 20
order = torch.randperm(len(x))
test, train = order[: len(x) // 5], order[len(x) // 5 :]

# %% The mask multiplies the pixels before the network sees them as an image.
steps = 600
mask = SparseMask(pixels, k, steps=steps)
network = torch.nn.Sequential(
    torch.nn.Unflatten(1, (1, side, side)), torch.nn.Conv2d(1, 16, 3, padding=1), torch.nn.ReLU(),
    torch.nn.Conv2d(16, 16, 3, padding=1), torch.nn.ReLU(), torch.nn.MaxPool2d(2), torch.nn.Flatten(),
    torch.nn.Linear(16 * (side // 2) ** 2, 10))
optimiser = torch.optim.Adam(network.parameters(), lr=0.003)
for _ in range(steps):
    rows = train[torch.randint(0, len(train), (64,))]
    scores = network(mask(x[rows]))
    loss = torch.nn.functional.cross_entropy(scores, y[rows]) + mask.loss(scores, y[rows], x[rows])
    optimiser.zero_grad()
    loss.backward()
    optimiser.step()
    mask.descend()
    mask.step()
mask.freeze()

# %% What the network uses, by its gradient, and how well it does on other images.
probe = x[test].requires_grad_()
network(mask(probe)).square().sum().backward()
used = int((probe.grad != 0).any(0).sum())
with torch.no_grad():
    accuracy = (network(mask(x[test])).argmax(1) == y[test]).float().mean()
print(f"accuracy {accuracy:.3f} from {used} pixels of {pixels}")
chosen = set(mask.support().tolist())
for row in range(side):
    print("".join("#" if row * side + column in chosen else "." for column in range(side)))
assert used == k
