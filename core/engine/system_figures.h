#pragma once

#include "core/base/clock.h"
#include "core/engine/nvml.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace earwright::engine {

/// Whose figures are read.
struct SystemSubject {
    struct Gpu {
        int64_t index = 0; ///< N of "cuda:N"
        std::string uuid;
    };
    std::vector<pid_t> ranks;
    std::vector<Gpu> gpus; ///< each once
};

/// Where the figures are read.
struct SystemPlaces {
    std::filesystem::path folder; ///< of the run: its disk
    std::filesystem::path proc = "/proc";
    std::string nvml = "libnvidia-ml.so.1";
};

/// How busy the machine is and what the ranks take of it, as the kernel (proc(5)) and NVML say. One
/// thread. A driver that hangs holds up whoever reads.
class SystemFigures final {
public:
    explicit SystemFigures(const SystemPlaces& places);

    /// By the tags of event.h, "system/…"; what nobody says is left out. Shares and rates are of
    /// the time since the call before: the first one has none.
    std::map<std::string, double> read(const SystemSubject& subject, Clock::time_point now);

private:
    /// What only grows: of one process, or of all ranks.
    struct Totals {
        double cpuSeconds = 0;
        double writtenBytes = 0;
    };
    struct CpuTicks {
        int64_t busy = 0;
        int64_t all = 0;
    };
    std::optional<Totals> totalsOf(pid_t process) const;
    std::optional<CpuTicks> cpuTicks() const;
    std::optional<double> residentBytes(pid_t process) const;
    std::optional<double> availableBytes() const;
    void readMachine(std::map<std::string, double>& figures);
    void readRanks(
        std::map<std::string, double>& figures, const std::vector<pid_t>& ranks, double seconds);
    void readGpu(std::map<std::string, double>& figures, const SystemSubject::Gpu& gpu) const;

    const SystemPlaces m_places;
    const Nvml m_nvml;
    std::optional<CpuTicks> m_ticks;
    std::map<pid_t, Totals> m_totals; ///< of the call before
    std::optional<Clock::time_point> m_lastRead;
};

} // namespace earwright::engine
