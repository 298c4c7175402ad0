# SPDX-License-Identifier: Apache-2.0
"""Python beside Sluice: cases are written, runs started and watched, results read.

`open(folder)` needs no program; `run`, `check`, `sweep` and new words of a `Case` use the one named by the environment
variable SLUICE, else `sluice` on the PATH.
"""

from . import shapes
from .case import Case, CaseError
from .program import (
    InputError,
    Job,
    ProgramNotFound,
    Progress,
    RunError,
    SluiceError,
    check,
    program,
    resume,
    run,
    start,
)
from .results import Checkpoint, Frame, Frames, Link, Particles, Run, Tables, open
from .sweep import Convergence, Sweep, convergence, sweep
from .tables import Table, read_table

__version__ = "0.1.0"

__all__ = [
    "Case",
    "CaseError",
    "Checkpoint",
    "Convergence",
    "Frame",
    "Frames",
    "InputError",
    "Job",
    "Link",
    "Particles",
    "ProgramNotFound",
    "Progress",
    "Run",
    "RunError",
    "SluiceError",
    "Sweep",
    "Table",
    "Tables",
    "check",
    "convergence",
    "open",
    "program",
    "read_table",
    "resume",
    "run",
    "shapes",
    "start",
    "sweep",
]
