#!/usr/bin/env python3
"""Reading a numeric table of 200,000 x 200 cells beside the packages that users have, in one run.

    bench/reading.py [--build build/release] [--rows N] [--columns N] [--rounds 3]

The same numbers as CSV and as Parquet. Every reader has two threads and a process of its own, reads the warm
file whole into memory, and the readers take turns; of each the fastest counts. Prints a Markdown table and
writes it as JSON to build/bench/reading.json; ends with 1 if slm is not first for CSV. Needs the programs of
`make bench`; the packages are installed from reading-requirements.txt into build/reading-venv.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
VENV = HERE.parent / "build" / "reading-venv"
THREADS = {"POLARS_MAX_THREADS": "2", "OMP_NUM_THREADS": "2"}

# Each statement leaves the whole table in memory, in the form in which its users have it.
READERS = {
    "csv": {
        "pandas, C engine": "import pandas; read = lambda: pandas.read_csv(path, engine='c')",
        "pandas, pyarrow engine": "import pandas; read = lambda: pandas.read_csv(path, engine='pyarrow')",
        "pyarrow": "import pyarrow.csv; read = lambda: pyarrow.csv.read_csv(path)",
        "polars": "import polars; read = lambda: polars.read_csv(path)",
        "DuckDB, to a table": "read = lambda: connect().execute(f\"CREATE OR REPLACE TABLE t AS FROM '{path}'\")",
        "DuckDB, to NumPy": "read = lambda: connect().execute(f\"FROM '{path}'\").fetchnumpy()",
    },
    "parquet": {
        "pandas": "import pandas; read = lambda: pandas.read_parquet(path)",
        "pyarrow": "import pyarrow.parquet; read = lambda: pyarrow.parquet.read_table(path)",
        "polars": "import polars; read = lambda: polars.read_parquet(path)",
        "DuckDB, to a table": "read = lambda: connect().execute(f\"CREATE OR REPLACE TABLE t AS FROM '{path}'\")",
        "DuckDB, to NumPy": "read = lambda: connect().execute(f\"FROM '{path}'\").fetchnumpy()",
    },
}
PROGRAM = """
import sys, time
path = sys.argv[1]
try:
    import pyarrow
    pyarrow.set_cpu_count(2)
except ImportError:
    pass
def connect():
    import duckdb
    connection = duckdb.connect(config={{"threads": 2}})
    connection.execute("SET enable_progress_bar = false")
    return connection
{statement}
best = float("inf")
for _ in range(2):
    start = time.perf_counter()
    table = read()
    best = min(best, time.perf_counter() - start)
print(best)
"""


def environment():
    """The Python of the environment with the packages, made if need be."""
    python, requirements = VENV / "bin" / "python", HERE / "reading-requirements.txt"
    stamp = VENV / "requirements.txt"
    if not stamp.exists() or stamp.read_text() != requirements.read_text():
        subprocess.run([sys.executable, "-m", "venv", str(VENV)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", "-r", str(requirements)], check=True)
        stamp.write_text(requirements.read_text())
    return python


def seconds(command):
    """The first number that a command prints."""
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **THREADS})
    if done.returncode != 0:
        sys.exit(f"{command[0]}: {done.stderr.strip()[-500:]}")
    return float(done.stdout.split()[0])


def prepare(args, python, folder):
    folder.mkdir(parents=True, exist_ok=True)
    csv, parquet = (folder / f"read-{args.rows}x{args.columns}.{ending}" for ending in ("csv", "parquet"))
    if not csv.exists():
        subprocess.run([args.build / "bench" / "bench_read_csv", "--rows", str(args.rows), "--columns",
                        str(args.columns), "--rounds", "1", "--file", str(csv)], check=True, stdout=subprocess.DEVNULL)
    if not parquet.exists():
        code = ("import duckdb; duckdb.sql('SET enable_progress_bar = false'); "
                f"duckdb.sql(\"COPY (FROM '{csv}') TO '{parquet}.part' (FORMAT parquet)\")")
        subprocess.run([python, "-c", code], check=True)
        os.rename(f"{parquet}.part", parquet)
    return {"csv": csv, "parquet": parquet}


def measure(args, python, files):
    commands = {}
    for form, path in files.items():
        commands["slm", form] = [str(args.build / "bench" / "bench_read_table"), str(path), "2"]
        for name, statement in READERS[form].items():
            commands[name, form] = [str(python), "-c", PROGRAM.format(statement=statement), str(path)]
    best = {}
    for _ in range(args.rounds):
        for key, command in commands.items():
            best[key] = min(best.get(key, float("inf")), seconds(command))
            print(f"{key[1]:8} {key[0]:24} {best[key]:8.3f} s", file=sys.stderr, flush=True)
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default="build/release", type=pathlib.Path, help="folder of the build")
    parser.add_argument("--rows", default=200000, type=int)
    parser.add_argument("--columns", default=200, type=int)
    parser.add_argument("--rounds", default=3, type=int, help="turns of each reader, of two readings each")
    args = parser.parse_args()
    args.build = args.build.resolve()
    if not (args.build / "bench" / "bench_read_table").exists():
        parser.error(f"there is no bench_read_table in {args.build}/bench; 'make bench' builds it")
    if "SLM_DUCKDB" not in os.environ:
        library = subprocess.run([HERE.parent / "tools" / "get-duckdb"], capture_output=True, text=True, check=True)
        os.environ["SLM_DUCKDB"] = library.stdout.strip()
    python = environment()
    files = prepare(args, python, HERE.parent / "build" / "bench")
    best = measure(args, python, files)
    print("| format | reader | seconds | of slm's |\n|---|---|---|---|")
    for form in files:
        ours = best["slm", form]
        for (name, _), time in sorted(((key, t) for key, t in best.items() if key[1] == form), key=lambda x: x[1]):
            print(f"| {form} | {name} | {time:.3f} | {time / ours:.2f} |")
    rows = [{"reader": name, "format": form, "seconds": time} for (name, form), time in best.items()]
    target = HERE.parent / "build" / "bench" / "reading.json"
    target.write_text(json.dumps(rows, indent=1) + "\n")
    sys.exit(any(time < best["slm", "csv"] for (_, form), time in best.items() if form == "csv"))


if __name__ == "__main__":
    main()
