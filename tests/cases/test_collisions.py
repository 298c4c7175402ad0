#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Bodies of special/chrono that touch walls and one another, in whole runs."""
import csv
import unittest

from sluice_process import SluiceTest

CASE = """<case><casedef>
<constantsdef><gravity x="0" y="0" z="-9.81"/><rhop0 value="1000"/><coefh value="1"/><speedsound value="20"/><cflnumber value="0.2"/></constantsdef>
<mkconfig boundcount="240" fluidcount="9"/>
<geometry><definition dp="0.05"><pointmin x="-1" y="-1" z="-0.1"/><pointmax x="1" y="1" z="2"/></definition>
<commands><mainlist><setshapemode>actual | bound</setshapemode><setdrawmode mode="full"/>
<setmkbound mk="0"/><drawbox><boxfill>bottom</boxfill><point x="-0.8" y="-0.8" z="0"/><size x="1.6" y="1.6" z="1"/></drawbox>
<setmkbound mk="1"/><drawbox><boxfill>solid</boxfill><point x="-0.1" y="-0.1" z="{height}"/><size x="0.2" y="0.2" z="0.2"/></drawbox>
<setmkbound mk="2"/><drawsphere radius="0.1"><point x="-0.5" y="0" z="{ball}"/></drawsphere>
</mainlist></commands></geometry>
<floatings><floating mkbound="1" rhopbody="500" property="wood"><linearvelini x="{speed}" y="0" z="0"/></floating>
<floating mkbound="2" rhopbody="700" property="wood"/></floatings>
<properties><property name="wood"><Restitution_Coefficient value="{restitution}"/><Kfric value="{friction}"/><Sfric value="{static}"/></property>
<property name="floor"><Restitution_Coefficient value="0.9"/><Kfric value="0.5"/></property>
<links><link mkbound="0" property="floor"/></links></properties>
</casedef><execution><special><chrono>
<bodyfixed id="floor" mkbound="0" modelfile="AutoActual" {floor}/>
<bodyfloating id="box" mkbound="1" modelfile="AutoActual"/><bodyfloating id="ball" mkbound="2" {ball_model}/>
<savedata value="0.01"/><collision activate="true"><distancedp value="{overlap}"/></collision></chrono></special>
<parameters><parameter key="StepAlgorithm" value="{step}"/><parameter key="RigidAlgorithm" value="3"/>
<parameter key="TimeMax" value="{end}"/><parameter key="TimeOut" value="0.02"/><parameter key="DtFixed" value="0.001"/>
<simulationdomain><posmin x="default" y="default" z="-3"/><posmax x="default" y="default" z="default"/></simulationdomain></parameters>
</execution></case>"""
USUAL = {"height": 0.4, "ball": 0.5, "speed": 0.4, "restitution": 0.5, "friction": 0.2, "static": 0.3, "floor": "", "overlap": 0.5,
         "ball_model": 'modelfile="AutoActual"', "step": 2, "end": 1}


def rows(path):
    with open(path, encoding="utf8") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


class Collisions(SluiceTest):
    backend = ("--backend", "cpu", "--cpu-mode", "asymmetric")

    def computed(self, name, *options, **words):
        self.write(f"{name}.xml", CASE.format(**{**USUAL, **words}))
        self.sluice("run", f"{name}.xml", "-o", name, "--overwrite", "--pictures", 0, *self.backend, *options)
        return self.dir / name

    def highest_after(self, folder, column, begin, end):
        return max(float(row[column]) for row in rows(folder / "bodies/mkbound_1.csv") if begin < float(row["time [s]"]) < end)

    def test_a_box_rebounds_to_the_square_of_its_restitution(self):
        for step in (1, 2):
            run = self.computed("drop", step=step, speed=0, end=0.6)
            fall = (2 * 0.4 / 9.81) ** 0.5
            top = self.highest_after(run, "z [m]", fall + 0.05, 2 * fall - 0.02) - 0.1
            self.assertAlmostEqual(top, 0.25 * 0.4, delta=0.02 * 0.1)

    def test_contacts_bear_the_weight(self):
        run = self.computed("rest", height=0, ball=0.1, speed=0, end=0.1)
        last = [row for row in rows(run / "contacts.csv") if row["time [s]"] == rows(run / "contacts.csv")[-1]["time [s]"]]
        self.assertEqual({(row["first"], row["second"]) for row in last}, {("floor", "box"), ("floor", "ball")})
        box = -sum(float(row["fz [N]"]) for row in last if row["second"] == "box")
        mass = 500 * 5 ** 3 * 0.05 ** 3
        self.assertAlmostEqual(box, 9.81 * mass, delta=1e-3 * box)
        height = [float(row["z [m]"]) for row in rows(run / "bodies/mkbound_1.csv")]
        self.assertAlmostEqual(height[-1], height[0], delta=1e-6)

    def test_what_goes_on_has_the_same_bits_with_any_threads_and_ranks(self):
        whole = self.computed("whole", "--threads", 1)
        threads = self.computed("threads", "--threads", 2)
        ranks = self.computed("ranks", "--ranks", 2)
        self.computed("cut", "--threads", 1, "--steps", 437)
        self.sluice("run", "--resume", "cut", "--steps", 10 ** 9)
        for other in (threads, ranks, self.dir / "cut"):
            for table in ("bodies/mkbound_1.csv", "bodies/mkbound_2.csv", "contacts.csv"):
                self.assertEqual((whole / table).read_bytes(), (other / table).read_bytes(), f"{other} {table}")

    def test_every_word_changes_something(self):
        def result(**words): # so fast that the friction of the box does not stop it in one impact, as that of the floor does
            run = self.computed("one", end=0.5, speed=1.2, **words)
            return [(run / f"bodies/mkbound_{mk}.csv").read_bytes() for mk in (1, 2)]

        usual = result()
        for words in ({"restitution": 0.4}, {"friction": 0.1}, {"floor": 'imposefric="true"'}, {"ball_model": ""}):
            self.assertNotEqual(result(**words), usual, words)
        self.assertNotEqual(result(height=-0.04, overlap=0.1), result(height=-0.04, overlap=0.5), "distancedp")

    def test_mistakes_have_a_line(self):
        text = CASE.format(**USUAL)
        for given, instead, told in (("<Kfric", "<Kfri", "has no Kfric"), ('value="0.3"/></property>', 'value="0.1"/></property>', "Sfric is below Kfric"),
                                     ("actual | bound", "dp | bound", "draws no shape of mkbound")):
            case = self.write("case.xml", text.replace(given, instead))
            output = self.sluice("run", case, "-o", "run", "--pictures", 0, *self.backend, code=2)
            self.assertIn(told, output.stdout + output.stderr)


if __name__ == "__main__":
    unittest.main()
