"""The sparse learnable mask as a layer on top of any PyTorch model.

>>> import torch
>>> from slm.torch import SparseMask
>>> _ = torch.manual_seed(0)
>>> x = torch.randn(256, 20)
>>> y = (x[:, 3] + x[:, 7] > 0).long()
>>> mask = SparseMask(20, k=2, steps=300)
>>> model = torch.nn.Linear(20, 2)
>>> _ = torch.nn.init.zeros_(model.weight)  # a random sign would mislead the mask
>>> optimiser = torch.optim.Adam(model.parameters(), 0.01)
>>> for _ in range(300):
...     scores = model(mask(x))
...     loss = torch.nn.functional.cross_entropy(scores, y) + mask.loss(scores, y, x)
...     optimiser.zero_grad()
...     loss.backward()
...     optimiser.step()
...     mask.descend()
...     _ = mask.step()
>>> mask.support().tolist()
[3, 7]

Everything is made of plain torch operations, so that it differentiates, moves between devices and is saved like
any other module. `torch.compile(fullgraph=True)`, `torch.export` and ONNX take it too, while it learns and
frozen; `loss`, `step` and `descend` stay outside of what is compiled. The arithmetic of the mask is done in float32
whatever the model's type, or in float64 after `mask.double()`.
"""

import math

import torch
from torch import nn

__all__ = ["SparseMask"]

_INSET = 1e-3  # how far inside its open right end m stays
_TINY = torch.finfo(torch.float32).tiny
_NEARLY_ONE = 1 - 2.0**-24
_FEATURES_AT_ONCE = 256  # compared for all pairs of a batch: bounds the memory of the pair term

_CHOICES = {
    "schedule": ("geometric", "linear", "none"),
    "mask_scale": ("left_end", "nearest_one"),
    "mask_gradient": ("fixed_scale", "through_scale"),
    "mask_input": ("mean_one", "literal"),
    "objective": ("mi", "hsic"),
}


class SparseMask(nn.Module):
    """Multiplies its input by a mask with exactly F non-zero entries, F falling from all features to `k`.

    The mask is ``p = sparsemax(m v)`` for a learnable argument `v`, with `m` chosen so that exactly F entries are
    left. `step` counts a training step; F falls over the first `tempering` of `steps` in `drops` drops.

    Parameters
    ----------
    n_features : int
        Features, each with one entry of the mask.
    k : int
        Features that are left in the end.
    steps : int, default=2000
        Training steps that are planned.
    schedule : {"geometric", "linear", "none"}, default="geometric"
        How F falls. "linear" in 5 drops over half of the steps is the paper's.
    drops : int, default=30
        In how many drops F falls.
    tempering : float, default=0.7
        Share of the steps after which F is k.
    mask_scale : {"left_end", "nearest_one"}, default="left_end"
        Where in its interval m is; "nearest_one" is the paper's.
    mask_gradient : {"fixed_scale", "through_scale"}, default="fixed_scale"
        Whether the gradient takes m for a constant.
    mask_input : {"mean_one", "literal"}, default="mean_one"
        Whether inputs are multiplied by F p, whose mean is one, or by p itself as in the paper.
    objective : {"mi", "hsic"}, default="mi"
        What `loss` computes.
    alpha : float, default=1.0
        Weight of `loss`.
    rcs_weight : float, default=1.0
        Weight of the pair term within it; 0 leaves the term out.
    columns : sequence of int, optional
        The feature of each column of the input where a feature has several, such as the one-hot parts of a
        category. One column for each feature if not given.

    Attributes
    ----------
    argument : torch.nn.Parameter
        v, all ones in the beginning.
    """

    def __init__(self, n_features, k, *, steps=2000, schedule="geometric", drops=30, tempering=0.7,
                 mask_scale="left_end", mask_gradient="fixed_scale", mask_input="mean_one", objective="mi", alpha=1.0,
                 rcs_weight=1.0, columns=None):
        super().__init__()
        if n_features < 1:
            raise ValueError(f"n_features is {n_features}; it must be at least 1")
        if not 1 <= k <= n_features:
            raise ValueError(f"k is {k}; it must be from 1 to n_features, which is {n_features}")
        if steps < 1:
            raise ValueError(f"steps is {steps}; it must be at least 1")
        if drops < 1:
            raise ValueError(f"drops is {drops}; it must be at least 1")
        if not 0 <= tempering <= 1:
            raise ValueError(f"tempering is {tempering}; it must be from 0 to 1")
        self.n_features, self.k = int(n_features), int(k)
        self._schedule = {"steps": int(steps), "schedule": schedule, "drops": int(drops),
                          "tempering": float(tempering), "mask_scale": mask_scale, "mask_gradient": mask_gradient,
                          "mask_input": mask_input, "objective": objective, "alpha": float(alpha),
                          "rcs_weight": float(rcs_weight)}
        for name, choices in _CHOICES.items():
            if self._schedule[name] not in choices:
                raise ValueError(f"{name} is {self._schedule[name]!r}; it must be one of {', '.join(choices)}")
        self.register_buffer("_active", torch.zeros((), dtype=torch.long), persistent=False)  # F
        self.steps_done = 0
        self.argument = nn.Parameter(torch.ones(self.n_features))
        owner = None
        if columns is not None:
            owner = torch.as_tensor(columns, dtype=torch.long)
            if owner.dim() != 1 or owner.min() < 0 or owner.max() >= self.n_features:
                raise ValueError(f"columns must hold a feature, from 0 to {self.n_features - 1}, for each column")
        self.register_buffer("owner", owner)

    # Tempering

    @property
    def steps_done(self):
        """Training steps that `step` has counted."""
        return self._steps_done

    @steps_done.setter
    def steps_done(self, count):
        self._steps_done = count
        self._active.fill_(self.n_active)

    @property
    def n_active(self):
        """F: how many features carry weight now."""
        plan = self._schedule
        last_drop = plan["tempering"] * plan["steps"]
        if plan["schedule"] == "none" or self.steps_done >= last_drop:
            return self.k
        share = int(self.steps_done * plan["drops"] / last_drop) / plan["drops"]
        d, k = self.n_features, self.k
        count = d - share * (d - k) if plan["schedule"] == "linear" else d * (k / d) ** share
        return min(max(math.floor(count + 0.5), k), d)

    def step(self):
        """Counts a training step; call it after the optimiser's. Returns F for the next one."""
        self.steps_done += 1
        return self.n_active

    # The mask

    def _number(self, values):
        """In the type of the mask's arithmetic: halves are too coarse to order the entries."""
        return values.to(torch.promote_types(self.argument.dtype, torch.float32))

    def _order(self, v):
        """The features from the largest entry to the smallest; ties by index."""
        if torch.onnx.is_in_onnx_export():  # has no stable sort, but its TopK takes ties by index
            return torch.topk(v.detach(), self.n_features).indices
        return torch.sort(v.detach(), descending=True, stable=True).indices

    def weights(self):
        """p: a weight for each feature, positive for exactly `n_active` of them, and one in sum.

        Written without a branch on values, and with F as a tensor: one graph serves every step of the tempering.
        """
        v, plan = self._number(self.argument), self._schedule
        count, one = self._active.to(v.dtype), v.new_ones(())
        order = self._order(v)
        falling = v.detach()[order]
        rank = torch.zeros_like(order).scatter(0, order, torch.arange(self.n_features, device=v.device))
        inside = rank < self._active
        least = falling.gather(0, (self._active - 1).reshape(1))
        lowest = v[order.gather(0, (falling > least).sum().reshape(1))]  # the first of those tied
        behind = (falling >= least).sum()  # the place of the first entry below them
        outside = behind < self.n_features
        reference = v[order.gather(0, behind.clamp(max=self.n_features - 1).reshape(1))]

        def total(values):
            return torch.where(inside, values, torch.zeros_like(v)).sum()

        g_inside, g_outside = total(v - lowest), total(v - reference)
        some_inside = torch.where(g_inside > 0, g_inside, one)
        some_outside = torch.where(outside, g_outside, one)
        bounded = (g_inside > 0) & (1 / some_inside <= 1)
        nearest = torch.where(bounded, (1 - _INSET) / some_inside, one)
        left_end = outside
        if plan["mask_scale"] != "left_end":
            left_end = outside & (nearest <= 1 / some_outside)
        # All entries that count are equal, or all others are tied with the lowest: nothing tells them apart.
        equal = ~outside & ~((self._active == self.n_features) & (g_inside > 0))
        m = torch.where(equal, one, torch.where(left_end, 1 / some_outside, nearest))
        if plan["mask_gradient"] == "fixed_scale":
            m = m.detach()
        # The values are written so that rounding cannot make one of them zero or negative; the gradient is that
        # of m (v - mean v) + 1 / F.
        path = m * (v - total(v) / count) + 1 / count
        value = torch.where(left_end, m * (v - reference), path).detach()
        value = torch.where(equal, 1 / count, value).clamp_min(_TINY)
        return torch.where(inside, value + (path - path.detach()), torch.zeros_like(v))

    def support(self):
        """Indices of the features that carry weight, ascending."""
        return torch.sort(self._order(self._number(self.argument))[: self.n_active]).values

    def _scale(self):
        weights = self.weights()
        return weights if self._schedule["mask_input"] == "literal" else weights * self._active

    def _by_column(self, values):
        return values if self.owner is None else values[self.owner]

    def forward(self, x):
        """x with its last dimension multiplied by the mask."""
        columns = self.n_features if self.owner is None else len(self.owner)
        if x.shape[-1] != columns:
            raise ValueError(f"x has {x.shape[-1]} columns in its last dimension; the mask has {columns}")
        return x * self._by_column(self._scale()).to(x.dtype)

    # Learning

    def loss(self, output, y, x=None, sample_weight=None):
        """What is added to the task's loss: ``alpha (E + rcs_weight r_cs)``, or ``-alpha HSIC``.

        Parameters
        ----------
        output : tensor of shape (rows, classes) or (rows,)
            Scores of the classes, before softmax, or predicted values. Not used by HSIC.
        y : tensor of shape (rows,)
            Classes as whole numbers, or values.
        x : tensor of shape (rows, columns)
            The batch before the mask. Not needed if `rcs_weight` is 0. Equal values of a column mean equal
            cells, so that categories may be given as their numbers.
        sample_weight : tensor of shape (rows,), optional
        """
        plan = self._schedule
        classes = not torch.is_floating_point(y)
        rows = len(y)
        weight = self._number(torch.ones(rows, device=y.device) if sample_weight is None else sample_weight)
        share = weight / weight.sum()
        if plan["objective"] == "hsic":
            if x is None:
                raise ValueError("x is missing: HSIC compares the inputs with y")
            return -plan["alpha"] * self._hsic(self._number(x), y, share, classes)
        if classes:
            r = torch.softmax(self._number(output), -1)
            true = r.gather(1, y[:, None]).squeeze(1)
            error = 1 - 2 * true + (r * r).sum(1)
        else:
            true = self._number(output).reshape(rows)
            error = (self._number(y) - true) ** 2
        value = (share * error).sum()
        if plan["rcs_weight"] > 0:
            if x is None:
                raise ValueError("x is missing: the pair term compares the rows of the batch; or set rcs_weight=0")
            value = value + plan["rcs_weight"] * self._pair_term(x, true, weight)
        return plan["alpha"] * value

    def _pair_term(self, x, r, weight):
        """The mean over pairs of prod_{j : x_ij != x_kj} (1 - p_j) times (r_i - r_k)^2."""
        support = self.support()
        p = self.weights()[support]
        log_keep = torch.log1p(-p.clamp(max=_NEARLY_ONE))
        rows = len(r)
        log_weight = r.new_zeros(rows, rows)
        for first in range(0, len(support), _FEATURES_AT_ONCE):
            part = slice(first, first + _FEATURES_AT_ONCE)
            log_weight = log_weight + self._differ(x, support[part]) @ log_keep[part]
        pair = torch.triu(weight[:, None] * weight[None, :], 1)
        total = pair.sum()
        if not total > 0:
            return r.sum() * 0
        return (pair * torch.exp(log_weight) * (r[:, None] - r[None, :]) ** 2).sum() / total

    def _differ(self, x, features):
        """For each pair of rows, 1 for the features in which they differ. A feature does in any of its columns."""
        if self.owner is None:
            values = x[:, features]
            return self._number(values[:, None, :] != values[None, :, :])
        parts = [(x[:, None, self.owner == j] != x[None, :, self.owner == j]).any(-1) for j in features]
        return self._number(torch.stack(parts, -1))

    def _hsic(self, x, y, share, classes):
        """tr(K H L H) / (b - 1)^2 with Gaussian kernels of the inputs scaled by the argument, and of y."""
        v = self._by_column(self._number(self.argument))
        centred = x - (share[:, None] * x).sum(0)
        variance = (share[:, None] * centred * centred).sum(0)
        sigma = (v * v * variance).sum()
        if not sigma > 0:
            return v.sum() * 0
        scaled = centred * v
        norm = (scaled * scaled).sum(1)
        distance = (norm[:, None] + norm[None, :] - 2 * scaled @ scaled.T).clamp_min(0)
        inputs = torch.exp(-distance / (2 * sigma))
        if classes:
            by_class = x.new_zeros(int(y.max()) + 1).index_add(0, y, share)
            spread = 1 - (by_class * by_class).sum()
            apart = torch.exp(-1 / spread) if spread > 1e-12 else torch.ones_like(spread)
            labels = torch.where(y[:, None] == y[None, :], torch.ones_like(apart), apart)
        else:
            y = self._number(y)
            labels = torch.exp(-(y[:, None] - y[None, :]) ** 2 / 2)
        mean = labels @ share
        labels = labels - mean[:, None] - mean[None, :] + (share * mean).sum()
        bias = 1 - (share * share).sum()
        if not bias > 1e-12:
            return v.sum() * 0
        return (share[:, None] * share[None, :] * labels * inputs).sum() / bias**2

    @torch.no_grad()
    def descend(self, rate=1.0):
        """Moves the argument against its gradient by a step of fixed length, and clears the gradient.

        The mask does not change when its argument is shifted or scaled, so that only the balance of early and
        late evidence matters: every step counts the same. Use it instead of an optimiser for `argument`.
        """
        gradient = self.argument.grad
        if gradient is None:
            return
        moved = torch.nonzero(gradient, as_tuple=True)[0]
        if len(moved) > 0:
            centred = self._number(gradient[moved])
            centred = centred - centred.mean()
            size = centred.square().mean().sqrt()
            if size > 0:
                self.argument[moved] -= (rate * centred / size).to(self.argument.dtype)
        self.argument.grad = None

    # The end

    def freeze(self):
        """Ends tempering and learning: F is k, and the argument stays as it is. Returns the module."""
        self.steps_done = max(self.steps_done, math.ceil(self._schedule["tempering"] * self._schedule["steps"]))
        self.argument.requires_grad_(False)
        return self

    @torch.no_grad()
    def prune(self, linear):
        """A smaller layer that takes the chosen columns as they are: ``prune(linear)(x[:, columns])`` equals
        ``linear(mask(x))``, where `columns` are those of `support()`."""
        columns = self.n_features if self.owner is None else len(self.owner)
        if not isinstance(linear, nn.Linear) or linear.in_features != columns:
            raise TypeError(f"linear must be a torch.nn.Linear of {columns} inputs")
        scale = self._by_column(self._scale())
        kept = torch.nonzero(scale, as_tuple=True)[0]
        small = nn.Linear(len(kept), linear.out_features, linear.bias is not None).to(linear.weight)
        small.weight.copy_(linear.weight[:, kept] * scale[kept].to(linear.weight.dtype))
        if linear.bias is not None:
            small.bias.copy_(linear.bias)
        return small

    # State

    def get_extra_state(self):
        return {"n_features": self.n_features, "k": self.k, "steps_done": self.steps_done, **self._schedule}

    def set_extra_state(self, state):
        for name in ("n_features", "k"):
            if state[name] != getattr(self, name):
                raise ValueError(f"the state is of a mask with {name}={state[name]}; this one has "
                                 f"{name}={getattr(self, name)}")
        self._schedule = {name: state[name] for name in self._schedule}
        self.steps_done = int(state["steps_done"])

    def extra_repr(self):
        plan = self._schedule
        return f"{self.n_features}, k={self.k}, n_active={self.n_active}, schedule={plan['schedule']!r}"
