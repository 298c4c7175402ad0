// SPDX-License-Identifier: Apache-2.0
#include "cuda/passes/fluid_forcing.h"

#include "cuda/device/host_copies.h"

namespace sluice::cuda {

FluidForcing::FluidForcing(const Forcing& forcing, DeviceMemory& memory) {
    leads_ = forcing.leads();
    if (!leads_) return;
    constexpr const char* what = "accelerations of the fluid";
    const auto copied = [&](const auto& values, auto& array) {
        if (values.empty()) return;
        array = {memory, values.size(), what};
        upload(values, array.data());
    };
    copied(forcing.damping, damping_);
    copied(forcing.inputs, inputs_);
    copied(forcing.samples, samples_);
    copied(forcing.relaxation, relaxation_);
    copied(forcing.relaxation_waves, waves_);
    copied(forcing.relaxation_speeds, speeds_);
    copied(forcing.relaxation_tables.tables, tables_);
    copied(forcing.relaxation_tables.numbers, table_numbers_);
    copied(forcing.relaxation_tables.values, table_values_);
    if (!forcing.inputs.empty()) frames_ = {memory, forcing.inputs.size(), what};
    view_ = {inputs_.data(), samples_.data(), frames_.data(), static_cast<int>(forcing.inputs.size())};
    lead_view_.damping = damping_.data();
    lead_view_.damping_count = static_cast<int>(forcing.damping.size());
    lead_view_.relaxation = {relaxation_.data(),
                             waves_.data(),
                             speeds_.data(),
                             static_cast<int>(forcing.relaxation.size()),
                             {tables_.data(), table_numbers_.data(), table_values_.data()}};
    lead_view_.frames = frames_.data();
    lead_view_.frame_count = view_.input_count;
}

} // namespace sluice::cuda
