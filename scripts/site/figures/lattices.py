# SPDX-License-Identifier: Apache-2.0
"""The particles in figures of drawing commands: the program draws them. What it drew is kept in lattices.json, so that figures are made
without it; tests/docs/test_program.py compares. `lattices.py PROGRAM` writes the file anew."""
import json
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

FILE = pathlib.Path(__file__).with_name("lattices.json")
DP = 0.1
CASE = """<case><casedef><constantsdef><gravity x="0" y="0" z="-9.81"/><coefh value="1.2"/><speedsound value="20"/></constantsdef><geometry>
<definition dp="{dp}"><pointmin x="0" y="0" z="0"/><pointmax x="1.7" y="{depth}" z="1"/></definition>
<commands><mainlist><setdrawmode mode="{mode}"/>{commands}</mainlist></commands></geometry></casedef>
<execution><parameters/></execution></case>"""
BOX = '<setmkbound mk="0"/><drawbox><boxfill>solid</boxfill><point x="0.1" y="0.1" z="0.1"/><size x="0.6" y="0.6" z="0.6"/></drawbox>'
SPHERE = '<setmkbound mk="0"/><drawsphere radius="0.32"><point x="0.4" y="0.4" z="0.4"/></drawsphere>'
LAYERS = ('<setmkbound mk="0"/><drawbox><boxfill>left | right | bottom</boxfill><point x="0.4" y="0.2" z="0.4"/><size x="0.8" y="0.4" z="0.4"/>'
          '<layers vdp="{}"/></drawbox>')
TANK = ('<setmkbound mk="0"/><drawline><point x="0.1" y="0" z="0.8"/><point x="0.1" y="0" z="0.1"/></drawline>'
        '<drawline><point x="0.1" y="0" z="0.1"/><point x="1.5" y="0" z="0.1"/></drawline>'
        '<drawline><point x="1.5" y="0" z="0.1"/><point x="1.5" y="0" z="0.8"/></drawline>'
        '<drawline><point x="0.9" y="0" z="0.1"/><point x="0.9" y="0" z="0.4"/></drawline><setmkfluid mk="0"/>')
OFF = ('<setmkbound mk="0"/><setfrdrawmode auto="{}"/><drawline><point x="0.13" y="0" z="0.16"/><point x="1.38" y="0" z="0.7"/></drawline>'
       '<setfrdrawmode auto="false"/>')
# name: (commands, draw mode, y of the plane that is shown, or none of a 2-D case)
CASES = {
    **{f"box-{mode}": (BOX, mode, 0.4) for mode in ("full", "solid", "face", "wire")},
    **{f"sphere-{mode}": (SPHERE, mode, 0.4) for mode in ("full", "solid", "face", "wire")},
    **{f"layers-{name}": (LAYERS.format(vdp), "full", 0.4) for name, vdp in (("0", "0"), ("out", "0,1,2"), ("in", "0,-1"))},
    "fillpoint": (TANK + '<fillpoint x="0.5" y="0" z="0.3"><modefill>void</modefill></fillpoint>', "full", None),
    "fillbox": (TANK + '<fillbox x="0.5" y="0" z="0.3"><modefill>void</modefill><point x="0" y="0" z="0"/><size x="1.6" y="0" z="0.6"/></fillbox>',
                "full", None),
    "fillbox-low": (TANK + '<fillbox x="0.5" y="0" z="0.3"><modefill>void</modefill><point x="0" y="0" z="0"/><size x="1.6" y="0" z="0.4"/></fillbox>',
                    "full", None),
    "line-on": (OFF.format("false"), "full", None),
    "line-off": (OFF.format("true"), "full", None),
}


def _read(data):
    """(mk, x, y, z) of the particles of a .vtp file of the program."""
    cut = data.index(b"<AppendedData")
    head, start = data[:cut].decode(), data.index(b"_", cut) + 1

    def array(name, kind):
        offset = start + int(re.search(rf'Name="{name}"[^>]*offset="(\d+)"', head).group(1))
        size, = struct.unpack_from("<Q", data, offset)
        return struct.unpack_from(f"<{size // struct.calcsize(kind)}{kind}", data, offset + 8)

    places, kinds = array("position", "d"), array("mk", "H")
    return [(kinds[i], *places[3 * i:3 * i + 3]) for i in range(len(kinds))]


def ask(program):
    """{name of the case: [[mk, x, z], …]}, lengths in spacings."""
    out = {}
    with tempfile.TemporaryDirectory() as folder:
        case, picture = pathlib.Path(folder, "case.xml"), pathlib.Path(folder, "case.vtp")
        for name, (commands, mode, plane) in CASES.items():
            picture.unlink(missing_ok=True)
            case.write_text(CASE.format(dp=DP, depth=0 if plane is None else 1, mode=mode, commands=commands), encoding="utf-8")
            subprocess.run([program, "check", case, "--vtp", picture, "--quiet"], capture_output=True, check=False)
            out[name] = sorted([mk, round(x / DP, 2), round(z / DP, 2)] for mk, x, y, z in _read(picture.read_bytes())
                               if plane is None or abs(y - plane) < DP / 4)
    return out


def stored():
    return json.loads(FILE.read_text(encoding="utf-8"))


if __name__ == "__main__":
    rows = [f'"{name}": {json.dumps(points)}' for name, points in ask(sys.argv[1]).items()]
    FILE.write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8")
