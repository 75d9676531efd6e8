#include "core/run/capsule.h"

#include "core/base/earlier_name.h"
#include "core/base/file.h"
#include "core/base/json_fields.h"
#include "core/base/no_weights.h"
#include "core/base/text.h"
#include "core/run/zip_archive.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

namespace earwright::run {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr int kCapsuleVersion = 1;
const char* const kIndex = "capsule.json";
const char* const kVersionKey = "earwright_capsule";

/// Relative to the folder, with '/'.
Result<std::vector<std::string>> filesBelow(const fs::path& folder)
{
    std::vector<std::string> names;
    std::error_code problem;
    fs::recursive_directory_iterator entry(folder, problem);
    for (; !problem && entry != fs::recursive_directory_iterator(); entry.increment(problem)) {
        if (entry->is_regular_file(problem))
            names.push_back(entry->path().lexically_relative(folder).generic_string());
    }
    if (problem)
        return Error { "cannot read '" + folder.string() + "': " + problem.message() };
    std::sort(names.begin(), names.end());
    return names;
}

/// What the index says of a file.
struct Described {
    int64_t bytes = 0;
    std::string sha256;
    bool operator==(const Described&) const = default;
};

Described describe(const std::string& bytes)
{
    return { static_cast<int64_t>(bytes.size()), sha256Hex(bytes) };
}

Error broken(const fs::path& file, const std::string& why)
{
    return Error { "cannot open '" + file.string() + "' as a capsule of earwright export: " + why };
}

/// A name that leaves the folder, or goes where a run folder has nothing, would be an attack.
bool isFileOfRun(const std::string& name)
{
    const fs::path path = name;
    if (path.is_absolute() || path.lexically_normal() != path || !path.has_filename()
        || *path.begin() == ".." || *path.begin() == ".")
        return false;
    const std::string first = path.begin()->string();
    const bool isAlone = path.filename() == path;
    return isAlone || first == "events" || first == "alignments" || first == "checkpoints";
}

/// The folder of the archive that all is in, with its '/', or ""; nothing where there is no index.
std::optional<std::string> topOf(const ZipReader& archive)
{
    for (const std::string& name : archive.names()) {
        const size_t begin = name.find('/') + 1; // 0 where there is none
        if (name.substr(begin) == kIndex)
            return name.substr(0, begin);
    }
    return std::nullopt;
}

struct Index {
    std::string checkpoint;
    std::map<std::string, Described> files;
};

Result<Index> readIndex(const fs::path& file, const std::string& text)
{
    Result<JsonReader> json = JsonReader::parse(text);
    if (!json)
        return broken(file, kIndex + (": " + json.error().message));
    const std::string earlier = kEarlierName + "_capsule";
    int64_t version = 0;
    const bool isEarlier = !json->has(kVersionKey) && json->has(earlier.c_str());
    json->require(isEarlier ? earlier.c_str() : kVersionKey, version, kJsonCount);
    if (json->status() && version > kCapsuleVersion)
        return broken(file,
            "it was written by a newer Earwright (version " + std::to_string(version)
                + "): update Earwright to read it");
    Index index;
    json->require("checkpoint", index.checkpoint);
    if (!json->has("files"))
        json->refuse("files", "the files' sizes and checksums");
    JsonReader files = json->object("files");
    for (const std::string& name : files.names()) {
        JsonReader described = files.object(name.c_str());
        described.require("bytes", index.files[name].bytes, kJsonCount);
        described.require("sha256", index.files[name].sha256);
    }
    if (const Status read = json->status(); !read)
        return broken(file, kIndex + (": " + read.error().message));
    return index;
}

Status writeBelow(const fs::path& folder, const std::string& name, const std::string& bytes)
{
    makeFoldersBelow(folder, fs::path(name).parent_path());
    return writeFileAtomically(folder / name, bytes);
}

Status unpack(const fs::path& file, const ZipReader& archive, const std::string& top,
    const std::map<std::string, Described>& files, const fs::path& folder)
{
    uint64_t total = 0;
    for (const auto& [name, description] : files) {
        if (!isFileOfRun(name))
            return broken(file, "it names " + inQuotes(name) + ", which is no file of a run");
        const Result<std::string> bytes = archive.read(top + name);
        if (!bytes)
            return bytes.error();
        total += bytes->size();
        if (describe(*bytes) != description || total > archive.mostBytes())
            return broken(
                file, inQuotes(name) + " is not what was written: size or checksum differ");
        if (const Status written = writeBelow(folder, name, *bytes); !written)
            return written;
    }
    return Done {};
}

} // namespace

Status packCapsule(const fs::path& folder, const std::string& checkpoint, const fs::path& file)
{
    json index { { kVersionKey, kCapsuleVersion }, { "checkpoint", checkpoint } };
    Result<std::vector<std::string>> names = filesBelow(folder);
    if (!names)
        return names.error();
    for (const std::string& name : *names) {
        const Result<std::string> bytes = readFile(folder / name);
        if (!bytes)
            return bytes.error();
        const Described described = describe(*bytes);
        index["files"][name] = { { "bytes", described.bytes }, { "sha256", described.sha256 } };
    }
    if (const Status written = writeFileAtomically(
            folder / kIndex, index.dump(1, ' ', false, json::error_handler_t::replace));
        !written)
        return written;
    names->emplace_back(kIndex);
    return writeZip(file, file.stem().string(), folder, *names);
}

bool looksLikeCapsule(const fs::path& file)
{
    std::error_code problem;
    if (!fs::is_regular_file(file, problem)) // a pipe would be waited for
        return false;
    std::array<char, 2> begin {};
    std::ifstream(file, std::ios::binary).read(begin.data(), begin.size());
    return std::string_view(begin.data(), begin.size()) == "PK" && !looksLikeSafetensors(file);
}

bool isCapsuleFile(const fs::path& file)
{
    if (!looksLikeCapsule(file))
        return false;
    const auto archive = ZipReader::open(file);
    return archive && topOf(*archive);
}

bool isCapsule(const RunFolder& run)
{
    std::error_code problem;
    return fs::exists(run.path / kIndex, problem);
}

Result<Capsule> Capsule::open(const fs::path& file)
{
    const auto archive = ZipReader::open(file);
    if (!archive)
        return archive.error();
    const std::optional<std::string> top = topOf(*archive);
    if (!top)
        return broken(file, "it has no " + std::string(kIndex));
    const Result<std::string> text = archive->read(*top + kIndex);
    if (!text)
        return text.error();
    const Result<Index> index = readIndex(file, *text);
    if (!index)
        return index.error();
    auto folder = std::make_unique<TemporaryFolder>("", "earwright-capsule");
    if (folder->path().empty())
        return Error { "cannot unpack '" + file.string() + "': no temporary folder can be made" };
    const RunFolder run { folder->path() / file.filename() };
    makeFoldersBelow(folder->path(), file.filename());
    if (const Status done = unpack(file, *archive, *top, index->files, run.path); !done)
        return done.error();
    const std::string& checkpoint = index->checkpoint;
    Capsule capsule(std::move(folder), run, checkpoint);
    if (!isRunFolder(run.path) || !isFileOfRun("checkpoints/" + checkpoint)
        || !fs::exists(capsule.checkpoint() / "manifest.json"))
        return broken(file, "it lacks plan.json or its checkpoint");
    if (const Status marked = writeBelow(run.path, kIndex, *text); !marked)
        return marked.error();
    return capsule;
}

} // namespace earwright::run
