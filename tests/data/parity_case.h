#pragma once

#include "core/base/file.h"

#include <QString>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

namespace kymo::test {

/// Where upstream's recorded inputs and outputs are: KYMO_PARITY_DIR, else the selection kept with
/// the tests.
inline std::filesystem::path parityFolder()
{
    const char* folder = std::getenv("KYMO_PARITY_DIR");
    return folder != nullptr && *folder != 0 ? folder : KYMO_CASES_DIR "/parity";
}

/// A case's JSON, or nothing where the folder does not have it.
inline std::optional<nlohmann::ordered_json> parityCase(const QString& name)
{
    const Result<std::string> text = readFile(parityFolder() / (name.toStdString() + ".json"));
    if (!text)
        return std::nullopt;
    return nlohmann::ordered_json::parse(*text);
}

} // namespace kymo::test
