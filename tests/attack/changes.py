"""Changes of files that the attacks share: of bytes, of texts, of JSON, and what no message may hold."""

import json
import re
import struct

RAW = re.compile(
    r"map::at|bad_cast|bad_alloc|vector::|basic_string|std::|_M_|\bterminate|Sanitizer"
    r"|runtime error"
)
MASK = (1 << 64) - 1
SIZES = [0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 255, 1 << 16, (1 << 31) - 1, 1 << 31, 1 << 32, 1 << 40, 1 << 61, 1 << 63, MASK]
VALUES = [None, True, 0, 1, -1, 2, 9, 1e308, -1e308, 1 << 31, 1 << 63, 0.5, "", "x1", "nan", [], {}]

NUMBERS = [
    b"0",
    b"-0",
    b"-1",
    b"1e999",
    b"-1e999",
    b"1e-999",
    b"9" * 20,
    b"9" * 400,
    b"4294967296",
    b"9223372036854775808",
    b"18446744073709551616",
    b"0.1e1000000000",
    b"nan",
    b"inf",
    b"1.2.3",
    b"1,5",
    b"0x1p3",
    b"00000007",
    b"1e",
    b"-",
    b"+-1",
    b"1_000",
]
PIECES = [
    b'"',
    b'""',
    b"'",
    b"\0",
    b"\xff\xfe",
    b"\xfe\xff",
    b"\xef\xbb\xbf",
    b"\xc3(",
    b"\xed\xa0\x80",
    b"\xf4\xbf\xbf\xbf",
    b"\r",
    b"\r\n",
    b"\n",
    b"\n\n\n",
    b",",
    b";",
    b"\t",
    b"|",
    b":",
    b"=",
    b"\\",
    b"\\u0000",
    b"\\ud800",
    b"\x1b[31m",
    b"\xc2\x9b1m",
    b"\x7f",
    b"\x9b",
    "\u202e".encode(),
    "\u2028".encode(),
    "\u0663".encode(),
    b"[",
    b"{",
    b"}",
    b"]",
    b"[" * 100000,
    b"{" * 5000,
    b'{"a":' * 20000,
    b"<a>" * 3000,
    b"&#x110000;",
    b"&lt",
    b"<!--",
    b"<![CDATA[",
    b"%",
    b"?",
    b"#",
    b"x" * 70000,
    b"2024-02-30",
    b"99999-13-41",
    b"=cmd|' /C calc'!A0",
    b"../../x",
    b"NA",
    b"true",
]


def edge(data, chance):
    """A place in the data: anywhere, or near the ends, where headers and directories are."""
    length = len(data)
    where = chance.randrange(4)
    if where == 0:
        return chance.randrange(min(length, 64) + 1)
    if where == 1:
        return length - chance.randrange(min(length, 64) + 1)
    return chance.randrange(length + 1)


def flip(data, chance, _others):
    at = chance.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << chance.randrange(8)]) + data[at + 1 :]


def put(data, chance, _others):
    at = min(edge(data, chance), len(data) - 1)
    return data[:at] + bytes([chance.choice([0, 1, 0x7F, 0x80, 0xFF, chance.randrange(256)])]) + data[at + 1 :]


def cut_end(data, chance, _others):
    return data[: edge(data, chance)]


def cut_out(data, chance, _others):
    at = edge(data, chance)
    return data[:at] + data[at + chance.choice([1, 2, 8, 100, 2000]) :]


def double(data, chance, _others):
    at, length = edge(data, chance), chance.choice([1, 4, 40, 400, 4000])
    return data[:at] + data[at : at + length] * chance.choice([2, 2, 3, 200]) + data[at + length :]


def move(data, chance, _others):
    at, length = edge(data, chance), chance.choice([1, 4, 40, 400])
    rest = data[:at] + data[at + length :]
    to = edge(rest, chance)
    return rest[:to] + data[at : at + length] + rest[to:]


def splice(data, chance, others):
    other = chance.choice(others)
    at, start = edge(data, chance), edge(other, chance)
    length = chance.choice([4, 100, 1000, 1 << 20])
    return data[:at] + other[start : start + length] + data[at + chance.choice([0, length]) :]


def insert(data, chance, _others):
    at = edge(data, chance)
    return data[:at] + chance.choice([chance.randbytes(chance.randrange(1, 40)), chance.choice(PIECES)]) + data[at:]


def length_field(data, chance, _others):
    """Another number where a header may have one."""
    form = chance.choice("BHIQ")
    width, order = struct.calcsize(form), chance.choice("<<<>")
    if len(data) < width:
        return data
    at = min(edge(data, chance), len(data) - width)
    (old,) = struct.unpack_from(order + form, data, at)
    new = chance.choice([*SIZES, old + 1, old - 1, old * 2, MASK - old]) & (1 << 8 * width) - 1
    return data[:at] + struct.pack(order + form, new) + data[at + width :]


def number(data, chance, _others):
    """Another number where a text has one."""
    found = list(re.finditer(rb"-?\d+(\.\d+)?", data))
    if not found:
        return data
    one = chance.choice(found)
    return data[: one.start()] + chance.choice(NUMBERS) + data[one.end() :]


def whole_text(data, chance, _others):
    kind = chance.randrange(10)
    lines = data.split(b"\n")
    if kind == 0:
        return data.replace(b"\n", chance.choice([b"\r", b"\r\n", b"\n\n", b"\n\r", b" "]))
    if kind == 1:
        return data.replace(*chance.sample([b",", b";", b"\t", b"|", b" ", b'"', b"'", b"\n"], 2))
    if kind == 2:
        return data.decode("latin-1").encode(chance.choice(["utf-16", "utf-16-le", "utf-16-be", "utf-32"]))
    if kind == 3:
        chance.shuffle(lines)
    elif kind == 4:
        lines = lines * chance.choice([2, 50])
    elif kind == 5:
        line = chance.choice(lines)
        lines.insert(chance.randrange(len(lines) + 1), line + chance.choice([b"", b",1", b",", b"," * 60000]))
    elif kind == 6:
        del lines[chance.randrange(len(lines))]
    elif kind == 7:
        lines = lines[: chance.choice([1, 2, 3, 5])]
    elif kind == 8:
        lines[0] = chance.choice(lines)
    else:
        return data[: -chance.randrange(1, 4)]
    return b"\n".join(lines)


BINARY = [
    flip,
    flip,
    put,
    put,
    cut_end,
    cut_out,
    double,
    move,
    splice,
    insert,
    length_field,
    length_field,
    length_field,
]
TEXT = [put, cut_end, cut_out, double, move, splice, insert, insert, number, number, whole_text, whole_text]


def change(data, chance, others, text):
    for _ in range(chance.choice([1, 1, 1, 2, 3, 8])):
        if data:
            data = chance.choice(TEXT if text else BINARY)(data, chance, others)
    return data


# ---- JSON


def untimed(value):
    """A result, but for seconds and bytes of memory, which differ from run to run."""
    if isinstance(value, dict):
        return {key: untimed(part) for key, part in value.items() if "seconds" not in key and key != "peak_bytes"}
    return [untimed(part) for part in value] if isinstance(value, list) else value


def untimed_bytes(data):
    """The same of JSON, or of lines of JSON; what is no JSON stays as it is."""
    try:
        return [untimed(json.loads(data))]
    except ValueError:
        pass
    try:
        return [untimed(json.loads(line)) for line in data.splitlines()]
    except ValueError:
        return data


def places(value, path=()):
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from places(item, (*path, key))


def change_value(line, chance):
    """Another value, none, or one twice, somewhere in what JSON holds."""
    path = chance.choice([p for p in places(line) if p])
    holder = line
    for key in path[:-1]:
        holder = holder[key]
    kind = chance.randrange(4)
    if kind == 0:
        del holder[path[-1]]
    elif kind == 1 and isinstance(holder, list):
        holder.insert(0, json.loads(json.dumps(chance.choice(holder))))
    else:
        holder[path[-1]] = chance.choice(VALUES)


def change_number(held, chance):
    """Another number of the same kind somewhere, or two parts of a list in each other's place."""

    def at(path):
        value = held
        for key in path:
            value = value[key]
        return value

    paths = list(places(held))
    numbers = [path for path in paths if path and type(at(path)) in (int, float)]
    lists = [path for path in paths if isinstance(at(path), list) and len(at(path)) > 1]
    if lists and chance.random() < 0.3:
        items = at(chance.choice(lists))
        i, j = chance.sample(range(len(items)), 2)
        items[i], items[j] = items[j], items[i]
    elif numbers:
        path = chance.choice(numbers)
        old = at(path)
        new = (
            [old + 1, old - 1, -old, 0, 1]
            if isinstance(old, int)
            else [-old, old * 1e300, old * 1e-300, old + 1, 5e-324, 1.7e308, 1e19]
        )
        at(path[:-1])[path[-1]] = chance.choice(new)
