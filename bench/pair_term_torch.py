#!/usr/bin/env python3
"""The pair term r_cs in PyTorch: value and both gradients, for comparison with bench/pair_term.cc.

Reads the cases as JSON lines on standard input, as `pair_term --emit-cases` writes them (kind, b, F and
the integer codes of the batch), and prints one JSON line for each: microseconds of the fastest form over
one and two threads.

Three ways to write it, the fastest counts:
  pairs    unordered pairs by index, inequality as floats, one product with log(1 - p)
  table    all b x b pairs by broadcasting, one product with log(1 - p)
  one-hot  equality of columns with few levels as one product of one-hot rows, the others as in pairs
All prepare what does not depend on p and r outside the autograd graph, and all of it inside the timed
call, as the codes are those of a new batch every step.
"""

import argparse
import json
import statistics
import sys
import time

import torch

ONE_HOT_LEVELS = 32


def pairs(codes, log_keep, r, i, k):
    differ = (codes[i] != codes[k]).to(torch.float32)
    weight = torch.exp(differ @ log_keep)
    return (weight * (r[i] - r[k]).square()).mean()


def table(codes, log_keep, r, i, k):
    b = codes.shape[0]
    differ = (codes[:, None, :] != codes[None, :, :]).to(torch.float32)
    weight = torch.exp(differ.view(b * b, -1) @ log_keep).view(b, b)
    return (weight * (r[:, None] - r[None, :]).square()).sum() / (b * (b - 1))


def one_hot(codes, log_keep, r, i, k):
    b = codes.shape[0]
    top = codes.max(dim=0).values
    few = torch.nonzero(top < ONE_HOT_LEVELS).flatten()
    many = torch.nonzero(top >= ONE_HOT_LEVELS).flatten()
    log_weight = log_keep.sum()
    if len(few):
        levels = top[few] + 1
        offset = torch.cumsum(levels, 0) - levels
        hot = torch.zeros(b, int(levels.sum()))
        hot.scatter_(1, codes[:, few] + offset, 1.0)
        gain = torch.repeat_interleave(log_keep[few], levels)
        log_weight = log_weight - ((hot * gain) @ hot.T)[i, k]
    if len(many):
        same = (codes[i][:, many] == codes[k][:, many]).to(torch.float32)
        log_weight = log_weight - same @ log_keep[many]
    return (torch.exp(log_weight) * (r[i] - r[k]).square()).mean()


FORMS = {"pairs": pairs, "table": table, "one-hot": one_hot}


def step(form, codes, p, r, i, k):
    p.grad = None
    r.grad = None
    value = form(codes, torch.log1p(-p), r, i, k)
    value.backward()
    return value


def microseconds(run, seconds):
    run()
    times = []
    until = time.perf_counter() + seconds
    while len(times) < 5 or time.perf_counter() < until:
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return 1e6 * statistics.median(times)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=0.3, help="for each form and thread count")
    args = parser.parse_args()
    for line in sys.stdin:
        case = json.loads(line)
        codes = torch.tensor(case["codes"], dtype=torch.int64).T.contiguous()  # b x F
        b = codes.shape[0]
        p = torch.tensor(case["p"], requires_grad=True)
        r = torch.tensor(case["r"], requires_grad=True)
        i, k = torch.triu_indices(b, b, 1)
        best = None
        value = None
        by_form = {}
        for threads in (1, 2):
            torch.set_num_threads(threads)
            for name, form in FORMS.items():
                value = float(step(form, codes, p, r, i, k))
                took = microseconds(lambda: step(form, codes, p, r, i, k), args.seconds)
                by_form[f"{name}/{threads}"] = round(took, 1)
                if best is None or took < best[0]:
                    best = (took, name, threads)
        print(json.dumps({"bench": "pair_term_torch", "kind": case["kind"], "b": b,
                          "features": codes.shape[1], "microseconds": best[0], "form": best[1],
                          "threads": best[2], "value": value, "all": by_form}), flush=True)


if __name__ == "__main__":
    main()
