"""keep, drop and groups as people write them, in the words of the engine."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Integral


def _list_of(parameter, value):
    if isinstance(value, str):
        return [value]
    try:
        return list(value)
    except TypeError:
        raise TypeError(f"{parameter}: it takes a list, not {value!r}") from None


def _is_place(column):
    return isinstance(column, Integral) and not isinstance(column, bool)


def by_name(parameter, columns, names):
    """Positions as names. Texts are left to the engine, which knows lists between commas."""
    found = []
    for column in _list_of(parameter, columns):
        if _is_place(column):
            if not -len(names) <= column < len(names):
                raise ValueError(f"{parameter}: there is no column {column} of {len(names)}")
            column = names[column]
        elif not isinstance(column, str):
            raise TypeError(f"{parameter}: it takes names and positions of columns, not {column!r}")
        found.append(column)
    return found


def known(parameter, columns, names, groups=()):
    """The names that `columns` stand for, each of which is there; `groups` count as names."""
    found = []
    for column in by_name(parameter, columns, names):
        there = column in names or column in groups
        for name in [column] if there else column.split(","):
            if name not in names and name not in groups:
                raise ValueError(f"{parameter}: X has no column {name!r}")
            found.append(name)
    return found


def group_texts(groups, names):
    """Each group as the engine reads it; see --groups of the command line."""
    if not isinstance(groups, Mapping):
        texts = _list_of("groups", groups)
        if not all(isinstance(text, str) for text in texts):
            raise TypeError(
                "groups: it takes a dict of columns by the name of their group, or texts such as "
                "'lab=a,b', 'lab_*' and 'prefix:_'"
            )
        return texts
    texts = []
    for group, columns in groups.items():
        if not isinstance(group, str) or not group or "=" in group or group.startswith("prefix:"):
            raise ValueError(f"groups: {group!r} is no name of a group; take a text without '='")
        members = by_name("groups", columns, names)
        for name in members:
            if name in names and "," in name:
                raise ValueError(f"groups: the column {name!r} has a comma in its name; rename it")
        if not members:
            raise ValueError(f"groups: {group!r} has no columns")
        texts.append(f"{group}={','.join(members)}")
    return texts


def free_name(name, taken):
    """A name for a column that nobody else has."""
    while name in taken:
        name += "_"
    return name
