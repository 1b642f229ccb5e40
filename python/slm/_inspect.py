"""How a table is read: the same report as `slm inspect`."""

from __future__ import annotations

import json

from ._functions import _READING, _TARGET, _one_table, _texts


def inspect(data, y=None, target=None, **reading):
    """What each column of a table is, why, and what a selection would do with it.

    Parameters
    ----------
    data : str, path or frame
        A file, or a table in memory.
    y : array-like, default=None
        Targets that are not a column of `data`.
    target : str, default=None
        The column to predict, if it is known.
    **reading
        How a file is read: `types`, `na`, `decimal`, `date_format`, `delimiter`, `header` and so on, as in
        `slm.select`.

    Returns
    -------
    report : dict
        `rows`, `columns` (a list with `name`, `type`, `why`, `missing`, `distinct`, `examples`, `odd`, `use` of
        each) and `remarks`; with a target, `task`. The schema is slm.columns/1.

    Examples
    --------
    >>> import pandas, slm
    >>> frame = pandas.DataFrame({"x": [1, 2, 3], "when": ["31.1.2020", "1.2.2020", "2.2.2020"]})
    >>> [column["type"] for column in slm.inspect(frame)["columns"]]
    ['numeric', 'date']
    """
    unknown = sorted(set(reading) - set(_READING))
    if unknown:
        raise TypeError(f"inspect() takes no {unknown[0]!r}; it takes {', '.join(_READING)}")
    if y is not None:
        target = target or _TARGET
    texts = {name: _texts(value) for name, value in reading.items() if value is not None}
    table = _one_table(data, y, target or "", None, texts)
    return json.loads(table.inspect(target or ""))
