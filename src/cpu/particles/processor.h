// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <iosfwd>
#include <string>

namespace sluice {

/// Name of the processor, as the system gives it.
std::string processor_name();
/// The same from the text of /proc/cpuinfo. On Arm, where that has no name, the numbers of maker and part of its first
/// core.
std::string processor_name(std::istream& cpuinfo);

/// Threads that a run on the CPU takes unless the user gives a number: OMP_NUM_THREADS, or as many as the process may
/// run at a time, by its affinity and by the CPU quota of its container or batch job.
int default_threads();

/// Whether OMP_NUM_THREADS says how many threads a run has.
bool openmp_says_threads();

/// Processors that the CPU quotas (cgroup v2) of a group and of those around it leave, rounded up; INT_MAX without any.
/// `root` is where the groups are mounted, `group` the path of the innermost.
int processors_of_quota(const std::filesystem::path& root, const std::filesystem::path& group);

} // namespace sluice
