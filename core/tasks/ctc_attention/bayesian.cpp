#include "core/tasks/ctc_attention/bayesian.h"

#include "core/base/text.h"
#include "core/catalog/argument_value.h"
#include "core/recipe/value_at.h"
#include "core/settings/tree.h"

#include <algorithm>
#include <cmath>

namespace earwright::tasks::ctc_attention {

namespace {

constexpr settings::Reader kBayesianReader { "train::BayesianPasses" };

struct BayesianKey {
    const char* name;
    const char* must;
    const char* example;
    bool (*fits)(const recipe::Node& value);
};

bool isFinite(const recipe::Node& value)
{
    return std::isfinite(recipe::asDouble(value).value_or(NAN));
}

constexpr BayesianKey kBayesianKeys[] = {
    { "kl_div_weight", "a number of 0 or more", "0.000001",
        [](const recipe::Node& value) {
            return isFinite(value) && *recipe::asDouble(value) >= 0;
        } },
    { "normal_prior_log_scale", "a number", "-1.0", isFinite },
    { "normal_posterior_softplus_inv_scale", "a number", "-5.0", isFinite },
    { "num_eval_mc_samples", "a whole number of 1 or more", "10",
        [](const recipe::Node& value) { return recipe::asInt(value).value_or(0) >= 1; } },
};

/// The first of the keys that the recipe has.
const recipe::Entry* firstKey(const recipe::Node& recipe)
{
    for (const BayesianKey& key : kBayesianKeys)
        if (const recipe::Entry* entry = settings::findEntry(recipe, key.name))
            return entry;
    return nullptr;
}

/// Upstream's script averages the layers beside the Transformer alone.
void tellOfAverage(const recipe::Node& recipe, settings::Diagnostics& found)
{
    const recipe::Entry* average = settings::findEntry(recipe, "avg_checkpoints");
    if (average && recipe::asInt(*average->value).value_or(1) > 1)
        settings::report(found, recipe::Severity::Info, "option-conflict",
            "the mean of the checkpoints takes in the Transformer, means and scales of its drawn "
            "weights too; upstream's script leaves it as the best checkpoint has it",
            average->key->span);
}

} // namespace

const std::vector<settings::KnownKey>& bayesianKeys()
{
    static const std::vector<settings::KnownKey> keys {
        { "kl_div_weight", kBayesianReader, "a number of 0 or more",
            "what the divergence of the drawn weights counts in the loss" },
        { "normal_prior_log_scale", kBayesianReader, "a number",
            "the logarithm of the scale that drawn weights are held to" },
        { "normal_posterior_softplus_inv_scale", kBayesianReader, "a number",
            "weights are drawn with the softplus of it as scale at first" },
        { "num_eval_mc_samples", kBayesianReader, "a whole number of 1 or more",
            "passes whose mean validation and test take, each with weights of its own" },
    };
    return keys;
}

std::optional<Bayesian> bayesianOf(const recipe::Node& recipe)
{
    if (!firstKey(recipe))
        return std::nullopt;
    Bayesian read;
    read.klWeight = recipe::doubleAt(recipe, "kl_div_weight", read.klWeight);
    read.priorLogScale = recipe::doubleAt(recipe, "normal_prior_log_scale", read.priorLogScale);
    read.softplusInvScale
        = recipe::doubleAt(recipe, "normal_posterior_softplus_inv_scale", read.softplusInvScale);
    read.evalSamples
        = std::max<int64_t>(1, recipe::intAt(recipe, "num_eval_mc_samples", read.evalSamples));
    return read;
}

void checkBayesian(const Checked& recipe, settings::Diagnostics& found)
{
    const recipe::Entry* first = firstKey(recipe.root);
    if (!first)
        return;
    for (const BayesianKey& key : kBayesianKeys) {
        const recipe::Entry* entry = settings::findEntry(recipe.root, key.name);
        if (!entry)
            settings::report(found, recipe::Severity::Error, "task-missing",
                inQuotes(first->key->text) + " is of weights that are drawn, which need "
                    + inQuotes(key.name) + " too: add it, " + key.must + " such as " + key.example,
                first->key->span);
        else if (!catalog::isUndetermined(*entry->value) && !key.fits(*entry->value))
            settings::report(found, recipe::Severity::Error, "argument-range",
                std::string(key.name) + " must be " + key.must + ", not "
                    + catalog::describe(*entry->value),
                entry->value->span);
    }
    tellOfAverage(recipe.root, found);
}

} // namespace earwright::tasks::ctc_attention
