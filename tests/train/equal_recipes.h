#pragma once

#include "core/base/file.h"

#include <QtGlobal>
#include <string>

namespace earwright::train {

/// A recipe of tests/cases/train/equal.
inline std::string recipeText(const std::string& name)
{
    const Result<std::string> text = readFile(EARWRIGHT_CASES_DIR "/train/equal/" + name + ".yaml");
    if (!text)
        qFatal("%s", text.error().message.c_str());
    return *text;
}

/// The text with `instead` in place of what must be in it.
inline std::string with(std::string text, const std::string& what, const std::string& instead)
{
    const size_t at = text.find(what);
    if (at == std::string::npos)
        qFatal("the recipe has no '%s'", what.c_str());
    return text.replace(at, what.size(), instead);
}

} // namespace earwright::train
