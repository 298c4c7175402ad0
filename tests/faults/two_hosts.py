#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Ranks on two hosts with a bad network between them, and with none: by hand, as root.

    SLUICE=build/release/bin/sluice tests/faults/two_hosts.py [--ranks 4] [--delay 5] [--loss 1]

The hosts are network namespaces of this machine with names of their own; nothing but a wire joins them, which this program is:
it reads packets from a TUN device in the one and writes them to that in the other, late, and not all of them (so that the
kernel need not know `tc netem`). Open MPI starts its helper on the other host by `ip netns exec` in place of ssh. Checks that a
run over the wire gives the bytes of a run of one rank, and that all ranks end within a minute after the wire is cut, and the
last checkpoint goes on to the same bytes.
"""
import argparse
import collections
import ctypes
import fcntl
import os
import pathlib
import random
import select
import signal
import struct
import subprocess
import sys
import tempfile
import time

SLUICE = os.environ["SLUICE"]
CASE = pathlib.Path(__file__).resolve().parents[2] / "cases/dam-break-2d.xml"
HOSTS = ("sluice-a", "sluice-b")
ADDRESSES = ("10.77.0.1", "10.77.0.2")
OPTIONS = ["--backend", "cpu", "--cpu-mode", "asymmetric", "--threads", "1", "--pictures", "0", "--quiet", "--dp", "0.03", "--tmax", "0.15",
           "--tout", "0.05", "--checkpoint-dt", "0.01"]


def sh(*words):
    subprocess.run(words, check=True)


def open_tun(host, name):
    """A TUN device in a namespace; packets of its network come out of the file."""
    libc = ctypes.CDLL(None, use_errno=True)
    clone_newnet, tunsetiff, tun_without_header = 0x40000000, 0x400454CA, 0x1001
    own = os.open("/proc/self/ns/net", os.O_RDONLY)
    there = os.open(f"/run/netns/{host}", os.O_RDONLY)
    if libc.setns(there, clone_newnet) != 0:
        raise OSError(ctypes.get_errno(), "setns")
    try:
        tun = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
        fcntl.ioctl(tun, tunsetiff, struct.pack("16sH", name.encode(), tun_without_header))
    finally:
        libc.setns(own, clone_newnet)
        os.close(own)
        os.close(there)
    return tun


def be_a_wire(ends, delay, loss):
    """Until it is killed; after SIGUSR1 it is cut, after SIGUSR2 whole again."""
    is_cut = [False]
    signal.signal(signal.SIGUSR1, lambda *_: is_cut.__setitem__(0, True))
    signal.signal(signal.SIGUSR2, lambda *_: is_cut.__setitem__(0, False))
    chance = random.Random(1)
    under_way = collections.deque()  # when, to where, packet: of equal delay, so in the order of the times
    while True:
        wait = max(0.0, under_way[0][0] - time.monotonic()) if under_way else None
        for end in select.select(ends, [], [], wait)[0]:
            packet = os.read(end, 65536)
            if not is_cut[0] and chance.random() >= loss:
                under_way.append((time.monotonic() + delay, ends[1] if end == ends[0] else ends[0], packet))
        while under_way and under_way[0][0] <= time.monotonic():
            _, to, packet = under_way.popleft()
            try:
                os.write(to, packet)
            except OSError:
                pass  # lost: the queue is full


def make_hosts():
    ends = []
    for host, address, other in zip(HOSTS, ADDRESSES, reversed(ADDRESSES)):
        sh("ip", "netns", "add", host)
        ends.append(open_tun(host, "wire"))
        sh("ip", "-n", host, "link", "set", "lo", "up")
        sh("ip", "-n", host, "addr", "add", address, "peer", other, "dev", "wire")
        sh("ip", "-n", host, "link", "set", "wire", "up")
    return ends


def files_of(folder):
    kept = [folder / "flow.csv", folder / "excluded.csv", *(folder / "frames").iterdir()]
    return {path.name: path.read_bytes() for path in kept if path.exists()}


class Trial:
    def __init__(self, work, ranks):
        self.work, self.ranks = work, ranks
        self.agent = work / "agent"
        self.agent.write_text(f'#!/bin/sh\n# HOST COMMAND…\nshift\nexec ip netns exec {HOSTS[1]} unshare --uts sh -c "hostname {HOSTS[1]}; $*"\n')
        self.agent.chmod(0o755)

    def start(self, *arguments):
        a_host = (self.ranks + 1) // 2
        mpirun = ["mpirun", "--allow-run-as-root", "--mca", "plm_rsh_agent", str(self.agent), "--mca", "oob_tcp_if_include", "wire",
                  "--mca", "btl_tcp_if_include", "wire", "--mca", "btl", "self,vader,tcp", "--bind-to", "none",
                  "--host", ",".join(f"{address}:{a_host}" for address in ADDRESSES), "-n", str(self.ranks), SLUICE, *arguments]
        line = " ".join(f"'{word}'" for word in mpirun)
        return subprocess.Popen(["ip", "netns", "exec", HOSTS[0], "unshare", "--uts", "sh", "-c", f"hostname {HOSTS[0]}; exec {line}"],
                                cwd=self.work, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                env={**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"})

    def left(self):
        """Processes of the runs that are there yet."""
        found = []
        for entry in pathlib.Path("/proc").iterdir():
            try:
                if entry.name.isdigit() and os.path.realpath(entry / "exe") == os.path.realpath(SLUICE) and \
                        b"\0OMPI_COMM_WORLD_RANK=" in (entry / "environ").read_bytes() and \
                        str(self.work).encode() in (entry / "environ").read_bytes() + (entry / "cmdline").read_bytes():
                    found.append(int(entry.name))
            except OSError:
                pass
        return found

    def finished(self, process, code=0):
        text = process.communicate()[0]
        if code is not None and process.returncode != code:
            sys.exit(f"FAILED: exit code {process.returncode}\n{text}")
        return text

    def same_as_one(self, folder):
        one, many = files_of(self.work / "one"), files_of(self.work / folder)
        if one.keys() != many.keys() or any(one[name] != many[name] for name in one):
            sys.exit(f"FAILED: {folder} differs from the run of one rank")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--ranks", type=int, default=4)
    parser.add_argument("--delay", type=float, default=5, help="of the wire, ms each way")
    parser.add_argument("--loss", type=float, default=1, help="per cent of the packets")
    given = parser.parse_args()
    folder = tempfile.TemporaryDirectory(prefix="two-hosts-")
    trial = Trial(pathlib.Path(folder.name), given.ranks)
    subprocess.run([SLUICE, "run", CASE, "-o", trial.work / "one", *OPTIONS], check=True)
    wire = 0
    try:
        ends = make_hosts()
        wire = os.fork()
        if wire == 0:
            be_a_wire(ends, given.delay * 1e-3, given.loss * 1e-2)
        begin = time.monotonic()
        run = ["run", str(CASE), *OPTIONS, "-o"]
        trial.finished(trial.start(*run, str(trial.work / "far")))
        trial.same_as_one("far")
        log = (trial.work / "far/run.log").read_text()
        print(next(line for line in log.splitlines() if "ranks are" in line))
        print(f"same bytes as one rank, {given.ranks} ranks on two hosts, {given.delay:g} ms, {given.loss:g} % lost: "
              f"{time.monotonic() - begin:.0f} s")

        process = trial.start(*run, str(trial.work / "cut"))
        while len(list(trial.work.glob("cut/frames/*.h5"))) < 2 and process.poll() is None:
            time.sleep(0.1)
        os.kill(wire, signal.SIGUSR1)
        begin = time.monotonic()
        while trial.left():
            if time.monotonic() - begin > 60:
                sys.exit(f"FAILED: a minute after the cut there are yet {trial.left()}")
            time.sleep(0.1)
        print(f"all ranks had ended {time.monotonic() - begin:.0f} s after the wire was cut")
        os.kill(wire, signal.SIGUSR2)
        process.kill()
        print("\n".join(line for line in process.communicate()[0].splitlines() if line.startswith("error")))
        trial.finished(trial.start("run", "--resume", str(trial.work / "cut"), "--quiet"))
        trial.same_as_one("cut")
        print("and the last checkpoint went on to the same bytes")
    finally:
        if wire > 0:
            os.kill(wire, signal.SIGKILL)
        for host in HOSTS:
            subprocess.run(["ip", "netns", "del", host], check=False)


if __name__ == "__main__":
    main()
