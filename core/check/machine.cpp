#include "core/check/machine.h"

#include "core/base/json_fields.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace earwright::check {

using nlohmann::json;

namespace {

constexpr int64_t kMostMajor = 1000;
constexpr JsonRange kCores { 0, 1 << 20 };
constexpr JsonRange kUtilization { -1, 100 };
constexpr JsonRange kProcesses { -1, 1 << 30 };

json gpuToJson(const Gpu& gpu)
{
    return { { "name", gpu.name }, { "uuid", gpu.uuid },
        { "capability", { gpu.capabilityMajor, gpu.capabilityMinor } },
        { "total_memory_bytes", gpu.totalMemoryBytes },
        { "free_memory_bytes", gpu.freeMemoryBytes }, { "utilization", gpu.utilization },
        { "compute_mode", gpu.computeMode }, { "processes", gpu.processes },
        { "is_lost", gpu.isLost } };
}

Gpu gpuOf(JsonReader& reader)
{
    Gpu gpu;
    std::vector<int64_t> capability;
    reader.require("name", gpu.name);
    reader("uuid", gpu.uuid);
    reader.require("capability", capability);
    if (capability.size() != 2)
        reader.refuse("capability", "two numbers");
    capability.resize(2);
    gpu.capabilityMajor = static_cast<int>(std::clamp<int64_t>(capability[0], 0, kMostMajor));
    gpu.capabilityMinor = static_cast<int>(std::clamp<int64_t>(capability[1], 0, kMostMajor));
    reader("total_memory_bytes", gpu.totalMemoryBytes, kJsonCount);
    reader("free_memory_bytes", gpu.freeMemoryBytes, kJsonCount);
    reader("utilization", gpu.utilization, kUtilization);
    reader("compute_mode", gpu.computeMode);
    reader("processes", gpu.processes, kProcesses);
    reader("is_lost", gpu.isLost);
    return gpu;
}

} // namespace

std::string machineToJson(const Machine& machine)
{
    json gpus = json::array();
    for (const Gpu& gpu : machine.gpus)
        gpus.push_back(gpuToJson(gpu));
    const json object = { { "cpu_cores", machine.cpuCores },
        { "memory_bytes", machine.memoryBytes }, { "gpus", gpus },
        { "driver_gpus", machine.driverGpus }, { "cuda_problem", machine.cudaProblem },
        { "torch_version", machine.torchVersion }, { "cuda_version", machine.cudaVersion },
        { "torch_cuda_version", machine.torchCudaVersion },
        { "cuda_driver_version", machine.cudaDriverVersion },
        { "driver_version", machine.driverVersion }, { "nccl_version", machine.ncclVersion },
        { "nccl_built_version", machine.ncclBuiltVersion } };
    return object.dump(2, ' ', false, json::error_handler_t::replace);
}

Result<Machine> machineFromJson(const std::string& text)
{
    const auto refused = [](const Error& error) {
        return Error { "this is not what 'earwright devices --json' prints: " + error.message };
    };
    Result<JsonReader> reader = JsonReader::parse(text);
    if (!reader)
        return refused(reader.error());
    Machine machine;
    int64_t cores = 0;
    reader->require("cpu_cores", cores, kCores);
    machine.cpuCores = static_cast<int>(cores);
    (*reader)("memory_bytes", machine.memoryBytes, kJsonCount);
    (*reader)("driver_gpus", machine.driverGpus, kJsonCount);
    (*reader)("cuda_problem", machine.cudaProblem);
    (*reader)("torch_version", machine.torchVersion);
    (*reader)("cuda_version", machine.cudaVersion);
    (*reader)("torch_cuda_version", machine.torchCudaVersion);
    (*reader)("cuda_driver_version", machine.cudaDriverVersion);
    (*reader)("driver_version", machine.driverVersion);
    (*reader)("nccl_version", machine.ncclVersion);
    (*reader)("nccl_built_version", machine.ncclBuiltVersion);
    if (!reader->has("gpus"))
        reader->refuse("gpus", "there");
    for (JsonReader& gpu : reader->objects("gpus"))
        machine.gpus.push_back(gpuOf(gpu));
    if (const Status read = reader->status(); !read)
        return refused(read.error());
    return machine;
}

} // namespace earwright::check
