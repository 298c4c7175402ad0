// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/graph_recording.h"

#include <cstddef>

namespace sluice::cuda {

cudaGraph_t recording_graph(cudaStream_t stream) {
    cudaStreamCaptureStatus status;
    cudaGraph_t graph = nullptr;
    check(cudaStreamGetCaptureInfo(stream, &status, nullptr, &graph), "recording a step");
    return status == cudaStreamCaptureStatusActive ? graph : nullptr;
}

bool records_behind_kernel(cudaStream_t stream) {
    cudaStreamCaptureStatus status;
    check(cudaStreamIsCapturing(stream, &status), "recording a step");
    if (status != cudaStreamCaptureStatusActive) return false;
    const cudaGraphNode_t* before = nullptr;
    std::size_t count = 0;
    check(cudaStreamGetCaptureInfo(stream, &status, nullptr, nullptr, &before, nullptr, &count), "recording a step");
    if (count != 1) return false;
    cudaGraphNodeType type;
    check(cudaGraphNodeGetType(before[0], &type), "recording a step");
    return type == cudaGraphNodeTypeKernel;
}

cudaGraphNode_t ConditionalWork::begin_branch(cudaStream_t stream, cudaGraphConditionalHandle handle) {
    cudaStreamCaptureStatus status;
    cudaGraph_t graph = nullptr;
    const cudaGraphNode_t* before = nullptr;
    std::size_t count = 0;
    check(cudaStreamGetCaptureInfo(stream, &status, nullptr, &graph, &before, nullptr, &count), "recording a step");
    cudaGraphNodeParams parameters{};
    parameters.type = cudaGraphNodeTypeConditional;
    parameters.conditional.handle = handle;
    parameters.conditional.type = cudaGraphCondTypeIf;
    parameters.conditional.size = 1;
    cudaGraphNode_t node = nullptr;
    check(cudaGraphAddNode(&node, graph, before, nullptr, count, &parameters), "recording a condition");
    check(cudaStreamBeginCaptureToGraph(branch_, parameters.conditional.phGraph_out[0], nullptr, nullptr, 0,
                                        cudaStreamCaptureModeRelaxed),
          "recording a branch");
    return node;
}

void ConditionalWork::end_branch(cudaStream_t stream, cudaGraphNode_t node) {
    cudaGraph_t body = nullptr;
    check(cudaStreamEndCapture(branch_, &body), "recording a branch");
    check(cudaStreamUpdateCaptureDependencies(stream, &node, nullptr, 1, cudaStreamSetCaptureDependencies),
          "recording a step");
}

} // namespace sluice::cuda
