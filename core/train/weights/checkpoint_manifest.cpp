#include "core/train/weights/checkpoint_manifest.h"

#include "core/base/file.h"
#include "core/base/json_depth.h"
#include "core/base/text.h"

namespace earwright::train {

namespace fs = std::filesystem;
using nlohmann::json;

bool isWritten(const fs::path& path)
{
    std::error_code ignored;
    return fs::exists(path / "manifest.json", ignored);
}

Result<json> readCheckpointManifest(const fs::path& path)
{
    const Result<std::string> text = readFile(path / "manifest.json");
    if (!text)
        return Error { "checkpoint " + path.string()
            + " is not complete: it has no manifest.json" };
    const json manifest = parseShallow<json>(*text);
    const auto has = [&](const char* key, auto isOfType) {
        return manifest.is_object() && manifest.contains(key) && isOfType(manifest.at(key));
    };
    const auto isMapping = [](const json& value) { return value.is_object(); };
    if (!has("version", [](const json& value) { return value.is_number_integer(); }))
        return damagedManifest(path);
    if (manifest.at("version").get<int>() > kCheckpointVersion)
        return Error { "checkpoint " + path.string() + " was written by a newer Earwright (version "
            + std::to_string(manifest.at("version").get<int>())
            + "): update Earwright to read it" };
    if (!has("files", isMapping) || !has("progress", isMapping))
        return damagedManifest(path);
    return manifest;
}

Result<json> describeFile(const fs::path& file)
{
    const Result<std::string> bytes = readFile(file);
    if (!bytes)
        return bytes.error();
    return json { { "bytes", bytes->size() }, { "sha256", sha256Hex(*bytes) } };
}

Status verifyFiles(const fs::path& path, const json& manifest)
{
    for (const char* name : kCheckpointFiles) {
        const Result<json> found = describeFile(path / name);
        if (!found)
            return found.error();
        if (*found != manifest.at("files").value(name, json()))
            return Error { "checkpoint file " + (path / name).string()
                + " is not what was written: its size or checksum differs" };
    }
    return Done {};
}

json weightsOf(const json& manifest)
{
    return manifest.value("files", json::object()).value(kCheckpointFiles[0], json());
}

Error damagedManifest(const fs::path& path)
{
    return Error { "checkpoint " + path.string() + ": manifest.json is damaged" };
}

} // namespace earwright::train
