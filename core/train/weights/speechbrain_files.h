#pragma once

#include "core/recipe/node.h"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace earwright::train {

/// A beginning of names in a file, and what stands there in `modules`.
struct Renaming {
    std::string from; ///< "0."; "" = all names
    std::string to; ///< "CNN."
};
using Renamings = std::vector<Renaming>;

/// What a name of a file is called in a checkpoint of Earwright.
std::string renamed(const std::string& name, const Renamings& renamings);

bool isNormalization(const recipe::Node& node); ///< speechbrain's InputNormalization

/// For a file NAME.ckpt that lies by itself: by the recoverable of that name, or else as the
/// recipe's torch.nn.ModuleList. Empty for other files, and where the recipe has no list.
Renamings renamingsOfFile(const std::filesystem::path& file, const recipe::Node& recipe);

/// Of a file that holds an object of the recipe; empty where it is nothing that `modules` has.
Renamings renamingsOf(const recipe::NodePtr& object, const recipe::Node& recipe);

/// What to read of a folder that SpeechBrain wrote, in this order: the files of the recoverables
/// that `modules` reaches and, where the list of layers is not among them, asr.ckpt, or the only
/// file that the recipe does not explain.
std::vector<std::pair<std::filesystem::path, Renamings>> speechbrainFiles(
    const std::filesystem::path& folder, const recipe::Node& recipe);

/// The files that a checkpoint of the recipe would have, for people.
std::vector<std::string> speechbrainNames(const recipe::Node& recipe);

} // namespace earwright::train
