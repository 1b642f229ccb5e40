"""Sets of `slm synth` as files, each made once and kept."""

import csv
import dataclasses
import pathlib
import subprocess


@dataclasses.dataclass(frozen=True)
class Synthetic:
    data: pathlib.Path
    test: pathlib.Path  # further rows, if they were asked for
    salient: list  # for each salient column its name and those of its copies

    def source(self):
        """Arguments of `slm` that name the set."""
        return _source(self.data, self.test)

    def truth(self):
        """The same with the salient columns alone."""
        keep = {names[0] for names in self.salient} | {"y"}
        return _source(*(_cut(path, keep) for path in (self.data, self.test)))

    def found(self, selected):
        """How many salient columns are among the selected ones, themselves or as a copy."""
        selected = set(selected)
        return sum(not selected.isdisjoint(names) for names in self.salient)


def make(slm, kind, options, seed, folder):
    """The set of a kind and options (flag without dashes: value) from a seed of the generator."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    name = "-".join([kind, *(f"{key}-{value}" for key, value in options.items()), str(seed)])
    data, test, copies = (folder / f"{name}{end}" for end in (".csv", ".test.csv", ".copies"))
    if not copies.exists():  # the command writes it last
        command = [slm, "synth", kind, "--seed", str(seed), "--output", data, "--copies", copies]
        for key, value in options.items():
            command += [f"--{key}", str(value)]
        if "test-rows" in options:
            command += ["--test", test]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(done.stderr.strip())
    return Synthetic(data, test, [line.split() for line in copies.read_text().splitlines()])


def _source(data, test):
    return [str(data), "--target", "y"] + (["--test", str(test)] if test.exists() else [])


def _cut(path, keep):
    cut = path.with_suffix(".true.csv")
    if path.exists() and not cut.exists():
        part = cut.with_suffix(".part")
        with open(path) as full, open(part, "w") as file:
            rows = csv.reader(full)
            header = next(rows)
            places = [j for j, column in enumerate(header) if column in keep]
            writer = csv.writer(file)
            writer.writerow([header[j] for j in places])
            writer.writerows([row[j] for j in places] for row in rows)
        part.rename(cut)
    return cut
