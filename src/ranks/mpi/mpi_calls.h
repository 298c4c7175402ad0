// SPDX-License-Identifier: Apache-2.0
#pragma once

// What Sluice asks of MPI, as plain functions and numbers. They are in a library of their own, which is loaded where a
// launcher has started several processes and nowhere else: the program itself neither needs nor starts MPI.

extern "C" {

/// The functions. Those that return an int give 0, or MPI's number of an error. One thread calls them.
struct SluiceMpiCalls {
    /// The name of the MPI library and its version; before `start`, too.
    const char* (*library)();
    /// Starts MPI. `rank`, `count`: of this process among all that the launcher has started.
    int (*start)(int* rank, int* count);
    /// Begins to send. The bytes must stay until `test` of the request says that it is done.
    int (*send)(const void* bytes, int count, int to, void** request);
    /// Looks for a message. `message`: null where there is none yet, else to be received, so many bytes.
    int (*probe)(int from, void** message, int* count);
    /// Begins to receive a message that `probe` has found.
    int (*receive)(void* message, void* bytes, int count, void** request);
    /// Whether a request is done, which ends it.
    int (*test)(void* request, int* done);
    /// What a number of an error means.
    const char* (*error_text)(int error);
    /// Ends MPI; all processes must call it.
    int (*stop)();
    /// Ends all processes.
    void (*abort)(int exit_code);
};

/// Of the library; null where it is not made for this program. `version`: mpi_calls_version.
using SluiceMpiEntry = const SluiceMpiCalls* (*)(int version);
}

namespace sluice {
inline constexpr int mpi_calls_version = 1;
}
