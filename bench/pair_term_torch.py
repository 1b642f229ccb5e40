#!/usr/bin/env python3
"""The pair term r_cs against the same in PyTorch: value and both gradients, in one run.

  bench/pair_term_torch.py build/release/bench/bench_pair_term [--kinds mixed] [--b 128 256] [--features 50]

Takes the batches and our times from the program, times PyTorch on the same batches, checks that the values
agree, and prints a table on stderr and a JSON line for each case on stdout. One thread each; the fastest of
PyTorch on two threads is shown beside it, as is `table`, the tensor form over all pairs of a batch that the
paper describes.

Three ways to write it in PyTorch, of which the fastest counts:
  table    all b x b pairs by broadcasting, one product with log(1 - p)
  pairs    unordered pairs by index, inequality as floats, one product with log(1 - p)
  one-hot  equality in columns of few levels as one product of one-hot rows, the others as in table
All gather the batch from the codes of all rows, as the program does; the indices of pairs are ready.
"""

import argparse
import json
import subprocess
import sys
import time

import torch

ONE_HOT_LEVELS = 32


def pairs(codes, log_keep, r, i, k):
    differ = (codes[i] != codes[k]).to(torch.float32)
    weight = torch.exp(differ @ log_keep)
    return (weight * (r[i] - r[k]).square()).mean()


def table_mean(weight, r):
    b = len(r)
    return (weight * (r[:, None] - r[None, :]).square()).sum() / (b * (b - 1))


def table(codes, log_keep, r, i, k):
    b = len(r)
    differ = (codes[:, None, :] != codes[None, :, :]).to(torch.float32)
    return table_mean(torch.exp(differ.view(b * b, -1) @ log_keep).view(b, b), r)


def one_hot(codes, log_keep, r, i, k):
    b = len(r)
    top = codes.max(dim=0).values
    few = torch.nonzero(top < ONE_HOT_LEVELS).flatten()
    many = torch.nonzero(top >= ONE_HOT_LEVELS).flatten()
    log_weight = log_keep.sum()
    if len(few):
        levels = top[few] + 1
        hot = torch.zeros(b, int(levels.sum()))
        hot.scatter_(1, codes[:, few] + (torch.cumsum(levels, 0) - levels), 1.0)
        log_weight = log_weight - (hot * torch.repeat_interleave(log_keep[few], levels)) @ hot.T
    if len(many):
        some = codes[:, many]
        same = (some[:, None, :] == some[None, :, :]).to(torch.float32)
        log_weight = log_weight - (same.view(b * b, -1) @ log_keep[many]).view(b, b)
    return table_mean(torch.exp(log_weight), r)


FORMS = {"pairs": pairs, "table": table, "one-hot": one_hot}


def step(form, codes, rows, p, r, i, k):
    p.grad = None
    r.grad = None
    value = form(codes[rows], torch.log1p(-p), r, i, k)
    value.backward()
    return float(value)


def microseconds(run, seconds):
    """Of the fastest call, as in the program: other work on the machine only ever adds."""
    times = []
    until = time.perf_counter() + seconds
    while len(times) < 5 or time.perf_counter() < until:
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return 1e6 * min(times)


def time_torch(case, seconds):
    """Microseconds by (form, threads), and the value."""
    codes = torch.tensor(case["codes"], dtype=torch.int32).T.contiguous()  # all rows x F
    rows = torch.tensor(case["rows"])
    wide = codes.to(torch.int64)  # scatter_ takes nothing else
    p = torch.tensor(case["p"], requires_grad=True)
    r = torch.tensor(case["r"], requires_grad=True)
    i, k = torch.triu_indices(len(r), len(r), 1)
    times = {}
    for threads in (1, 2):
        torch.set_num_threads(threads)
        for name, form in FORMS.items():
            own = wide if name == "one-hot" else codes
            value = step(form, own, rows, p, r, i, k)
            times[name, threads] = microseconds(lambda: step(form, own, rows, p, r, i, k), seconds)
    return times, value


def lines_of(command):
    result = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return [json.loads(line) for line in result.stdout.splitlines()]


def take_turns(args, key, case):
    """The fastest of all rounds, so that a busy moment of the machine does not hit one side alone."""
    own, times = {}, {}
    for _ in range(args.rounds):
        kind, b, features = key
        (found,) = lines_of([args.program, "--only", kind, str(b), str(features)])
        own = min(own or found, found, key=lambda x: x["microseconds"])
        again, value = time_torch(case, args.seconds)
        times = {name: min(time, times.get(name, time)) for name, time in again.items()}
    return own, times, value


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", help="the built bench_pair_term")
    parser.add_argument("--kinds", nargs="*", default=["8 levels", "binary", "mixed"])
    parser.add_argument("--b", nargs="*", type=int, default=[128, 256])
    parser.add_argument("--features", nargs="*", type=int, default=[50, 100])
    parser.add_argument("--seconds", type=float, default=0.15, help="for each form and thread count, in each round")
    parser.add_argument("--rounds", type=int, default=4, help="the program and PyTorch take turns so many times")
    args = parser.parse_args()
    for case in lines_of([args.program, "--emit-cases"]):
        key = case["kind"], len(case["r"]), len(case["p"])
        if key[0] not in args.kinds or key[1] not in args.b or key[2] not in args.features:
            continue
        own, times, value = take_turns(args, key, case)
        if abs(value - own["value"]) > 1e-4 * abs(value):
            sys.exit(f"{key}: PyTorch says {value}, we say {own['value']}")
        ratios = {name: time / own["microseconds"] for name, time in {
            "ratio": min(times[form, 1] for form in FORMS),
            "two_threads_ratio": min(times[form, 2] for form in FORMS),
            "tensor_ratio": times["table", 1]}.items()}
        best = min(FORMS, key=lambda form: times[form, 1])
        print(f"{key[0]:10} b {key[1]:4}  F {key[2]:4}  ours {own['microseconds']:8.1f} us"
              f"  PyTorch {times[best, 1]:9.1f} us ({best}), ratio {ratios['ratio']:6.1f};"
              f"  on two threads {ratios['two_threads_ratio']:6.1f};"
              f"  its tensor form {ratios['tensor_ratio']:6.1f}", file=sys.stderr)
        print(json.dumps({"bench": "pair_term_torch", "kind": key[0], "b": key[1],
                          "features": key[2], "microseconds": own["microseconds"],
                          "torch_microseconds": times[best, 1], "torch_form": best, **ratios,
                          "torch_all": {f"{f}/{t}": round(x, 1) for (f, t), x in times.items()}}),
              flush=True)


if __name__ == "__main__":
    main()
