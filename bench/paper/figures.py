"""Small SVG charts: axes, a legend, means with bands or bars, and every single trial in a light hue."""

import html
import math

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 420, 66, 20, 86, 62
COLOURS = (("#0b6e4f", "#3fb68b"), ("#b35900", "#e3964a"), ("#3b5bdb", "#8aa4ff"))  # light page, dark page

_STYLE = """<style>
.page{{fill:#ffffff}}.ink{{fill:#24292f}}.grey{{fill:#57606a}}.grid{{stroke:#d0d7de}}.axis{{stroke:#57606a}}
.line{{fill:none;stroke-width:2.5;stroke-linejoin:round}}.trial{{fill:none;stroke-width:1;stroke-opacity:.28}}
.band{{fill-opacity:.15;stroke:none}}.light{{fill-opacity:.3;stroke:none}}.bar{{stroke-width:2}}
{light}
@media (prefers-color-scheme:dark){{
.page{{fill:#0d1117}}.ink{{fill:#e6edf3}}.grey{{fill:#9198a1}}.grid{{stroke:#30363d}}.axis{{stroke:#9198a1}}
{dark}}}
</style>"""


def _style():
    def hues(which):
        return "".join(f".s{i}{{stroke:{c[which]}}}.f{i}{{fill:{c[which]}}}" for i, c in enumerate(COLOURS))

    return _STYLE.format(light=hues(0), dark=hues(1))


def ticks(low, high, count=7):
    """Round numbers that span the range."""
    span = max(high - low, 1e-9)
    step = 10 ** math.floor(math.log10(span / count))
    step *= next(factor for factor in (1, 2, 5, 10) if span / (step * factor) <= count)
    first = math.floor(low / step)
    last = math.ceil(high / step - 1e-9)
    return [round(i * step, 10) for i in range(first, last + 1)]


class Chart:
    """The page, the vertical axis, and the places of values in it."""

    def __init__(self, title, subtitle, y_label, values):
        self.y_ticks = ticks(min(values), max(values))
        self.parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
            f'font-family="system-ui, sans-serif" font-size="12">',
            _style(), '<rect class="page" width="100%" height="100%"/>',
            f'<text x="16" y="26" class="ink" font-size="15">{html.escape(title)}</text>',
            f'<text x="16" y="46" class="grey">{html.escape(subtitle)}</text>',
            f'<text x="16" y="{TOP - 12}" class="grey">{html.escape(y_label)}</text>']
        for tick in self.y_ticks:
            y = self.y(tick)
            self.add(f'<line x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}" class="grid"/>')
            self.text(LEFT - 8, y + 4, f"{tick:g}", "end")
        self.add(f'<line x1="{LEFT}" y1="{HEIGHT - BOTTOM}" x2="{WIDTH - RIGHT}" y2="{HEIGHT - BOTTOM}" class="axis"/>')

    def add(self, part):
        self.parts.append(part)

    def text(self, x, y, text, anchor="middle", style="grey"):
        self.add(f'<text x="{x:.1f}" y="{y:.1f}" class="{style}" text-anchor="{anchor}">{html.escape(text)}</text>')

    def y(self, value):
        low, high = self.y_ticks[0], self.y_ticks[-1]
        return TOP + (HEIGHT - BOTTOM - TOP) * (high - value) / (high - low)

    def legend(self, labels):
        x = WIDTH - RIGHT
        for i, label in reversed(list(enumerate(labels))):
            x -= 7 * len(label)
            self.text(x, TOP - 12, label, "start", "ink")
            self.add(f'<circle cx="{x - 10:.1f}" cy="{TOP - 16}" r="4.5" class="f{i}"/>')
            x -= 30

    def svg(self):
        return "\n".join([*self.parts, "</svg>\n"])


def _mean_sd(values):
    mean = sum(values) / len(values)
    return mean, math.sqrt(sum((v - mean) ** 2 for v in values) / max(1, len(values) - 1))


def lines(title, subtitle, x_label, y_label, xs, series, logarithmic=False):
    """A line for the mean of each series over xs, a band of one standard deviation, a light line for
    each trial. `series` is {label: trials}, a trial a list of values, one for each of xs."""
    chart = Chart(title, subtitle, y_label, [v for trials in series.values() for trial in trials for v in trial])
    place = math.log if logarithmic else float
    low, high = place(min(xs)), place(max(xs))

    def x(value):
        return LEFT + 14 + (WIDTH - RIGHT - LEFT - 28) * (place(value) - low) / max(high - low, 1e-9)

    def points(pairs):
        return " ".join(f"{x(a):.1f},{chart.y(b):.1f}" for a, b in pairs)

    last = -math.inf
    for value in xs:
        chart.add(f'<path d="M{x(value):.1f} {HEIGHT - BOTTOM}v5" class="axis"/>')
        if x(value) - last > 26:
            chart.text(x(value), HEIGHT - BOTTOM + 20, f"{value:g}")
            last = x(value)
    chart.text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 18, x_label)
    for i, trials in enumerate(series.values()):
        spread = [_mean_sd(column) for column in zip(*trials)]
        upper = [(a, min(m + s, chart.y_ticks[-1])) for a, (m, s) in zip(xs, spread)]
        lower = [(a, max(m - s, chart.y_ticks[0])) for a, (m, s) in zip(xs, spread)]
        chart.add(f'<polygon points="{points(upper + lower[::-1])}" class="band f{i}"/>')
        for trial in trials:
            chart.add(f'<polyline points="{points(zip(xs, trial))}" class="trial s{i}"/>')
        chart.add(f'<polyline points="{points([(a, m) for a, (m, _) in zip(xs, spread)])}" class="line s{i}"/>')
        for a, (mean, _) in zip(xs, spread):
            chart.add(f'<circle cx="{x(a):.1f}" cy="{chart.y(mean):.1f}" r="3.5" class="f{i}"/>')
    chart.legend(series)
    return chart.svg()


def groups(title, subtitle, y_label, series):
    """Side by side in each group: a mark and a bar for mean and standard deviation of each series, a
    light dot for each trial. `series` is {label: {group: values}} with the same groups in each."""
    names = list(next(iter(series.values())))
    chart = Chart(title, subtitle, y_label, [v for by_group in series.values() for vs in by_group.values() for v in vs])
    width = (WIDTH - RIGHT - LEFT) / len(names)
    for g, name in enumerate(names):
        middle = LEFT + width * (g + 0.5)
        chart.text(middle, HEIGHT - BOTTOM + 20, name, style="ink")
        means = []
        for i, by_group in enumerate(series.values()):
            x = middle + width * 0.36 * ((i + 0.5) / len(series) - 0.5) * 1.3
            mean, sd = _mean_sd(by_group[name])
            means.append((x, chart.y(mean)))
            for value in by_group[name]:
                chart.add(f'<circle cx="{x:.1f}" cy="{chart.y(value):.1f}" r="4" class="light f{i}"/>')
            top, bottom = chart.y(min(mean + sd, chart.y_ticks[-1])), chart.y(max(mean - sd, chart.y_ticks[0]))
            chart.add(f'<line x1="{x:.1f}" y1="{top:.1f}" x2="{x:.1f}" y2="{bottom:.1f}" class="bar s{i}"/>')
            chart.add(f'<line x1="{x - 11:.1f}" y1="{chart.y(mean):.1f}" x2="{x + 11:.1f}" y2="{chart.y(mean):.1f}" '
                      f'class="s{i}" stroke-width="4"/>')
        difference = [_mean_sd(by_group[name])[0] for by_group in series.values()]
        chart.text(middle, HEIGHT - BOTTOM + 36, f"{100 * (difference[0] - difference[1]):+.1f} points")
    chart.legend(series)
    return chart.svg()
