# SPDX-License-Identifier: Apache-2.0
"""Many runs of one case with different words, and how a result converges with the particle spacing."""

from __future__ import annotations

import hashlib
import itertools
import json
import math
import os
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Set, Union

import numpy as np

from .case import Case, Value
from .program import Job, SluiceError, check, start
from .results import Run
from .tables import Table, for_user

Quantity = Callable[[Run], Union[float, Mapping[str, float]]]


@dataclass(frozen=True)
class Convergence:
    """How a result converges as the spacing falls.

    `order` is the observed order p, `extrapolated` Richardson's value for spacing 0, `error` the relative change between
    the two finest runs, `gci` the grid convergence index of the finest one (relative, safety factor 1.25), `oscillating`
    whether the changes alternate in sign, so that order and extrapolation say little.
    """

    order: float
    extrapolated: float
    error: float
    gci: float
    oscillating: bool


def convergence(dp: Sequence[float], values: Sequence[float]) -> Convergence:
    """Order of convergence and grid convergence index from the three finest of the spacings `dp` [m].

    Celik et al. (2008), J. Fluids Eng. 130, 078001, where the ratios r of spacings may differ: the order p is
    the root of |e32/e21| = r21^p (r32^p − s)/(r21^p − s), s = sign(e32/e21), found by bisection. ValueError with fewer than three different
    spacings, values that are not finite, or finest values that do not change.
    """
    if len(dp) != len(values):
        raise ValueError(f"convergence: {len(dp)} spacings and {len(values)} values, give one value for each")
    pairs = sorted(zip(map(float, dp), map(float, values)))[:3]
    if len(pairs) < 3 or len({one for one, _ in pairs}) < 3 or pairs[0][0] <= 0:
        spacings = ", ".join(f"{one:g}" for one, _ in pairs) or "none"
        raise ValueError(f"convergence: three different spacings above 0 are needed, with a value each ({spacings})")
    (h1, f1), (h2, f2), (h3, f3) = pairs
    told = ", ".join(f"{value:.6g} at dp {one:g}" for one, value in pairs)
    if not all(map(math.isfinite, (f1, f2, f3))):
        raise ValueError(f"convergence: a value is not finite ({told})")
    e21, e32, r21, r32 = f2 - f1, f3 - f2, h2 / h1, h3 / h2
    if e21 == 0 or e32 == 0:
        raise ValueError(f"convergence: the values of two spacings are equal ({told}), there is no order to see")
    sign = math.copysign(1.0, e32 / e21)
    order = _order(abs(e32 / e21), r21, r32, sign)
    if order is None:
        raise ValueError(
            f"convergence: no order fits the values ({told}), they do not come closer as the spacing falls; take finer "
            "spacings, or something that fewer particles decide"
        )
    gain = r21**order - 1
    error = abs(e21 / f1) if f1 else math.inf
    return Convergence(order, f1 - e21 / gain, error, 1.25 * error / gain, sign < 0)


def _order(ratio: float, r21: float, r32: float, sign: float) -> Optional[float]:
    """The p between 0 and 30 with r21^p (r32^p − s)/(r21^p − s) = |e32/e21|, whose left side grows with p; None without."""

    def excess(p: float) -> float:
        return float(r21**p * (r32**p - sign) / (r21**p - sign) - ratio)

    low, high = 1e-6, 30.0
    if excess(low) >= 0 or excess(high) <= 0:
        return None
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if excess(middle) < 0 else (low, middle)
    return (low + high) / 2


_NOTES = ("message", "warnings", "folder")


def _cell(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)


class Sweep:
    """What a sweep has computed: one row a run, in the order of the values that were given.

    `rows` holds for each the words set, the results (`value`, or the names that the function gave), `status`, `message`,
    `warnings` (of `sluice check`, one a line) and `folder`. `print(sweep)` shows them whole.
    """

    def __init__(self, rows: List[Dict[str, Any]]) -> None:
        self.rows = rows

    @property
    def table(self) -> Any:
        """The rows as a pandas.DataFrame where pandas is installed, else a `sluice.Table`."""
        names = list(dict.fromkeys(name for row in self.rows for name in row))
        columns = {}
        for name in names:
            column = [row.get(name, math.nan) for row in self.rows]
            numeric = all(isinstance(one, (int, float)) for one in column)
            columns[name] = np.array(column) if numeric else np.array([str(one) for one in column])
        return for_user(Table(columns, {name: "" for name in names}, []))

    def convergence(self, result: str = "value", **where: Value) -> Convergence:
        """The convergence of a result with dp, of the rows that have the words `where`."""
        for word in ("dp", *where):
            if self.rows and word not in self.rows[0]:
                raise ValueError(f"convergence: the sweep has no {word} (there are: {', '.join(self.rows[0])})")
        chosen = [row for row in self.rows if all(row[word] == value for word, value in where.items())]
        names = {name: None for row in chosen for name in list(row)[list(row).index("folder") + 1 :]}
        chosen = [row for row in chosen if result in row]
        if not chosen:
            raise ValueError(f"convergence: no run has a {result!r} (there are: {', '.join(names) or 'none'})")
        spacings = [row["dp"] for row in chosen]
        if len(set(spacings)) < len(spacings):
            raise ValueError("convergence: several runs have the same dp, choose some (convergence(Visco=0.1))")
        return convergence(spacings, [row[result] for row in chosen])

    def __str__(self) -> str:
        """A line for each run, and below what is to be said of them: why they failed, warnings."""
        names = list(dict.fromkeys(name for row in self.rows for name in row if name not in _NOTES))
        lines = [names] + [[_cell(row.get(name, "-")) for name in names] for row in self.rows]
        widths = [max(len(line[index]) for line in lines) for index in range(len(names))]
        text = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in lines]
        for row in self.rows:
            if row["message"]:
                text.append(f"{row['folder']}: {row['status']}: {row['message']}")
            text += [f"{row['folder']}: warning: {one}" for one in row["warnings"].splitlines()]
        return "\n".join(text)

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        return f"<Sweep of {len(self.rows)} runs>"


def sweep(
    case: Union[Case, str, Path],
    value: Optional[Quantity] = None,
    out: Union[str, Path] = "sweep",
    parallel: int = 1,
    options: Optional[Mapping[str, Any]] = None,
    progress: Optional[Callable[[Dict[str, Any]], None]] = None,
    **words: Sequence[Value],
) -> Sweep:
    """Runs the case with each combination of values: `sweep("dam.xml", front, dp=[0.04, 0.02, 0.01])`.

    `value` makes a number, or several by name, of each run; `parallel` runs go on at a time, with the `options` of
    `sluice run` (give `threads`, too, that they do not share cores). Each run has a folder of its own below `out`; called
    again, a sweep takes what is finished, goes on with what was interrupted and begins what is missing. A run that fails is
    a row with its `status` and `message`, and the others go on. `progress` is called, one call at a time, with each row.
    What `sluice check` warns of before a run, as of a `dp` that draws other sizes than the case's own, is in its row and
    a Python warning (UserWarning), each once.

    ValueError where a word has no values, or a folder holds a run of another case or with other options; whatever `value`
    raises comes through after the runs that go on have been stopped.
    """
    base = case.copy() if isinstance(case, Case) else Case(case)
    if parallel < 1:
        raise ValueError(f"sweep: parallel must be 1 or more ({parallel})")
    for word, values in words.items():
        if isinstance(values, str) or not hasattr(values, "__len__") or not len(values):
            raise ValueError(f"sweep: {word} needs a list of values ({values!r}), as {word}=[…]")
    plans = [dict(zip(words, combination)) for combination in itertools.product(*words.values())]
    cases = [base.copy().set(**plan) for plan in plans]  # an unknown word is found before the first run
    names = [",".join(f"{word}={_text(one)}" for word, one in plan.items()) or base.name for plan in plans]
    if len(set(names)) < len(names):
        raise ValueError("sweep: a combination of values is given twice")
    jobs = _Jobs(base, dict(options or {}), progress)

    def one(index: int) -> Dict[str, Any]:
        return jobs.row(cases[index], Path(out) / names[index], plans[index], value)

    with ThreadPoolExecutor(parallel) as pool:
        futures = [pool.submit(one, index) for index in range(len(plans))]
        try:
            return Sweep([future.result() for future in futures])
        except BaseException:
            for future in futures:
                future.cancel()
            jobs.stop()
            raise


def _text(value: Value) -> str:
    text = ",".join(map(str, value)) if isinstance(value, (tuple, list)) else str(value)
    return text.replace("/", "_")


class _Jobs:
    """The runs of a sweep that go on now."""

    def __init__(
        self, base: Case, options: Dict[str, Any], progress: Optional[Callable[[Dict[str, Any]], None]]
    ) -> None:
        self._base = base
        self._options = options
        self._warned: Set[str] = set()
        self._progress = progress
        self._lock = threading.Lock()
        self._going_on: List[Job] = []
        self._stopped = False

    def stop(self) -> None:
        with self._lock:
            self._stopped = True
            for job in self._going_on:
                job.stop()

    def row(self, case: Case, folder: Path, plan: Dict[str, Value], value: Optional[Quantity]) -> Dict[str, Any]:
        row: Dict[str, Any] = dict(plan)
        told: List[str] = []
        try:
            run = self._computed(case, folder, plan, told)
            # A run that was killed after its last step stays "running" in run.json: its resume finds nothing left to do.
            status = "finished" if run.status == "running" else run.status
            row.update(status=status, message=run.info.get("message", ""))
        except SluiceError as error:
            status = "failed"
            row.update(status=status, message=error.message)
        finally:
            row.update(warnings="\n".join(told), folder=str(folder))
        if status == "finished":
            result = value(run) if value is not None else {}
            results = result if isinstance(result, Mapping) else {"value": result}
            row.update({name: float(one) for name, one in results.items()})
        if self._progress:
            with self._lock:
                self._progress(row)
        return row

    def _warn(self, folder: Path, found: List[str]) -> None:
        for one in found:
            with self._lock:
                known = one in self._warned
                self._warned.add(one)
            if not known:
                warnings.warn(f"{folder}: {one}", stacklevel=2)

    def _warnings(self, plan: Dict[str, Value]) -> List[str]:
        """What the check of a case says, in which dp is an option: so it is held against the case's own."""
        words = {word: one for word, one in plan.items() if word != "dp"}
        options = {name: self._options[name] for name in ("backend", "threads", "device") if name in self._options}
        found = check(self._base.copy().set(**words), **options, **({"dp": plan["dp"]} if "dp" in plan else {}))
        if not found["runnable"]:  # the run says why
            return []
        return [
            f"{one['file']}:{one['line']}: {one['message']}" if one["line"] else f"{one['file']}: {one['message']}"
            for one in found["diagnostics"]
            if one["level"] == "warning"
        ]

    def _computed(self, case: Case, folder: Path, plan: Dict[str, Value], told: List[str]) -> Run:
        mark = folder.parent / f"{folder.name}.json"
        digest = self._digest(case)
        started = (folder / "run.json").is_file()
        if started:
            known = json.loads(mark.read_text("utf-8")) if mark.is_file() else {}
            if known.get("digest") != digest:
                raise ValueError(f"{folder}: holds a run of another case or with other options, take another `out`")
            told += known.get("warnings", [])
            run = Run(folder)
            if run.status not in ("running", "interrupted"):
                return run
        else:
            told += self._warnings(plan)
            self._warn(folder, told)
            folder.parent.mkdir(parents=True, exist_ok=True)
            temporary = mark.with_name(mark.name + ".tmp")
            temporary.write_text(json.dumps({"digest": digest, "warnings": told}), "utf-8")
            os.replace(temporary, mark)
        with self._lock:
            if self._stopped:
                raise SluiceError("the sweep was stopped", 3)
            job = (
                Job(["--resume", str(folder)], folder, None, None) if started else start(case, folder, **self._options)
            )
            self._going_on.append(job)
        try:
            return job.wait()
        finally:
            with self._lock:
                self._going_on.remove(job)

    def _digest(self, case: Case) -> str:
        """Of all that decides the numbers: case, data files, options."""
        digest = hashlib.sha256(case.text)
        for name in case.data_files():
            assert case.path is not None
            digest.update(str(name).encode() + b"\0" + (case.path.parent / name).read_bytes())
        digest.update(json.dumps(self._options, sort_keys=True, default=str).encode())
        return digest.hexdigest()
