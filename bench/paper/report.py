"""What an experiment found, as JSON and as Markdown."""

import dataclasses
import json
import statistics


@dataclasses.dataclass
class Table:
    title: str
    rows: list  # of dictionaries
    columns: tuple  # of (key, header, format)
    note: str = ""


@dataclasses.dataclass
class Report:
    title: str
    text: str  # what was done, and how it differs from the paper
    tables: list
    figures: dict = dataclasses.field(default_factory=dict)  # file name: SVG


METHOD_COLUMNS = (
    ("method", "method", ""), ("mean", "ours", ".4f"), ("sd", "±", ".4f"), ("median", "median", ".4f"),
    ("runs", "runs", "d"), ("seconds", "seconds", ".3g"), ("paper", "paper", ".4g"), ("remark", "", ""))


def summary(method, runs, paper=None):
    """One row of a table: mean, spread and median of the runs that were finished."""
    tests = [run["test"] for run in runs if "failure" not in run]
    row = {"method": method, "runs": len(tests), "paper": paper, "remark": ""}
    failures = [run["failure"] for run in runs if "failure" in run]
    if tests:
        seconds = [run["seconds"] for run in runs if "failure" not in run]
        row.update(mean=statistics.fmean(tests), median=statistics.median(tests), tests=tests,
                   sd=statistics.stdev(tests) if len(tests) > 1 else 0.0, seconds=statistics.fmean(seconds))
    if failures:
        row["remark"] = failures[0]
    elif any(run.get("late") for run in runs):
        row["remark"] = "cut off at the time limit"
    return row


def _cell(row, key, form):
    value = row.get(key)
    return "" if value is None else format(value, form) if form else str(value).replace("|", "/").replace("\n", " ")


def _markdown_table(table):
    columns = [c for c in table.columns if c[0] == "method" or any(_cell(row, c[0], c[2]) for row in table.rows)]
    lines = [f"## {table.title}\n"]
    if table.note:
        lines.append(table.note + "\n")
    lines.append("| " + " | ".join(header for _, header, _ in columns) + " |")
    lines.append("|---" * len(columns) + "|")
    for row in table.rows:
        lines.append("| " + " | ".join(_cell(row, key, form) for key, _, form in columns) + " |")
    return "\n".join(lines) + "\n"


def write(report, name, command, seconds, out):
    """OUT/NAME.json, OUT/NAME.md and the figures."""
    for file, svg in report.figures.items():
        (out / file).write_text(svg)
    data = {
        "experiment": name, "title": report.title, "command": command, "text": report.text, "seconds": seconds,
        "tables": [{"title": t.title, "note": t.note, "rows": t.rows} for t in report.tables],
        "figures": list(report.figures),
    }
    (out / f"{name}.json").write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n")
    parts = [f"# {report.title}\n", report.text + "\n", f"```\n{command}\n```\n"]
    parts += [f"![{report.title}]({file})\n" for file in report.figures]
    parts += [_markdown_table(table) for table in report.tables]
    (out / f"{name}.md").write_text("\n".join(parts))
