# SPDX-License-Identifier: Apache-2.0
"""Which sections and words of docs/case-format.md make which page of the site: one page a group of words."""
from typing import NamedTuple


class Group(NamedTuple):
    name: str  # of the page, case/NAME
    title: str
    sections: tuple  # headings of the second level
    words: dict = {}  # by section of the language: names, or None for all that no other group names
    figure: bool = True  # whether the page has one or more; no where words and tables say all


GROUPS = (
    Group("rules", "Rules that hold everywhere", ("Rules that hold everywhere",), {"casedef": None}, figure=False),
    Group("expressions", "Expressions and variables", ("Expressions and variables",),
          {"commands": ("newvar", "newvarcte", "setvar", "newvarstr", "newvarstrcte", "setvarstr", "delvar", "varssave", "varsload",
                        "exportvar", "printf", "abort", "runlist")}, figure=False),
    Group("constants", "Constants", ("Constants", "Speed of sound and first densities"), {"constantsdef": None}),
    Group("scheme", "The recommended scheme", ("The recommended scheme",), {"parameters": ("Scheme",)}, figure=False),
    Group("method", "The method", ("The method",), {"parameters": ("Method",)}, figure=False),
    Group("drawing", "Lattice and drawing", ("The lattice", "Drawing"), {"geometry": None, "commands": None}),
    Group("drawing-examples", "Every drawing command, by example", ("Every drawing command, by example",)),
    Group("motion", "Initial state and prescribed motion", ("Initial state, motion and floating bodies", "Prescribed motion"),
          {"casedef": ("initials", "motion")}),
    Group("waves", "Wave makers", ("Wave makers", "Pistons of layers"), {"special": ("wavepaddles", "mlayerpistons")}),
    Group("wave-zones", "Relaxation zones and waves of another model", ("Relaxation zones", "Waves of another model"),
          {"special": ("relaxationzones",)}),
    Group("damping", "Damping zones and accelerations", ("Damping zones and accelerations",), {"special": ("damping", "accinputs")}),
    Group("open-boundaries", "Open boundaries", ("Open boundaries",), {"special": ("inout", "inoutmesh")}),
    Group("bodies", "Floating bodies, contacts, joints and mooring lines", ("Floating bodies",),
          {"casedef": ("floatings", "properties"), "special": ("chrono", "moorings", "moordyn", "moordynplus", "ftsupport"),
           "parameters": ("RigidAlgorithm", "FtPause", "FtIgnoreRadius", "FtSaveAce", "FtSaveMotion", "FtSupport")}),
    Group("flexible", "Flexible structures", ("Flexible structures",), {"special": ("flexstrucs",)}),
    Group("normals", "Normals of walls", ("Normals of walls",),
          {"normals": None, "casedef": ("normals",), "special": ("initialize",),
           "parameters": ("Boundary", "BoundaryMethod", "SlipMode", "WallPressure", "NoPenetration")}),
    Group("viscosity-shifting", "Viscosity in time and shifting",
          ("Viscosity in time", "Zones of shifting", "Advanced shifting"),
          {"special": ("shifting", "viscotime"),
           "parameters": ("ViscoTreatment", "Visco", "ViscoTime", "ViscoBoundFactor", "Smagorinsky", "Shifting", "ShiftCoef", "ShiftTFS",
                          "ShiftAdvCoef", "ShiftAdvALE", "ShiftAdvNCPress")}),
    Group("non-newtonian", "Non-Newtonian fluids", ("Non-Newtonian fluids",),
          {"special": ("nnphases",), "parameters": ("RheologyTreatment", "VelocityGradientType", "RelaxationDt")}, figure=False),
    Group("fluids", "Several fluids", ("Several fluids",), {"parameters": ("FlowType", "MPCoefficient", "MultiphaseCoef")}, figure=False),
    Group("domain", "Domain and periodic sides", ("The simulation domain",),
          {"parameters": ("XPeriodicIncZ", "XPeriodicIncY", "YPeriodicIncX", "YPeriodicIncZ", "ZPeriodicIncX", "ZPeriodicIncY",
                          "XYPeriodic", "XZPeriodic", "YZPeriodic", "IncZ", "DomainFixed", "DomainFixedXmin", "DomainFixedXmax",
                          "DomainFixedYmin", "DomainFixedYmax", "DomainFixedZmin", "DomainFixedZmax")}),
    Group("gauges", "Gauges", ("Gauges",), {"gauges": None, "special": ("gauges",)}),
    Group("parameters", "Parameters and other words", ("Every other word, by example",), {"parameters": None, "special": None}, figure=False),
    Group("agreement", "Agreement with the reference generator", ("Agreement with the reference generator",), figure=False),
)
EVERY_WORD = "Every word"  # the section with the tables
