"""Which columns does a transformer over tabular tokens need? The mask of SLM in front of one."""

# %% 24 columns, of which three decide the class: the sign of one says which of two others counts.
import torch

from slm.torch import SparseMask

torch.manual_seed(0)
columns, k = 24, 3
x = torch.randn(4000, columns)
y = (torch.where(x[:, 5] > 0, x[:, 2], x[:, 17]) > 0).long()
train, test = slice(0, 3000), slice(3000, 4000)


# %% Each column becomes a token: its value along a learned direction, and a bias that names the column.
class TabularTransformer(torch.nn.Module):
    def __init__(self, columns, classes, width=16):
        super().__init__()
        self.direction = torch.nn.Parameter(torch.randn(columns, width) / 4)
        self.name = torch.nn.Parameter(torch.randn(columns, width) / 4)
        self.encoder = torch.nn.TransformerEncoderLayer(width, 2, 32, dropout=0.0, batch_first=True)
        self.head = torch.nn.Linear(width, classes)

    def forward(self, x):
        return self.head(self.encoder(x[:, :, None] * self.direction + self.name).mean(1))


# %% Training. The mask goes in front of the tokens.
steps = 1000
mask, network = SparseMask(columns, k, steps=steps), TabularTransformer(columns, 2)
optimiser = torch.optim.Adam(network.parameters(), lr=0.003)
for _ in range(steps):
    rows = torch.randint(0, 3000, (128,))
    scores = network(mask(x[rows]))
    loss = torch.nn.functional.cross_entropy(scores, y[rows]) + mask.loss(scores, y[rows], x[rows])
    optimiser.zero_grad()
    loss.backward()
    optimiser.step()
    mask.descend()
    mask.step()
mask.freeze()

# %% What the network uses, by its gradient, and how well it does on other rows.
probe = x[test].clone().requires_grad_()
network(mask(probe)).square().sum().backward()
used = torch.nonzero((probe.grad != 0).any(0)).flatten().tolist()
with torch.no_grad():
    accuracy = (network(mask(x[test])).argmax(1) == y[test]).float().mean()
print(f"accuracy {accuracy:.3f} from columns {used}")
assert len(used) == k
