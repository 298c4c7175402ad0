# SPDX-License-Identifier: Apache-2.0
"""The folder of a run, finished or still growing, as `sluice run` writes it (docs/output.md)."""

from __future__ import annotations

import json
import re
import time as clock
from pathlib import Path
from typing import Any, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Union, overload

import h5py
import numpy as np
from numpy.typing import NDArray

from .tables import for_user, read_table

PathLike = Union[str, Path]
Array = NDArray[Any]

TYPES = ("fixed", "moving", "floating", "fluid")
"""What the numbers of the field `type` mean."""

LINK_KINDS = ("mooring_line", "hinge", "spheric", "point_line", "linear_spring", "coulomb_damping", "pulley")
"""What the numbers of `links/kind` mean."""

_UNITS = {"position": "m", "vorticity": "1/s", "velocity_divergence": "1/s"}


class Particles:
    """The fluid, or the boundary, in one frame; particles come by ascending id.

    Every stored field is an attribute and an item: `fluid.velocity`, `fluid["velocity"]`. Arrays have shape (n,), or
    (n, 3) for `position` [m], `velocity` [m/s] and `vorticity` [1/s]; `density` [kg/m3], `pressure` [Pa], `id`, `mk`,
    `type` (see TYPES). Each is read when it is first asked for. An AttributeError or KeyError names what there is.
    """

    def __init__(self, sources: Dict[str, Path], group: str) -> None:
        self._sources = sources
        self._group = group
        self._read: Dict[str, Array] = {}

    @property
    def fields(self) -> List[str]:
        """Names of what is stored."""
        return sorted(self._sources)

    def __getitem__(self, name: str) -> Array:
        if name not in self._read:
            if name not in self._sources:
                raise KeyError(f"the frame has no {name!r} of the {self._group}: it has {', '.join(self.fields)}")
            with h5py.File(self._sources[name], "r") as file:
                self._read[name] = np.asarray(file[f"{self._group}/{name}"])
        return self._read[name]

    def __getattr__(self, name: str) -> Array:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self[name]
        except KeyError as error:
            raise AttributeError(error.args[0]) from None

    def __dir__(self) -> List[str]:
        return [*super().__dir__(), *self._sources]

    def __len__(self) -> int:
        return len(self["id"])

    @property
    def speed(self) -> Array:
        """Magnitude of the velocity, m/s, shape (n,)."""
        return np.asarray(np.linalg.norm(self["velocity"], axis=1))


class Link(NamedTuple):
    """A mooring line or a joint: its kind (see LINK_KINDS), its number in the order of the case, the points of the line or
    of the joint's two ends [m], shape (n, 3), and the tension or force at each [N], shape (n,). A broken line has none.
    """

    kind: str
    number: int
    position: Array
    load: Array


class Frame:
    """One stored moment: `time` [s], `step`, `number`, and its particles `fluid` and `boundary`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        geometry = path.parent / "geometry.h5"
        sources: Dict[str, Dict[str, Path]] = {"fluid": {}, "boundary": {}}
        with h5py.File(geometry, "r") as file:
            for name in file.get("boundary", ()):
                sources["boundary"][name] = geometry
        with h5py.File(path, "r") as file:
            self.number = int(file.attrs["number"])
            self.step = int(file.attrs["step"])
            self.time = float(file.attrs["time"])
            for group, found in sources.items():
                for name in file.get(group, ()):  # what is in the frame is newer than what never changes
                    found[name] = path
        self.fluid = Particles(sources["fluid"], "fluid")
        self.boundary = Particles(sources["boundary"], "boundary")

    @property
    def links(self) -> List[Link]:
        """The mooring lines, then the joints; empty where the run has none."""
        with h5py.File(self.path, "r") as file:
            if "links" not in file:
                return []
            kinds, ranges, position, load = (file[f"links/{name}"][()] for name in ("kind", "range", "position", "load"))
        ends = np.cumsum(ranges[:, 1])
        return [
            Link(LINK_KINDS[kind], int(index), position[end - count : end], load[end - count : end])
            for kind, (index, count), end in zip(kinds, ranges, ends)
        ]

    def to_pyvista(self) -> Any:
        """A pyvista.MultiBlock of two clouds of points, "fluid" and "boundary", with all stored fields; with mooring lines
        or joints also "links", lines with their load.
        """
        import pyvista

        blocks = pyvista.MultiBlock()
        for name, particles in (("fluid", self.fluid), ("boundary", self.boundary)):
            cloud = pyvista.PolyData(np.asarray(particles["position"]))
            for one in particles.fields:
                if one != "position":
                    cloud.point_data[one] = particles[one]
            blocks[name] = cloud
        links = [link for link in self.links if len(link.load)]
        if links:
            ends = np.cumsum([len(link.load) for link in links])
            cells = [[len(link.load), *range(end - len(link.load), end)] for link, end in zip(links, ends)]
            lines = pyvista.PolyData(np.concatenate([link.position for link in links]), lines=np.concatenate(cells))
            lines.point_data["load"] = np.concatenate([link.load for link in links])
            blocks["links"] = lines
        return blocks

    def __repr__(self) -> str:
        return f"<Frame {self.number}: t = {self.time:g} s, step {self.step}>"


class Checkpoint(NamedTuple):
    """A complete state from which the run can go on: its step, its time [s] and its file."""

    step: int
    time: float
    path: Path


class Frames(Sequence[Frame]):
    """The frames of a run in the order of their times: `frames[-1]`, `frames[2:5]`, `len(frames)`."""

    def __init__(self, paths: List[Path]) -> None:
        self._paths = paths
        self._opened: Dict[int, Frame] = {}

    def __len__(self) -> int:
        return len(self._paths)

    @overload
    def __getitem__(self, index: int) -> Frame: ...

    @overload
    def __getitem__(self, index: slice) -> List[Frame]: ...

    def __getitem__(self, index: Union[int, slice]) -> Union[Frame, List[Frame]]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        i = index + len(self) if index < 0 else index
        if not 0 <= i < len(self):
            raise IndexError(f"frame {index} of {len(self)}")
        if i not in self._opened:
            self._opened[i] = Frame(self._paths[i])
        return self._opened[i]

    @property
    def times(self) -> NDArray[np.float64]:
        """Times of the frames, s."""
        return np.array([frame.time for frame in self], dtype=np.float64)


class Tables(Mapping[str, Any]):
    """The CSV tables of one folder by name; each is read when it is asked for, up to the last complete row.

    Values are pandas.DataFrame (`attrs["units"]`) where pandas is installed, else `sluice.Table`.
    """

    def __init__(self, folder: Path, kind: str) -> None:
        self._folder = folder
        self._kind = kind

    def __getitem__(self, name: str) -> Any:
        path = self._folder / f"{name}.csv"
        if not path.is_file():
            there = ", ".join(self) or "none"
            raise KeyError(f"{self._folder.parent}: there is no {self._kind} {name!r} (there are: {there})")
        return for_user(read_table(path))

    def __iter__(self) -> Iterator[str]:
        return (path.stem for path in sorted(self._folder.glob("*.csv")))

    def __len__(self) -> int:
        return sum(1 for _ in self)


class Run:
    """The results in a folder. A run that goes on may be opened: only complete frames and rows show, and `refresh`
    finds what has come since.
    """

    frames: Frames
    info: Dict[str, Any]
    """What run.json says (docs/output.md): status, constants, domain, timings, ledger."""

    def __init__(self, folder: PathLike) -> None:
        self.path = Path(folder)
        if not self.path.is_dir():
            raise FileNotFoundError(f"{self.path}: there is no such folder")
        if not (self.path / "run.json").is_file():
            raise FileNotFoundError(f"{self.path}: is not the folder of a run (no run.json)")
        self.gauges = Tables(self.path / "gauges", "gauge")
        self.bodies = Tables(self.path / "bodies", "body")
        self.joints = Tables(self.path / "joints", "joint")
        self.moorings = Tables(self.path / "moorings", "mooring line")
        self.frames = Frames([])
        self.refresh()

    def refresh(self) -> int:
        """Looks again; returns how many frames have come since the last look."""
        before = len(self.frames)
        self.info = json.loads((self.path / "run.json").read_text("utf-8"))
        if self.info.get("format") != 1:
            raise ValueError(f"{self.path / 'run.json'}: format {self.info.get('format')} is newer than this package")
        found = [
            (int(match.group(1)), path)
            for path in (self.path / "frames").glob("frame_*.h5")  # *.tmp until they are complete
            if (match := re.fullmatch(r"frame_(\d+)\.h5", path.name))
        ]
        self.frames = Frames([path for _, path in sorted(found)])
        return len(self.frames) - before

    def watch(self, interval: float = 0.5) -> Iterator[Frame]:
        """Yields each frame as it comes, those that are there first, until the run has ended.

        `interval`: seconds between looks. A run that was killed stays "running" in run.json: without `run.lock`, whose
        owner touches it every few seconds, it counts as ended.
        """
        seen = 0
        while True:
            going_on = self.is_running
            self.refresh()
            while seen < len(self.frames):
                yield self.frames[seen]
                seen += 1
            if not going_on:
                return
            clock.sleep(interval)

    @property
    def status(self) -> str:
        """`running`, `finished`, `interrupted`, `stopped` or `failed`, as of the last look."""
        return str(self.info["status"])

    @property
    def is_running(self) -> bool:
        """Whether the run goes on now, by a new look: its status says so and its lock has been touched in 90 s."""
        self.refresh()
        try:
            age = clock.time() - (self.path / "run.lock").stat().st_mtime
        except OSError:
            return False
        return self.status == "running" and age < 90

    @property
    def ledger(self) -> Any:
        """flow.csv, the fluid as a whole: front, centroid, mass, momentum, energies (DataFrame or Table)."""
        return for_user(read_table(self.path / "flow.csv"))

    @property
    def excluded(self) -> Any:
        """excluded.csv, every particle that left the run and why (DataFrame or Table)."""
        return for_user(read_table(self.path / "excluded.csv"))

    @property
    def probes(self) -> Any:
        """probes.csv, the points of --probes (DataFrame or Table); FileNotFoundError without them."""
        return for_user(read_table(self.path / "probes.csv"))

    @property
    def checkpoints(self) -> List[Checkpoint]:
        """The checkpoints that are there, the oldest first."""
        found = []
        for path in (self.path / "checkpoints").glob("checkpoint_*.h5"):  # *.tmp until they are complete
            try:
                with h5py.File(path, "r") as file:
                    state = file["state"].attrs
                    found.append(Checkpoint(int(state["step"]), float(state["time"]), path))
            except FileNotFoundError:
                continue  # of two the older one is removed as the run goes on
        return sorted(found)

    @property
    def units(self) -> Dict[str, str]:
        """Unit of each field of the frames, "" for none."""
        return {**_UNITS, **{one["name"]: one["unit"] for one in self.info.get("fields", ())}}

    @property
    def geometry(self) -> Dict[str, Any]:
        """Attributes of frames/geometry.h5: `dp`, `two_d`, `total`, `boundary_count`, `keep_every`, …"""
        with h5py.File(self.path / "frames" / "geometry.h5", "r") as file:
            return {name: value.item() for name, value in file.attrs.items()}

    def at(self, time: float) -> Frame:
        """The frame nearest to `time` [s]. ValueError where it lies more than a frame's distance outside of all."""
        times = self.frames.times
        if not len(times):
            raise ValueError(f"{self.path}: there are no frames yet")
        gap = float(np.max(np.diff(times))) if len(times) > 1 else 0.0
        if not times[0] - gap <= time <= times[-1] + gap:
            raise ValueError(f"{self.path}: no frame near {time:g} s (they go from {times[0]:g} to {times[-1]:g} s)")
        return self.frames[int(np.argmin(np.abs(times - time)))]

    def to_pyvista(self, time: Optional[float] = None) -> Any:
        """The frame nearest to `time` [s], or the last one, as a pyvista.MultiBlock."""
        return (self.frames[-1] if time is None else self.at(time)).to_pyvista()

    def to_xarray(self, fields: Optional[Sequence[str]] = None, frames: Optional[slice] = None) -> Any:
        """The fluid as an xarray.Dataset with dimensions time [s], id and axis (x, y, z).

        `fields`: those of the fluid, default all but `type`. What a particle has not in a frame (it was excluded, or had
        not come in) is NaN; `mk` is then -1. All values are held in memory: choose `frames` and `fields` of long runs.
        """
        import xarray

        chosen = self.frames[frames if frames is not None else slice(None)]
        if not chosen:
            raise ValueError(f"{self.path}: there are no frames to convert")
        stored = [name for name in chosen[0].fluid.fields if name not in ("id", "type")]
        names = list(fields) if fields is not None else stored
        ids = np.unique(np.concatenate([frame.fluid["id"] for frame in chosen]))
        variables = {}
        for name in names:
            first = chosen[0].fluid[name]
            whole = first.dtype.kind in "iu"
            values = np.full(
                (len(chosen), len(ids), *first.shape[1:]), -1 if whole else np.nan, np.int64 if whole else first.dtype
            )
            for row, frame in enumerate(chosen):
                values[row, np.searchsorted(ids, frame.fluid["id"])] = frame.fluid[name]
            dimensions = ("time", "id", "axis")[: values.ndim]
            variables[name] = (dimensions, values, {"units": self.units.get(name, "")})
        coordinates = {
            "time": ("time", np.array([frame.time for frame in chosen]), {"units": "s"}),
            "id": ids,
            "axis": ["x", "y", "z"],
        }
        attributes = {"case": self.info["case"], "dp": self.info["dp"], "version": self.info["version"]}
        return xarray.Dataset(variables, coordinates, attributes)

    def __repr__(self) -> str:
        return f"<Run {self.path}: {self.status}, {len(self.frames)} frames>"


def open(folder: PathLike) -> Run:  # noqa: A001 - sluice.open reads like the built-in
    """Opens the folder of a run, finished or not. FileNotFoundError where there is none."""
    return Run(folder)
