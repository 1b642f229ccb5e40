#!/usr/bin/env python3
"""Ten steps of training with a sparse learnable mask, in NumPy and float64.

Written from the paper's equations (mask: section 3.1 and Lemma 3.2, tempering: Eq. 4, objective:
Eq. 8 to 10), with full sorts, dense matrices and pairs visited one by one. Conventions that the
paper leaves open, the same as in the library:

  * the mask is the left end of the lemma's interval, or the m nearest to 1 in it, a thousandth
    inside its open right end; with no entry below the F-th all weights are 1 / F
  * r_cs is the mean over pairs, weighted by the rows' weights
  * Adam's moments rest for mask entries and first-layer rows that are outside the support
  * the mask moves by the gradients of the step in which the predictor moves

It writes ten_steps.inc beside itself: inputs, first weights and batches, then loss, mask argument
and weights after each step. To regenerate it:

    python3 tests/reference/ten_steps.py    (Debian: python3-numpy)
"""

import pathlib

import numpy as np

STEPS, ROWS, FEATURES, HIDDEN, BATCH = 10, 24, 6, 4, 8

RUNS = [
    dict(name="paper", classes=3, k=2, scale="nearest-one", through=False, update="adam",
         mask_rate=1e-2, literal=True, schedule="linear", drops=5, fraction=0.5, rate=1e-2,
         decay_rate=0.9, decay_steps=4, l2=0.0, alpha=1.0, rcs_weight=1.0, weighted=False),
    dict(name="default", classes=3, k=2, scale="left-end", through=False, update="normalised",
         mask_rate=1.0, literal=False, schedule="geometric", drops=30, fraction=0.7, rate=2e-3,
         decay_rate=1.0, decay_steps=1000, l2=0.0, alpha=1.0, rcs_weight=1.0, weighted=False),
    dict(name="weighted_regression", classes=0, k=3, scale="left-end", through=False,
         update="normalised", mask_rate=0.5, literal=False, schedule="geometric", drops=3,
         fraction=0.6, rate=1e-2, decay_rate=1.0, decay_steps=1000, l2=0.05, alpha=0.8,
         rcs_weight=1.5, weighted=True),
    dict(name="through_scale", classes=2, k=2, scale="left-end", through=True, update="adam",
         mask_rate=0.05, literal=False, schedule="linear", drops=2, fraction=0.4, rate=1e-2,
         decay_rate=0.5, decay_steps=5, l2=0.0, alpha=2.0, rcs_weight=0.5, weighted=True),
]


def single(x):
    """Rounded to float32, so that both sides start from the same numbers."""
    return np.asarray(x, dtype=np.float32).astype(np.float64)


def features_at(run, step):
    """F_t, Eq. 4 and its geometric form."""
    last = run["fraction"] * STEPS
    drop = run["drops"] if step >= last else int(step * run["drops"] / last)
    if drop >= run["drops"]:
        return run["k"]
    share = drop / run["drops"]
    d, k = FEATURES, run["k"]
    count = d - share * (d - k) if run["schedule"] == "linear" else d * (k / d) ** share
    return int(np.floor(count + 0.5))


def make_mask(v, count, scale):
    """Support, weights, the scale m, the entry m depends on besides the support, and which end."""
    support = np.sort(np.argsort(-v, kind="stable")[:count])
    inside = v[support]
    below = np.flatnonzero(v < inside.min())
    reference = below[np.argmax(v[below])] if count < len(v) and len(below) else -1
    spread = inside.sum() - count * inside.min()  # g(F)
    if reference < 0 and (count < len(v) or spread <= 0):
        return support, np.full(count, 1 / count), 1.0, -1, "inside"
    left = 0.0 if reference < 0 else 1 / (inside.sum() - count * v[reference])
    right = np.inf if spread <= 0 else 1 / spread
    m, end = (1.0, "inside") if right > 1 else (0.999 * right, "right")
    if (scale == "left-end" and reference >= 0) or m <= left:
        m, end = left, "left"
    return support, m * inside - (m * inside.sum() - 1) / count, m, reference, end


def mask_gradient(v, support, m, reference, end, dp, through):
    """d loss / d v from d loss / d p."""
    g = np.zeros_like(v)
    g[support] = m * (dp - dp.mean())
    if through and end == "left":
        # p_i = (v_i - r) / sum_S (v - r)
        above = v[support] - v[reference]
        total = above.sum()
        jacobian = np.eye(len(support)) / total - np.outer(above, np.ones(len(support))) / total**2
        g[:] = 0
        g[support] = jacobian.T @ dp
        g[reference] = dp @ (-1 / total + len(support) * above / total**2)
    assert not (through and end == "right")
    return g


def pair_term(x, support, p, r, w):
    """r_cs and its derivatives by r and p."""
    value, total = 0.0, 0.0
    dr, dp = np.zeros_like(r), np.zeros_like(p)
    for i in range(len(r)):
        for k in range(i + 1, len(r)):
            differ = x[i, support] != x[k, support]
            weight = w[i] * w[k] * np.prod(1 - p[differ])
            total += w[i] * w[k]
            value += weight * (r[i] - r[k]) ** 2
            dr[i] += 2 * weight * (r[i] - r[k])
            dr[k] -= 2 * weight * (r[i] - r[k])
            dp[differ] -= weight / (1 - p[differ]) * (r[i] - r[k]) ** 2
    return value / total, dr / total, dp / total


class Adam:
    """Kingma and Ba, Algorithm 1; entries outside `where` keep weights and moments."""

    def __init__(self, shape):
        self.m, self.v, self.t = np.zeros(shape), np.zeros(shape), 0

    def step(self, w, g, rate, where):
        self.t += 1
        self.m[where] = 0.9 * self.m[where] + 0.1 * g[where]
        self.v[where] = 0.999 * self.v[where] + 0.001 * g[where] ** 2
        m_hat = self.m[where] / (1 - 0.9**self.t)
        v_hat = self.v[where] / (1 - 0.999**self.t)
        w[where] -= rate * m_hat / (np.sqrt(v_hat) + 1e-8)


def loss_and_gradients(run, x, y, w, v, net, mask):
    support, p, m, reference, end = mask
    w1, b1, w2, b2 = net
    share = w / w.sum()
    factor = 1.0 if run["literal"] else float(len(support))
    z = x[:, support] * (factor * p)
    pre = z @ w1[support] + b1
    hidden = np.maximum(pre, 0)
    scores = hidden @ w2 + b2
    alpha, beta = run["alpha"], run["alpha"] * run["rcs_weight"]
    if run["classes"]:
        e = np.exp(scores - scores.max(axis=1, keepdims=True))
        r = e / e.sum(axis=1, keepdims=True)
        onehot = np.eye(run["classes"])[y]
        truth = (r * onehot).sum(axis=1)
        task = -(share * np.log(truth)).sum()
        error = (share * ((onehot - r) ** 2).sum(axis=1)).sum()
        rcs, dtruth, dp = pair_term(x, support, p, truth, w)
        dr = alpha * 2 * share[:, None] * (r - onehot) + beta * dtruth[:, None] * onehot
        dscores = share[:, None] * (r - onehot) + r * (dr - (r * dr).sum(axis=1, keepdims=True))
    else:
        value = scores[:, 0]
        task = (share * np.abs(y - value)).sum()
        error = (share * (y - value) ** 2).sum()
        rcs, dvalue, dp = pair_term(x, support, p, value, w)
        dscores = (share * np.sign(value - y) + alpha * 2 * share * (value - y)
                   + beta * dvalue)[:, None]
    dhidden = (dscores @ w2.T) * (pre > 0)
    dw1 = np.zeros_like(w1)
    dw1[support] = z.T @ dhidden
    dz = dhidden @ w1[support].T
    dp = beta * dp + factor * (dz * x[:, support]).sum(axis=0)
    gradients = [dw1, dhidden.sum(axis=0), hidden.T @ dscores, dscores.sum(axis=0)]
    dv = mask_gradient(v, support, m, reference, end, dp, run["through"])
    return task + alpha * error + beta * rcs, gradients, dv


def train(run, rng):
    # Discrete columns, with values that a float holds exactly.
    levels = [2, 2, 3, 4, 4, 6]
    codes = np.stack([rng.integers(0, n, ROWS) for n in levels], axis=1)
    x = (codes - (np.array(levels) - 1) / 2) * 0.5
    signal = x @ np.array([1.0, -0.5, 0.3, 0.8, 0.0, 0.0]) + 0.3 * rng.normal(size=ROWS)
    if run["classes"]:
        cuts = np.quantile(signal, np.arange(1, run["classes"]) / run["classes"])
        y = np.searchsorted(cuts, signal)
    else:
        y = single((signal - signal.mean()) / signal.std())
    weight = single(rng.uniform(0.25, 2, ROWS)) if run["weighted"] else np.ones(ROWS)
    outputs = run["classes"] or 1
    net = [single(rng.normal(size=(FEATURES, HIDDEN)) * np.sqrt(2 / FEATURES)),
           single(rng.uniform(0, 0.2, HIDDEN)),
           single(rng.normal(size=(HIDDEN, outputs)) * np.sqrt(2 / HIDDEN)),
           single(rng.uniform(-0.1, 0.1, outputs))]
    batches = [rng.permutation(ROWS)[:BATCH] for _ in range(STEPS)]
    # Adam's first step has one size for every entry, so an all-ones mask becomes a tie that float32
    # and float64 break in their own ways. A spread start leaves nothing to chance.
    v = np.ones(FEATURES)
    if run["update"] == "adam":
        v = single(1 + 0.1 * rng.normal(size=FEATURES))
    record = dict(x=x, y=y, weight=weight if run["weighted"] else np.array([]), argument=v.copy(),
                  start=[a.copy() for a in net], batches=batches, steps=[])

    optimisers, mask_adam = [Adam(a.shape) for a in net], Adam(FEATURES)
    for step in range(STEPS):
        mask = make_mask(v, features_at(run, step), run["scale"])
        support, reference = mask[0], mask[3]
        rows = batches[step]
        loss, gradients, dv = loss_and_gradients(run, x[rows], y[rows], weight[rows], v, net, mask)
        rate = run["rate"] * run["decay_rate"] ** (step / run["decay_steps"])
        for w, g, adam in zip(net, gradients, optimisers):
            where = support if w is net[0] else np.arange(len(w))
            adam.step(w, g + run["l2"] * w, rate, where)
        moved = support
        if run["through"] and mask[4] == "left":
            moved = np.append(support, reference)
        if run["update"] == "adam":
            mask_adam.step(v, dv, run["mask_rate"], moved)
        else:
            centred = dv[moved] - dv[moved].mean()
            v[moved] -= run["mask_rate"] * centred / np.sqrt((centred**2).mean())
        record["steps"].append((loss, support.copy(), v.copy(), [a.copy() for a in net]))
    return record


def numbers(values):
    return "{" + ", ".join(f"{float(x):.9g}" for x in np.ravel(values)) + "}"


def integers(values):
    return "{" + ", ".join(str(int(x)) for x in values) + "}"


def weights(net):
    return "{" + ",\n     ".join(numbers(a) for a in net) + "}"


def main():
    lines = ["// Made by ten_steps.py; do not edit.", ""]
    for index, run in enumerate(RUNS):
        record = train(run, np.random.default_rng(100 + index))
        lines += [f'{{"{run["name"]}", {run["classes"]},',
                  f'    {numbers(record["x"])},',
                  f'    {numbers(record["y"])},',
                  f'    {numbers(record["weight"])},',
                  f'    {numbers(record["argument"])},',
                  f'    {weights(record["start"])},',
                  "    {" + ",\n     ".join(integers(b) for b in record["batches"]) + "},",
                  "    {"]
        for loss, support, v, net in record["steps"]:
            lines += [f"    {{{loss:.9g}, {integers(support)}, {numbers(v)},",
                      f"     {weights(net)}}},"]
        lines += ["    }},", ""]
    path = pathlib.Path(__file__).with_suffix(".inc")
    path.write_text("\n".join(lines[:-1]) + "\n")


if __name__ == "__main__":
    main()
