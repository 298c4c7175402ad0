// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/bodies.h"
#include "case/commands.h"
#include "case/flexible.h"
#include "case/forcing.h"
#include "case/gauges.h"
#include "case/joints.h"
#include "case/layered_pistons.h"
#include "case/moorings/moorings.h"
#include "case/motion.h"
#include "case/normals.h"
#include "case/open_zones.h"
#include "case/output_parts.h"
#include "case/properties.h"
#include "case/rheology.h"
#include "case/scheme.h"
#include "case/shifting.h"
#include "core/error.h"
#include "core/vec.h"
#include "model/constants.h"
#include "model/method.h"
#include <cmath>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace sluice {

/// Elements of `casedef/constantsdef`. A value that is "auto" is empty and derived from the particles.
struct ConstantsDef {
    Vec3d gravity{0, 0, -9.81};                                              ///< m/s²
    double rho0 = 1000;                                                      ///< rhop0, kg/m³
    sph::InitialDensity initial_density = sph::InitialDensity::water_column; ///< rhopgradient
    std::optional<double> hswl; ///< still water depth that sets the speed of sound, m
    double gamma = 7;
    std::optional<double> speed_system; ///< m/s; auto: sqrt(g·depth)
    double coef_sound = 20;
    std::optional<double> speed_sound;            ///< m/s; auto: coef_sound·speed_system
    std::optional<double> coef_h;                 ///< h = coefh·sqrt(dim·dp²)
    std::optional<double> hdp;                    ///< h = hdp·dp
    std::optional<double> h;                      ///< given outright, m
    std::optional<double> b;                      ///< given outright, Pa
    std::optional<double> mass_fluid, mass_bound; ///< kg
    std::optional<double> cfl;                    ///< cflnumber; none: 0.2, or what staggered steps bear
};

/// One limit of `simulationdomain`: "default", a number, "default ± x" or "default ± p%".
struct DomainLimit {
    bool from_default = true; ///< relative to the particles' extent
    double offset = 0;        ///< metres: added to the default, or the limit itself
    double percent = 0;       ///< of the particles' extent, added to the default (signed)

    bool is_default() const { return from_default && offset == 0 && percent == 0; }
};

/// A row of special/timeout: from `begin` on, frames are `period` apart (s).
struct OutputInterval {
    double begin = 0, period = 0;
};

/// `execution/parameters`: what the run needs beyond the constants.
struct ExecutionParameters {
    Method method = Method::sph;
    bool positions_double = false;                        ///< SavePosDouble
    sph::Integrator integrator = sph::Integrator::verlet; ///< StepAlgorithm
    int verlet_steps = 40;
    sph::KernelType kernel = sph::KernelType::wendland;
    sph::BoundaryCondition boundary = sph::BoundaryCondition::dynamic;
    sph::SlipMode slip = sph::SlipMode::wall;
    sph::WallPressure wall_pressure = sph::WallPressure::linear;
    sph::PressureForm pressure_form = sph::PressureForm::squares;
    sph::ViscosityModel viscosity = sph::ViscosityModel::artificial; ///< ViscoTreatment
    double visco = 0.01;        ///< Visco: alpha of the artificial viscosity, or the kinematic viscosity, m²/s
    std::string visco_file;     ///< ViscoTime, inside the data folder: rows of time and what takes Visco's place
    SourceLocation visco_where; ///< of its name
    double boundary_viscosity_factor = 1;
    double smagorinsky = 0.12;                                     ///< Smagorinsky
    double acoustic_damping = 0;                                   ///< AcousticDamping
    double tensile_spacing = 0;                                    ///< TensileSpacing, over h; 0: dp
    sph::DensityDiffusion diffusion = sph::DensityDiffusion::none; ///< DensityDT
    double delta = 0.1;                                            ///< DensityDTvalue
    sph::Shifting shifting = sph::Shifting::none;
    double shift_coefficient = -2, shift_threshold = 0; ///< ShiftCoef, ShiftTFS
    double shift_along_surfaces = -0.01;                ///< ShiftAdvCoef
    bool shift_follows = false;                         ///< ShiftAdvALE
    double coef_dt_min = 0.05;
    double dt_initial = 0, dt_min = 0, dt_fixed = 0; ///< s, 0: derived or off
    bool dt_all_particles = false;
    double time_max = 1.5, time_out = 0.01;       ///< s
    std::vector<OutputInterval> output_intervals; ///< ascending; before the first, and without any: time_out
    double parts_out_max = 1;                     ///< fraction of the fluid that may be excluded
    double floating_pause = 0;                    ///< time that floating bodies are held at rest, s
    int rigid_algorithm =
        1;             ///< contacts of bodies: 0 none, 1 by the pair formula, 2 discrete elements, 3 none, and joints
    int flow_type = 1; ///< FlowType: 2, several fluids of casedef/properties
    double gas_cohesion = 0;                      ///< MPCoefficient
    double min_fluid_stop = 0;                    ///< fraction of the fluid below which the run stops
    double rho_out_min = 700, rho_out_max = 1300; ///< kg/m³
    DomainLimit domain_min[3], domain_max[3];
    bool periodic[3] = {false, false, false}; ///< XPeriodicIncY … YZPeriodic
    Vec3d periodic_step[3]; ///< added where a particle leaves through the upper face of an axis, m; zero along the axis
    SourceLocation domain_where; ///< simulationdomain, if there is one

    /// How many frames the run stores.
    double frame_count() const {
        double count = 1, begin = 0, period = time_out;
        for (const OutputInterval& next : output_intervals) {
            if (next.begin > time_max) break;
            count += std::ceil((next.begin - begin) / period - 1e-9);
            begin = next.begin;
            period = next.period;
        }
        return count + std::floor((time_max - begin) / period + 1e-9);
    }
};

/// One parameter or constant as the run uses it, for the effective case.
struct EffectiveValue {
    std::string section, name, value;
    bool given = false; ///< in the case or on the command line, else the default
    SourceLocation where;
};

/// Something that the user should know about the case.
struct Diagnostic {
    enum class Level { error, warning, info };
    Level level = Level::warning;
    SourceLocation where;
    std::string message;
};

/// `geometry/definition`: the lattice that every shape is drawn on.
struct CaseDefinition {
    SourceLocation where;
    double dp = 0;                  ///< particle spacing, m
    std::optional<Vec3d> point_ref; ///< a lattice node, m; without it `point_min` is one
    Vec3d point_min, point_max;     ///< nothing is drawn outside, m
    bool two_d = false;             ///< point_min.y equals point_max.y
};

/// `mkconfig`: how many mk numbers fluids and boundaries may use.
struct MkConfig {
    int bound_count = 240, fluid_count = 9;

    /// mk as stored with the particles: mkfluid + 1, or mkbound + 1 + fluid_count.
    int stored_fluid(int mkfluid) const { return mkfluid + 1; }
    int stored_bound(int mkbound) const { return mkbound + 1 + fluid_count; }
};

/// Something that the case asks of the simulation and that this program cannot do. Its particles can still be
/// generated and looked at.
struct UnsupportedFeature {
    SourceLocation where;
    std::string name;   ///< the element or the parameter with its value
    std::string advice; ///< what the user can do

    std::string message() const { return name + " is not supported; " + advice; }
};

/// A case file, read, checked and evaluated: plain numbers, SI units.
struct Case {
    std::filesystem::path file;
    std::string source;                ///< the text of the file, as it was read
    std::filesystem::path data_folder; ///< where its data files are: its own folder, or `files` of <case> below it
    ConstantsDef constants;
    MkConfig mk;
    CaseDefinition definition;
    std::vector<GeometryCommand> commands;    ///< in the order of drawing; lists, loops and variables are resolved
    int lattice_bound = 1, lattice_fluid = 1; ///< particles on a node: 2 stand a quarter dp off it on either side
    std::vector<FloatingBody> floatings;
    MechanismsDef mechanisms;
    MooringsDef moorings;
    MaterialProperties properties;
    std::vector<MotionObject> motion;
    std::vector<LayeredPiston> layered_pistons;
    std::vector<DampingZone> damping;
    std::vector<AccelerationInputDef> acceleration_inputs;
    std::vector<RelaxationDef> relaxation;
    OpenZonesDef open;
    std::vector<ShiftZoneDef> shift_zones; ///< none: particles are shifted everywhere
    std::vector<InitialState> initials;
    NormalsDef normals;
    ExecutionParameters parameters;
    std::vector<Gauge> gauges;
    std::vector<EffectiveValue> effective;
    std::vector<SchemeChoice> scheme; ///< of Scheme; none with Scheme=none
    std::vector<Diagnostic> diagnostics;
    std::vector<UnsupportedFeature> unsupported_in_run;
    /// Errors of the parts that the particles do not depend on; only where `CaseOverrides` asks to keep them.
    std::vector<std::string> errors_beside_drawing;
    std::vector<FlexibleDef> flexible;       ///< of special/flexstrucs
    std::vector<FluidPhase> phases;          ///< of special/nnphases; none: a Newtonian fluid
    std::vector<FluidDef> fluids;            ///< of different density; none: all have what the constants say
    std::optional<OutputParts> output_parts; ///< of special/outputparts; none: frames hold all particles

    /// Whether bodies touch as elastic bodies do, which asks for the properties of what they and walls are made of.
    static constexpr int joints_algorithm = 3; ///< RigidAlgorithm with which special/chrono holds bodies
    bool has_elastic_contacts() const { return parameters.rigid_algorithm == 2 && !floatings.empty(); }
    /// Whether a contact asks for what walls and bodies are made of.
    bool asks_for_properties() const { return has_elastic_contacts() || mechanisms.collision.has_value(); }
    /// The place of a command, for messages.
    SourceLocation where(const GeometryCommand& command) const { return {file.string(), command.line}; }
};

} // namespace sluice
