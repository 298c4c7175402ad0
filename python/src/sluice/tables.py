# SPDX-License-Identifier: Apache-2.0
"""The tables of a run: CSV with units in the header, comments that start with #, and rows that may still be added."""

from __future__ import annotations

import csv
import re
from pathlib import Path
from typing import Any, Dict, Iterator, List, Mapping, Tuple, Union

import numpy as np
from numpy.typing import NDArray

Column = NDArray[Any]


class Table(Mapping[str, Column]):
    """Columns of a CSV table, as numpy arrays by name: `table["time"]`.

    `units` has the unit of each column as the header writes it ("" for none), `notes` the comment lines above it.
    Columns of numbers are float64 (int64 where all are whole), others text.
    """

    def __init__(self, columns: Dict[str, Column], units: Dict[str, str], notes: List[str]) -> None:
        self._columns = columns
        self.units = units
        self.notes = notes

    def __getitem__(self, name: str) -> Column:
        try:
            return self._columns[name]
        except KeyError:
            raise KeyError(f"no column {name!r}: there are {', '.join(self._columns)}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        """Number of columns; `rows` is that of rows."""
        return len(self._columns)

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(next(iter(self._columns.values()))) if self._columns else 0

    def to_pandas(self) -> Any:
        """A pandas.DataFrame; `attrs["units"]` and `attrs["notes"]` hold what the header and the comments say."""
        import pandas

        frame = pandas.DataFrame(dict(self._columns))
        frame.attrs.update(units=dict(self.units), notes=list(self.notes))
        return frame

    def __repr__(self) -> str:
        names = ", ".join(f"{name} [{unit}]" if unit else name for name, unit in self.units.items())
        return f"<Table of {self.rows} rows: {names}>"


def complete_text(path: Path) -> str:
    """The text of a table up to its last line end: a row that is being written does not show.

    Raises OSError where the file cannot be read.
    """
    data = path.read_bytes()
    return data[: data.rfind(b"\n") + 1].decode("utf-8")


def read_table(path: Union[str, Path]) -> Table:
    """Reads a table of a run. A last row without its line end is left out: it is still being written.

    Raises OSError where the file cannot be read, ValueError("FILE:LINE: …") where a row is too short or too long.
    """
    path = Path(path)
    notes: List[str] = []
    lines: List[Tuple[int, str]] = []
    for number, line in enumerate(complete_text(path).splitlines(), 1):
        if line.startswith("#"):
            notes.append(line[1:].strip())
        elif line:
            lines.append((number, line))
    parsed = list(csv.reader(line for _, line in lines))
    header = parsed[0] if parsed else []
    for (number, _), row in zip(lines, parsed):
        if len(row) != len(header):
            raise ValueError(f"{path}:{number}: {len(row)} values where the header names {len(header)} columns")
    units: Dict[str, str] = {}
    names: List[str] = []
    for title in header:
        match = re.fullmatch(r"(.*\S)\s*\[([^\]]*)\]", title.strip())
        name, unit = match.groups() if match else (title.strip(), "")
        if name in units:  # waves [m] and waves [m/s] of an absorbing piston: the unit tells them apart
            name = title.strip()
        names.append(name)
        units[name] = unit
    body = parsed[1:]
    columns = {name: _as_array([row[index] for row in body]) for index, name in enumerate(names)}
    return Table(columns, units, notes)


def _as_array(texts: List[str]) -> Column:
    for kind in (np.int64, np.float64):
        try:
            return np.array(texts, dtype=object).astype(kind) if texts else np.empty(0, np.float64)
        except ValueError:
            continue
    return np.array(texts)


def for_user(table: Table) -> Any:
    """A DataFrame where pandas is installed, else the table."""
    try:
        return table.to_pandas()
    except ImportError:
        return table
