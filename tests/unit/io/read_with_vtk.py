# SPDX-License-Identifier: Apache-2.0
"""Lets io_make_frames write sample runs and reads them back with VTK, as ParaView would: every step, time and array.

usage: read_with_vtk.py IO_MAKE_FRAMES
"""
import os
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import vtk
    from vtk.util.numpy_support import vtk_to_numpy
except ImportError as missing:
    print("Skipped:", missing)
    sys.exit(0)

FRAMES, BOUNDARY, TOTAL = 8, 12, 32


def require(condition, what):
    if not condition:
        raise SystemExit(f"FAILED: {what}")


def expected_time(n):
    return 0.01 * n + 1e-4 * n * n


def expected_fluid_ids(n):
    return np.array([] if n == 4 else range(BOUNDARY + n, TOTAL), dtype=np.uint32)


def expected_positions(ids, n):
    ids = ids.astype(float)
    return np.stack([0.01 * ids, np.full(ids.size, 0.25), 0.5 + 0.001 * n + 1e-5 * ids * n], axis=1)


def expected_kind(ids, moving):
    mk = np.select([ids < 8, ids < 12, ids < 27], [11, 12, 1], 3)
    kind = np.select([ids < 8, ids < 12], [0, 1 if moving else 0], 3)
    return mk, kind


class Errors:
    """VTK reports errors as events; any of them is a failure."""

    def __init__(self):
        self.texts = []
        self.CallDataType = "string0"

    def __call__(self, caller, event, data=None):
        self.texts.append(str(data))


def open_file(path, reader, numbers):
    """The reader, opened, and its errors; it must tell the times of the frames of these numbers."""
    errors = Errors()
    reader.AddObserver("ErrorEvent", errors)
    require(reader.CanReadFile(path), f"VTK does not take {path} for one of {reader.GetClassName()}")
    reader.SetFileName(path)
    reader.UpdateInformation()
    times = reader.GetOutputInformation(0).Get(vtk.vtkStreamingDemandDrivenPipeline.TIME_STEPS())
    wanted = [expected_time(n) for n in numbers]
    require(np.array_equal(times, wanted), f"{path}: times {times} instead of {wanted}")
    return reader, errors


def arrays_of(mesh, time, kind="vtkPolyData"):
    require(mesh.IsA(kind), f"not {kind}")
    data = mesh.GetPointData()
    arrays = {data.GetArrayName(k): vtk_to_numpy(data.GetArray(k)) for k in range(data.GetNumberOfArrays())}
    points = vtk_to_numpy(mesh.GetPoints().GetData()) if mesh.GetNumberOfPoints() else np.empty((0, 3))
    cells = [mesh.GetCell(k).GetPointId(0) for k in range(mesh.GetNumberOfCells())]
    require(cells == list(range(len(points))), f"t = {time}: cells are not one vertex a particle: {cells}")
    return points, arrays


def arrays_at(reader, n, kind):
    time = expected_time(n)
    reader.UpdateTimeStep(time)
    mesh = reader.GetOutputDataObject(0)
    figures = {name: vtk_to_numpy(mesh.GetFieldData().GetArray(name)).tolist() for name in ("exact_time", "step")}
    require(figures == {"exact_time": [time], "step": [100 * n]}, f"{reader.GetFileName()} {n}: field data {figures}")
    return arrays_of(mesh, time, kind)


def check_export(folder, name, n, ids, options):
    errors = Errors()
    reader = vtk.vtkXMLPolyDataReader()
    reader.AddObserver("ErrorEvent", errors)
    reader.SetFileName(os.path.join(folder, "vtp", f"{name}_{n:06}.vtp"))
    reader.Update()
    require(not errors.texts, f"exported {name} {n}: VTK reports {errors.texts}")
    points, arrays = arrays_of(reader.GetOutput(), expected_time(n))
    check_values(f"exported {name} frame {n}", points, arrays, ids, n, options)


def check_values(where, points, arrays, ids, n, options):
    moving, double, few = "moving" in options, "double" in options, "few" in options
    tolerance = 1e-15 if double else 1e-7
    require(len(points) == ids.size, f"{where}: {len(points)} points instead of {ids.size}")
    if ids.size == 0:
        return
    still = ids < (8 if moving else BOUNDARY)
    at_rest, in_motion = expected_positions(ids, 0), expected_positions(ids, n)
    wanted = np.where(still[:, None], at_rest, in_motion)
    require(np.allclose(points, wanted, rtol=tolerance, atol=tolerance), f"{where}: positions")
    require(np.array_equal(arrays["id"], ids), f"{where}: id")
    mk, kind = expected_kind(ids, moving)
    require(np.array_equal(arrays["mk"], mk), f"{where}: mk")
    require(np.array_equal(arrays["type"], kind), f"{where}: type")
    require(few == ("density" not in arrays) and few == ("pressure" not in arrays), f"{where}: arrays {sorted(arrays)}")
    if not few:
        require(np.array_equal(arrays["density"], (1000 + ids + 0.5 * n).astype(np.float32)), f"{where}: density")
        require(np.array_equal(arrays["pressure"], (10.0 * ids - n).astype(np.float32)), f"{where}: pressure")
    is_fluid = ids[0] >= BOUNDARY
    derived = {"vorticity": np.stack([0.5 * ids, ids + 1.0 * n, -1.0 * ids], axis=1), "velocity_divergence": 0.25 * ids - n,
               "position_divergence": 2 + 0.125 * ids}
    for name, values in derived.items():
        require((name in arrays) == ("all" in options and is_fluid), f"{where}: arrays {sorted(arrays)}")
        if name in arrays:
            require(np.array_equal(arrays[name], values.astype(np.float32)), f"{where}: {name}")
    require(("wall_pressure" in arrays) == ("all" in options and not is_fluid), f"{where}: arrays {sorted(arrays)}")
    if "wall_pressure" in arrays:
        near = arrays["wall_pressure"] != 0
        require(near.any() == (n != 4) and np.isfinite(arrays["wall_pressure"]).all(), f"{where}: wall_pressure")
    if "velocity" in arrays:
        velocity = np.stack([ids, np.full(ids.size, n), np.full(ids.size, -0.5)], axis=1)
        velocity = np.where(still[:, None], 0, velocity)
        require(np.array_equal(arrays["velocity"], velocity.astype(np.float32)), f"{where}: velocity")
    else:
        require(still.all(), f"{where}: no velocity")


def ids_of(name, n):
    return expected_fluid_ids(n) if name == "fluid" else np.arange(BOUNDARY, dtype=np.uint32)


def check_series(file, make_reader, kind, numbers, options):
    """Every frame of a file that has those of these numbers: forth, back and across, as a player scrubs."""
    reader, errors = open_file(file, make_reader(), numbers)
    name = os.path.basename(file).split(".")[0]
    for n in [*numbers, *reversed(numbers), 3, 5, *({4} & set(numbers)), 6, 0]:
        points, arrays = arrays_at(reader, n, kind)
        check_values(f"{os.path.basename(file)} {options} frame {n}", points, arrays, ids_of(name, n), n, options)
    require(not errors.texts, f"{file}: VTK reports {errors.texts}")


def check_run(program, readers, *options):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, folder, str(FRAMES), *options], check=True)
        for name in ("fluid", "boundary"):
            for n in range(FRAMES):
                check_export(folder, name, n, ids_of(name, n), options)
            for suffix, (make_reader, kind) in readers.items():
                # XDMF has no frames without particles
                numbers = [n for n in range(FRAMES) if suffix == "vtkhdf" or ids_of(name, n).size]
                check_series(os.path.join(folder, f"{name}.{suffix}"), make_reader, kind, numbers, options)


def main():
    version = vtk.vtkVersion().GetVTKVersion()
    readers = {}
    if tuple(int(part) for part in version.split(".")[:2]) >= (9, 3):
        readers["vtkhdf"] = (vtk.vtkHDFReader, "vtkPolyData")
    if hasattr(vtk, "vtkXdmfReader"):
        readers["xdmf"] = (vtk.vtkXdmfReader, "vtkUnstructuredGrid")
    if not readers:
        print("Skipped: VTK", version, "is older than 9.3 and has no reader of XDMF")
        return
    program = os.path.abspath(sys.argv[1])
    os.chdir(tempfile.gettempdir())  # not where the frames are: their names must not depend on it
    for options in ([], ["double"], ["moving"], ["few"], ["all", "moving"]):
        check_run(program, readers, *options)
    print("read back with VTK", version, "as", ", ".join(readers))


if __name__ == "__main__":
    main()
