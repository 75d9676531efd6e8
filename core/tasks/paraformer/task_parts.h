#pragma once

#include "core/catalog/read.h"
#include "core/model/adapters/adapted_model.h"
#include "core/train/module_set.h"
#include "core/train/task/batch_parts.h"
#include "core/train/task/loss_term.h"

namespace earwright::train {

// What a Paraformer's task and SeACo's do alike.

/// The fields of a config that a recipe has as keys of its own.
template <class Config>
Result<Config> configFrom(const recipe::Node& recipe)
{
    std::vector<recipe::Diagnostic> diagnostics;
    Config config = catalog::readKeys<Config>(recipe, diagnostics);
    if (recipe::hasErrors(diagnostics))
        return Error { diagnostics.front().message };
    return config;
}

template <class LayerType>
Status take(const ModuleSet& modules, const char* key, const char* className,
    std::shared_ptr<LayerType>& layer)
{
    layer = std::dynamic_pointer_cast<LayerType>(model::unwrapped(modules.find(key)));
    if (layer)
        return Done {};
    return Error { std::string("the task needs '") + key + "', a " + className
        + (modules.find(key) ? ": the recipe has another class there"
                             : ": the recipe does not define it") };
}

inline Status firstError(std::initializer_list<Status> statuses)
{
    for (const Status& status : statuses)
        if (!status)
            return status;
    return Done {};
}

/// `loss_weighting` says what a mean is over; "reduction" leaves it to the recipe's own key.
inline bool isByTokens(const std::string& lossWeighting, bool own)
{
    return lossWeighting == "reduction" ? own : lossWeighting == "tokens";
}

/// What the model sums over the rows, as a mean over tokens or over utterances.
inline LossTerm sumTerm(bool isByTokens, int64_t endTokens = 0)
{
    return { .reduction = "sum",
        .over = isByTokens ? LossUnit::Tokens : LossUnit::Utterances,
        .isMean = false,
        .endTokens = endTokens };
}

inline torch::Tensor tokenCounts(const data::Batch& batch)
{
    return countsOf(batch.tokenLens_B, batch.tokens_BL.size(1)).to(torch::kLong);
}

inline std::vector<int64_t> tokensOf(const data::Batch& batch, int64_t row, int64_t count)
{
    const int64_t* tokens = batch.tokens_BL[row].data_ptr<int64_t>();
    return { tokens, tokens + count };
}

} // namespace earwright::train
