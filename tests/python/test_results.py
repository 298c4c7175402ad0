# SPDX-License-Identifier: Apache-2.0
"""What Python reads is what the program wrote, of finished runs and of those that go on."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time
import unittest
from unittest import mock

from package_test import CASES, DAM, QUICK, PackageTest, has

import numpy as np

import sluice
from sluice import tables


class Results(PackageTest):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        out = pathlib.Path(cls.folder.name)
        case = sluice.Case(DAM).set(dp=0.1, TimeMax=0.3, TimeOut=0.05)
        case.gauge("velocity", "speed", point=(0.5, 0, 0.3)).gauge("force", "tank", target={"mkbound": 0})
        cls.dam = sluice.run(case, out / "dam", fields="+vorticity", **QUICK)
        floating = sluice.Case(CASES / "floating-box-2d.xml").set(dp=0.05, TimeMax=0.2, TimeOut=0.1)
        cls.floating = sluice.run(floating, out / "floating", **QUICK)

    def copy(self):
        """The folder of the dam break, to be changed."""
        return pathlib.Path(shutil.copytree(self.dam.path, self.dir / "copy"))

    def exported(self, run, frame, *options):
        """A frame's fluid as the program exports it, as a table."""
        subprocess.run([os.environ["SLUICE"], "export", run.path, "-o", self.dir / "csv", "--format", "csv", "--first", str(frame),
                        "--last", str(frame), "--overwrite", *options], check=True, capture_output=True)
        return sluice.read_table(next((self.dir / "csv").glob("*.csv")))

    def test_frames_are_those_that_the_program_exports(self):
        run = self.dam
        self.assertEqual(len(run.frames), run.info["frames"])
        frame = run.frames[-1]
        self.assertEqual((frame.number, frame.step), (6, run.info["steps"]))
        self.assertAlmostEqual(frame.time, run.info["simulated_seconds"])
        table = self.exported(run, frame.number)
        self.assertEqual(table.rows, len(frame.fluid))
        np.testing.assert_array_equal(frame.fluid.id, table["id"])
        np.testing.assert_allclose(frame.fluid.position[:, 2], table["z"], atol=1e-6)
        np.testing.assert_allclose(frame.fluid.velocity[:, 0], table["vx"], rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(frame.fluid.speed.max(), sluice.tables.read_table(run.path / "flow.csv")["speed_max"][-1], rtol=1e-6)
        self.assertEqual(frame.fluid.vorticity.shape, (len(frame.fluid), 3))
        self.assertEqual(len(frame.boundary.position), run.info["boundary_particles"])
        self.assertEqual(set(frame.boundary.type), {sluice.results.TYPES.index("fixed")})

    def test_lines_and_joints_have_their_places_and_loads(self):
        case = sluice.Case(CASES / "moored-box-2d.xml").set(dp=0.05, TimeMax=0.1, TimeOut=0.1)
        run = sluice.run(case, self.dir / "moored", **QUICK)
        links = run.frames[-1].links
        self.assertEqual([(link.kind, link.number, link.position.shape) for link in links],
                         [("mooring_line", 0, (16, 3)), ("mooring_line", 1, (16, 3))])
        for link, name in zip(links, ("line_0", "line_1")):
            table = run.moorings[name]
            self.assertAlmostEqual(float(np.asarray(table["tension_first"])[-1]), link.load[0], 3)
            self.assertAlmostEqual(float(np.asarray(table["x_second"])[-1]), link.position[-1, 0], 9)
        self.assertEqual(self.dam.frames[-1].links, [])
        if has("pyvista"):
            lines = run.to_pyvista()["links"]
            self.assertEqual((lines.n_points, lines.n_cells), (32, 2))

    def test_tables_of_commands_have_columns_with_units(self):
        for name, unit, words in (("depth", "m", ("measure", "--point", "0.5", "0", "0", "--elevation", "--depth", "--layers", "2")),
                                  ("along", "m", ("runup", "--line", "0", "0", "0", "4", "0", "0")),
                                  ("net", "m2", ("overtopping", "--x", "1.2")),
                                  ("inflow", "m2/s", ("volumes", "--box", "0", "0", "0", "1", "1", "1")),
                                  ("vx", "m/s", ("trace", "--near", "0.5", "0", "0.5")),
                                  ("m_axis", "N", ("forces", "--mkbound", "0", "--axis", "0", "0", "0", "0", "1", "0"))):
            subprocess.run([os.environ["SLUICE"], words[0], self.dam.path, *words[1:], "-o", self.dir / "t.csv"], check=True, capture_output=True)
            table = sluice.read_table(self.dir / "t.csv")
            self.assertEqual(table.units[name], unit)
            self.assertEqual(table[name].dtype, np.float64, name)
            np.testing.assert_allclose(table["time"], self.dam.frames.times)

    def test_slices_times_and_the_nearest_frame(self):
        run = self.dam
        self.assertEqual([frame.number for frame in run.frames[2:4]], [2, 3])
        self.assertIs(run.frames[-1], run.frames[6])
        self.assertEqual(run.at(0.11).number, 2)
        np.testing.assert_allclose(run.frames.times, sluice.read_table(run.path / "flow.csv")["time"])
        with self.assertRaisesRegex(ValueError, "no frame near 5 s"):
            run.at(5)
        with self.assertRaises(IndexError):
            run.frames[7]

    def test_what_is_not_there_is_named(self):
        with self.assertRaisesRegex(AttributeError, "no 'speeed' of the fluid: it has density, id"):
            self.dam.frames[0].fluid.speeed
        with self.assertRaisesRegex(KeyError, "no gauge 'nothing'.*front, height_at_wall, speed, tank"):
            self.dam.gauges["nothing"]
        with self.assertRaisesRegex(FileNotFoundError, "not the folder of a run"):
            sluice.open(self.dir)
        with self.assertRaisesRegex(FileNotFoundError, "no such folder"):
            sluice.open(self.dir / "none")

    def test_gauges_and_ledger_have_units(self):
        for frame in (True, False):
            with mock.patch.object(tables.Table, "to_pandas", side_effect=ImportError) if not frame else mock.MagicMock():
                front, ledger = self.dam.gauges["front"], self.dam.ledger
            units = front.attrs["units"] if hasattr(front, "attrs") else front.units
            self.assertEqual(units, {"time": "s", "x": "m", "y": "m", "z": "m"})
            self.assertEqual(len(front["time"]), 31)
            self.assertTrue((np.diff(np.asarray(front["x"])) > -0.02).all())
            self.assertEqual(np.asarray(ledger["n_fluid"]).tolist(), [self.dam.info["fluid_particles"]] * 7)
            self.assertEqual(np.asarray(ledger["n_fluid"]).dtype.kind, "i")
        self.assertEqual(list(self.dam.gauges), ["front", "height_at_wall", "speed", "tank"])
        self.assertEqual(sluice.read_table(self.dam.path / "gauges" / "tank.csv").units["fx"], "N/m")
        self.assertEqual(self.dam.units["vorticity"], "1/s")

    def test_bodies_move_with_their_particles(self):
        run = self.floating
        self.assertEqual(list(run.bodies), ["mkbound_1"])
        table = sluice.read_table(run.path / "bodies" / "mkbound_1.csv")
        self.assertEqual((table.units["z"], table.units["roll"], table.rows), ("m", "deg", len(run.frames)))
        first, last = (frame.boundary for frame in (run.frames[0], run.frames[-1]))
        body = first.type == sluice.results.TYPES.index("floating")
        fall = (last.position[body, 2] - first.position[body, 2]).mean()
        self.assertLess(fall, -0.03)
        self.assertAlmostEqual(fall, table["z"][-1] - table["z"][0], places=4)

    def test_checkpoints_have_times(self):
        (checkpoint,) = self.dam.checkpoints
        self.assertEqual(checkpoint.step, self.dam.info["steps"])
        self.assertEqual(checkpoint.time, self.dam.info["simulated_seconds"])
        self.assertEqual(len(self.dam.excluded["id"]), 0)
        self.assertEqual(self.dam.geometry["two_d"], 1)

    def test_what_is_half_written_does_not_show(self):
        folder = self.copy()
        (folder / "frames" / "frame_000006.h5").rename(folder / "frames" / "frame_000006.h5.tmp")
        gauge = folder / "gauges" / "front.csv"
        whole = gauge.read_bytes()
        gauge.write_bytes(whole[:-9])
        run = sluice.open(folder)
        self.assertEqual(len(run.frames), 6)
        self.assertEqual(len(run.gauges["front"]["time"]), 30)
        (folder / "frames" / "frame_000006.h5.tmp").rename(folder / "frames" / "frame_000006.h5")
        gauge.write_bytes(whole)
        self.assertEqual(run.refresh(), 1)
        self.assertEqual(len(run.gauges["front"]["time"]), 31)
        gauge.write_bytes(whole + b"1,2\n")
        with self.assertRaisesRegex(ValueError, r"front\.csv:35: 2 values where the header names 4 columns"):
            run.gauges["front"]

    def test_a_run_that_was_killed_does_not_count_as_going_on(self):
        folder = self.copy()
        info = json.loads((folder / "run.json").read_text())
        (folder / "run.json").write_text(json.dumps({**info, "status": "running"}))
        run = sluice.open(folder)
        self.assertFalse(run.is_running)
        self.assertEqual(len(list(run.watch())), 7)
        (folder / "run.lock").write_text("")
        self.assertTrue(run.is_running)
        long_ago = time.time() - 200
        os.utime(folder / "run.lock", (long_ago, long_ago))
        self.assertFalse(run.is_running)
        (folder / "run.json").write_text(json.dumps({**info, "format": 2}))
        with self.assertRaisesRegex(ValueError, "format 2 is newer"):
            run.refresh()

    @unittest.skipUnless(has("xarray"), "no xarray")
    def test_xarray_follows_particles_by_id(self):
        import h5py

        folder = self.copy()
        gone = int(self.dam.frames[3].fluid.id[5])
        with h5py.File(folder / "frames" / "frame_000003.h5", "r+") as file:  # a particle less, as if it had been excluded
            for name in list(file["fluid"]):
                values = np.delete(file["fluid"][name][()], 5, axis=0)
                del file["fluid"][name]
                file["fluid"][name] = values
        data = sluice.open(folder).to_xarray()
        self.assertEqual(dict(data.sizes), {"time": 7, "id": len(self.dam.frames[0].fluid), "axis": 3})
        there = np.isfinite(data.velocity.sel(id=gone, axis="z"))
        self.assertEqual(there.values.tolist(), [True] * 3 + [False] + [True] * 3)
        self.assertEqual(int(data.mk.sel(id=gone)[3]), -1)
        frame = self.dam.frames[-1]
        np.testing.assert_array_equal(data.velocity.isel(time=-1), frame.fluid.velocity)
        self.assertEqual(data.velocity.attrs["units"], "m/s")
        self.assertEqual(list(self.dam.to_xarray(["pressure"], slice(-1, None)).data_vars), ["pressure"])

    @unittest.skipUnless(has("pyvista"), "no pyvista")
    def test_pyvista_has_points_and_fields(self):
        blocks = self.dam.to_pyvista(0.1)
        fluid = self.dam.at(0.1).fluid
        np.testing.assert_array_equal(blocks["fluid"].points, fluid.position)
        np.testing.assert_array_equal(blocks["fluid"]["velocity"], fluid.velocity)
        self.assertEqual(blocks["boundary"].n_points, self.dam.info["boundary_particles"])


if __name__ == "__main__":
    unittest.main()
