# SPDX-License-Identifier: Apache-2.0
"""Shows this run in ParaView 5.10 or later: fluid coloured by speed, walls to look through, bodies, gauges with their names.

In ParaView: File, Load State, this file. From a shell: paraview --script=view.py, or, for a picture of the last frame or of the
one at a time (s): pvbatch view.py PICTURE.png [TIME]. It shows the folder that it is in, wherever that lies. sluice run and
sluice run --resume write it anew, so change a copy that stays in the same folder.
"""
import json
import os
import sys

from paraview import servermanager, simple

RUN = json.loads(r"""@RUN@""")
FOLDER = os.path.dirname(os.path.abspath(__file__))
VERSION = (servermanager.vtkSMProxyManager.GetVersionMajor(), servermanager.vtkSMProxyManager.GetVersionMinor())
FIXED, MOVING, FLOATING = 0, 1, 2  # values of the array "type"


def open_series(name):
    """The particles of all times: VTKHDF where this ParaView reads it with times, XDMF elsewhere; None without a file."""
    with_hdf = VERSION >= (5, 12)
    path = os.path.join(FOLDER, name + (".vtkhdf" if with_hdf else ".xdmf"))
    if not os.path.exists(path):
        return None
    # of three readers of XDMF the one that is quick in long series
    reader = simple.OpenDataFile(path) if with_hdf else simple.XDMFReader(FileNames=[path])
    simple.RenameSource(name, reader)
    return reader


def paint(display, colour):
    display.ColorArrayName = ["POINTS", ""]  # by none
    display.AmbientColor = display.DiffuseColor = colour


def show_particles(source, view, colour=None, opacity=1.0):
    """Draws each particle as a disc (in 3-D as a ball) of its spacing."""
    display = simple.Show(source, view)
    display.SetRepresentationType("Point Gaussian")
    display.GaussianRadius = 0.5 * RUN["dp"]
    display.ShaderPreset = "Plain circle" if RUN["two_d"] else "Sphere"
    display.Opacity = opacity
    if colour:
        paint(display, colour)
    return display


def usual_speed():
    """That of the fastest particle is below it in three quarters of the frames, m/s, so that a single splash does not make all else
    dark: of the column of flow.csv; 0 where there is none."""
    path = os.path.join(FOLDER, "flow.csv")
    if not os.path.exists(path):
        return 0.0
    with open(path) as table:
        rows = [line.rstrip("\n").split(",") for line in table if not line.startswith("#")]
    if not rows or "speed_max [m/s]" not in rows[0]:
        return 0.0
    column = rows[0].index("speed_max [m/s]")
    speeds = sorted(float(row[column]) for row in rows[1:] if len(row) > column)
    return speeds[3 * (len(speeds) - 1) // 4] if speeds else 0.0


def show_fluid(fluid, view):
    """Coloured by speed, on one scale for all times; plain where frames hold no velocities."""
    if "velocity" not in RUN["fields"]:
        return show_particles(fluid, view, [0.2, 0.45, 0.75])
    display = show_particles(fluid, view)
    simple.ColorBy(display, ("POINTS", "velocity", "Magnitude"))
    scale = simple.GetColorTransferFunction("velocity")
    scale.ApplyPreset("Viridis (matplotlib)", True)
    usual = usual_speed()
    if usual > 0:
        scale.RescaleTransferFunction(0.0, usual)
    bar = simple.GetScalarBar(scale, view)
    bar.Title, bar.ComponentTitle, bar.AddRangeLabels = "speed, m/s", "", 0
    bar.TitleColor = bar.LabelColor = [0.0, 0.0, 0.0]
    display.SetScalarBarVisibility(view, True)
    return display


def particles_of(boundary, kind, name):
    """The boundary particles of one type, as a source of their own."""
    part = simple.Threshold(Input=boundary)
    part.Scalars = ["POINTS", "type"]
    part.LowerThreshold = part.UpperThreshold = kind
    simple.RenameSource(name, part)
    return part


def show_boundary(boundary, view):
    looks = {FIXED: ("walls", [0.45, 0.45, 0.45], 0.6 if RUN["two_d"] else 0.06),
             MOVING: ("moving parts", [0.35, 0.35, 0.4], 0.7),
             FLOATING: ("bodies", [0.85, 0.45, 0.15], 1.0)}
    for kind, (name, colour, opacity) in looks.items():
        if kind in RUN["types"]:
            show_particles(particles_of(boundary, kind, name), view, colour, opacity)
    simple.Hide(boundary, view)


def show_gauge(gauge, view):
    """A ball at a point or a line along what the gauge covers, with its name."""
    points = gauge["points"]
    if RUN["two_d"]:  # before the particles, where the eye is
        points = [[x, RUN["y"] - 2 * RUN["dp"], z] for x, _, z in points]
    if len(points) == 1:
        mark = simple.Sphere(Center=points[0], Radius=RUN["dp"])
    else:
        closed = points[:1] if gauge["closed"] else []
        mark = simple.PolyLineSource(Points=[x for point in points + closed for x in point])
    simple.RenameSource("gauge " + gauge["name"], mark)
    display = simple.Show(mark, view)
    paint(display, [0.8, 0.0, 0.1])
    display.LineWidth = 2.0
    label = simple.Text(Text=gauge["name"])
    simple.RenameSource("name of gauge " + gauge["name"], label)
    text = simple.Show(label, view)
    text.TextPropMode = "Billboard 3D Text"
    text.BillboardPosition = points[-1] if len(points) == 2 else points[0]
    text.Color = [0.8, 0.0, 0.1]
    text.FontSize = 14


def show_links(view):
    """Mooring lines and joints, where `sluice links DIR -o DIR/links` has written them."""
    path = os.path.join(FOLDER, "links", "links.pvd")
    if not os.path.exists(path):
        return
    links = simple.PVDReader(FileName=path)
    simple.RenameSource("mooring lines and joints", links)
    display = simple.Show(links, view)
    paint(display, [0.1, 0.1, 0.12])
    display.LineWidth = 3.0


def look_at_all(view):
    """In 2-D from the side, in 3-D from before and above."""
    view.CameraFocalPoint = [0.0, 0.0, 0.0]
    view.CameraPosition = [0.0, -1.0, 0.0] if RUN["two_d"] else [-0.45, -1.0, 0.55]
    view.CameraViewUp = [0.0, 0.0, 1.0]
    view.CameraParallelProjection = 1 if RUN["two_d"] else 0
    simple.ResetCamera(view)


def main():
    view = simple.GetActiveViewOrCreate("RenderView")
    if hasattr(view, "UseColorPaletteForBackground"):
        view.UseColorPaletteForBackground = 0
    view.Background = [1.0, 1.0, 1.0]
    fluid, boundary = open_series("fluid"), open_series("boundary")
    if fluid is None and boundary is None:
        raise RuntimeError(f"{FOLDER}: has no fluid or boundary to show; view.py belongs into the folder of a run")
    scene = simple.GetAnimationScene()
    scene.UpdateAnimationUsingDataTimeSteps()
    scene.GoToLast()
    if boundary is not None:
        show_boundary(boundary, view)
    if fluid is not None:
        show_fluid(fluid, view)
    for gauge in RUN["gauges"]:
        show_gauge(gauge, view)
    show_links(view)
    clock = simple.Show(simple.AnnotateTimeFilter(Input=fluid or boundary, Format="t = {time:g} s"), view)
    clock.Color = [0.0, 0.0, 0.0]
    look_at_all(view)
    picture = sys.argv[1] if len(sys.argv) > 1 else ""
    if picture.endswith(".png"):
        view.ViewSize = [1200, 800]
        if len(sys.argv) > 2:
            scene.AnimationTime = float(sys.argv[2])
        look_at_all(view)
        simple.SaveScreenshot(picture, view, ImageResolution=[1200, 800])
    else:
        simple.Render(view)


main()
