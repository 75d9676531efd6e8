#include "core/distributed/shared_file.h"

#include "core/base/file.h"
#include "core/base/json_fields.h"
#include "core/base/text.h"

#include <nlohmann/json.hpp>
#include <thread>

namespace earwright::distributed {

namespace {

constexpr auto kFirstFilePause = std::chrono::milliseconds(10);
constexpr auto kLongestFilePause = std::chrono::milliseconds(500); ///< half of the shortest timeout

struct Content {
    int64_t bytes = 0;
    std::string sha256 {};
};

Content contentOf(const std::filesystem::path& file)
{
    const Result<std::string> text = readFile(file);
    if (!text)
        throw std::runtime_error(text.error().message);
    return { std::ssize(*text), sha256Hex(*text) };
}

/// As rank 0 tells them.
std::vector<Content> contentsFrom(const std::string& text)
{
    std::vector<Content> contents;
    const Status read = readJson(text, [&contents](JsonReader& reader) {
        for (JsonReader& file : reader.objects("files")) {
            Content& content = contents.emplace_back();
            file.require("bytes", content.bytes, kJsonCount);
            file.require("sha256", content.sha256);
        }
    });
    if (!read)
        throw std::runtime_error(
            "what rank 0 tells of files cannot be read: " + read.error().message);
    return contents;
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
    if (std::ssize(*text) != wanted.bytes)
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
    const std::vector<Content> wanted = contentsFrom(group.runOnMain(name, [&] {
        auto list = nlohmann::json::array();
        for (const std::filesystem::path& file : files) {
            const Content content = contentOf(file);
            list.push_back({ { "bytes", content.bytes }, { "sha256", content.sha256 } });
        }
        return nlohmann::json { { "files", list } }.dump();
    }));
    if (wanted.size() != files.size())
        throw std::runtime_error("rank 0 tells of another number of files: '" + name + "'");
    const auto deadline = std::chrono::steady_clock::now() + patience;
    for (size_t i = 0; i < files.size(); ++i)
        awaitFile(group, files[i], wanted[i], deadline);
}

} // namespace earwright::distributed
