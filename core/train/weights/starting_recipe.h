#pragma once

#include "core/base/temporary_folder.h"
#include "core/recipe/node.h"
#include "core/run/capsule.h"

#include <memory>

namespace earwright::train {

/// A recipe as its labels are looked for beside `init_param` (data/encoder_recipe.h), which names
/// one path there: of several, whose later weights count, the last that has labels beside it, and
/// of a capsule the run in it, unpacked for as long as this lives, and of weights of `earwright
/// export` a folder with the labels that they keep. What cannot be opened stays, for who reads the
/// weights to say so.
class StartingRecipe final {
public:
    explicit StartingRecipe(const recipe::Node& recipe);

    const recipe::NodePtr& recipe() const { return m_recipe; }
    /// A text that names what was unpacked, with the name that was given in its place.
    std::string asGiven(std::string text) const;

private:
    std::string unpacked(const std::string& path);
    std::string withLabels(const std::string& path);

    recipe::NodePtr m_recipe;
    std::string m_given, m_with; ///< a path, and the folder that stands for it
    std::unique_ptr<run::Capsule> m_capsule;
    std::unique_ptr<TemporaryFolder> m_labels;
};

} // namespace earwright::train
