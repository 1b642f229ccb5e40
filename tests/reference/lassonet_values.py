"""Values of the lassonet package for hier_prox_test.cc and lassonet_test.cc.

    python3 -m venv --system-site-packages env && env/bin/pip install lassonet==0.0.21
    env/bin/python tests/reference/lassonet_values.py

Made with lassonet 0.0.21, torch 2.15.0, numpy 2.4.6.
"""

import numpy as np
import torch
from lassonet import LassoNetClassifier
from lassonet.prox import prox

import golden

MADE_BY = "tests/reference/lassonet_values.py, lassonet 0.0.21, torch 2.15.0"


def write_prox():
    random = np.random.default_rng(1)
    outputs, hidden, features = 3, 12, 12
    v = golden.single(random.normal(size=(features, outputs)) * random.exponential(size=(features, 1)))
    u = golden.single(random.normal(size=(features, hidden)) * random.exponential(size=(features, 1)))
    v[3] = 0
    u[4] = 0
    arrays = {"v": v, "u": u}
    settings = [(0.0, 1.0), (0.3, 10.0), (0.7, 0.1), (1.5, 1.0), (8.0, 0.5), (0.5, 0.0)]
    for i, (lambda_, m) in enumerate(settings):
        b, t = prox(torch.tensor(v.T), torch.tensor(u.T), lambda_=lambda_, lambda_bar=0, M=m)
        arrays[f"v{i}"], arrays[f"u{i}"] = b.numpy().T, t.numpy().T
    arrays["settings"] = settings

    # Where the path starts, for weights that obey the hierarchy as those of a fitted network do.
    for m in (10.0, 1.0):
        b, t = prox(torch.tensor(v.T), torch.tensor(u.T), lambda_=0, lambda_bar=0, M=m)
        keep = torch.norm(b, dim=0) > 0
        net = LassoNetClassifier(hidden_dims=(hidden,), verbose=0)
        net._init_model(np.zeros((1, int(keep.sum()))), torch.tensor([outputs - 1]))
        net.model.skip.weight.data = b[:, keep]
        net.model.layers[0].weight.data = t[:, keep]
        arrays[f"start_skip_{m:g}"] = golden.single(b[:, keep].numpy().T)
        arrays[f"start_hidden_{m:g}"] = golden.single(t[:, keep].numpy().T)
        arrays[f"start_{m:g}"] = net.model.lambda_start(M=m)
    golden.write("hier_prox", MADE_BY, **arrays)


def write_training():
    """A few full-batch epochs of the package's own loop, dense and on the path."""
    x, y = golden.classification(rows=40, columns=6)
    net = LassoNetClassifier(hidden_dims=(5,), M=2, verbose=0, torch_seed=0)
    data = net._cast_input(x, y)
    net._init_model(*data)
    arrays = {"x": x, "y": y}

    def store(stage):
        model = net.model
        arrays[f"hidden_{stage}"] = model.layers[0].weight.detach().numpy().T.copy()
        arrays[f"hidden_bias_{stage}"] = model.layers[0].bias.detach().numpy().copy()
        arrays[f"upper_{stage}"] = model.layers[1].weight.detach().numpy().T.copy()
        arrays[f"upper_bias_{stage}"] = model.layers[1].bias.detach().numpy().copy()
        arrays[f"skip_{stage}"] = model.skip.weight.detach().numpy().T.copy()

    def train(lambda_, optimizer, epochs):
        return net._train(*data, *data, batch_size=None, epochs=epochs, lambda_=lambda_,
                          optimizer=optimizer, return_state_dict=False)

    store("start")
    train(0, torch.optim.Adam(net.model.parameters(), lr=0.05), 6)
    store("dense")
    item = train(50.0, torch.optim.SGD(net.model.parameters(), lr=0.01, momentum=0.9), 8)
    store("path")
    arrays["valid_loss"] = item.val_loss
    arrays["selected"] = item.selected.numpy()
    golden.write("lassonet_training", MADE_BY, **arrays)


def write_path():
    """Which three features the package keeps to the last."""
    x, y = golden.classification(rows=120, columns=10, seed=3)
    net = LassoNetClassifier(hidden_dims=(16,), verbose=0, torch_seed=0)
    net.path(x, y, X_val=x, y_val=y)
    order = np.argsort(-net.feature_importances_.numpy())
    golden.write("lassonet_path", MADE_BY, x=x, y=y, last=np.sort(order[:3]))


if __name__ == "__main__":
    torch.set_num_threads(1)
    write_prox()
    write_training()
    write_path()
