#pragma once

#include "core/recipe/node.h"

#include <filesystem>
#include <string>

namespace earwright::settings {

/// Where a language model's weights are read from.
struct LanguageModelFile {
    std::filesystem::path path; ///< "" where `problem` says why, or the recipe leaves it open
    std::string problem; ///< why none is named, and what to write
    recipe::NodePtr place; ///< the scalar that names the file; null where there is none
    std::string key {}; ///< the scalar's: "pretrainer.paths.lm"
};

/// As SpeechBrain's Pretrainer says: the name under which its `loadables` have the object, and the
/// file that its `paths` give for that name. Whether the file is here is not looked at.
LanguageModelFile languageModelFile(const recipe::Node& root, const recipe::NodePtr& model);

} // namespace earwright::settings
