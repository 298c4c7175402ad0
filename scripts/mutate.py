#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plants small faults in the sources, one at a time, and counts how many of them the quick tests notice.

    scripts/mutate.py [--count 100] [--seed 1] [--preset release] [--under src/io] [--list]

Faults are drawn at random over the lines of src/ (without bench/ and the report, and without kernels, which need a GPU).
Each is built and tested with `ctest -L unit`; what does not compile is drawn again. The faults that nothing noticed are
printed as diffs. The sources must be committed: every fault is undone from what git has, also when interrupted."""
import argparse
import pathlib
import random
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
LEFT_OUT = re.compile(r"^src/bench/|^src/io/(report|picture)|\.cuh?$|^src/cuda/")
SKIPPED = re.compile(r"^\s*(//|/\*|\*|#|template|using|static_assert|namespace|friend|throw|enum)|operator|\bfmt::|\bsay\(")
NUMBER = r"(?<![\w.\"])(\d+\.?\d*(?:e-?\d+)?)(?![\w.\"])"
# what is looked for in a line of code, and what takes its place
FAULTS = [
    (r" < ", " <= "), (r" <= ", " < "), (r" > ", " >= "), (r" >= ", " > "), (r" < ", " > "), (r" == ", " != "), (r" != ", " == "),
    (r" \+ ", " - "), (r" - ", " + "), (r" \* ", " / "), (r" / ", " * "), (r" \+= ", " -= "), (r" -= ", " += "),
    (r" && ", " || "), (r" \|\| ", " && "), (r"\btrue\b", "false"), (r"\bfalse\b", "true"), (r"\bmin\(", "max("),
    (r"\bmax\(", "min("), (r"\bif \((.*)\)", r"if (!(\1))"), (r"\breturn ([\w.]+);", r"return {};"), (r"!(?=[\w(])", ""),
    (NUMBER, lambda m: str(float(m.group()) * 2 + 1) if "." in m.group() or "e" in m.group() else str(int(m.group()) + 1)),
    (r"^(\s+)[a-z_][\w.:>()\[\]-]*(\(.*\)| [-+*]?= .*);$", r"\1;"),
]


def code_of(line):
    """The line without what stands in quotes or behind //."""
    return re.sub(r'"(\\.|[^"\\])*"', lambda m: '"' + "_" * (len(m.group()) - 2) + '"', line).split("//")[0]


def candidates(under):
    files = subprocess.check_output(["git", "ls-files", "src"], cwd=ROOT, text=True).split()
    found = []
    for file in files:
        if not file.endswith((".h", ".cpp", ".inl")) or LEFT_OUT.search(file) or not file.startswith(under): continue
        for number, line in enumerate((ROOT / file).read_text().splitlines()):
            code = code_of(line)
            if SKIPPED.search(code): continue
            for pattern, replacement in FAULTS:
                for match in re.finditer(pattern, code):
                    found.append((file, number, match.span(), pattern, replacement))
    return found


def plant(fault):
    """Writes the fault into its file; returns what stood there and what stands there now."""
    file, number, (begin, end), pattern, replacement = fault
    path = ROOT / file
    lines = path.read_text().splitlines(keepends=True)
    old = lines[number]
    part = re.match(pattern, old[begin:end]) or re.search(pattern, old)
    new = old[:begin] + (replacement(part) if callable(replacement) else part.expand(replacement)) + old[end:]
    lines[number] = new
    path.write_text("".join(lines))
    return old.strip(), new.strip()


def undo(fault):
    subprocess.run(["git", "checkout", "--quiet", "--", fault[0]], cwd=ROOT, check=True)


def run(command, seconds):
    try:
        return subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=seconds)
    except subprocess.TimeoutExpired as late:
        return subprocess.CompletedProcess(command, 1, stdout=f"longer than {late.timeout} s")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--preset", default="release")
    parser.add_argument("--under", default="src/", help="draw from files whose path begins so")
    parser.add_argument("--jobs", default="2")
    parser.add_argument("--list", action="store_true", help="print the faults that would be planted, and end")
    options = parser.parse_args()
    if subprocess.run(["git", "diff", "--quiet", "HEAD", "--", "src"], cwd=ROOT).returncode:
        sys.exit("src has changes that are not committed")
    chance = random.Random(options.seed)
    found = candidates(options.under)
    chance.shuffle(found)
    if options.list:
        for file, number, (begin, _), pattern, _ in found[: options.count]: print(f"{file}:{number + 1}:{begin}: {pattern}")
        return
    build = ["cmake", "--build", "--preset", options.preset, "--parallel", options.jobs, "--target", "tests_unit"]
    test = ["ctest", "--preset", options.preset, "-L", "unit", "--parallel", options.jobs, "--stop-on-failure", "--timeout", "120"]
    if run(build, 7200).returncode or run(test, 3600).returncode: sys.exit("the tests do not pass without a fault")
    noticed, unnoticed = 0, []
    for fault in found:
        if noticed + len(unnoticed) == options.count: break
        began = time.time()
        try:
            old, new = plant(fault)
            if run(build, 3600).returncode: continue
            tested = run(test, 1800)
        finally:
            undo(fault)
        what = f"{fault[0]}:{fault[1] + 1}\n    - {old}\n    + {new}"
        if tested.returncode:
            noticed += 1
            failed = re.search(r"\d+ - (\S+) \(", tested.stdout)
            print(f"noticed by {failed.group(1) if failed else 'a test that hangs'} in {time.time() - began:.0f} s: {what}", flush=True)
        else:
            unnoticed.append(what)
            print(f"NOT NOTICED: {what}", flush=True)
    run(build, 7200)
    print(f"{noticed} of {noticed + len(unnoticed)} noticed (seed {options.seed})")


if __name__ == "__main__":
    main()
