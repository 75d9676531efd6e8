#include "core/engine/system_figures.h"

#include "core/base/file.h"
#include "core/base/number.h"
#include "core/base/text.h"

#include <algorithm>
#include <cmath>
#include <system_error>
#include <unistd.h>

namespace earwright::engine {

namespace {

using Figures = std::map<std::string, double>;

/// The number behind `name` in "name: 12 kB" and "name 12".
std::optional<int64_t> numberBehind(const std::filesystem::path& file, std::string_view name)
{
    const Result<std::string> text = readFile(file);
    for (const std::string& line : text ? split(*text, '\n') : std::vector<std::string>()) {
        const std::vector<std::string> words = splitAtBlanks(line);
        if (words.size() > 1 && words[0] == name)
            return parseNumber<int64_t>(words[1]);
    }
    return std::nullopt;
}

std::filesystem::path ofProcess(const std::filesystem::path& proc, pid_t process, const char* file)
{
    return proc / std::to_string(process) / file;
}

void tell(Figures& figures, const std::string& name, std::optional<double> value)
{
    if (value && std::isfinite(*value) && *value >= 0)
        figures["system/" + name] = *value;
}

} // namespace

SystemFigures::SystemFigures(const SystemPlaces& places)
    : m_places(places)
    , m_nvml(places.nvml.c_str())
{
}

Figures SystemFigures::read(const SystemSubject& subject, Clock::time_point now)
{
    const double seconds
        = m_lastRead ? std::chrono::duration<double>(now - *m_lastRead).count() : 0;
    m_lastRead = now;
    Figures figures;
    readMachine(figures);
    readRanks(figures, subject.ranks, seconds);
    for (const SystemSubject::Gpu& gpu : subject.gpus)
        readGpu(figures, gpu);
    return figures;
}

void SystemFigures::readMachine(Figures& figures)
{
    const std::optional<CpuTicks> ticks = cpuTicks();
    if (ticks && m_ticks && ticks->all > m_ticks->all)
        tell(figures, "cpu_percent",
            100.0 * static_cast<double>(ticks->busy - m_ticks->busy)
                / static_cast<double>(ticks->all - m_ticks->all));
    m_ticks = ticks;
    tell(figures, "available_bytes", availableBytes());
    std::error_code unknown;
    const std::filesystem::space_info disk = std::filesystem::space(m_places.folder, unknown);
    if (!unknown)
        tell(figures, "disk_free_bytes", static_cast<double>(disk.available));
}

/// A rank that is new or gone takes no part in the rates.
void SystemFigures::readRanks(Figures& figures, const std::vector<pid_t>& ranks, double seconds)
{
    std::map<pid_t, Totals> totals;
    Totals grown;
    std::optional<double> resident;
    bool isKnown = false;
    for (const pid_t rank : ranks) {
        if (const std::optional<double> bytes = residentBytes(rank))
            resident = resident.value_or(0) + *bytes;
        const std::optional<Totals> now = totalsOf(rank);
        if (!now)
            continue;
        totals[rank] = *now;
        const auto before = m_totals.find(rank);
        if (before == m_totals.end())
            continue;
        isKnown = true;
        grown.cpuSeconds += now->cpuSeconds - before->second.cpuSeconds;
        grown.writtenBytes += now->writtenBytes - before->second.writtenBytes;
    }
    m_totals = std::move(totals);
    tell(figures, "ranks_resident_bytes", resident);
    if (!isKnown || seconds <= 0)
        return;
    tell(figures, "ranks_cpu_percent", 100 * grown.cpuSeconds / seconds);
    tell(figures, "ranks_written_bytes_per_s", grown.writtenBytes / seconds);
}

void SystemFigures::readGpu(Figures& figures, const SystemSubject::Gpu& gpu) const
{
    const std::string name = "gpu" + std::to_string(gpu.index);
    tell(figures, name + "_percent", m_nvml.utilization(gpu.uuid));
    tell(figures, name + "_memory_bytes", static_cast<double>(m_nvml.usedMemory(gpu.uuid)));
    tell(figures, name + "_watts", m_nvml.power(gpu.uuid));
    tell(figures, name + "_celsius", m_nvml.temperature(gpu.uuid));
}

/// /proc/PID/stat: fields 14 and 15 are ticks in user and in kernel mode. Field 2, the program's
/// name, may hold blanks and parentheses.
std::optional<SystemFigures::Totals> SystemFigures::totalsOf(pid_t process) const
{
    constexpr size_t kUser = 14 - 3; // of the fields behind the name
    const Result<std::string> text = readFile(ofProcess(m_places.proc, process, "stat"));
    const size_t name = text ? text->rfind(')') : std::string::npos;
    if (name == std::string::npos)
        return std::nullopt;
    const std::vector<std::string> fields = splitAtBlanks(text->substr(name + 1));
    if (fields.size() <= kUser + 1)
        return std::nullopt;
    const auto user = parseNumber<int64_t>(fields[kUser]);
    const auto kernel = parseNumber<int64_t>(fields[kUser + 1]);
    if (!user || !kernel)
        return std::nullopt;
    const auto written = numberBehind(ofProcess(m_places.proc, process, "io"), "write_bytes:");
    return Totals { static_cast<double>(*user + *kernel)
            / static_cast<double>(sysconf(_SC_CLK_TCK)),
        static_cast<double>(written.value_or(0)) };
}

/// The first line of /proc/stat: user, nice, system, idle, iowait, irq, softirq, steal. What guests
/// take, which follows, is in user and nice already.
std::optional<SystemFigures::CpuTicks> SystemFigures::cpuTicks() const
{
    constexpr size_t kIdle = 3;
    constexpr size_t kWaiting = 4;
    constexpr size_t kCounted = 8;
    const Result<std::string> text = readFile(m_places.proc / "stat");
    if (!text)
        return std::nullopt;
    const std::vector<std::string> words = splitAtBlanks(text->substr(0, text->find('\n')));
    if (words.size() <= kCounted || words[0] != "cpu")
        return std::nullopt;
    CpuTicks ticks;
    for (size_t i = 0; i < kCounted; ++i) {
        const int64_t count = parseNumber<int64_t>(words[i + 1]).value_or(0);
        ticks.all += count;
        ticks.busy += i == kIdle || i == kWaiting ? 0 : count;
    }
    return ticks;
}

/// /proc/PID/statm: the second number is resident pages.
std::optional<double> SystemFigures::residentBytes(pid_t process) const
{
    const Result<std::string> text = readFile(ofProcess(m_places.proc, process, "statm"));
    const std::vector<std::string> words = text ? splitAtBlanks(*text) : std::vector<std::string>();
    const auto pages = words.size() > 1 ? parseNumber<int64_t>(words[1]) : std::nullopt;
    if (!pages)
        return std::nullopt;
    return static_cast<double>(*pages) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
}

std::optional<double> SystemFigures::availableBytes() const
{
    const auto kibibytes = numberBehind(m_places.proc / "meminfo", "MemAvailable:");
    if (!kibibytes)
        return std::nullopt;
    return 1024.0 * static_cast<double>(*kibibytes);
}

} // namespace earwright::engine
