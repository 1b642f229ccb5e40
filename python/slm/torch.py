"""The mask of SLM on top of any PyTorch model: exactly k inputs, learned along with it.

>>> import torch
>>> from slm.torch import SparseMask
>>> mask = SparseMask(30, 10, steps=200)
>>> model = torch.nn.Sequential(mask, torch.nn.Linear(30, 2))
>>> model(torch.zeros(5, 30)).shape
torch.Size([5, 2])

In training, after each step of the optimiser, ``mask.step()`` lets the number of active inputs fall on
its way from all of them to k, and ``mask.loss(x, y, scores)``, added to the loss of the task, asks for
inputs that say much about the target.
"""

from __future__ import annotations

import math

import torch
from torch import nn

_SCALES = ("left-end", "nearest-one", "softmax-top-k")
_INSET = 1e-3  # how far m stays inside the open right end of its interval


def _one_of(name, value, allowed):
    if value not in allowed:
        raise ValueError(f"{name} is {value!r}; it takes one of {', '.join(allowed)}")
    return value


class SparseMask(nn.Module):
    """Multiply the last dimension by weights of which exactly F are not zero, F falling to k.

    With v the learned argument and S its F largest entries, ties broken by index,
    ``p = m (v_S - mean v_S) + 1 / F`` is the sparsemax of m v with F entries; m is the left end of
    the interval of such scales, or the number in it that is nearest to one.

    Parameters
    ----------
    n_features : int
    k : int
        How many inputs are left in the end.
    steps : int, default=2000
        How often `step` will be called in training.
    schedule : {"geometric", "linear", "none"}, default="geometric"
        How F falls to k; "none" has k from the start.
    drops : int, default=30
        In how many drops.
    tempering : float, default=0.7
        Share of the steps after which k inputs are left.
    mask_scale : {"left-end", "nearest-one", "softmax-top-k"}, default="left-end"
    mask_gradient : {"fixed-scale", "through-scale"}, default="fixed-scale"
        Whether the gradient passes through m.
    mask_input : {"mean-one", "literal"}, default="mean-one"
        Inputs are multiplied by F p, whose mean is one, or by p itself.
    objective : {"mi", "hsic"}, default="mi"
        What `loss` is.
    alpha, rcs_weight : float, default=1
        Weights of that loss and of the consistency term in it.

    Attributes
    ----------
    argument : nn.Parameter, shape (n_features,)
        v, of 32-bit floats whatever the type of the inputs.
    """

    def __init__(
        self,
        n_features,
        k,
        *,
        steps=2000,
        schedule="geometric",
        drops=30,
        tempering=0.7,
        mask_scale="left-end",
        mask_gradient="fixed-scale",
        mask_input="mean-one",
        objective="mi",
        alpha=1.0,
        rcs_weight=1.0,
        device=None,
    ):
        super().__init__()
        if not 1 <= k <= n_features:
            raise ValueError(f"k is {k}; it takes a number from 1 to n_features, {n_features}")
        if steps < 1 or drops < 1 or not 0 <= tempering <= 1:
            raise ValueError("steps and drops are at least 1, and tempering is a share")
        self.n_features, self.k = int(n_features), int(k)
        self.steps, self.drops, self.tempering = int(steps), int(drops), float(tempering)
        self.schedule = _one_of("schedule", schedule, ("geometric", "linear", "none"))
        self.mask_scale = _one_of("mask_scale", mask_scale, _SCALES)
        self.mask_gradient = _one_of("mask_gradient", mask_gradient, ("fixed-scale", "through-scale"))
        self.mask_input = _one_of("mask_input", mask_input, ("mean-one", "literal"))
        self.objective = _one_of("objective", objective, ("mi", "hsic"))
        self.alpha, self.rcs_weight = float(alpha), float(rcs_weight)
        self.argument = nn.Parameter(torch.ones(n_features, dtype=torch.float32, device=device))
        self._taken = 0  # steps
        self._frozen = False

    # The schedule is part of the state: a mask that is loaded goes on where the other stood.
    _STATE = ("k", "steps", "drops", "tempering", "schedule", "_taken", "_frozen")

    def get_extra_state(self):
        return {name: getattr(self, name) for name in self._STATE}

    def set_extra_state(self, state):
        for name in self._STATE:
            setattr(self, name, state[name])
        self.argument.requires_grad_(not self._frozen)

    def _apply(self, fn, *rest, **more):
        """Follows the module to another device, but stays in 32 bits."""
        super()._apply(fn, *rest, **more)
        if self.argument.dtype != torch.float32:
            self.argument.data = self.argument.data.float()
            if self.argument.grad is not None:
                self.argument.grad.data = self.argument.grad.data.float()
        return self

    @property
    def active(self):
        """F, how many inputs carry weight now."""
        last = self.tempering * self.steps
        if self._frozen or self.schedule == "none" or self._taken >= last:
            return self.k
        drop = int(self._taken * self.drops / last)
        share = drop / self.drops
        d, k = self.n_features, self.k
        count = d - share * (d - k) if self.schedule == "linear" else d * (k / d) ** share
        return min(max(math.floor(count + 0.5), k), d)

    def step(self):
        """Go one step on in the schedule; call it after each step of the optimiser."""
        self._taken += 1

    def freeze(self):
        """End the learning of the mask: k inputs with the weights they have, for good."""
        self._frozen = True
        self.argument.requires_grad_(False)
        return self

    def _find(self):
        """Indices of the support, ascending, and the largest value below it (None if all are in it)."""
        v = self.argument.detach()
        order = torch.sort(v, descending=True, stable=True)
        count = self.active
        support = order.indices[:count].sort().values
        if count == self.n_features:
            return support, None
        below = order.values < order.values[count - 1]
        place = int(below.to(torch.uint8).argmax()) if bool(below.any()) else -1
        return support, order.indices[place] if place >= 0 else -1

    def _weights_of(self, support, reference):
        v = self.argument[support]
        count = len(support)
        if self.mask_scale == "softmax-top-k":
            return torch.softmax(v, 0)
        spread = v - v.mean()
        every = reference is None
        # The first of equal ones, as for the support.
        lowest = torch.sort(v.detach(), stable=True).indices[0]
        g_inside = (v - v[lowest]).sum()
        if (not every and isinstance(reference, int)) or (every and float(g_inside) <= 0):
            return spread + 1 / count  # nothing tells the entries apart
        left = 0.0 if every else 1 / (v - self.argument[reference]).sum()
        right = float("inf") if float(g_inside) <= 0 else 1 / g_inside
        nearest = 1.0 if float(right) > 1 else (1 - _INSET) * right
        wants_nearest = self.mask_scale == "nearest-one" or every
        m = nearest if wants_nearest and float(nearest) > float(left) else left
        if self.mask_gradient == "fixed-scale" and isinstance(m, torch.Tensor):
            m = m.detach()
        p = m * spread + 1 / count
        # Exactly F entries: rounding may not make one of them zero.
        return p + (p.clamp_min(torch.finfo(p.dtype).tiny) - p).detach()

    def _active_weights(self):
        support, reference = self._find()
        return support, self._weights_of(support, reference)

    def support(self):
        """The inputs that carry weight now, ascending."""
        return self._find()[0]

    def weights(self):
        """p: one weight for each input, exactly F of them positive, their sum one."""
        support, p = self._active_weights()
        return torch.zeros_like(self.argument).index_put((support,), p)

    def _scale(self):
        p = self.weights()
        return p * self.active if self.mask_input == "mean-one" else p

    def forward(self, x):
        """x with its last dimension multiplied by the mask."""
        return x * self._scale().to(x.dtype)

    def loss(self, x, target, scores=None, sample_weight=None):
        """What the objective adds to the loss of the task.

        Parameters
        ----------
        x : Tensor, shape (batch, n_features)
            The inputs, before the mask.
        target : Tensor, shape (batch,)
            Classes (integers) or values.
        scores : Tensor, shape (batch, n_classes) or (batch,) or (batch, 1)
            What the model gives for x: logits, or values. Not needed for "hsic".
        sample_weight : Tensor, shape (batch,), default=None

        Returns
        -------
        loss : Tensor
            alpha (E + rcs_weight r_cs) for "mi", -alpha HSIC for "hsic".
        """
        w = torch.ones(len(target), device=x.device) if sample_weight is None else sample_weight
        w = w.to(torch.float32)
        if self.objective == "hsic":
            return -self.alpha * self._hsic(x.to(torch.float32), target, w)
        if scores is None:
            raise ValueError('scores: the objective "mi" needs what the model gives for x')
        scores = scores.to(torch.float32)
        if target.is_floating_point():
            r = scores.reshape(-1)
            errors = (target - r) ** 2
        else:
            probabilities = torch.softmax(scores, 1)
            r = probabilities.gather(1, target[:, None])[:, 0]
            errors = (1 - r) ** 2 + (probabilities**2).sum(1) - r**2
        error = (w * errors).sum() / w.sum()
        if self.rcs_weight == 0:
            return self.alpha * error
        return self.alpha * (error + self.rcs_weight * self._pair_term(x, r, w))

    def _pair_term(self, x, r, w):
        """Predictions of rows that share the values of the probable inputs should agree."""
        support, p = self._active_weights()
        pairs = torch.ones(len(x), len(x), device=x.device)
        # Some columns at a time: a cell for each pair of rows and each column would not fit.
        chunk = max(1, 2**24 // max(1, len(x) ** 2))
        for begin in range(0, len(support), chunk):
            columns = x[:, support[begin : begin + chunk]]
            differ = columns[:, None] != columns[None]
            keep = torch.where(differ, 1 - p[begin : begin + chunk], torch.ones_like(p[:1]))
            pairs = pairs * keep.prod(-1)
        both = torch.triu(w[:, None] * w[None], diagonal=1)
        total = both.sum()
        if float(total) <= 0:
            return total
        return (both * pairs * (r[:, None] - r[None]) ** 2).sum() / total

    def _hsic(self, x, target, w):
        """Dependence of the target on the inputs, scaled by the argument."""
        share = w / w.sum()
        square = self.argument**2
        variance = (share[:, None] * (x - (share[:, None] * x).sum(0)) ** 2).sum(0)
        sigma = (square * variance).sum()
        if target.is_floating_point():
            labels, sigma_y = target[:, None].to(torch.float32), torch.ones((), device=x.device)
        else:
            labels = nn.functional.one_hot(target).to(torch.float32)
            sigma_y = 1 - ((share[:, None] * labels).sum(0) ** 2).sum()
        if float(sigma) <= 0 or float(sigma_y) <= 0 or float((share**2).sum()) >= 1:
            return torch.zeros((), device=x.device) * sigma
        scaled = x * self.argument
        kernel = torch.exp(-_squared_distances(scaled) / (2 * sigma))
        of_labels = torch.exp(-_squared_distances(labels) / (2 * sigma_y))
        mean = of_labels @ share
        centred = of_labels - mean[:, None] - mean[None] + share @ mean
        weight = share[:, None] * share[None]
        return (weight * kernel * centred).sum() / (1 - (share**2).sum()) ** 2

    def prune(self, linear):
        """The layer behind the mask for the chosen inputs alone, the mask folded into its weights.

        Parameters
        ----------
        linear : nn.Linear
            With n_features inputs.

        Returns
        -------
        smaller : nn.Linear
            ``smaller(x[:, mask.support()])`` is ``linear(mask(x))``.
        """
        if linear.in_features != self.n_features:
            raise ValueError(f"linear has {linear.in_features} inputs, the mask {self.n_features}")
        support = self.support()
        smaller = nn.Linear(len(support), linear.out_features, linear.bias is not None)
        smaller = smaller.to(linear.weight.device, linear.weight.dtype)
        with torch.no_grad():
            scale = self._scale()[support].to(linear.weight.dtype)
            smaller.weight.copy_(linear.weight[:, support] * scale)
            if linear.bias is not None:
                smaller.bias.copy_(linear.bias)
        return smaller

    def extra_repr(self):
        return f"{self.n_features}, k={self.k}, active={self.active}, scale={self.mask_scale}"


def _squared_distances(x):
    """By differences: the expansion of the square would lose the small ones."""
    return ((x[:, None] - x[None]) ** 2).sum(-1)
