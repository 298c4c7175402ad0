// SPDX-License-Identifier: Apache-2.0
#include "../geometry/geometry_case.h"
#include "core/error.h"
#include "setup/setup.h"
#include "temporary_folder.h"
#include <fstream>

// What collides in special/chrono, from the case to a run.

using namespace sluice;
using namespace sluice::test;

namespace {

RunSetup colliding_setup(const std::string& properties, const std::string& chrono,
                         const std::filesystem::path& folder = ".", const std::string& mode = "actual") {
    CaseText text;
    text.definition =
        R"(<definition dp="0.1"><pointmin x="-1" y="-1" z="-1"/><pointmax x="4" y="2" z="2"/></definition>)";
    text.constants = R"(<gravity x="0" y="0" z="-9.81"/><coefh value="1"/><speedsound value="30"/>)";
    text.commands = "<setshapemode>" + mode + R"( | bound</setshapemode>
<setmkbound mk="0"/><drawbox><boxfill>bottom</boxfill><point x="-0.5" y="-0.5" z="0"/><size x="3" y="2" z="1"/></drawbox>
<setmkbound mk="1"/><drawbox><boxfill>solid</boxfill><point x="0" y="0" z="0.5"/><size x="0.4" y="0.4" z="0.2"/></drawbox>
<setmkbound mk="2"/><drawsphere radius="0.2"><point x="1" y="0" z="0.5"/></drawsphere>)";
    text.casedef = R"(<floatings><floating mkbound="1-2" rhopbody="500" property="wood"/></floatings><properties>)" +
                   properties + R"(<links><link mkbound="0" property="floor"/></links></properties>)";
    text.special = "<chrono>" + chrono + "</chrono>";
    text.parameters = R"(<parameter key="StepAlgorithm" value="2"/><parameter key="RigidAlgorithm" value="3"/>)";
    Case definition = read_case_text(text.text(), folder / "case.xml", {});
    const ParticleSet set = generate_particles(definition, definition.diagnostics);
    return make_run_setup(definition, set);
}

constexpr const char* materials =
    R"(<property name="wood" Restitution_Coefficient="0.6" Kfric="0.4" Sfric_User="0.5"/>
<property name="floor" Restitution_Coefficient="0.8" Kfric="0.3"/>)";

constexpr const char* all_collide =
    R"(<bodyfixed id="floor" mkbound="0" modelfile="AutoActual" imposefric="true"/>
<bodyfloating id="b" mkbound="1-2" modelfile="AutoActual"/><collision activate="true"><distancedp value="0.4"/></collision>)";

std::string collision_error(const std::string& properties, const std::string& chrono,
                            const std::string& mode = "actual") {
    try {
        colliding_setup(properties, chrono, ".", mode);
    } catch (const InputError& e) {
        return e.what();
    }
    return "";
}

bool has_part(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

} // namespace

TEST(CollisionSetup, DrawnShapesCollide) {
    const RunSetup setup = colliding_setup(materials, all_collide);
    const Collisions& all = setup.collisions;
    ASSERT_EQ(all.colliders.size(), 3u);
    EXPECT_NEAR(all.overlap, 0.04, 1e-15);
    EXPECT_EQ(all.colliders[0].body, -1);
    EXPECT_EQ(all.colliders[1].body, 0);
    EXPECT_TRUE(all.colliders[0].material.imposes_friction);
    EXPECT_EQ(all.colliders[0].material.static_friction, 0.3); // that of Kfric
    EXPECT_EQ(all.colliders[1].material, (CollisionMaterial{0.6, 0.4, 0.5, false}));
    EXPECT_FALSE(all.shapes[0].closed);
    const CollisionShape& box = all.shapes[std::size_t(all.colliders[1].first_shape)];
    EXPECT_EQ(box.form, CollisionForm::block);
    EXPECT_LT(norm(box.centre + setup.domain.min - Vec3d{0.2, 0.2, 0.6}), 1e-9); // as drawn, not as its particles lie
    EXPECT_EQ(all.shapes[std::size_t(all.colliders[2].first_shape)].form, CollisionForm::ball);
    for (const Body& body : setup.bodies) EXPECT_GE(body.mechanism, 0);
}

TEST(CollisionSetup, NothingCollidesWithoutAModelOrAWord) {
    EXPECT_FALSE(
        colliding_setup(materials, R"(<bodyfloating id="b" mkbound="1-2" modelfile="AutoActual"/>)").collisions.any());
    const RunSetup one = colliding_setup(materials, R"(<bodyfloating id="a" mkbound="1"/>
<bodyfloating id="b" mkbound="2" modelfile="AutoActual"/><collision activate="true"/>)");
    EXPECT_EQ(one.collisions.colliders.size(), 1u);
    EXPECT_EQ(one.bodies[0].mechanism, -1);
}

TEST(CollisionSetup, AMeshFileMayBeTheModel) {
    const TemporaryFolder folder;
    std::ofstream(folder.path() / "t.stl") << R"(solid t
facet normal 0 0 -1 outer loop vertex 0 0 0 vertex 0 1 0 vertex 1 0 0 endloop endfacet
facet normal 0 -1 0 outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 0 1 endloop endfacet
facet normal -1 0 0 outer loop vertex 0 0 0 vertex 0 0 1 vertex 0 1 0 endloop endfacet
facet normal 1 1 1 outer loop vertex 1 0 0 vertex 0 1 0 vertex 0 0 1 endloop endfacet
endsolid t
)";
    const RunSetup setup = colliding_setup(materials, R"(<bodyfloating id="a" mkbound="1" modelfile="t.stl"/>
<collision activate="true"/>)",
                                           folder.path());
    ASSERT_EQ(setup.collisions.shapes.size(), 1u);
    EXPECT_EQ(setup.collisions.shapes[0].form, CollisionForm::mesh);
    EXPECT_TRUE(setup.collisions.shapes[0].closed);
    EXPECT_EQ(setup.collisions.facets.size(), 4u);
}

TEST(CollisionSetup, MistakesInCollisionsHaveALine) {
    EXPECT_TRUE(has_part(
        collision_error(R"(<property name="wood" Kfric="0.4"/><property name="floor" Kfric="0.4"/>)", all_collide),
        "has no Restitution_Coefficient: collisions of <chrono> need"));
    EXPECT_TRUE(has_part(collision_error(materials, all_collide, "dp"), "draws no shape of mkbound 0"));
    EXPECT_TRUE(has_part(
        collision_error(
            R"(<property name="wood" Restitution_Coefficient="1.2" Kfric="0.4"/><property name="floor" Restitution_Coefficient="0.8" Kfric="0.3"/>)",
            all_collide),
        "Restitution_Coefficient is outside"));
}
