#include "core/check/machine.h"

#include <nlohmann/json.hpp>

namespace earwright::check {

using nlohmann::json;

namespace {

json gpuToJson(const Gpu& gpu)
{
    return { { "name", gpu.name }, { "uuid", gpu.uuid },
        { "capability", { gpu.capabilityMajor, gpu.capabilityMinor } },
        { "total_memory_bytes", gpu.totalMemoryBytes },
        { "free_memory_bytes", gpu.freeMemoryBytes }, { "utilization", gpu.utilization } };
}

Gpu gpuFromJson(const json& object)
{
    Gpu gpu;
    gpu.name = object.at("name");
    gpu.uuid = object.value("uuid", "");
    gpu.capabilityMajor = object.at("capability").at(0);
    gpu.capabilityMinor = object.at("capability").at(1);
    gpu.totalMemoryBytes = object.value("total_memory_bytes", int64_t { 0 });
    gpu.freeMemoryBytes = object.value("free_memory_bytes", int64_t { 0 });
    gpu.utilization = object.value("utilization", -1.0);
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
        { "torch_version", machine.torchVersion }, { "cuda_version", machine.cudaVersion },
        { "torch_cuda_version", machine.torchCudaVersion },
        { "cuda_driver_version", machine.cudaDriverVersion },
        { "driver_version", machine.driverVersion }, { "nccl_version", machine.ncclVersion },
        { "nccl_built_version", machine.ncclBuiltVersion } };
    return object.dump(2, ' ', false, json::error_handler_t::replace);
}

Result<Machine> machineFromJson(const std::string& text)
{
    // nlohmann throws on a missing or mistyped member; everything about the text ends here.
    try {
        const json object = json::parse(text);
        Machine machine;
        machine.cpuCores = object.at("cpu_cores");
        machine.memoryBytes = object.value("memory_bytes", int64_t { 0 });
        machine.torchVersion = object.value("torch_version", "");
        machine.cudaVersion = object.value("cuda_version", "");
        machine.torchCudaVersion = object.value("torch_cuda_version", "");
        machine.cudaDriverVersion = object.value("cuda_driver_version", "");
        machine.driverVersion = object.value("driver_version", "");
        machine.ncclVersion = object.value("nccl_version", "");
        machine.ncclBuiltVersion = object.value("nccl_built_version", "");
        for (const json& gpu : object.at("gpus"))
            machine.gpus.push_back(gpuFromJson(gpu));
        return machine;
    } catch (const json::exception& exception) {
        return Error { std::string("this is not what 'earwright devices --json' prints: ")
            + exception.what() };
    }
}

} // namespace earwright::check
