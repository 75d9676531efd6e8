#pragma once

#include "core/check/check.h"
#include "tests/files.h"

#include <map>

namespace earwright::tests {

// A case's first line may say what to check it with:
//   # check: files gpus=8.9,7.5 driver=550.54 devices=cuda override=seed=3 option=precision=bf16
//   # check: gpus=8.9 gpu_state=lost

inline const QString kCases = QString(EARWRIGHT_CASES_DIR) + "/check";

inline check::Machine machineWith(const QString& capabilities)
{
    check::Machine machine;
    machine.cpuCores = 4;
    machine.torchVersion = "2.11.0";
    for (const QString& capability : capabilities.split(',', Qt::SkipEmptyParts)) {
        check::Gpu gpu;
        gpu.name = "Test GPU";
        gpu.capabilityMajor = capability.section('.', 0, 0).toInt();
        gpu.capabilityMinor = capability.section('.', 1, 1).toInt();
        machine.gpus.push_back(gpu);
    }
    return machine;
}

inline std::vector<recipe::Override> overrides(const QString& text, recipe::Origin origin)
{
    auto parsed = recipe::parseOverrides({ text.toStdString() });
    if (!parsed)
        qFatal("%s", parsed.error().message.c_str());
    for (recipe::Override& override : *parsed) {
        override.origin = origin;
        override.value->origin = origin;
    }
    return *parsed;
}

/// What the driver says of the first GPU, by one word.
inline void setState(check::Machine& machine, const QString& state)
{
    check::Gpu& gpu = machine.gpus.front();
    gpu.totalMemoryBytes = int64_t(80) << 30;
    gpu.freeMemoryBytes = int64_t(state == "crowded" ? 20 : 79) << 30;
    gpu.isLost = state == "lost";
    gpu.processes = state == "exclusive_free" ? 0 : 1;
    gpu.computeMode = state.startsWith("exclusive") ? "exclusive_process"
        : state == "prohibited"                     ? "prohibited"
                                                    : "default";
}

/// The member of a version that a case may name, null for any other word.
inline std::string* versionOf(check::Machine& machine, const QString& key)
{
    const std::map<QString, std::string*> members { { "cuda", &machine.cudaVersion },
        { "torch_cuda", &machine.torchCudaVersion }, { "driver_cuda", &machine.cudaDriverVersion },
        { "driver", &machine.driverVersion }, { "nccl", &machine.ncclVersion },
        { "nccl_built", &machine.ncclBuiltVersion } };
    const auto found = members.find(key);
    return found == members.end() ? nullptr : found->second;
}

struct Case {
    check::Request request;
    check::Machine machine;
};

inline void append(check::Request& request, const std::vector<recipe::Override>& more)
{
    request.overrides.insert(request.overrides.end(), more.begin(), more.end());
}

inline Case readCase(const QString& name)
{
    Case result;
    const QString text = QString::fromUtf8(bytesOf(kCases + "/" + name + ".yaml"));
    result.request.text = text.toStdString();
    result.request.fileName = name.toStdString() + ".yaml";
    result.request.checkFiles = false;
    append(result.request, overrides("data_folder=" + kCases + "/data", recipe::Origin::Override));
    const QString first = text.section('\n', 0, 0);
    if (!first.startsWith("# check: "))
        return result;
    for (const QString& word : first.mid(9).split(' ', Qt::SkipEmptyParts)) {
        const QString key = word.section('=', 0, 0);
        const QString value = word.section('=', 1);
        if (key == "files")
            result.request.checkFiles = true;
        else if (key == "gpus")
            result.machine = machineWith(value);
        else if (key == "gpu_state")
            setState(result.machine, value);
        else if (std::string* version = versionOf(result.machine, key))
            *version = value.toStdString();
        else if (key == "devices")
            result.request.devices = value.toStdString();
        else if (key == "option")
            append(result.request, overrides("--" + value, recipe::Origin::Option));
        else
            append(result.request, overrides(value, recipe::Origin::Override));
    }
    return result;
}

} // namespace earwright::tests
