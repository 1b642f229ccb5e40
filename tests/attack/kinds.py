"""The kinds of files that slm reads: what they are, how one is changed, and which commands read it."""

import collections
import json
import pathlib
import subprocess
import sys
import zlib

import changes
import seeds

K = 2
SHORT = (
    "--steps 20 --starts 1 --filter-starts 0 --cross-fit never --refits 1 --final-predictors 1 "
    "--final-units 8 --final-steps 20"
).split()
TRIALS = "--steps 20 --starts 1 --filter-starts 0 --cross-fit never --refits 1 --judges 1 --trials 2".split()
HERE = pathlib.Path(__file__).resolve().parent

# By command: its arguments, with {file} for what was changed and {base} for what was not; the files that it
# writes; and the exit codes that it may have.
SELECT = [
    "select",
    "{file}",
    "--target",
    "{target}",
    "-k",
    str(K),
    "--method",
    "anova",
    "--model",
    "m.slm",
    "--output",
    "o.json",
]
TABLES = {  # of which inspect takes some for a model
    "inspect": (["inspect", "{file}", "--json"], [], {0, 3, 4}),
    "show": (["inspect", "{file}", "--target", "{target}"], [], {0, 3, 4}),
    "select": (SELECT, ["m.slm", "o.json"], {0, 3}),
    "predict": (["predict", "{base}/{kind}.slm", "{file}", "--output", "p.csv"], ["p.csv"], {0, 3}),
    "apply": (["apply", "{base}/{kind}.slm", "{file}", "--output", "p.csv"], ["p.csv"], {0, 3}),
}
# A query is an argument, and so is what is in its file.
QUERIES = {name: (words, outputs, codes | {2}) for name, (words, outputs, codes) in TABLES.items()}
MODELS = {
    "inspect": (["inspect", "{file}", "--json"], [], {0, 3, 4}),
    "show": (["inspect", "{file}"], [], {0, 3, 4}),
    "predict": (["predict", "{file}", "{base}/{data}", "--output", "p.csv"], ["p.csv"], {0, 3, 4}),
    "chances": (
        ["predict", "{file}", "{base}/{data}", "--probabilities", "--output", "p.csv"],
        ["p.csv"],
        {0, 2, 3, 4},
    ),
    "apply": (["apply", "{file}", "{base}/{data}", "--output", "p.csv"], ["p.csv"], {0, 3, 4}),
    "export": (["export", "{file}", "--onnx", "m.onnx"], ["m.onnx"], {0, 2, 3, 4}),
}
RESULTS = {
    "inspect": (["inspect", "{file}", "--json"], [], {0, 3, 4}),
    "show": (["inspect", "{file}"], [], {0, 3, 4}),
}
ON_CSV = ["{base}/csv.csv", "--target", "kind", "-k", str(K)]
CONFIGS = {
    "select": (
        ["select", *ON_CSV, "--config", "{file}", "--time-limit", "2", "--output", "o.json"],
        ["o.json"],
        {0, 2, 3, 5},
    ),
    "tune": (
        [
            "tune",
            *ON_CSV,
            "--config",
            "{file}",
            "--time-limit",
            "2",
            "--judges",
            "1",
            "--trials",
            "2",
            "--output",
            "o.json",
        ],
        ["o.json"],
        {0, 2, 3, 5},
    ),
}
CHECKPOINTS = {
    "select": (
        ["select", *ON_CSV, *SHORT, "--checkpoint", "{file}", "--resume", "--output", "o.json"],
        ["o.json"],
        {0, 3},
    ),
}
JOURNALS = {
    "tune": (["tune", *ON_CSV, *TRIALS, "--journal", "{file}", "--resume", "--output", "o.json"], ["o.json"], {0, 3})
}
KEPT = {"checkpoint", "journal"}
DUCKDB = {"parquet", "jsonl", "sql"}


def packed(pack, unpack):
    """Changes of what is in a file that packs one text."""
    return lambda data, chance, others: pack(
        changes.change(unpack(data), chance, [unpack(other) for other in others], True)
    )


def of_zst(data):
    """The content of a frame that seeds.zst has made."""
    at, content, last = 9, b"", False
    while not last:
        head = int.from_bytes(data[at : at + 3], "little")
        last, size = bool(head & 1), head >> 3
        content += data[at + 3 : at + 3 + size]
        at += 3 + size
    return content


def change_zst(data, chance, others):
    content = of_zst(data)
    if chance.random() < 0.7:
        content = changes.change(content, chance, [of_zst(other) for other in others], True)
    return seeds.zst(content, chance)


def change_members(text):
    """Changes of what a zip archive holds: of one member, or of which members it has."""

    def change(data, chance, others):
        members = seeds.unzipped(data)
        kind, i = chance.randrange(8), chance.randrange(len(members))
        name, content = members[i]
        if kind < 6:
            foreign = [content for other in others for _, content in seeds.unzipped(other)]
            members[i] = name, changes.change(content, chance, foreign, text)
        elif kind == 6:
            del members[i]
        else:
            odd = chance.choice(["../x.csv", "/etc/x", "", "a" * 60000, "x\\y", "\x1b[31m", "data.csv", members[0][0]])
            members.insert(chance.randrange(len(members) + 1), (odd, content))
        return seeds.zipped(members, stored=chance.random() < 0.3)

    return change


def change_model(data, chance, _others):
    """A model that is well-formed, has the right checksum, and means something else."""
    head, own, numbers = seeds.model_parts(data)
    for _ in range(chance.choice([1, 1, 2, 4])):
        kind = chance.randrange(14)
        if kind < 3 and own:
            changes.change_value(own, chance)
        elif kind < 5 or kind > 9:
            changes.change_number(own, chance)
        elif kind < 8 and numbers:
            at = 4 * chance.randrange(len(numbers) // 4)
            value = chance.choice(
                [
                    b"\0\0\xc0\x7f",
                    b"\0\0\x80\x7f",
                    b"\0\0\x80\xff",
                    b"\xff\xff\x7f\x7f",
                    b"\0\0\0\0",
                    b"\1\0\0\0",
                    chance.randbytes(4),
                ]
            )
            numbers = numbers[:at] + value * chance.choice([1, 1, 20]) + numbers[at + 4 :]
        elif kind == 8:
            names = [name for name in head if name != "__metadata__"]
            if names:
                changes.change_value(head[chance.choice(names)], chance) if chance.random() < 0.8 else head.pop(
                    chance.choice(names)
                )
        else:
            head["__metadata__"]["version"] = chance.choice(["1", "2", "3", "4", "0", "-1", "99999999999999999999", ""])
    text = json.dumps(own, separators=(",", ":"))
    head["__metadata__"]["slm"] = text
    head["__metadata__"]["crc32"] = f"{zlib.crc32(text.encode() + numbers):08x}"
    line = json.dumps(head, separators=(",", ":")).encode()
    line += b" " * (-len(line) % 8)
    return len(line).to_bytes(8, "little") + line + numbers


def change_json(data, chance, _others):
    held = json.loads(data)
    for _ in range(chance.choice([1, 1, 2, 5])):
        if held:
            changes.change_value(held, chance)
    return json.dumps(held).encode()


def change_config(data, chance, others):
    lines = data.splitlines()
    for _ in range(chance.choice([1, 1, 2, 4])):
        i = chance.randrange(len(lines))
        key, sign, value = lines[i].partition(b"=")
        values = [
            *changes.NUMBERS,
            b'"slm"',
            b'"never"',
            b'""',
            b"true",
            b"[1, 2]",
            b'"x1"',
            b"1000000000",
            b"16",
            value,
        ]
        foreign = chance.choice(
            [
                b"threads ",
                b"seed ",
                b"target ",
                b"k ",
                b"method ",
                b"output ",
                b"valid ",
                b"remote ",
                b"split ",
                b"batch_size ",
                b"schedule ",
                b"time-limit ",
                key,
            ]
        )
        lines[i] = chance.choice([key, key, foreign]) + (sign or b"=") + b" " + chance.choice(values)
    return b"\n".join(lines) + b"\n" if chance.random() < 0.7 else changes.change(data, chance, others, True)


class Kind:
    def __init__(self, name, ending, commands, files, text=False, inside=None, target="kind"):
        self.name, self.ending, self.commands, self.files = name, ending, commands, files
        self.text, self.inside, self.target = text, inside, target

    def changed(self, chance):
        data = chance.choice(self.files)
        if self.inside and chance.random() < (0.9 if self.name == "model" else 0.6):
            return self.inside(data, chance, self.files)
        return changes.change(data, chance, self.files, self.text)


def tables(duckdb):
    """Kinds of tables: of each, files that differ in their rows; corpora of CSV teach odd cells."""
    corpus = [path.read_bytes() for path in sorted((HERE.parent / "corpus").glob("*.csv"))]
    csv, semicolons = [seeds.delimited(), seeds.delimited(seed=12)], [seeds.delimited(";"), seeds.delimited(";", 12)]
    made = {
        "csv": (".csv", csv, True, lambda data, chance, _: changes.change(data, chance, corpus, True), "kind"),
        "tsv": (".tsv", [seeds.delimited("\t"), seeds.delimited("\t", 12)], True, None, "kind"),
        "semicolons": (".txt", semicolons, True, None, "kind"),
        "csv.gz": (
            ".csv.gz",
            [seeds.gz(data) for data in csv],
            False,
            packed(seeds.gz, lambda data: zlib.decompress(data, 31)),
            "kind",
        ),
        "csv.zst": (".csv.zst", [seeds.zst(data) for data in csv], False, change_zst, "kind"),
        "csv.zip": (".csv.zip", [seeds.zipped([("t.csv", data)]) for data in csv], False, change_members(True), "kind"),
        "xlsx": (".xlsx", [seeds.xlsx(), seeds.xlsx(12)], False, change_members(True), "kind"),
        "npy": (".npy", [seeds.matrix(), seeds.matrix(12)], False, None, "f3"),
        "npz": (".npz", [seeds.npz(), seeds.npz(12)], False, change_members(False), "y"),
        "json": (".json", [seeds.json_array(), seeds.json_array(12)], True, change_json, "kind"),
        "arff": (".arff", [seeds.arff(), seeds.arff(12)], True, None, "kind"),
        "sparse arff": (".arff", [seeds.sparse_arff(), seeds.sparse_arff(12)], True, None, "kind"),
        "libsvm": (".libsvm", [seeds.libsvm(), seeds.libsvm(12)], True, None, "target"),
    }
    if duckdb:
        made["jsonl"] = (".jsonl", [seeds.json_lines(), seeds.json_lines(12)], True, None, "kind")
        made["parquet"] = (".parquet", [(HERE.parent / "cli" / "table.parquet").read_bytes()], False, None, "kind")
        query = b"SELECT x1, x2, x3 * 2 AS x3, color, \"when\", kind FROM '{base}/csv.csv' WHERE x1 >= 0 ORDER BY x1 LIMIT 35;\n"
        made["sql"] = (".sql", [query, query.replace(b"x3 * 2", b"CAST(x3 AS DECIMAL(20, 5))")], True, None, "kind")
    return [
        Kind(name, ending, QUERIES if name == "sql" else TABLES, files, text, inside, target)
        for name, (ending, files, text, inside, target) in made.items()
    ]


def run_slm(slm, words, folder):
    done = subprocess.run([slm, *words, "--quiet"], cwd=folder, capture_output=True)
    if done.returncode != 0:
        sys.exit(f"mutations: {' '.join(map(str, words))} fails before anything is changed: {done.stderr.decode()}")


def make_base(slm, folder, duckdb):
    """The kinds, and in the folder what commands read beside the changed file."""
    kinds = tables(duckdb)
    for kind in kinds:
        kind.files = [data.replace(b"{base}", str(folder).encode()) for data in kind.files]
        (folder / f"{kind.name}{kind.ending}").write_bytes(kind.files[0])
    made = collections.defaultdict(list)
    for kind in kinds:
        file = f"{kind.name}{kind.ending}"
        run_slm(
            slm,
            [
                "select",
                file,
                "--target",
                kind.target,
                "-k",
                "2",
                "--method",
                "anova",
                "--model",
                f"{kind.name}.slm",
                "--output",
                "r.json",
            ],
            folder,
        )
        made["result"].append((folder / "r.json").read_bytes())
    models = []
    for target, k, more in (
        ("kind", 2, []),
        ("kind", 5, []),
        ("x1", 3, []),
        ("kind", 2, ["--groups", "g=x1,x2", "--keep", "g"]),
    ):
        run_slm(
            slm,
            [
                "select",
                "csv.csv",
                "--target",
                target,
                "-k",
                str(k),
                *SHORT,
                "--model",
                "x.slm",
                *more,
                "--output",
                "r.json",
            ],
            folder,
        )
        models.append((folder / "x.slm").read_bytes())
        made["result"].append((folder / "r.json").read_bytes())
    run_slm(
        slm,
        [
            "tune",
            "csv.csv",
            "--target",
            "kind",
            "-k",
            "2",
            *TRIALS,
            "--journal",
            "j",
            "--config-out",
            "c.toml",
            "--output",
            "r.json",
        ],
        folder,
    )
    made["result"].append((folder / "r.json").read_bytes())
    run_slm(
        slm, ["path", "csv.csv", "--target", "kind", "--method", "anova", "--folds", "2", "--output", "r.json"], folder
    )
    made["result"].append((folder / "r.json").read_bytes())
    run_slm(slm, ["select", "csv.csv", "--target", "kind", "-k", "2", *SHORT, "--checkpoint", "c"], folder)
    own = "\n".join(
        f"{flag[2:]} = {value}" if value[0].isdigit() else f'{flag[2:]} = "{value}"'
        for flag, value in zip(SHORT[::2], SHORT[1::2], strict=True)
    )
    more = [
        Kind("model", ".slm", MODELS, models, False, change_model),
        Kind("result", ".json", RESULTS, made["result"], True, change_json),
        Kind("config", ".toml", CONFIGS, [own.encode(), (folder / "c.toml").read_bytes()], True, change_config),
        Kind("checkpoint", ".state", CHECKPOINTS, [(folder / "c").read_bytes()]),
        Kind("journal", ".state", JOURNALS, [(folder / "j").read_bytes()], True),
    ]
    for name in ("c", "j", "x.slm", "r.json", "c.toml"):
        (folder / name).unlink()
    return kinds + more
