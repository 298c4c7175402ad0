# SPDX-License-Identifier: Apache-2.0
"""The ranges of parameters, from the program's list of words, and of constants: the program is given values far outside, and
its messages say which it would take. `ranges.py PROGRAM` prints the table of docs/case-ranges.md."""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

CASE = """<case><casedef><constantsdef><gravity x="0" y="0" z="-9.81"/></constantsdef><geometry>
<definition dp="0.1"><pointmin x="0" y="0" z="0"/><pointmax x="1" y="0" z="1"/></definition>
<commands><mainlist><setmkfluid mk="0"/><drawpoint x="0.5" y="0" z="0.5"/></mainlist></commands></geometry></casedef>
<execution><parameters></parameters></execution></case>
"""
PROBES = ("nonsense", "-1e9", "1e9", "0", "0.5")
AT_A_TIME = 10  # words: the program names no more than 20 errors
# What a message says of a word, and how the table says it.
MESSAGES = (
    (r"(\w+) must be ([\d, ]+ or \d+) \(", "{}"),
    (r"(\w+) must not be negative", "0 or more"),
    (r"(\w+) must be positive", "above 0"),
)


def _messages(program, words, probe, folder):
    """What the program says of a case in which each of the words has the value."""
    case = pathlib.Path(folder) / "probe.xml"
    case.write_text(CASE, encoding="utf-8")
    sets = [part for name in words for part in ("--set", f"{name}={probe}")]
    done = subprocess.run([program, "check", str(case), "--json", "--quiet", *sets], capture_output=True, text=True, timeout=120, check=False)
    return [d["message"] for d in json.loads(done.stdout)["diagnostics"]] if done.stdout.startswith("{") else done.stderr.splitlines()


def _range_in(message):
    """(word, range) that a message tells, or (None, None)."""
    for pattern, form in MESSAGES:
        m = re.search(pattern, message)
        if m:
            return m.group(1), form.format(*m.groups()[1:])
    return None, None


def _ranges_of_constants(program, names):
    """{constant: range}"""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for probe in PROBES:
            for i in range(0, len(names), AT_A_TIME):
                for message in _messages(program, names[i:i + AT_A_TIME], probe, folder):
                    name, what = _range_in(message)
                    if name in names:
                        found.setdefault(name, what)
    return found


def ask(program):
    """[(word, range)]"""
    entries = json.loads(subprocess.run([program, "check", "--explain", "--json"], capture_output=True, text=True, check=True).stdout)
    honoured = [e for e in entries if e["support"] == "honoured"]
    constants = _ranges_of_constants(program, sorted(e["word"] for e in honoured if e["section"] == "constantsdef"))
    ranges = [(e["word"], constants.get(e["word"], "") if e["section"] == "constantsdef" else e["range"]) for e in honoured]
    return [row for row in ranges if row[1]]


def table(program):
    return "| word | range |\n|---|---|\n" + "".join(f"| `{name}` | {what} |\n" for name, what in ask(program))


if __name__ == "__main__":
    print(table(sys.argv[1]), end="")
