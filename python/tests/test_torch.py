"""slm.torch.SparseMask: exactness, gradients, tempering, state, pruning; and the numbers of the engine."""

import copy
import pathlib

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from slm.torch import SparseMask  # noqa: E402

GOLDEN = pathlib.Path(__file__).resolve().parents[2] / "tests" / "reference" / "golden" / "sparse_mask.txt"


def golden():
    """Arrays of a golden file: a line "name rows columns", then the rows."""
    arrays, lines = {}, iter(GOLDEN.read_text().splitlines()[1:])
    for line in lines:
        name, rows, columns = line.split()
        arrays[name] = np.array([next(lines).split() for _ in range(int(rows))], float).reshape(int(rows), int(columns))
    return arrays


def mask_of(v, count, **options):
    mask = SparseMask(len(v), count, schedule="none", **options)
    with torch.no_grad():
        mask.argument.copy_(torch.as_tensor(v, dtype=torch.float32))
    return mask


def with_argument(mask, v, work):
    """What `work` gives, or the mask of an input, with `v` in the place of the mask's argument."""
    call = work if callable(work) else lambda: mask(work)
    kept = mask._parameters.pop("argument")
    mask.argument = v
    try:
        return call()
    finally:
        del mask.argument
        mask._parameters["argument"] = kept


@pytest.mark.parametrize("name", ["spread", "narrow", "wide", "ties", "equal"])
@pytest.mark.parametrize("scale", ["left_end", "nearest_one"])
@pytest.mark.parametrize("gradient", ["fixed_scale", "through_scale"])
def test_weights_and_gradients_are_those_of_the_engine(name, scale, gradient):
    arrays = golden()
    v, dp = arrays[f"v_{name}"][0], torch.tensor(arrays["dp"][0], dtype=torch.float32)
    for count in range(1, len(v) + 1):
        mask = mask_of(v, count, mask_scale=scale, mask_gradient=gradient)
        p = mask.weights()
        p.backward(dp)
        assert torch.count_nonzero(p) == count
        expected = arrays[f"p_{name}_{scale}_{gradient}"][count - 1]
        np.testing.assert_allclose(p.detach(), expected, atol=1e-6)
        slope = arrays[f"dv_{name}_{scale}_{gradient}"][count - 1]
        np.testing.assert_allclose(mask.argument.grad, slope, atol=2e-5 * abs(slope).max() + 5e-7)


@pytest.mark.parametrize("task", ["classes", "values"])
@pytest.mark.parametrize("objective", ["mi", "hsic"])
def test_losses_are_those_of_the_engine(task, objective):
    arrays = golden()
    mask = mask_of(arrays["v"][0], int(arrays["count"].item()), objective=objective, alpha=0.7, rcs_weight=1.5)
    y = torch.tensor(arrays[f"y_{task}"][0]).long() if task == "classes" else torch.tensor(arrays[f"y_{task}"][0]).float()
    loss = mask.loss(torch.tensor(arrays[f"scores_{task}"]).float(), y, torch.tensor(arrays["x"]).float(),
                     torch.tensor(arrays["weight"][0]).float())
    loss.backward()
    assert float(loss) == pytest.approx(arrays[f"loss_{task}_{objective}"].item(), rel=1e-5)
    np.testing.assert_allclose(mask.argument.grad, arrays[f"dv_{task}_{objective}"][0], atol=2e-5)


def test_exactly_f_entries_for_random_arguments_with_ties():
    random = np.random.default_rng(0)
    for _ in range(2000):
        d = int(random.integers(1, 40))
        count = int(random.integers(1, d + 1))
        v = random.normal(size=d) * 10.0 ** random.integers(-4, 5)
        if random.random() < 0.5:
            v = np.round(v, 1)
        p = mask_of(v, count).weights()
        assert torch.count_nonzero(p) == count
        assert float(p.sum()) == pytest.approx(1, abs=1e-5)
        assert p.min() >= 0


@pytest.mark.parametrize("scale", ["left_end", "nearest_one"])
@pytest.mark.parametrize("count", [1, 3, 5])
def test_gradcheck_of_the_mask_through_its_scale(scale, count):
    mask = mask_of([0.3, 1.7, -0.2, 0.9, 2.4], count, mask_scale=scale, mask_gradient="through_scale").double()
    x = torch.linspace(-2, 2, 20, dtype=torch.float64).reshape(4, 5).requires_grad_()
    assert torch.autograd.gradcheck(lambda v, z: with_argument(mask, v, z), (mask.argument.detach().requires_grad_(), x))


@pytest.mark.parametrize("task", ["classes", "values"])
@pytest.mark.parametrize("objective", ["mi", "hsic"])
def test_gradcheck_of_the_losses(task, objective):
    arrays = golden()
    mask = mask_of(arrays["v"][0], int(arrays["count"].item()), objective=objective, mask_gradient="through_scale").double()
    x, y = torch.tensor(arrays["x"]), torch.tensor(arrays[f"y_{task}"][0])
    scores = torch.tensor(arrays[f"scores_{task}"]).requires_grad_()
    y = y.long() if task == "classes" else y
    weight = torch.tensor(arrays["weight"][0])

    def loss(v, output):
        return with_argument(mask, v, lambda: mask.loss(output, y, x, weight))

    assert torch.autograd.gradcheck(loss, (mask.argument.detach().requires_grad_(), scores))


@pytest.mark.parametrize("task", ["classes", "values"])
def test_gradcheck_of_the_default_loss_towards_the_predictor(task):
    arrays = golden()
    mask = mask_of(arrays["v"][0], int(arrays["count"].item())).double()  # its scale counts as constant
    x, y = torch.tensor(arrays["x"]), torch.tensor(arrays[f"y_{task}"][0])
    y = y.long() if task == "classes" else y
    scores = torch.tensor(arrays[f"scores_{task}"]).requires_grad_()
    assert torch.autograd.gradcheck(lambda output: mask.loss(output, y, x), (scores,))


@pytest.mark.parametrize("name", ["spread", "narrow", "wide", "ties", "equal"])
@pytest.mark.parametrize("gradient", ["fixed_scale", "through_scale"])
def test_in_double_weights_and_gradients_are_the_golden_ones(name, gradient):
    arrays = golden()
    v, dp = torch.tensor(arrays[f"v_{name}"][0]), torch.tensor(arrays["dp"][0])
    for count in range(1, len(v) + 1):
        mask = mask_of(v, count, mask_gradient=gradient).double()
        with torch.no_grad():
            mask.argument.copy_(v)
        mask.weights().backward(dp)
        np.testing.assert_allclose(mask.weights().detach(), arrays[f"p_{name}_left_end_{gradient}"][count - 1], atol=1e-6)
        slope = arrays[f"dv_{name}_left_end_{gradient}"][count - 1]
        np.testing.assert_allclose(mask.argument.grad, slope, rtol=1e-9, atol=1e-12)


def test_tempering_falls_from_all_to_k():
    mask = SparseMask(100, 5, steps=100, drops=10)
    counts = [mask.n_active] + [mask.step() for _ in range(100)]
    assert counts[0] == 100 and counts[-1] == 5 and counts[70] == 5 and counts[69] > 5
    assert counts == sorted(counts, reverse=True) and len(set(counts)) == 11
    linear = SparseMask(100, 5, steps=100, drops=5, tempering=0.5, schedule="linear")
    assert sorted({linear.n_active, *(linear.step() for _ in range(100))}, reverse=True) == [100, 81, 62, 43, 24, 5]


def train(mask, x, y, model, steps):
    optimiser = torch.optim.Adam(model.parameters(), 0.01)
    for _ in range(steps):
        scores = model(mask(x))
        loss = torch.nn.functional.cross_entropy(scores, y) + mask.loss(scores, y, x)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        mask.descend()
        mask.step()


@pytest.mark.parametrize("objective", ["mi", "hsic"])
def test_finds_the_columns_that_matter(objective):
    torch.manual_seed(0)
    x = torch.randn(400, 30)
    y = (x[:, 4] + x[:, 11] - x[:, 20] > 0).long()
    model = torch.nn.Linear(30, 2)
    torch.nn.init.zeros_(model.weight)
    mask = SparseMask(30, 3, steps=300, objective=objective)
    train(mask, x, y, model, 300)
    assert mask.support().tolist() == [4, 11, 20]


def test_an_interrupted_training_resumes_from_its_state():
    torch.manual_seed(0)
    x, y = torch.randn(200, 12), torch.arange(200) % 2
    mask, model = SparseMask(12, 3, steps=40), torch.nn.Linear(12, 2)
    train(mask, x, y, model, 15)
    other = SparseMask(12, 3)
    other.load_state_dict(copy.deepcopy(mask.state_dict()))
    assert other.n_active == mask.n_active and other.steps_done == 15
    assert torch.equal(other.weights(), mask.weights())
    with pytest.raises(Exception, match="k=3"):
        SparseMask(12, 4).load_state_dict(mask.state_dict())


def test_a_pruned_layer_gives_the_same_output():
    torch.manual_seed(0)
    x, linear = torch.randn(50, 9), torch.nn.Linear(9, 4)
    mask = SparseMask(9, 3, steps=10)
    with torch.no_grad():
        mask.argument.copy_(torch.randn(9))
    mask.freeze()
    assert mask.n_active == 3 and not mask.argument.requires_grad
    small = mask.prune(linear)
    assert small.in_features == 3
    torch.testing.assert_close(small(x[:, mask.support()]), linear(mask(x)))


def test_columns_of_one_feature_share_an_entry():
    mask = SparseMask(3, 1, schedule="none", columns=[0, 0, 1, 2, 2])
    with torch.no_grad():
        mask.argument.copy_(torch.tensor([1.0, 0.0, 2.0]))
    assert torch.count_nonzero(mask(torch.ones(1, 5))) == 2
    assert mask(torch.ones(1, 5))[0, 3:].min() > 0
    x, y = torch.randint(0, 2, (10, 5)).float(), torch.arange(10) % 2
    mask.loss(torch.randn(10, 2), y, x).backward()
    assert torch.isfinite(mask.argument.grad).all()


@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16])
def test_inputs_of_any_type(dtype):
    mask = SparseMask(4, 2, schedule="none")
    out = mask(torch.ones(3, 4, dtype=dtype))
    assert out.dtype == dtype and torch.count_nonzero(out[0]) == 2
    out.sum().backward()
    assert mask.argument.grad.dtype == torch.float32


@pytest.mark.parametrize("arguments, message", [
    (dict(n_features=0, k=1), "n_features is 0"),
    (dict(n_features=5, k=6), "k is 6"),
    (dict(n_features=5, k=2, drops=0), "drops is 0"),
    (dict(n_features=5, k=2, schedule="cosine"), "schedule is 'cosine'"),
    (dict(n_features=5, k=2, columns=[0, 7]), "columns must hold a feature"),
])
def test_wrong_parameters_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        SparseMask(**arguments)


def test_an_input_of_the_wrong_width_is_named():
    with pytest.raises(ValueError, match="x has 3 columns"):
        SparseMask(4, 2)(torch.ones(2, 3))
    with pytest.raises(ValueError, match="x is missing"):
        SparseMask(4, 2).loss(torch.ones(2, 2), torch.tensor([0, 1]))


# Compiling and exporting. PyTorch has these from version 2 on, and Debian's, which the tests take unless
# SLM_TORCH_PYTHON names another, is 1.13.

OPTIONS = [{}, {"mask_scale": "nearest_one", "mask_gradient": "through_scale"}, {"columns": [0, 0, 1, 2, 3, 4, 5, 5]}]
compiles = pytest.mark.skipif(not hasattr(torch, "compile"), reason="PyTorch before 2.0 cannot compile")
exports = pytest.mark.skipif(not hasattr(torch, "export"), reason="PyTorch before 2.1 cannot export")


def learning_mask(**options):
    torch.manual_seed(3)
    mask = SparseMask(6, 2, steps=30, drops=4, **options)
    with torch.no_grad():
        mask.argument.copy_(torch.tensor([0.3, 1.7, -0.2, 0.9, 2.4, 0.9]))
    return mask, torch.randn(7, len(options.get("columns", range(6))))


@compiles
@pytest.mark.parametrize("options", OPTIONS)
def test_one_graph_serves_every_step_of_the_tempering(options):
    mask, x = learning_mask(**options)
    torch._dynamo.reset()
    compiled = torch.compile(mask, fullgraph=True, backend="aot_eager")
    counts = set()
    with torch._dynamo.config.patch(error_on_recompile=True):
        for step in range(30):
            gradients = []
            for module in (mask, compiled):
                out = module(x)
                (out * out).sum().backward()
                gradients.append(mask.argument.grad.clone())
                mask.argument.grad = None
            torch.testing.assert_close(mask(x), compiled(x))
            torch.testing.assert_close(gradients[0], gradients[1])
            counts.add(mask.n_active)
            mask.step()
    assert len(counts) > 2


@compiles
@pytest.mark.parametrize("frozen", [False, True])
def test_compiled_by_default_it_is_the_same_mask(frozen):
    mask, x = learning_mask()
    model = torch.nn.Sequential(mask.freeze() if frozen else mask, torch.nn.Linear(6, 2))
    torch._dynamo.reset()
    torch.testing.assert_close(torch.compile(model, fullgraph=True)(x), model(x))


@exports
@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("frozen", [False, True])
def test_an_exported_mask_takes_any_number_of_rows(frozen, options):
    mask, x = learning_mask(**options)
    if frozen:
        mask.freeze()
    rows = torch.export.Dim("rows", min=2)
    program = torch.export.export(mask, (x,), dynamic_shapes=({0: rows},))
    other = torch.randn(19, x.shape[1])
    torch.testing.assert_close(program.module()(other), mask(other))


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("frozen", [False, True])
def test_onnx_gives_the_same_columns_and_values(frozen, options, tmp_path):
    runtime = pytest.importorskip("onnxruntime")
    mask, x = learning_mask(**options)
    if frozen:
        mask.freeze()
    file = str(tmp_path / "mask.onnx")
    torch.onnx.export(mask, (x,), file, input_names=["x"], output_names=["masked"], **onnx_options(x))
    session = runtime.InferenceSession(file, providers=["CPUExecutionProvider"])
    other = torch.randn(19, x.shape[1])
    (masked,) = session.run(None, {"x": other.numpy()})
    np.testing.assert_allclose(masked, mask(other).detach(), rtol=1e-5, atol=1e-6)
    assert (masked == 0).all(0).tolist() == (mask(other) == 0).all(0).tolist()


def onnx_options(x):
    if hasattr(torch, "export"):
        return {"dynamo": True, "dynamic_shapes": ({0: torch.export.Dim("rows", min=2)},)}
    return {"dynamic_axes": {"x": {0: "rows"}}, "opset_version": 13}
