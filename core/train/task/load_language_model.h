#pragma once

#include "core/base/result.h"
#include "core/model/language/language_model.h"
#include "core/recipe/node.h"

#include <filesystem>
#include <map>
#include <string>

namespace earwright::train {

/// The language models of a recipe's searches: each is built and loaded once. They are of no
/// ModuleSet: nothing trains them, and no checkpoint holds them.
class LanguageModels final {
public:
    /// The object with the weights of a file of torch.save or safetensors, in evaluation, on the
    /// CPU. Errors: a model that cannot be built, a file that cannot be read, weights that the
    /// model lacks, does not have or has in another shape. Tables that follow from the arguments
    /// (of positions) are not read.
    Result<std::shared_ptr<model::LanguageModel>> get(
        const recipe::Node& object, const std::filesystem::path& weights);

private:
    std::map<std::string, std::shared_ptr<model::LanguageModel>> m_loaded; ///< by object and file
};

} // namespace earwright::train
