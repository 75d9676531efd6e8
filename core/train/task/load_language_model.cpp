#include "core/train/task/load_language_model.h"

#include "core/model/layer_set.h"
#include "core/model/torch_file.h"
#include "core/recipe/resolve.h"
#include "core/train/task/unmatched.h"

#include <torch/utils.h>

namespace earwright::train {

namespace {

Result<std::shared_ptr<model::LanguageModel>> buildLanguageModel(const recipe::Node& object)
{
    std::vector<recipe::Diagnostic> diagnostics;
    auto layer = model::LayerSet(diagnostics).build(object);
    auto built = std::dynamic_pointer_cast<model::LanguageModel>(layer);
    if (built && !recipe::hasErrors(diagnostics))
        return built;
    return Error { "the language model cannot be built"
        + (diagnostics.empty() ? "" : ": " + diagnostics.front().message) };
}

/// Copies what both have; says what does not fit.
std::string copyWeights(model::LanguageModel& model, model::TensorFile file)
{
    const torch::NoGradGuard noGrad;
    Unmatched unmatched;
    for (const auto& parameter : model.named_parameters()) {
        const auto found = file.tensors.find(parameter.key());
        if (found == file.tensors.end()) {
            unmatched.missing.push_back(parameter.key());
            continue;
        }
        if (found->second.sizes() == parameter->sizes())
            parameter->copy_(found->second);
        else
            unmatched.misshapen.push_back(
                { parameter.key(), found->second.sizes().vec(), parameter->sizes().vec() });
        file.tensors.erase(found);
    }
    for (const auto& buffer : model.named_buffers())
        file.tensors.erase(buffer.key());
    if (const std::string lacking = describeLacking(unmatched); !lacking.empty())
        return lacking;
    return file.tensors.empty()
        ? ""
        : std::to_string(file.tensors.size()) + " of its weights have no place in the model, '"
            + file.tensors.begin()->first + "' the first";
}

} // namespace

Result<std::shared_ptr<model::LanguageModel>> LanguageModels::get(
    const recipe::Node& object, const std::filesystem::path& weights)
{
    const std::string key = weights.string() + "\n" + recipe::emitYaml(object);
    if (const auto found = m_loaded.find(key); found != m_loaded.end())
        return found->second;
    const auto built = buildLanguageModel(object);
    if (!built)
        return built;
    Result<model::TensorFile> file = model::readWeights(weights);
    if (!file)
        return file.error();
    const std::string misfit = copyWeights(**built, std::move(*file));
    if (!misfit.empty())
        return Error { "'" + weights.string() + "' does not fit the language model: " + misfit
            + "; its arguments must be those that it was trained with" };
    (*built)->eval();
    for (torch::Tensor& parameter : (*built)->parameters())
        parameter.set_requires_grad(false);
    m_loaded.emplace(key, *built);
    return *built;
}

} // namespace earwright::train
