#include "tests/model/parity/runners.h"

#include "core/model/fbank.h"
#include "core/model/input_normalization.h"

namespace kymo::test {

namespace {

template <class LayerType>
std::shared_ptr<LayerType> build(const Case& test)
{
    std::vector<recipe::Diagnostic> diagnostics;
    const recipe::NodePtr node
        = constructorNode(test.json.at("upstream").get<std::string>(), test.json.at("constructor"));
    const auto layer = std::dynamic_pointer_cast<LayerType>(model::makeLayer(*node, diagnostics));
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

/// Several calls of one object: statistics learned over batches, frozen in evaluation and after
/// update_until_epoch.
void runNormalizationSequence(const Case& test, Comparison& compare)
{
    const auto norm = build<model::InputNormalization>(test);
    std::shared_ptr<model::InputNormalization> restored;
    for (const Json& step : test.json.at("steps")) {
        const std::string number = std::to_string(step.at("call").get<int>());
        norm->train(step.at("mode") == "train");
        norm->setEpoch(step.at("epoch").get<int64_t>());
        const torch::Tensor& x = test.tensor("in.x" + number);
        const torch::Tensor& lengths = test.tensor("in.lengths" + number);
        const torch::Tensor y = norm->forward(x, lengths);
        compare.tensors("y" + number, y, test.tensor("out.y" + number), test.tolerance("out"));
        const auto state = norm->state();
        compare.values("count" + number, state.at("count").item<double>(),
            step.at("count_after").get<double>(), {});
        compare.tensors("glob_mean" + number, state.at("glob_mean"),
            test.tensor("out.glob_mean" + number), test.tolerance("out"));
        compare.tensors("glob_std" + number, state.at("glob_std"),
            test.tensor("out.glob_std" + number), test.tolerance("out"));

        restored = build<model::InputNormalization>(test);
        restored->restore(state);
        restored->eval();
        norm->eval();
        compare.tensors(
            "restored" + number, restored->forward(x, lengths), norm->forward(x, lengths), {});
    }
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

} // namespace kymo::test
