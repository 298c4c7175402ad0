# SPDX-License-Identifier: Apache-2.0
"""Finds and starts the program: `run`, `check`, jobs that go on beside Python."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
from functools import lru_cache
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Callable, Dict, List, NamedTuple, Optional, Union

from .results import Run

if TYPE_CHECKING:
    from .case import Case

CaseLike = Union[str, Path, "Case"]

KEPT_CODES = {0, 3, 4, 5}
"""Exit codes after which a run is returned: finished, interrupted, out of its time, stopped by a rule."""


class SluiceError(RuntimeError):
    """The program could not do what it was asked: `message` is what it said, `code` its exit code (docs/output.md)."""

    def __init__(self, message: str, code: int) -> None:
        super().__init__(f"{message} (exit code {code})")
        self.message = message
        self.code = code


class InputError(SluiceError):
    """Exit code 2: the case, a file or an option cannot be used, and nothing was written."""


class RunError(SluiceError):
    """A run failed. `run` holds what it computed up to there, if it wrote anything."""

    def __init__(self, message: str, code: int, run: Optional[Run]) -> None:
        super().__init__(message, code)
        self.run = run


class ProgramNotFound(FileNotFoundError):
    """There is no program `sluice`."""


class Progress(NamedTuple):
    """How far a run is: percent, time of the simulation [s], and the line that says so."""

    percent: float
    time: float
    line: str


def program() -> str:
    """The program: what the environment variable SLUICE names, else `sluice` on the PATH. ProgramNotFound without."""
    named = os.environ.get("SLUICE", "")
    found = shutil.which(named or "sluice")
    if found is None:
        what = f"SLUICE={named}: is no program" if named else "sluice is not on the PATH"
        raise ProgramNotFound(f"{what}, set SLUICE to the program (build/release/bin/sluice)")
    return found


def words_of_the_language() -> Dict[str, List[str]]:
    """The words of the case language by section, as the program lists them (`check --explain --json`)."""
    return _words_of(program())


@lru_cache(maxsize=None)
def _words_of(executable: str) -> Dict[str, List[str]]:
    done = subprocess.run([executable, "check", "--explain", "--json"], capture_output=True, text=True)
    if done.returncode:
        raise _error(done.returncode, done.stderr, None)
    words: Dict[str, List[str]] = {}
    for one in json.loads(done.stdout):
        words.setdefault(one["section"], []).append(one["word"])
    return words


def _error(code: int, said: str, run: Optional[Run]) -> SluiceError:
    if code < 0:
        return RunError(f"the program was ended by signal {-code} ({signal.Signals(-code).name})", code, run)
    lines = [line for line in said.splitlines() if line.strip()]
    errors = [line[len("error: ") :] for line in lines if line.startswith("error: ")]
    message = "\n".join(errors or lines[-3:]) or f"the program ended with exit code {code}"
    return InputError(message, code) if code == 2 else RunError(message, code, run)


def _options(options: Dict[str, Any]) -> List[str]:
    """Options of the command line: threads=2 is --threads 2, redo_gap=True --redo-gap; None and False leave one out."""
    words: List[str] = []
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        if value is True:
            words.append(option)
        elif isinstance(value, dict):  # set={"Visco": 0.1}
            for key, one in value.items():
                words += [option, f"{key}={one}"]
        elif value is not None and value is not False:
            words += [option, str(value)]
    return words


class _CaseFile:
    """A case as a file that the program can read; one that was changed lies in a temporary folder until `close`."""

    def __init__(self, case: CaseLike) -> None:
        self._folder: Optional[tempfile.TemporaryDirectory[str]] = None
        self._shown = str(case) if isinstance(case, (str, Path)) else str(case.path or f"{case.name}.xml")
        if isinstance(case, (str, Path)):
            self.path = Path(case)
        elif case.path is not None and not case.changed:
            self.path = case.path
        else:
            self._folder = tempfile.TemporaryDirectory(prefix="sluice-")
            try:
                self.path = case.write(Path(self._folder.name) / f"{case.name}.xml")
            except BaseException:
                self.close()
                raise

    def close(self) -> None:
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    def told(self, text: str) -> str:
        """What the program says, with the file that the user knows in place of a temporary one."""
        return text.replace(str(self.path), self._shown)


def check(case: CaseLike, **options: Any) -> Dict[str, Any]:
    """What `sluice check --json` says of a case (docs/check.md): particles, constants, memory, diagnostics.

    A case that cannot be run, or not even read, comes back with `runnable` False and its `reasons`. InputError for
    options that the program does not know.
    """
    file = _CaseFile(case)
    try:
        command = [program(), "check", str(file.path), "--json", *_options(options)]
        done = subprocess.run(command, capture_output=True, text=True)
    finally:
        file.close()
    try:
        found: Dict[str, Any] = json.loads(file.told(done.stdout))
    except ValueError:
        raise _error(done.returncode, file.told(done.stderr), None) from None
    return found


_PROGRESS = re.compile(r"\s*([0-9.]+) %\s+t = (\S+) s\b")


class Job:
    """A run that goes on in a process of its own. `with start(…) as job:` stops it at the end of the block."""

    def __init__(
        self, arguments: List[str], out: Path, file: Optional[_CaseFile], progress: Optional[Callable[[Progress], None]]
    ) -> None:
        self.out = out
        self.progress: Optional[Progress] = None
        self._file = file
        self._callback = progress
        self._said: List[str] = []
        self._asked_to_stop = False
        self._process = subprocess.Popen(
            [program(), "run", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            start_new_session=True,  # Ctrl-C comes to Python alone, which passes it on once
        )
        self._readers = [
            threading.Thread(target=self._read, args=(stream, kept), daemon=True)
            for stream, kept in ((self._process.stdout, False), (self._process.stderr, True))
        ]
        for reader in self._readers:
            reader.start()

    def _read(self, stream: IO[str], kept: bool) -> None:
        with stream:
            for line in stream:
                if match := _PROGRESS.match(line):
                    self.progress = Progress(float(match.group(1)), float(match.group(2)), line.strip())
                    if self._callback:
                        self._callback(self.progress)
                elif kept:
                    self._said.append(line)

    @property
    def running(self) -> bool:
        """Whether the process goes on."""
        return self._process.poll() is None

    @property
    def run(self) -> Run:
        """The results up to now; FileNotFoundError before the program has made the folder."""
        return Run(self.out)

    def stop(self) -> None:
        """Asks the run to end after the present step, as Ctrl-C does: it keeps what it computed, with a checkpoint.

        The signal is TERM: shells have INT ignored by what they start in the background. It is sent once, as a second one would end the run without a checkpoint.

        One that has not come to its first step yet has nothing to keep: it ends at once, and `wait` raises RunError."""
        if self.running and not self._asked_to_stop:
            self._asked_to_stop = True
            self._process.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """Ends the process at once; frames up to the last complete one stay."""
        self._process.kill()

    def wait(self, timeout: Optional[float] = None) -> Run:
        """Waits for the end and returns the results; `run.status` tells how it ended (KEPT_CODES).

        Raises InputError, RunError with what the program said, subprocess.TimeoutExpired after `timeout` seconds. An
        interruption of Python (Ctrl-C) stops the run and waits until it has kept what it has.
        """
        try:
            code = self._process.wait(timeout)
        except KeyboardInterrupt:
            self.stop()
            self._process.wait()
            self._finish()
            raise
        self._finish()
        if code in KEPT_CODES:
            return Run(self.out)
        result = Run(self.out) if code != 2 and (self.out / "run.json").is_file() else None
        said = "".join(self._said)
        raise _error(code, self._file.told(said) if self._file else said, result)

    def _finish(self) -> None:
        for reader in self._readers:
            reader.join()
        if self._file is not None:
            self._file.close()

    def __enter__(self) -> "Job":
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        self._process.wait()
        self._finish()


def start(
    case: CaseLike, out: Union[str, Path], progress: Optional[Callable[[Progress], None]] = None, **options: Any
) -> Job:
    """Starts a run and returns at once. `progress` is called, in a thread, with each report of the program (every few
    seconds); `options` are those of `sluice run` (`threads=2`, `overwrite=True`, `set={"Visco": 0.1}`)."""
    file = _CaseFile(case)
    try:
        return Job([str(file.path), "-o", str(out), *_options(options)], Path(out), file, progress)
    except BaseException:
        file.close()
        raise


def run(
    case: CaseLike, out: Union[str, Path], progress: Optional[Callable[[Progress], None]] = None, **options: Any
) -> Run:
    """Runs a case to its end and returns the results, see `start` and `Job.wait`."""
    return start(case, out, progress, **options).wait()


def resume(out: Union[str, Path], progress: Optional[Callable[[Progress], None]] = None, **options: Any) -> Run:
    """Goes on with a run that was interrupted, to its end (`sluice run --resume`)."""
    return Job(["--resume", str(out), *_options(options)], Path(out), None, progress).wait()
