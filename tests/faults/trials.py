#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Hostile trials of the executable: kills, failing calls, full disks, mutated cases, nonsense values, damaged results, strange
files in their place.

    SLUICE=build/release/bin/sluice SLUICE_FAULT_SHIM=build/release/tests/faults/libfault_shim.so tests/faults/trials.py --long

runs hundreds of each (hours); without --long a share of a minute or two with a fixed seed, which is what the tests run. Names after the options choose kinds of trials. Each trial that goes wrong is
printed; the exit code is their number, at most 100.

What must hold: no crash (a signal), no call that lasts longer than 20 s, no more than 1.5 GB of memory, no exit code 0 of a
run that failed, no exit code 2 without saying where, and a resumed run leaves the same bytes as one that was not
interrupted."""
import argparse
import json
import os
import pathlib
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

SLUICE = os.environ.get("SLUICE", "sluice")
SHIM = os.environ.get("SLUICE_FAULT_SHIM", "")
HERE = pathlib.Path(__file__).resolve().parent
LONGEST = 20  # s
MOST_MEMORY = 1500 << 20
RUN_ENDS = {0, 1, 3, 4, 5, 6, 7, 8, 9}  # of a run that had begun
failures = []


def fail(trial, what):
    failures.append(trial)
    print(f"FAILED {trial}: {what}", flush=True)


class Result:
    def __init__(self, command, cwd, environment=None, kill_after=None):
        began = time.time()
        process = subprocess.Popen([SLUICE, *map(str, command)], cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True, errors="replace", env={**os.environ, **(environment or {})})
        self.killed = False
        try:
            out, err = process.communicate(timeout=kill_after or LONGEST)
        except subprocess.TimeoutExpired:
            self.killed = True
            process.kill()
            out, err = process.communicate()
        self.text, self.code = out + err, process.returncode
        self.hung = self.killed and kill_after is None
        self.seconds = time.time() - began


def judge(trial, result, allowed):
    """What holds for every call."""
    if result.hung:
        fail(trial, f"took longer than {LONGEST} s")
    elif result.code < 0 and not result.killed:
        fail(trial, f"ended by signal {-result.code}\n{result.text[-500:]}")
    elif not result.killed and result.code not in allowed:
        fail(trial, f"exit code {result.code}\n{result.text[-500:]}")
    elif result.code == 2 and not re.search(r"(\w:\d+: |--\w|\w/|\.\w+: |\w: )", result.text):
        fail(trial, f"does not say where: {result.text[-300:]}")
    elif result.code == 9 or "bad_alloc" in result.text:
        fail(trial, f"ran out of memory: {result.text[-300:]}")


def most_memory():
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024


RUN = ["--tmax", 0.06, "--tout", 0.004, "--pictures", 0, "--threads", 1, "--cpu-mode", "asymmetric",
       "--checkpoint-interval", 0.05]


def content(folder):
    """What a run computed."""
    files = [path for name in ("frames", "gauges") for path in sorted((folder / name).glob("*"))]
    files += [folder / "flow.csv", folder / "excluded.csv"]
    return {str(path.relative_to(folder)): path.read_bytes() for path in files if path.suffix in (".h5", ".csv")}


class Interrupted:
    """A run that is cut off somehow, resumed until its end, and compared with one that was not."""

    def __init__(self, folder):
        self.folder = folder
        first = Result(["run", HERE / "spill.xml", "-o", "whole", *RUN], folder, kill_after=300)
        assert first.code == 0, first.text
        self.whole = content(folder / "whole")
        self.seconds = first.seconds

    def trial(self, name, environment=None, kill_after=None, ends=RUN_ENDS):
        out = self.folder / "cut"
        shutil.rmtree(out, ignore_errors=True)
        result = Result(["run", HERE / "spill.xml", "-o", "cut", *RUN], self.folder, environment, kill_after)
        cut = result.code < 0
        if not cut:
            judge(name, result, ends)
        if result.code == 0 and environment and "error" in result.text:
            fail(name, f"exit code 0 in spite of an error\n{result.text[-300:]}")
        if result.code not in (0, 2) and not cut:
            self.check_record(name, out, result)
        if (out / "options.json").exists():
            again = Result(["run", "--resume", "cut"], self.folder, kill_after=300)
            if again.code != 0:
                fail(name, f"cannot go on: {again.code}\n{again.text[-400:]}")
                return
        elif result.code != 0:
            return  # it had not begun: nothing to go on with
        now = content(out)
        differ = [file for file in self.whole if now.get(file) != self.whole[file]]
        if differ or set(now) != set(self.whole):
            fail(name, f"the resumed run differs in {differ[:3]} {sorted(set(now) ^ set(self.whole))[:3]}")

    def check_record(self, name, out, result):
        path = out / "run.json"
        if not path.exists():
            return
        run = json.loads(path.read_text())
        if run["status"] == "finished" or (run["outcome"] and run["exit_code"] != result.code):
            fail(name, f"run.json says {run['outcome']}, the exit code is {result.code}")
        if name.startswith("disk") and run["outcome"] != "output_failed":
            fail(name, f"run.json says {run['outcome']} of a full disk")


def kills(folder, count, seed):
    runs, chance = Interrupted(folder), random.Random(seed)
    for n in range(count):
        runs.trial(f"kill {n}", kill_after=chance.uniform(0.02, 1.1 * runs.seconds))


def calls(folder, count, seed):
    """Killed at, or failing with an error, in the n-th call of a kind."""
    runs, chance = Interrupted(folder), random.Random(seed)
    kinds = [(call, kind) for call in ("write", "fsync", "rename", "open", "unlink") for kind in ("KILL", "EIO", "ENOSPC", "EACCES")]
    chance.shuffle(kinds)
    for n in range(count):
        call, kind = kinds[n % len(kinds)]
        at = int(1.5 ** chance.uniform(0, 14 if call == "write" else 11))
        runs.trial(f"{kind} in {call} {at}", {"LD_PRELOAD": SHIM, "FAULT_DIR": str(folder / "cut"), "FAULT_CALL": call,
                                              "FAULT_AT": str(at), "FAULT_KIND": kind})


def disks(folder, count, seed):
    """The disk is full after some bytes; in every second trial somebody else takes what room is made later."""
    runs, chance = Interrupted(folder), random.Random(seed)
    size = sum(path.stat().st_size for path in (folder / "whole").rglob("*") if path.is_file())
    for n in range(count):
        room = int(chance.uniform(0.001, 1.2) * size)
        shared = {"FAULT_SHARED": "1"} if n % 2 else {}
        runs.trial(f"disk of {room}{' shared' if shared else ''}",
                   {"LD_PRELOAD": SHIM, "FAULT_DIR": str(folder / "cut"), "FAULT_BYTES": str(room), **shared})


NONSENSE = ["1e30", "1e300", "1e-300", "-1", "0", "nan", "inf", "1e9", "abc", "", "0.1.2", "#1/0", "99999999999999999999"]
KEYS = ["coefsound", "coefh", "cflnumber", "rhop0", "gamma", "hswl", "speedsystem", "speedsound", "b", "massbound", "massfluid",
        "gravity", "rhopgradient", "Visco", "ViscoBoundFactor", "DensityDT", "DensityDTvalue", "CoefDtMin", "DtIni", "DtMin",
        "DtFixed", "TimeMax", "TimeOut", "RhopOutMin", "RhopOutMax", "MinFluidStop", "PartsOutMax", "StepAlgorithm", "VerletSteps",
        "Kernel", "AcousticDamping", "TensileSpacing", "DtAllParticles", "SavePosDouble", "DomainFixedXmax", "IncZ"]
OPTIONS = ["--dp", "--tmax", "--tout", "--steps", "--threads", "--pictures", "--compression", "--checkpoint-interval", "--checkpoint-dt",
           "--probes-dt", "--max-excluded", "--every-nth-particle", "--time-limit"]


def values(folder, count, seed):
    """Every parameter and option with nonsense."""
    chance = random.Random(seed)
    pairs = [(["--set", f"{key}={value}"], f"{key}={value}") for key in KEYS for value in NONSENSE]
    pairs += [([f"{option}={value}"], f"{option}={value}") for option in OPTIONS for value in NONSENSE]
    chance.shuffle(pairs)
    for options, name in pairs[:count]:
        command = ["run", HERE / "plain.xml", "-o", "out", "--overwrite", "--pictures=0", "--threads=1", "--time-limit=5", *options]
        if "--steps" not in name:
            command.append("--steps=10")
        result = Result(command, folder)
        judge(name, result, RUN_ENDS | {2})
        checked = Result(["check", HERE / "plain.xml", *(options if name.split("=")[0] in (*KEYS, "--dp", "--tmax", "--tout", "--threads") else [])],
                         folder)
        judge(f"check {name}", checked, {0, 2})
        if options[0] == "--set" and (checked.code == 2) != (result.code == 2):
            fail(name, f"check ends with {checked.code}, run with {result.code}\n{checked.text[-300:]}\n{result.text[-300:]}")


def cases(folder, count, seed):
    """Mutated case files: what `check` says, `run` does."""
    chance = random.Random(seed)
    text = (HERE / "spill.xml").read_text()
    tokens = re.split(r'(<[^>]*>|"[^"]*")', text)
    for n in range(count):
        mutated = list(tokens)
        for _ in range(chance.randint(1, 3)):
            k = chance.randrange(len(mutated))
            kind = chance.random()
            if kind < 0.4:
                mutated[k] = re.sub(r'-?\d[\d.]*', lambda m: chance.choice(NONSENSE + [m.group()]), mutated[k])
            elif kind < 0.6:
                mutated[k] = mutated[k] * 2
            elif kind < 0.75:
                mutated[k] = ""
            elif kind < 0.9:
                j = chance.randrange(len(mutated))
                mutated[k], mutated[j] = mutated[j], mutated[k]
            else:
                mutated[k] = bytes(chance.randrange(256) for _ in range(8)).decode("latin1")
        (folder / "case.xml").write_text("".join(mutated), encoding="utf-8")
        checked = Result(["check", "case.xml", "--threads", 1], folder)
        judge(f"case {n}: check", checked, {0, 2})
        result = Result(["run", "case.xml", "-o", "out", "--overwrite", "--steps", 3, "--pictures", 0, "--threads", 1, "--time-limit", 10],
                        folder)
        judge(f"case {n}: run", result, RUN_ENDS | {2})
        if (checked.code == 2) != (result.code == 2):
            fail(f"case {n}", f"check ends with {checked.code}, run with {result.code}\n{checked.text[-300:]}\n{result.text[-300:]}")


COMMANDS = [["report"], ["export", "-o", "x"], ["measure", "-o", "m.csv", "--point", 0.1, 0, 0.1],
            ["measure", "-o", "e.csv", "--elevation", "--point", 0.1, 0, 0], ["forces", "--mk", 0, "-o", "f.csv"],
            ["surface", "-o", "s"], ["picture", "-o", "p.png"], ["export", "-o", "x", "--format", "csv"]]


def results(folder, count, seed):
    """Damaged frames, checkpoints, run.json, options.json: every command that reads them."""
    chance = random.Random(seed)
    made = Result(["run", HERE / "spill.xml", "-o", "good", *RUN, "--steps", 60], folder, kill_after=300)
    assert made.code == 0, made.text
    targets = ["frames/frame_000000.h5", "frames/geometry.h5", "run.json", "options.json", "effective-case.xml", "flow.csv",
               "fluid.vtkhdf"]
    for n in range(count):
        out = folder / "bad"
        shutil.rmtree(out, ignore_errors=True)
        shutil.copytree(folder / "good", out)
        checkpoint = chance.choice(sorted((out / "checkpoints").iterdir()))
        path = chance.choice([out / target for target in targets] + [checkpoint])
        data = bytearray(path.read_bytes())
        kind = chance.choice(["cut", "flip", "zero", "random", "empty"])
        if kind == "cut":
            data = data[: chance.randrange(len(data))]
        elif kind == "empty":
            data = bytearray()
        else:
            for _ in range(chance.choice([1, 8, 200])):
                at = chance.randrange(len(data))
                data[at] = 0 if kind == "zero" else data[at] ^ (1 << chance.randrange(8)) if kind == "flip" else chance.randrange(256)
        path.write_bytes(data)
        name = f"result {n}: {kind} {path.relative_to(out)}"
        for command in COMMANDS if n % 4 == 0 else [chance.choice(COMMANDS)]:
            result = Result([command[0], "bad", *command[1:]], folder)
            judge(f"{name}, {command[0]}", result, {0, 1, 2, 8})
            if kind in ("cut", "empty") and path.name == "frame_000000.h5" and result.code == 0:
                fail(f"{name}, {command[0]}", "exit code 0 with a frame that is cut off")
        judge(f"{name}, resume", Result(["run", "--resume", "bad", "--steps", 65], folder), RUN_ENDS | {2})


def files_of(folder):
    return sorted(path for path in folder.rglob("*") if path.is_file() and path.name != "run.log")


def strange(folder, count, seed):
    """In place of a run's files, and of those that options name: pipes, devices, values nested without end, forged numbers."""
    made = Result(["run", HERE / "spill.xml", "-o", "good", *RUN, "--steps", 60], folder, kill_after=300)
    assert made.code == 0, made.text
    (folder / "good" / "run.lock").write_text("{}")
    kinds = [(path.relative_to(folder / "good"), kind) for path in files_of(folder / "good") for kind in ("pipe", "device", "deep")
             if kind != "deep" or path.suffix == ".json"]
    random.Random(seed).shuffle(kinds)
    (folder / "good" / "run.lock").unlink()
    for n, (name, kind) in enumerate(kinds[:count]):
        out = folder / "bad"
        shutil.rmtree(out, ignore_errors=True)
        shutil.copytree(folder / "good", out)
        (out / name).unlink(missing_ok=True)
        if kind == "pipe":
            os.mkfifo(out / name)
        elif kind == "device":
            (out / name).symlink_to("/dev/zero")
        else:
            (out / name).write_text('{"outcome": ' + "[" * 40000 + "]" * 40000 + "}")
        for command in COMMANDS:
            judge(f"{kind} {name}, {command[0]}", Result([command[0], "bad", *command[1:]], folder), {0, 1, 2, 8})
        judge(f"{kind} {name}, resume", Result(["run", "--resume", "bad", "--steps", 65], folder), RUN_ENDS | {2})
    os.mkfifo(folder / "pipe")
    for named in ("pipe", "/dev/zero"):
        for command in (["run", HERE / "plain.xml", "-o", "p", "--steps", 1, "--probes", named],
                        ["run", HERE / "plain.xml", "-o", "p", "--steps", 1, "--ranks", 2, "--split", f"file:{named}"],
                        ["measure", "good", "-o", "m.csv", "--points", named], ["check", named], ["run", named]):
            judge(f"{command[0]} with {named}", Result(command, folder), {2})
    judge("more pictures than frames", Result(["run", HERE / "plain.xml", "-o", "p", "--steps", 1, "--pictures", 2147483647], folder), {0})


TRIALS = {"strange": (strange, 8, 1000), "kills": (kills, 4, 112), "calls": (calls, 8, 165), "disks": (disks, 8, 50), "values": (values, 30, 1566),
          "cases": (cases, 25, 2500), "results": (results, 20, 1384)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--count", type=int, help="of each kind instead")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("kind", nargs="*", choices=[[], *TRIALS], help="default all")
    options = parser.parse_args()
    for kind in options.kind or TRIALS:
        trial, share, many = TRIALS[kind]
        if not SHIM and kind in ("calls", "disks"):
            sys.exit("SLUICE_FAULT_SHIM does not name the shim")
        count, before, began = options.count or (many if options.long else share), len(failures), time.time()
        with tempfile.TemporaryDirectory() as folder:
            trial(pathlib.Path(folder), count, options.seed)
        print(f"{kind}: {count} trials, {len(failures) - before} wrong, {time.time() - began:.0f} s", flush=True)
    if most_memory() > MOST_MEMORY:
        fail("memory", f"{most_memory() >> 20} MiB")
    print(f"most memory: {most_memory() >> 20} MiB")
    sys.exit(min(len(failures), 100))


if __name__ == "__main__":
    main()
