#pragma once

#include "core/recipe/node.h"
#include "core/run/capsule.h"

#include <memory>

namespace kymo::train {

/// A recipe as its labels are looked for beside `init_param` (data/encoder_recipe.h), which names
/// one path there: of several, whose later weights count, the last that has labels beside it, and
/// of a capsule the run in it, unpacked for as long as this lives. What cannot be opened stays, for
/// who reads the weights to say so.
class StartingRecipe final {
public:
    explicit StartingRecipe(const recipe::Node& recipe);

    const recipe::NodePtr& recipe() const { return m_recipe; }

private:
    std::string unpacked(const std::string& path);

    recipe::NodePtr m_recipe;
    std::unique_ptr<run::Capsule> m_capsule;
};

} // namespace kymo::train
