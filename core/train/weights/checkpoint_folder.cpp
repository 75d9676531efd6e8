#include "core/train/weights/checkpoint_folder.h"

#include "core/train/weights/checkpoint_manifest.h"
#include "core/train/weights/replace_folder.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace earwright::train {

namespace fs = std::filesystem;

namespace {

/// "step-12" and "step-12.old" -> 12; -1 for any other name, "step-12.partial" too.
int64_t stepOf(const fs::path& path)
{
    const std::string name = withoutAside(path).filename().string();
    constexpr std::string_view kPrefix = "step-";
    int64_t step = -1;
    const char* const end = name.data() + name.size();
    if (!name.starts_with(kPrefix)
        || std::from_chars(name.data() + kPrefix.size(), end, step).ptr != end)
        return -1;
    return step;
}

bool isNewer(const fs::path& a, const fs::path& b)
{
    return stepOf(a) > stepOf(b);
}

/// Why it cannot be used, or Done.
Status complete(const fs::path& path)
{
    const Result<CheckpointManifest> manifest = readCheckpointManifest(path);
    return manifest ? verifyFiles(path, *manifest) : manifest.error();
}

/// "step-<n>" whose manifest is gone: a save gives a folder that name when it is whole.
std::vector<fs::path> withoutManifest(const fs::path& folder)
{
    std::vector<fs::path> found;
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
        const fs::path& path = entry.path();
        if (stepOf(path) >= 0 && withoutAside(path) == path && !isWritten(path)
            && !isWritten(asideOf(path)))
            found.push_back(path);
    }
    std::sort(found.begin(), found.end(), isNewer);
    return found;
}

} // namespace

std::vector<fs::path> stepFolders(const fs::path& folder)
{
    std::vector<fs::path> found;
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
        const fs::path& path = entry.path();
        if (stepOf(path) >= 0 && isWritten(path) && (withoutAside(path) == path || standsIn(path)))
            found.push_back(path);
    }
    std::sort(found.begin(), found.end(), isNewer);
    return found;
}

std::vector<fs::path> completeCheckpoints(const fs::path& folder)
{
    std::vector<fs::path> found;
    for (const fs::path& path : stepFolders(folder)) {
        if (complete(path))
            found.push_back(path);
    }
    return found;
}

std::optional<fs::path> lastCheckpoint(const fs::path& folder)
{
    return newestCheckpoint(folder).path;
}

NewestCheckpoint newestCheckpoint(const fs::path& folder)
{
    NewestCheckpoint newest;
    for (const fs::path& path : stepFolders(folder)) {
        const Status whole = complete(path);
        if (whole) {
            newest.path = path;
            break;
        }
        newest.passedOver.push_back(whole.error());
    }
    for (const fs::path& path : withoutManifest(folder)) {
        if (!newest.path || isNewer(path, *newest.path))
            newest.passedOver.push_back(complete(path).error());
    }
    return newest;
}

std::optional<fs::path> bestCheckpoint(const fs::path& folder)
{
    for (const fs::path& path : stepFolders(folder)) {
        const Result<CheckpointManifest> manifest = readCheckpointManifest(path);
        const std::string best = manifest ? manifest->best : "";
        if (best.empty())
            continue;
        for (const fs::path& found : { folder / best, asideOf(folder / best) }) {
            if (isWritten(found))
                return found;
        }
    }
    return {};
}

std::vector<fs::path> bestCheckpoints(const fs::path& folder, size_t count)
{
    std::vector<std::pair<double, fs::path>> found; // the newest first
    for (const fs::path& path : stepFolders(folder)) {
        if (const Result<CheckpointManifest> manifest = readCheckpointManifest(path))
            found.emplace_back(manifest->metric, path);
    }
    const auto isValidated = [](const auto& one) { return one.first >= 0; };
    if (std::any_of(found.begin(), found.end(), isValidated))
        std::erase_if(found, [&](const auto& one) { return !isValidated(one); });
    std::stable_sort(
        found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<fs::path> best;
    for (size_t i = 0; i < std::min(count, found.size()); ++i)
        best.push_back(found[i].second);
    std::sort(best.begin(), best.end(), isNewer);
    return best;
}

} // namespace earwright::train
