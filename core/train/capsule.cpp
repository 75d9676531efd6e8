#include "core/train/capsule.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/model/torch_archive.h"
#include "core/run/follower.h"
#include "core/run/points_csv.h"
#include "core/train/checkpoint.h"

#include <array>
#include <caffe2/serialize/inline_container.h>
#include <fstream>
#include <nlohmann/json.hpp>

namespace kymo::train {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using Writer = caffe2::serialize::PyTorchStreamWriter;

constexpr int kVersion = 1;
const char* const kIndex = "capsule.json";

/// Of the run's own folder, what belongs to this machine or is made anew from the events.
bool staysHere(const std::string& name)
{
    return name == "lock.json" || name == "hold" || name == "history.bin" || name.ends_with(".tmp");
}

Status copyInto(const fs::path& from, const fs::path& to)
{
    std::error_code problem;
    fs::create_directories(to.parent_path(), problem);
    fs::copy(from, to, fs::copy_options::recursive, problem);
    if (problem)
        return Error { "cannot copy '" + from.string() + "': " + problem.message() };
    return Done {};
}

Status copyRun(const run::RunFolder& run, const fs::path& to)
{
    std::error_code problem;
    for (const auto& entry : fs::directory_iterator(run.path, problem)) {
        const std::string name = entry.path().filename().string();
        const bool isWanted
            = entry.is_regular_file() ? !staysHere(name) : name == "events" || name == "alignments";
        if (!isWanted)
            continue;
        if (const Status copied = copyInto(entry.path(), to / name); !copied)
            return copied;
    }
    if (problem)
        return Error { "cannot read '" + run.path.string() + "': " + problem.message() };
    return Done {};
}

Status addMetrics(const run::RunFolder& run, const fs::path& to)
{
    run::Follower follower(run);
    if (const auto read = follower.poll(); !read)
        return read.error();
    return writeFileAtomically(to / "metrics.csv", run::pointsAsCsv(follower.snapshot()));
}

/// Its name. Alone and the best: without the optimizer's state nothing can be resumed.
Result<std::string> addCheckpoint(const fs::path& checkpoint, const fs::path& to)
{
    Result<Checkpoint> stored = loadCheckpoint(checkpoint);
    if (!stored)
        return stored.error();
    stored->training.clear();
    return saveCheckpoint(run::RunFolder { to }.checkpoints(), *stored, true);
}

/// Relative to the folder, with '/'.
std::vector<std::string> filesBelow(const fs::path& folder)
{
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (entry.is_regular_file())
            names.push_back(entry.path().lexically_relative(folder).generic_string());
    }
    std::sort(names.begin(), names.end());
    return names;
}

json describe(const std::string& bytes)
{
    return { { "bytes", bytes.size() }, { "sha256", sha256Hex(bytes) } };
}

Status addFiles(Writer& writer, const fs::path& folder, const std::string& checkpoint)
{
    json index { { "kymo_capsule", kVersion }, { "checkpoint", checkpoint } };
    for (const std::string& name : filesBelow(folder)) {
        const Result<std::string> bytes = readFile(folder / name);
        if (!bytes)
            return bytes.error();
        index["files"][name] = describe(*bytes);
        writer.writeRecord(name, bytes->data(), bytes->size());
    }
    const std::string text = index.dump(1);
    writer.writeRecord(kIndex, text.data(), text.size());
    return Done {};
}

/// Archives as LibTorch writes them are what TorchArchive reads, and any other program.
Status writeArchive(const fs::path& file, const fs::path& folder, const std::string& checkpoint)
{
    try {
        Writer writer(file.string());
        Status added = Done {};
        try {
            added = addFiles(writer, folder, checkpoint);
            writer.writeEndOfFile();
        } catch (const std::exception& error) {
            added = Error { error.what() };
            try { // the destructor would throw
                writer.writeEndOfFile();
            } catch (const std::exception&) {
            }
        }
        if (!added)
            return added;
    } catch (const std::exception& error) {
        return Error { error.what() };
    }
    const auto written = model::TorchArchive::open(file); // a last flush may fail in silence
    if (!written || !written->has(kIndex))
        return Error { "it is not whole; is the disk full?" };
    return Done {};
}

Error broken(const fs::path& file, const std::string& why)
{
    return Error { "cannot open '" + file.string() + "' as a capsule of kymo export: " + why };
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

Result<json> readIndex(const fs::path& file, const model::TorchArchive& archive)
{
    if (!archive.has(kIndex))
        return broken(file, "it has no " + std::string(kIndex));
    const Result<std::string> text = archive.read(kIndex);
    if (!text)
        return text.error();
    json index = json::parse(*text, nullptr, false);
    const json version = index.is_object() ? index.value("kymo_capsule", json()) : json();
    if (!version.is_number_integer() || !index.value("checkpoint", json()).is_string()
        || !index.value("files", json()).is_object())
        return broken(file, std::string(kIndex) + " is damaged");
    if (version.get<int64_t>() > kVersion)
        return broken(file,
            "it was written by a newer Kymo (version " + version.dump()
                + "): update Kymo to read it");
    return index;
}

Status unpack(const fs::path& file, const model::TorchArchive& archive, const json& files,
    const fs::path& folder)
{
    uint64_t total = 0;
    for (const auto& [name, description] : files.items()) {
        if (!isFileOfRun(name))
            return broken(file, "it names " + inQuotes(name) + ", which is no file of a run");
        const Result<std::string> bytes = archive.read(name);
        if (!bytes)
            return bytes.error();
        total += bytes->size();
        if (describe(*bytes) != description || total > archive.fileBytes())
            return broken(
                file, inQuotes(name) + " is not what was written: size or checksum differ");
        std::error_code problem;
        fs::create_directories((folder / name).parent_path(), problem);
        if (const Status written = writeFileAtomically(folder / name, *bytes); !written)
            return written;
    }
    return Done {};
}

} // namespace

Status writeCapsule(const run::RunFolder& run, const fs::path& checkpoint, const fs::path& out)
{
    const fs::path parent = out.has_parent_path() ? out.parent_path() : fs::path(".");
    const TemporaryFolder scratch(parent, ".kymo-export");
    if (scratch.path().empty() || !out.has_filename() || fs::is_directory(out))
        return Error { "cannot write '" + out.string() + "': "
            + (fs::is_directory(parent) ? "it is a folder, or its folder takes no files"
                                        : "there is no folder '" + parent.string() + "'") };
    const fs::path folder = scratch.path() / "run";
    const fs::path archive = scratch.path() / out.filename();
    if (const Status copied = copyRun(run, folder); !copied)
        return copied;
    if (const Status added = addMetrics(run, folder); !added)
        return added;
    const Result<std::string> name = addCheckpoint(checkpoint, folder);
    if (!name)
        return name.error();
    if (const Status written = writeArchive(archive, folder, *name); !written)
        return Error { "cannot write '" + out.string() + "': " + written.error().message };
    return publishFile(archive, out);
}

bool looksLikeCapsule(const fs::path& file)
{
    std::array<char, 2> begin {};
    std::ifstream(file, std::ios::binary).read(begin.data(), begin.size());
    return std::string_view(begin.data(), begin.size()) == "PK";
}

Result<Capsule> Capsule::open(const fs::path& file)
{
    const auto archive = model::TorchArchive::open(file);
    if (!archive)
        return broken(file, "it is no whole zip archive; copy it again");
    const Result<json> index = readIndex(file, *archive);
    if (!index)
        return index.error();
    auto folder = std::make_unique<TemporaryFolder>("", "kymo-capsule");
    if (folder->path().empty())
        return Error { "cannot unpack '" + file.string() + "': no temporary folder can be made" };
    if (const Status done = unpack(file, *archive, index->at("files"), folder->path()); !done)
        return done.error();
    Capsule capsule(std::move(folder), index->at("checkpoint").get<std::string>());
    if (!run::isRunFolder(capsule.run().path) || !isFileOfRun("checkpoints/" + capsule.m_checkpoint)
        || !fs::exists(capsule.checkpoint() / "manifest.json"))
        return broken(file, "it lacks plan.json or its checkpoint");
    return capsule;
}

} // namespace kymo::train
