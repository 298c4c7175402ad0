// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/moorings/moorings.h"
#include "io/files/csv.h"
#include "run/sampler.h"
#include "scheme/moorings/line_arrays.h"
#include <deque>

namespace sluice {

/// Writes moorings/line_N.csv of every mooring line: what it does to its ends, and where it is, at the times of the
/// frames or of savedata.
class LineSampler final : public Sampler {
public:
    /// `given`: the lines of the case, which say what their tables hold. `corner`: of the domain, m. `frames`: times of
    /// the frames.
    LineSampler(const std::filesystem::path& folder, const Moorings& moorings, const MooringsDef& given,
                const Vec3d& corner, const SampleClock& frames, bool append);
    void sample(const Frame& frame) override;
    std::deque<CsvWriter>& tables() { return tables_; }

private:
    std::vector<std::string> columns_of(const MooringLineDef& line) const;
    std::vector<CsvValue> row_of(const Frame& frame, std::size_t line);

    const Moorings& moorings_;
    const MooringsDef& given_;
    Vec3d corner_;
    LineArrays arrays_;
    std::deque<CsvWriter> tables_;
    std::vector<std::size_t> lines_; ///< of each table
};

} // namespace sluice
