"""The mask of SLM on your own PyTorch model."""

# %% 20 inputs, of which the product of two decides the class.
import torch

from slm.torch import SparseMask

torch.manual_seed(0)
x = torch.randn(4000, 20)
y = (x[:, 3] * x[:, 11] > 0).long()

# %% The mask goes in front; its argument moves by `descend`, all else by the optimiser.
steps = 800
mask = SparseMask(20, k=2, steps=steps)
network = torch.nn.Sequential(torch.nn.Linear(20, 64), torch.nn.ReLU(), torch.nn.Linear(64, 2))
optimiser = torch.optim.Adam(network.parameters(), lr=0.01)
for _ in range(steps):
    rows = torch.randint(0, len(x), (128,))
    scores = network(mask(x[rows]))
    loss = torch.nn.functional.cross_entropy(scores, y[rows]) + mask.loss(scores, y[rows], x[rows])
    optimiser.zero_grad()
    loss.backward()
    optimiser.step()
    mask.descend()
    mask.step()
print("inputs:", mask.support().tolist())

# %% The same answers from two inputs alone.
mask.freeze()
smaller = torch.nn.Sequential(mask.prune(network[0]), *network[1:])
same = torch.allclose(smaller(x[:, mask.support()]), network(mask(x)), atol=1e-4)
accuracy = (smaller(x[:, mask.support()]).argmax(1) == y).float().mean()
print(f"accuracy {accuracy:.3f} from {smaller[0].in_features} inputs, the same as before: {same}")
