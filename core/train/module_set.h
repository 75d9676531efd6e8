#pragma once

#include "core/base/result.h"
#include "core/model/layer.h"
#include "core/recipe/node.h"

#include <map>
#include <memory>
#include <string>
#include <torch/types.h>
#include <utility>
#include <vector>

namespace earwright::train {

/// "recipe.yaml:12: ", which begins an error of ModuleSet::build().
std::string atPlace(const recipe::Span& span);

/// The layers a recipe names, each object of the recipe built once.
class ModuleSet final {
public:
    /// Builds every entry of `modules` but null and what is no layer of the task
    /// (settings::isBesideLayers()), and, of `others`, the top-level keys that the recipe has.
    /// Errors carry the place in the recipe.
    static Result<ModuleSet> build(
        const recipe::Node& recipe, const std::vector<std::string>& others);

    /// The layer under a key of the recipe or of `modules`; null where there is none.
    std::shared_ptr<model::Layer> find(const std::string& key) const;
    /// Moves what `modules` reaches and, of the others, what has no parameters (features): the
    /// rest is left behind as upstream leaves it, for verifyPlacement() to find.
    void to(c10::Device device);
    void train(bool on);

    /// Trainable parameters under "<key of modules>.<upstream's name>", in the recipe's order; a
    /// shared object counts once.
    std::vector<std::pair<std::string, torch::Tensor>> parameters() const;
    /// All parameters, frozen ones too, in the same way: what a checkpoint holds.
    std::vector<std::pair<std::string, torch::Tensor>> weights() const;
    /// Buffers in the same way.
    std::vector<std::pair<std::string, torch::Tensor>> buffers() const;
    const std::vector<std::pair<std::string, std::shared_ptr<model::Layer>>>& modules() const
    {
        return m_modules;
    }

    /// Layers that the task uses although `modules` does not list them, by key.
    const std::map<std::string, std::shared_ptr<model::Layer>>& others() const { return m_others; }

private:
    ModuleSet() = default;
    std::vector<std::shared_ptr<model::Layer>> layers() const;

    std::vector<std::pair<std::string, std::shared_ptr<model::Layer>>>
        m_modules; ///< keys of `modules`
    std::map<std::string, std::shared_ptr<model::Layer>> m_others;
};

} // namespace earwright::train
