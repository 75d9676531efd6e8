#include "core/distributed/shared_file.h"

#include "core/base/file.h"
#include "core/base/text.h"

#include <nlohmann/json.hpp>
#include <thread>

namespace earwright::distributed {

namespace {

constexpr auto kFirstFilePause = std::chrono::milliseconds(10);
constexpr auto kLongestFilePause = std::chrono::milliseconds(500); ///< half of the shortest timeout

struct Content {
    size_t bytes = 0;
    std::string sha256 {};
};

Content contentOf(const std::filesystem::path& file)
{
    const Result<std::string> text = readFile(file);
    if (!text)
        throw std::runtime_error(text.error().message);
    return { text->size(), sha256Hex(*text) };
}

/// "" where the file holds it, else what is seen of the file.
std::string difference(const std::filesystem::path& file, const Content& wanted)
{
    // Listing the folder makes an NFS client ask again for what it took for missing.
    std::error_code problem;
    for (auto entry = std::filesystem::directory_iterator(file.parent_path(), problem);
         !problem && entry != std::filesystem::directory_iterator(); entry.increment(problem)) { }
    const Result<std::string> text = readFile(file);
    if (!text)
        return text.error().message;
    if (text->size() != wanted.bytes)
        return "it has " + std::to_string(text->size()) + " bytes instead of "
            + std::to_string(wanted.bytes);
    return sha256Hex(*text) == wanted.sha256 ? "" : "it holds something else";
}

void awaitFile(const Group& group, const std::filesystem::path& file, const Content& wanted,
    std::chrono::steady_clock::time_point deadline)
{
    std::chrono::milliseconds pause = kFirstFilePause;
    for (;;) {
        const std::string seen = difference(file, wanted);
        if (seen.empty())
            return;
        if (std::chrono::steady_clock::now() > deadline)
            throw std::runtime_error(file.string() + " is not here as rank 0 has it: " + seen
                + "; is its folder shared by all hosts?");
        group.pulse().progress();
        std::this_thread::sleep_for(pause);
        pause = std::min<std::chrono::milliseconds>(2 * pause, kLongestFilePause);
    }
}

} // namespace

void awaitFiles(Group& group, const std::string& name,
    const std::vector<std::filesystem::path>& files, std::chrono::milliseconds patience)
{
    if (group.size() == 1)
        return;
    const auto wanted = nlohmann::json::parse(group.runOnMain(name, [&] {
        auto list = nlohmann::json::array();
        for (const std::filesystem::path& file : files) {
            const Content content = contentOf(file);
            list.push_back({ { "bytes", content.bytes }, { "sha256", content.sha256 } });
        }
        return list.dump();
    }));
    const auto deadline = std::chrono::steady_clock::now() + patience;
    for (size_t i = 0; i < files.size(); ++i)
        awaitFile(group, files[i],
            { wanted.at(i).at("bytes").get<size_t>(),
                wanted.at(i).at("sha256").get<std::string>() },
            deadline);
}

} // namespace earwright::distributed
