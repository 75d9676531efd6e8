#include "app/cli/command.h"
#include "app/cli/progress.h"
#include "core/check/machine.h"
#include "core/engine/machine_probe.h"
#include "core/engine/rank_main.h"

#include <iostream>

namespace earwright::cli {

namespace {

std::string gibibytes(int64_t bytes)
{
    return std::to_string(bytes / (int64_t(1) << 30)) + " GiB";
}

/// "Torch 2.11.0, CUDA 13.0, NCCL 2.28.9, driver 580.65.06"; what is not there is left out.
std::string versionsText(const check::Machine& machine)
{
    std::string text = "Torch " + machine.torchVersion;
    for (const auto& [name, version] : { std::pair { "CUDA", machine.cudaVersion },
             { "NCCL", machine.ncclVersion }, { "driver", machine.driverVersion } })
        text += version.empty() ? "" : std::string(", ") + name + " " + version;
    return text;
}

} // namespace

int runDevices(const std::vector<std::string>& words)
{
    if (words.size() > 1 || (words.size() == 1 && words[0] != "--json"))
        return usageError("devices", "unexpected word '" + words.back() + "'");
    const check::Machine machine = engine::probeMachine();
    if (!words.empty()) {
        std::cout << check::machineToJson(machine) << "\n";
        return engine::kDone;
    }
    std::vector<std::vector<std::string>> rows { { "device", "name", "memory", "capability" } };
    rows.push_back({ "cpu", std::to_string(machine.cpuCores) + " cores",
        gibibytes(machine.memoryBytes), "fp32, bf16" });
    for (size_t i = 0; i < machine.gpus.size(); ++i) {
        const check::Gpu& gpu = machine.gpus[i];
        rows.push_back({ "cuda:" + std::to_string(i), gpu.name, gibibytes(gpu.totalMemoryBytes),
            std::to_string(gpu.capabilityMajor) + "." + std::to_string(gpu.capabilityMinor) });
    }
    std::cout << table(rows) << versionsText(machine) << "\n";
    return engine::kDone;
}

} // namespace earwright::cli
