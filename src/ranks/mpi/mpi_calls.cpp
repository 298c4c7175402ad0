// SPDX-License-Identifier: Apache-2.0
#include "ranks/mpi/mpi_calls.h"

#include <mpi.h>

// No request, message or communicator of MPI leaves this file but as a pointer, so that Sluice is the same for every
// implementation.

namespace {

constexpr int tag = 1;
MPI_Comm world = MPI_COMM_NULL; // a copy, whose messages no one else can take
char
    text[MPI_MAX_LIBRARY_VERSION_STRING > MPI_MAX_ERROR_STRING ? MPI_MAX_LIBRARY_VERSION_STRING : MPI_MAX_ERROR_STRING];

const char* library() {
    int length = 0;
    MPI_Get_library_version(text, &length);
    return text;
}

int start(int* rank, int* count) {
    int provided = 0;
    int error = MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    if (error) return error;
    error = MPI_Comm_dup(MPI_COMM_WORLD, &world);
    if (error) return error;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN);
    error = MPI_Comm_rank(world, rank);
    return error ? error : MPI_Comm_size(world, count);
}

int send(const void* bytes, int count, int to, void** request) {
    auto* mine = new MPI_Request;
    const int error = MPI_Isend(bytes, count, MPI_BYTE, to, tag, world, mine);
    *request = mine;
    return error;
}

int probe(int from, void** message, int* count) {
    MPI_Message found = MPI_MESSAGE_NULL;
    MPI_Status status;
    int there = 0;
    *message = nullptr;
    const int error = MPI_Improbe(from, tag, world, &there, &found, &status);
    if (error || !there) return error;
    *message = new MPI_Message(found);
    return MPI_Get_count(&status, MPI_BYTE, count);
}

int receive(void* message, void* bytes, int count, void** request) {
    auto* found = static_cast<MPI_Message*>(message);
    auto* mine = new MPI_Request;
    const int error = MPI_Imrecv(bytes, count, MPI_BYTE, found, mine);
    delete found;
    *request = mine;
    return error;
}

int test(void* request, int* done) {
    auto* mine = static_cast<MPI_Request*>(request);
    const int error = MPI_Test(mine, done, MPI_STATUS_IGNORE);
    if (*done) delete mine;
    return error;
}

const char* error_text(int error) {
    int length = 0;
    MPI_Error_string(error, text, &length);
    return text;
}

int stop() { return MPI_Finalize(); }

void abort_all(int exit_code) { MPI_Abort(world, exit_code); }

constexpr SluiceMpiCalls calls{library, start, send, probe, receive, test, error_text, stop, abort_all};

} // namespace

extern "C" [[gnu::visibility("default")]] const SluiceMpiCalls* sluice_mpi_calls(int version) {
    return version == sluice::mpi_calls_version ? &calls : nullptr;
}
