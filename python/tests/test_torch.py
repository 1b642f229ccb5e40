"""The PyTorch layer, held to the engine; skipped where torch is not installed."""

import copy

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from slm import _core  # noqa: E402
from slm.torch import SparseMask  # noqa: E402


def masked(argument, count, **options):
    """A mask with an argument of the caller's choice and `count` active inputs."""
    mask = SparseMask(len(argument), count, schedule="none", **options)
    mask.argument.data = torch.tensor(argument)
    return mask


def settings(mask):
    names = ("mask_scale", "mask_gradient", "objective", "alpha", "rcs_weight")
    return [(name, str(getattr(mask, name))) for name in names]


def arguments():
    rng = np.random.default_rng(0)
    yield np.ones(8, dtype=np.float32)
    yield np.array([3, 1, 3, 2, 3, 1, 0, 2], dtype=np.float32)  # ties in and around the support
    for scale in (0.05, 1.0, 30.0):
        yield (1 + scale * rng.normal(size=12)).astype(np.float32)


@pytest.mark.parametrize("scale", ["left-end", "nearest-one", "softmax-top-k"])
@pytest.mark.parametrize("gradient", ["fixed-scale", "through-scale"])
def test_weights_and_their_gradient_are_those_of_the_engine(scale, gradient):
    rng = np.random.default_rng(1)
    for v in arguments():
        for count in (1, 2, 5, len(v)):
            mask = masked(v, count, mask_scale=scale, mask_gradient=gradient)
            d_weights = rng.normal(size=len(v)).astype(np.float32)
            p, d_argument = _core.mask_weights(v.tolist(), count, d_weights.tolist(), settings(mask))
            ours = mask.weights()
            assert int((ours > 0).sum()) == count
            np.testing.assert_allclose(ours.detach().numpy(), p, atol=1e-6)
            (ours * torch.tensor(d_weights)).sum().backward()
            size = max(1.0, np.abs(d_argument).max())
            np.testing.assert_allclose(mask.argument.grad.numpy() / size, np.array(d_argument) / size, atol=2e-6)


@pytest.mark.parametrize("task", ["classification", "regression"])
@pytest.mark.parametrize("objective", ["mi", "hsic"])
def test_the_loss_and_its_gradients_are_those_of_the_engine(task, objective):
    rng = np.random.default_rng(2)
    rows, columns, count = 24, 7, 4
    x = rng.normal(size=(rows, columns)).astype(np.float32)
    x[:, :4] = rng.integers(0, 3, (rows, 4))  # values that repeat, for the pair term
    x = (x - x.mean(0)) / x.std(0)
    v = (1 + rng.normal(size=columns)).astype(np.float32)
    scores = rng.normal(size=(rows, 3 if task == "classification" else 1)).astype(np.float32)
    classes, values = rng.integers(0, 3, rows), rng.normal(size=rows).astype(np.float32)
    by_class = task == "classification"
    mask = masked(v, count, objective=objective, alpha=0.7, rcs_weight=1.3)
    loss, d_scores, d_weights, d_argument = _core.batch_loss(
        x.tolist(), classes.tolist() if by_class else [], [] if by_class else values.tolist(),
        scores.tolist(), v.tolist(), count, settings(mask),
    )  # fmt: skip

    given = torch.tensor(scores, requires_grad=True)
    target = torch.tensor(classes if by_class else values)
    if by_class:
        task_loss = torch.nn.functional.cross_entropy(given, target)
    else:
        task_loss = (given[:, 0] - target).abs().mean()
    ours = task_loss + mask.loss(torch.tensor(x), target, given)
    assert ours.item() == pytest.approx(loss, abs=1e-6)
    ours.backward()
    np.testing.assert_allclose(given.grad.numpy(), d_scores, atol=1e-6)
    if objective == "hsic":
        np.testing.assert_allclose(mask.argument.grad.numpy(), d_argument, atol=1e-6)
    else:
        _, expected = _core.mask_weights(v.tolist(), count, d_weights, settings(mask))
        np.testing.assert_allclose(mask.argument.grad.numpy(), expected, atol=1e-6)


@pytest.mark.parametrize("scale", ["left-end", "nearest-one", "softmax-top-k"])
def test_gradcheck_passes(scale):
    v = torch.tensor([0.3, 1.9, 0.2, 1.1, 0.7], dtype=torch.float64)
    x = torch.randn(4, 5, dtype=torch.float64, requires_grad=True)
    mask = masked(v.float().numpy(), 3, mask_scale=scale, mask_gradient="through-scale")

    def forward(argument, inputs):
        other = copy.copy(mask)
        object.__setattr__(other, "_parameters", {"argument": argument})
        return other(inputs)

    assert torch.autograd.gradcheck(forward, (v.requires_grad_(), x))


def test_the_schedule_ends_with_k_and_never_rises():
    for schedule in ("geometric", "linear"):
        mask = SparseMask(100, 7, steps=50, schedule=schedule, drops=5, tempering=0.5)
        seen = []
        for _ in range(50):
            seen.append(mask.active)
            assert int((mask.weights() > 0).sum()) == seen[-1] == len(mask.support())
            mask.step()
        assert seen[0] == 100 and seen[25:] == [7] * 25
        assert seen == sorted(seen, reverse=True)


def test_a_loaded_mask_goes_on_where_the_other_stood():
    one = SparseMask(40, 5, steps=100)
    for _ in range(30):
        one.step()
    one.argument.data = torch.randn(40)
    other = SparseMask(40, 5)
    other.load_state_dict(copy.deepcopy(one.state_dict()))
    assert other.active == one.active < 40
    assert torch.equal(other.weights(), one.weights())


@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16])
def test_inputs_keep_their_type_and_the_mask_its_own(dtype):
    model = torch.nn.Sequential(SparseMask(6, 2), torch.nn.Linear(6, 3)).to(dtype)
    assert model[0].argument.dtype == torch.float32
    assert model(torch.ones(4, 6, dtype=dtype)).dtype == dtype


def data():
    generator = torch.Generator().manual_seed(0)
    x = torch.randn(2000, 20, generator=generator)
    return x, ((x[:, 3] * x[:, 11]) > 0).long()


def trained(objective):
    torch.manual_seed(0)
    x, y = data()
    mask = SparseMask(20, 2, steps=600, objective=objective, alpha=0.1)
    model = torch.nn.Sequential(mask, torch.nn.Linear(20, 64), torch.nn.ReLU(), torch.nn.Linear(64, 2))
    optimiser = torch.optim.Adam(model.parameters(), lr=0.01)
    for step in range(600):
        rows = torch.randint(0, len(x), (128,))
        scores = model(x[rows])
        loss = torch.nn.functional.cross_entropy(scores, y[rows])
        loss = loss + mask.loss(x[rows], y[rows], scores)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        mask.step()
    return mask.freeze(), model


def test_training_ends_with_exactly_k_inputs_and_a_pruned_model_says_the_same():
    mask, model = trained("mi")
    x, y = data()
    assert mask.support().tolist() == [3, 11]
    assert (model(x).argmax(1) == y).float().mean() > 0.9
    smaller = torch.nn.Sequential(mask.prune(model[1]), *model[2:])
    assert smaller[0].in_features == 2
    torch.testing.assert_close(smaller(x[:, mask.support()]), model(x), atol=1e-5, rtol=1e-5)
    before = mask.weights().clone()
    mask.step()
    assert torch.equal(mask.weights(), before) and not mask.argument.requires_grad


def test_complaints_name_the_parameter():
    with pytest.raises(ValueError, match="k is 9"):
        SparseMask(8, 9)
    with pytest.raises(ValueError, match="mask_scale"):
        SparseMask(8, 2, mask_scale="other")
    with pytest.raises(ValueError, match="linear has 3 inputs"):
        SparseMask(8, 2).prune(torch.nn.Linear(3, 1))
