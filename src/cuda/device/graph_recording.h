// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/device/stream.h"

namespace sluice::cuda {

/// A recorded piece of work that can be launched again and again.
class RecordedGraph {
public:
    RecordedGraph() = default;
    ~RecordedGraph() { reset(); }
    RecordedGraph(const RecordedGraph&) = delete;
    RecordedGraph& operator=(const RecordedGraph&) = delete;

    /// Records what `enqueue()` puts on the stream.
    template <class Enqueue>
    void record(cudaStream_t stream, Enqueue&& enqueue) {
        reset();
        cudaGraph_t graph = nullptr;
        check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "recording a step");
        enqueue();
        check(cudaStreamEndCapture(stream, &graph), "recording a step");
        const cudaError_t status = cudaGraphInstantiate(&exec_, graph, 0);
        cudaGraphDestroy(graph);
        check(status, "preparing a recorded step");
    }
    void launch(cudaStream_t stream) const { check(cudaGraphLaunch(exec_, stream), "launching a recorded step"); }
    bool empty() const { return exec_ == nullptr; }
    void reset() {
        if (exec_) cudaGraphExecDestroy(exec_);
        exec_ = nullptr;
    }

private:
    cudaGraphExec_t exec_ = nullptr;
};

/// The graph that a stream is recording; null if it is not.
cudaGraph_t recording_graph(cudaStream_t stream);

/// Whether a stream is recording a graph, and what is enqueued next follows one kernel and nothing else.
bool records_behind_kernel(cudaStream_t stream);

/// Work that the device does only if a kernel before it says so: a branch of a graph that is being recorded.
class ConditionalWork {
public:
    /// While `stream` records: `decide(handle)` enqueues a kernel there that sets the condition `handle`, and
    /// `work(branch)` enqueues on `branch` what then follows.
    template <class Decide, class Work>
    void record(cudaStream_t stream, Decide&& decide, Work&& work) {
        cudaGraphConditionalHandle handle;
        check(cudaGraphConditionalHandleCreate(&handle, recording_graph(stream), 0, cudaGraphCondAssignDefault),
              "recording a condition");
        decide(handle);
        const cudaGraphNode_t node = begin_branch(stream, handle);
        work(static_cast<cudaStream_t>(branch_));
        end_branch(stream, node);
    }

private:
    cudaGraphNode_t begin_branch(cudaStream_t stream, cudaGraphConditionalHandle handle);
    void end_branch(cudaStream_t stream, cudaGraphNode_t node);

    Stream branch_;
};

} // namespace sluice::cuda
