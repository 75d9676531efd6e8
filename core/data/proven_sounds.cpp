#include "core/data/proven_sounds.h"

#include "core/base/file.h"
#include "core/base/number.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <sys/stat.h>
#include <system_error>

namespace earwright::data {
namespace {

constexpr size_t kSumLength = 64;
/// A million files or more. A larger file becomes the former one, and a new one is begun.
constexpr uintmax_t kMostBytes = uintmax_t(1) << 28;
constexpr const char* kFormer = ".former";
/// Raise it with what readThrough() refuses.
constexpr const char* kCacheName = "sounds-1";

std::string variable(const char* name)
{
    const char* value = std::getenv(name);
    return value != nullptr ? value : "";
}

} // namespace

ProvenSounds::ProvenSounds()
    : m_file(cacheFile())
{
}

/// Whole lines at once, to the end: other processes write there too.
ProvenSounds::~ProvenSounds()
{
    if (m_fresh.empty() || m_file.empty())
        return;
    std::error_code problem;
    std::filesystem::create_directories(std::filesystem::path(m_file).parent_path(), problem);
    const bool isFull = std::filesystem::file_size(m_file, problem) > kMostBytes && !problem;
    if (isFull)
        std::filesystem::rename(m_file, m_file + kFormer, problem);
    std::ofstream file(m_file, isFull && problem ? std::ios::trunc : std::ios::app);
    file << m_fresh;
}

std::string ProvenSounds::cacheFile()
{
    const std::string caches = variable("XDG_CACHE_HOME");
    const std::string home = variable("HOME");
    if (caches.empty() && home.empty())
        return {};
    return (caches.empty() ? home + "/.cache" : caches) + "/earwright/" + kCacheName;
}

ProvenSounds::Stamp ProvenSounds::stampOf(const std::string& path)
{
    struct stat facts { };
    if (::stat(path.c_str(), &facts) != 0)
        return {};
    return { facts.st_size, int64_t(facts.st_ctim.tv_sec) * 1'000'000'000 + facts.st_ctim.tv_nsec };
}

/// Lines "SHA-256 BYTES CHANGED PATH"; later ones count, and torn ones do not.
void ProvenSounds::read(const std::string& file)
{
    std::ifstream lines(file);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream fields(line);
        std::string sum, path;
        Stamp stamp;
        if (!(fields >> sum >> stamp.bytes >> stamp.changed) || sum.size() != kSumLength
            || fields.get() != ' ' || !std::getline(fields, path))
            continue;
        m_sums.insert(sum);
        m_stamps[path] = stamp;
    }
}

bool ProvenSounds::isProven(const std::string& path, const Stamp& stamp)
{
    const std::lock_guard lock(m_mutex);
    if (!m_isRead && !m_file.empty()) {
        read(m_file + kFormer);
        read(m_file);
    }
    m_isRead = true;
    const auto known = m_stamps.find(path);
    return known != m_stamps.end() && known->second == stamp;
}

/// Unlocked while it decodes: two threads may decode equal files.
Status ProvenSounds::proveSum(const std::string& path, const std::string& sum)
{
    {
        const std::lock_guard lock(m_mutex);
        if (m_sums.contains(sum))
            return Done {};
    }
    const Result<AudioInfo> decoded = readThrough(path);
    if (decoded)
        return Done {};
    const Result<AudioInfo> probed = probeAudio(path); // tells plainly what was cut short
    return probed ? decoded.error() : probed.error();
}

void ProvenSounds::remember(const std::string& path, const Stamp& stamp, const std::string& sum)
{
    const std::lock_guard lock(m_mutex);
    m_sums.insert(sum);
    m_stamps[path] = stamp;
    if (path.find('\n') == std::string::npos)
        m_fresh += sum + " " + std::to_string(stamp.bytes) + " " + std::to_string(stamp.changed)
            + " " + path + "\n";
}

Result<AudioInfo> ProvenSounds::prove(const std::string& path, const std::string& given)
{
    Result<AudioInfo> info = probeIfPlain(path);
    if (!info || info->isPlain)
        return info;
    std::error_code unknown;
    const std::string name = std::filesystem::absolute(path, unknown).string();
    const Stamp stamp = stampOf(name); // before it is read: it may be written meanwhile
    if (isProven(name, stamp))
        return info;
    const Result<std::string> sum = given.empty() ? sha256HexOfFile(path) : given;
    if (!sum)
        return sum.error();
    if (const Status proven = proveSum(path, *sum); !proven)
        return proven.error();
    remember(name, stamp, *sum);
    return info;
}

} // namespace earwright::data
