#pragma once

#include "core/base/file.h"
#include "tests/parity_folder.h"

#include <QString>

#include <nlohmann/json.hpp>
#include <optional>

namespace earwright::tests {

/// A case's JSON, or nothing where the folder does not have it.
inline std::optional<nlohmann::ordered_json> parityCase(const QString& name)
{
    const Result<std::string> text = readFile(parityFolder() / (name.toStdString() + ".json"));
    if (!text)
        return std::nullopt;
    return nlohmann::ordered_json::parse(*text);
}

} // namespace earwright::tests
