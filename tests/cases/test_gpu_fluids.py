# SPDX-License-Identifier: Apache-2.0
"""Fluids of different density and non-Newtonian ones, in whole runs on a GPU. Without one they are skipped."""
import unittest

import test_fluids
from gpu_process import NeedsGpu
from sluice_process import rows

MUD = """<special><nnphases>
<phase mkfluid="0"><visco value="0.02"/><tau_yield value="0.5"/><HBP_m value="10"/><HBP_n value="0.8"/></phase>
<phase mkfluid="1"><visco value="0.05"/></phase>
</nnphases></special>"""


class FluidsOnTheGpu(NeedsGpu, test_fluids.Fluids):
    backend = ("--backend", "cuda", "--neighbour-list", "off")

    def mud(self):
        case = test_fluids.LAYERS.format(sound=30, upper=1, properties="", parameters="")
        return self.write("mud.xml", case.replace("<execution>", "<execution>" + MUD))

    def assert_goes_on_with_the_same_bits(self, case):
        self.run_case(case, "whole", "--overwrite")
        self.run_case(case, "cut", "--overwrite", "--tmax", 0.05)
        self.sluice("run", "--resume", "cut", "--tmax", 0.1)
        self.assertEqual((self.dir / "whole/flow.csv").read_bytes(), (self.dir / "cut/flow.csv").read_bytes())

    def test_ranks_threads_and_a_resumed_run_have_the_same_bits(self):
        self.assert_goes_on_with_the_same_bits(self.layers())

    def test_resumed_mud_has_the_same_bits_and_flows_as_on_the_cpu(self):
        case = self.mud()
        self.assert_goes_on_with_the_same_bits(case)
        self.sluice("run", case, "--backend", "cpu", "--pictures", 0, "-o", "cpu")
        gpu, cpu = (rows(self.dir / run / "flow.csv") for run in ("whole", "cpu"))
        self.assertEqual(len(gpu), len(cpu))
        for a, b in list(zip(gpu, cpu))[:3]:
            energy = float(b["kinetic_energy [J]"])
            self.assertAlmostEqual(float(a["kinetic_energy [J]"]), energy, delta=0.02 * energy + 1e-9)


class FluidsWithNeighbourLists(FluidsOnTheGpu):
    backend = ("--backend", "cuda", "--neighbour-list", "on")


if __name__ == "__main__":
    unittest.main()
