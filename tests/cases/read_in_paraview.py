# SPDX-License-Identifier: Apache-2.0
"""For pvpython: opens a file with each reader that ParaView has for it, and prints a line of JSON for each frame.

usage: pvpython read_in_paraview.py FILE [READER…]
"""
import json
import sys

from paraview import servermanager, simple
from vtkmodules.util.numpy_support import vtk_to_numpy


def readers(path, names):
    if not names:
        yield "default", simple.OpenDataFile(path)
    for name in names:
        if hasattr(simple, name):
            files = "FileNames" if name == "XDMFReader" else "FileName"
            yield name, getattr(simple, name)(**{files: [path]})


def described(name, reader, time):
    reader.UpdatePipeline(time)
    mesh = servermanager.Fetch(reader)
    data, figures = mesh.GetPointData(), mesh.GetFieldData()
    arrays = {data.GetArrayName(k): vtk_to_numpy(data.GetArray(k)) for k in range(data.GetNumberOfArrays())}
    return {"reader": name, "time": time, "points": mesh.GetNumberOfPoints(), "cells": mesh.GetNumberOfCells(),
            "shapes": {array: values.shape for array, values in arrays.items()},
            "sums": {array: float(values.sum(dtype=float)) for array, values in arrays.items()},
            "places": vtk_to_numpy(mesh.GetPoints().GetData()).sum(axis=0, dtype=float).tolist(),
            "figures": {array: vtk_to_numpy(figures.GetArray(array)).tolist() for array in ("exact_time", "step")}}


for name, reader in readers(sys.argv[1], sys.argv[2:]):
    reader.UpdatePipelineInformation()
    times = list(reader.TimestepValues)
    for time in [*times, times[0], times[-1]]:
        print(json.dumps(described(name, reader, time)))
