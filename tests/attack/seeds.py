"""Small files of every kind that slm reads, by writers that know nothing of slm."""

import gzip
import io
import json
import random
import struct
import zipfile

NAMES = ["x1", "x2", "x3", "color", "when", "kind"]


def rows(count=40, seed=11):
    chance = random.Random(seed)
    made = []
    for i in range(count):
        x = [round(chance.random(), 4) for _ in range(3)]
        when = f"20{chance.randrange(10, 24)}-{chance.randrange(1, 13):02}-{chance.randrange(1, 28):02}"
        color = chance.choice(["red", "blue", 'dark, "red"', ""] if i % 7 == 3 else ["red", "blue"])
        made.append([*x, color, when, "high" if 3 * x[0] + x[1] > 2 else "low"])
    return made


def text(cell, delimiter):
    cell = str(cell)
    if delimiter in cell or '"' in cell:
        return '"' + cell.replace('"', '""') + '"'
    return cell


def delimited(delimiter=",", seed=11):
    lines = [NAMES, *rows(seed=seed)]
    return "".join(delimiter.join(text(cell, delimiter) for cell in line) + "\n" for line in lines).encode()


def as_objects(seed=11):
    return [dict(zip(NAMES, (cell if cell != "" else None for cell in row), strict=True)) for row in rows(seed=seed)]


def json_array(seed=11):
    return json.dumps(as_objects(seed)).encode()


def json_lines(seed=11):
    return "".join(json.dumps(row) + "\n" for row in as_objects(seed)).encode()


def arff(seed=11):
    head = (
        "@relation r\n@attribute x1 numeric\n@attribute x2 real\n@attribute x3 integer\n@attribute color string\n"
        '@attribute when date "yyyy-MM-dd"\n@attribute kind {low,high}\n@data\n'
    )
    body = [
        [a, b, round(c * 9), f"'{color}'" if color else "?", when, kind]
        for a, b, c, color, when, kind in rows(seed=seed)
    ]
    return (head + "".join(",".join(map(str, row)) + "\n" for row in body)).encode()


def sparse_arff(seed=11):
    head = (
        "@relation r\n"
        + "".join(f"@attribute x{j} numeric\n" for j in (1, 2, 3))
        + "@attribute kind {low,high}\n@data\n"
    )
    body = [f"{{0 {a}, 2 {c}, 3 {kind}}}\n" for a, _, c, *_, kind in rows(seed=seed)]
    return (head + "".join(body)).encode()


def libsvm(seed=11):
    return "".join(
        f"{int(kind == 'high')} 1:{a} 2:{b} 3:{c}{' # odd' if a < 0.1 else ''}\n"
        for a, b, c, *_, kind in rows(seed=seed)
    ).encode()


def npy(values, form="<f8", shape=None):
    """An array; `values` are in its order, texts where the form is <U."""
    if form.startswith("<U"):
        width = max(map(len, values))
        form, data = f"<U{width}", b"".join(v.ljust(width, "\0").encode("utf-32-le") for v in values)
    else:
        data = struct.pack(f"<{len(values)}d", *values)
    head = f"{{'descr': '{form}', 'fortran_order': False, 'shape': {shape or (len(values),)}, }}"
    head += " " * (-(len(head) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + data


def matrix(seed=11):
    made = [[a, b, c, float(kind == "high")] for a, b, c, *_, kind in rows(seed=seed)]
    return npy([v for row in made for v in row], shape=(len(made), 4))


def zipped(members, stored=False):
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED) as archive:
        for name, data in members:
            archive.writestr(zipfile.ZipInfo(name), data, None if not stored else zipfile.ZIP_STORED)
    return held.getvalue()


def unzipped(data):
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return [(name, archive.read(name)) for name in archive.namelist()]


def npz(seed=11):
    made = rows(seed=seed)
    return zipped(
        [
            ("X.npy", npy([v for row in made for v in row[:3]], shape=(len(made), 3))),
            ("y.npy", npy([row[-1] for row in made], "<U")),
            ("feature_names.npy", npy(NAMES[:3], "<U")),
        ]
    )


def xlsx(seed=11):
    shared, cells = [], []
    for i, row in enumerate([NAMES, *rows(seed=seed)]):
        line = ""
        for j, cell in enumerate(row):
            at = f"{'ABCDEF'[j]}{i + 1}"
            if isinstance(cell, float):
                line += f'<c r="{at}"><v>{cell}</v></c>'
            elif j == 4 and i > 0:
                line += f'<c r="{at}" s="1"><v>{40000 + 13 * i}</v></c>'
            elif cell == "blue":
                line += f'<c r="{at}" t="inlineStr"><is><t>blue</t></is></c>'
            elif cell:
                if cell not in shared:
                    shared.append(cell)
                line += f'<c r="{at}" t="s"><v>{shared.index(cell)}</v></c>'
        cells.append(f'<row r="{i + 1}">{line}</row>')
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    kinds = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    packed = "http://schemas.openxmlformats.org/package/2006"
    head = '<?xml version="1.0" encoding="UTF-8"?>\n'
    texts = "".join(f"<si><t>{t.replace('&', '&amp;').replace('<', '&lt;')}</t></si>" for t in shared)
    return zipped(
        [
            (name, (head + data).encode())
            for name, data in (
                (
                    "[Content_Types].xml",
                    f'<Types xmlns="{packed}/content-types"><Default Extension="xml" ContentType="application/xml"/>'
                    "</Types>",
                ),
                (
                    "_rels/.rels",
                    f'<Relationships xmlns="{packed}/relationships"><Relationship Id="r1" Type="{kinds}/officeDocument" '
                    'Target="xl/workbook.xml"/></Relationships>',
                ),
                (
                    "xl/workbook.xml",
                    f'<workbook xmlns="{main}" xmlns:r="{kinds}"><sheets><sheet name="One" sheetId="1" r:id="r1"/></sheets>'
                    "</workbook>",
                ),
                (
                    "xl/_rels/workbook.xml.rels",
                    f'<Relationships xmlns="{packed}/relationships"><Relationship Id="r1" '
                    f'Type="{kinds}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="r2" Type="{kinds}/sharedStrings" '
                    f'Target="sharedStrings.xml"/><Relationship Id="r3" Type="{kinds}/styles" Target="styles.xml"/></Relationships>',
                ),
                (
                    "xl/worksheets/sheet1.xml",
                    f'<worksheet xmlns="{main}"><dimension ref="A1:F{len(cells)}"/><sheetData>{"".join(cells)}'
                    "</sheetData></worksheet>",
                ),
                ("xl/sharedStrings.xml", f'<sst xmlns="{main}" count="99" uniqueCount="{len(shared)}">{texts}</sst>'),
                (
                    "xl/styles.xml",
                    f'<styleSheet xmlns="{main}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/>'
                    '</numFmts><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs></styleSheet>',
                ),
            )
        ]
    )


def gz(data):
    return gzip.compress(data, mtime=0)


def zst(data, chance=None):
    """A Zstandard frame of raw blocks; with chance, some of them are one byte that is repeated."""
    blocks = [data[i : i + 700] for i in range(0, len(data), 700)] or [b""]
    frame = b"\x28\xb5\x2f\xfd\xa0"
    body, size = b"", 0
    for i, block in enumerate(blocks):
        last = int(i + 1 == len(blocks))
        if chance and chance.random() < 0.1:
            count = chance.choice([1, 1000, 1 << 17])
            body += (last | 1 << 1 | count << 3).to_bytes(3, "little") + chance.choice([b",", b"\n", b"1", b"x"])
            size += count
        else:
            body += (last | len(block) << 3).to_bytes(3, "little") + block
            size += len(block)
    return frame + struct.pack("<I", size) + body


def model_parts(data):
    """The header of a model, what it says of itself, and its numbers."""
    size = int.from_bytes(data[:8], "little")
    head = json.loads(data[8 : 8 + size])
    return head, json.loads(head["__metadata__"]["slm"]), data[8 + size :]
