#include "tests/model/parity/runners.h"

#include "core/model/fbank.h"
#include "core/model/input_normalization.h"
#include "core/model/layer_set.h"

namespace earwright::tests {

namespace {

template <class LayerType>
std::shared_ptr<LayerType> build(const Case& test)
{
    std::vector<recipe::Diagnostic> diagnostics;
    const recipe::NodePtr node
        = constructorNode(test.json.at("upstream").get<std::string>(), test.json.at("constructor"));
    const auto layer
        = std::dynamic_pointer_cast<LayerType>(model::LayerSet(diagnostics).get(*node));
    TORCH_CHECK(
        layer != nullptr, "not built: ", diagnostics.empty() ? "" : diagnostics.front().message);
    return layer;
}

void runFbank(const Case& test, Comparison& compare)
{
    const auto fbank = build<model::Fbank>(test);
    fbank->eval();
    const torch::Tensor wav = test.tensor("in.wav").clone().set_requires_grad(true);
    compareCall(test, { { "feats", fbank->forward(wav) } }, nullptr, { { "wav", wav } }, compare);
}

void compareStatistics(const model::InputNormalization& norm, const Case& test,
    const std::string& number, Comparison& compare)
{
    const auto state = norm.state();
    for (const char* name : { "glob_mean", "glob_std" })
        compare.tensors(name + number, state.at(name), test.tensor("out." + (name + number)),
            test.tolerance("out"));
}

/// What a checkpoint keeps, under upstream's names.
void compareSavedState(const model::InputNormalization& norm, const Case& test, Comparison& compare)
{
    const auto state = norm.state();
    const Finding saved = test.finding("saved_state (torch.save dict)");
    compare.equal("saved parts", state.size(), saved.size());
    for (const Finding& part : saved.items()) {
        const torch::Tensor value = state.at(part.key());
        if (part.at(0).as<std::string>() == "int")
            compare.values(part.key(), value.item<double>(), part.at(1).number(), {});
        else
            compare.equal(part.key() + "'s shape", value.sizes().vec(), part.at(1).whole());
    }
}

void compareRestored(model::InputNormalization& norm, const Case& test, const std::string& number,
    Comparison& compare)
{
    const torch::Tensor& x = test.tensor("in.x" + number);
    const torch::Tensor& lengths = test.tensor("in.lengths" + number);
    const auto restored = build<model::InputNormalization>(test);
    restored->restore(norm.state());
    restored->eval();
    norm.eval();
    compare.tensors(
        "restored" + number, restored->forward(x, lengths), norm.forward(x, lengths), {});
}

/// Several calls of one object: statistics learned over batches, frozen in evaluation and after
/// update_until_epoch.
void runNormalizationSequence(const Case& test, Comparison& compare)
{
    const auto norm = build<model::InputNormalization>(test);
    for (const Finding& step : test.finding("steps").items()) {
        const std::string number = step.at("call").whole().dump();
        norm->train(step.at("mode").as<std::string>() == "train");
        norm->setEpoch(step.at("epoch").as<int64_t>());
        const torch::Tensor y
            = norm->forward(test.tensor("in.x" + number), test.tensor("in.lengths" + number));
        compare.tensors("y" + number, y, test.tensor("out.y" + number), test.tolerance("out"));
        compare.values("count" + number, norm->state().at("count").item<double>(),
            step.at("count_after").number(), {});
        compareStatistics(*norm, test, number, compare);
        compareRestored(*norm, test, number, compare);
    }
    compareSavedState(*norm, test, compare);
}

void runNormalization(const Case& test, Comparison& compare)
{
    if (test.json.contains("steps")) {
        runNormalizationSequence(test, compare);
        return;
    }
    const auto norm = build<model::InputNormalization>(test);
    norm->train(test.json.at("mode") == "train");
    const torch::Tensor x = test.tensor("in.x").clone().set_requires_grad(true);
    compareCall(test, { { "y", norm->forward(x, test.tensor("in.lengths")) } }, nullptr,
        { { "x", x } }, compare);
}

} // namespace

Runners featureRunners()
{
    return {
        { "speechbrain.lobes.features.Fbank", runFbank },
        { "speechbrain.processing.features.InputNormalization", runNormalization },
    };
}

} // namespace earwright::tests
