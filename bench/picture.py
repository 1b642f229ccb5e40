#!/usr/bin/env python3
"""Draws what `make demo` chose: a bar for each column, by weight, salient ones in colour.

    bench/picture.py build/demo/selection.json build/demo/salient.txt > docs/selection.svg
"""

import json
import sys


def main():
    with open(sys.argv[1]) as file:
        result = json.load(file)
    with open(sys.argv[2]) as file:
        salient = set(file.read().split())
    chosen = result["selected"]
    step, left, top, longest = 18, 60, 58, 420
    width, height = left + longest + 110, top + step * len(chosen) + 16
    found = sum(c["name"] in salient for c in chosen)
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
          f'font-family="system-ui, sans-serif" font-size="12" fill="#24292f">')
    print(f'<rect width="{width}" height="{height}" fill="#ffffff"/>')
    print(f'<text x="12" y="22" font-size="15">{len(chosen)} of {result["data"]["features"]} columns chosen; '
          f'{found} of them truly matter</text>')
    print('<text x="12" y="42" fill="#57606a">weight of each column in the mask; '
          '<tspan fill="#0b6e4f">salient</tspan>, <tspan fill="#b35900">noise</tspan></text>')
    for i, column in enumerate(chosen):
        y = top + step * i
        length = max(1.0, longest * column["weight"] / chosen[0]["weight"])
        colour = "#0b6e4f" if column["name"] in salient else "#b35900"
        print(f'<text x="{left - 8}" y="{y + 11}" text-anchor="end">{column["name"]}</text>')
        print(f'<rect x="{left}" y="{y}" width="{length:.1f}" height="13" fill="{colour}"/>')
        print(f'<text x="{left + length + 6:.1f}" y="{y + 11}" fill="#57606a">{column["weight"]:.3f}</text>')
    print("</svg>")


if __name__ == "__main__":
    main()
