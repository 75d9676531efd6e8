#include "tests/model/parity/runners.h"

#include "core/model/language/rnn_lm.h"
#include "core/model/language/transformer_lm.h"
#include "core/model/layer_set.h"

#include <torch/utils.h>

namespace earwright::tests {

namespace {

constexpr const char* kRnnLm = "speechbrain.lobes.models.RNNLM.RNNLM";
constexpr const char* kTransformerLm
    = "speechbrain.lobes.models.transformer.TransformerLM.TransformerLM";

/// Classes are written by their last names alone.
Json languageModelArguments(const Case& test)
{
    Json arguments = test.json.at("constructor");
    for (const auto& [key, prefix] : { std::pair { "rnn_class", "!name:speechbrain.nnet.RNN." },
             std::pair { "activation", "!name:torch.nn." } }) {
        if (arguments.contains(key) && !arguments.at(key).get<std::string>().starts_with("!name:"))
            arguments[key] = prefix + arguments.at(key).get<std::string>();
    }
    return arguments;
}

template <class Model>
std::shared_ptr<Model> languageModelOf(const char* className, const Case& test)
{
    std::vector<recipe::Diagnostic> diagnostics;
    const recipe::NodePtr node = constructorNode(className, languageModelArguments(test));
    const auto built = std::dynamic_pointer_cast<Model>(model::LayerSet(diagnostics).get(*node));
    TORCH_CHECK(built, diagnostics.empty() ? "not built" : diagnostics.front().message);
    loadState(*built, test);
    built->train(test.json.value("mode", "eval") == "train");
    return built;
}

/// Token by token as in one call.
void compareSteps(model::LanguageModel& model, const torch::Tensor& tokens_BT, Comparison& compare)
{
    const torch::NoGradGuard noGrad;
    model.eval();
    const torch::Tensor whole_BTV = model.forward(tokens_BT);
    const auto memory = model.startTexts();
    for (int64_t t = 0; t < tokens_BT.size(1); ++t)
        compare.tensors("step " + std::to_string(t), model.step(tokens_BT.select(1, t), *memory),
            whole_BTV.select(1, t), { 1e-5, 1e-5 });
}

void runTransformerLm(const Case& test, Comparison& compare)
{
    const auto model = languageModelOf<model::TransformerLm>(kTransformerLm, test);
    const torch::Tensor& tokens_BT = test.tensor("in.x");
    compareCall(test, { { "y", model->forward(tokens_BT) } }, model.get(), {}, compare);
    compareSteps(*model, tokens_BT, compare);
}

void runRnnLmSteps(const Case& test, Comparison& compare)
{
    const torch::NoGradGuard noGrad;
    const auto model = languageModelOf<model::RnnLm>(kRnnLm, test);
    model::RecurrentOutput state;
    const auto memory = model->startTexts();
    for (int64_t t = 0; test.has("out.step" + std::to_string(t)); ++t) {
        const std::string number = std::to_string(t);
        const torch::Tensor tokens_B = test.tensor("in.x").select(1, t);
        const Tolerance tolerance { 1e-5, 1e-5 };
        const torch::Tensor& expected = test.tensor("out.step" + number);
        state = model->forwardWithState(tokens_B.unsqueeze(1), state);
        compare.tensors("step" + number, state.output.squeeze(1), expected, tolerance);
        compare.tensors("h" + number, state.hidden, test.tensor("out.h" + number), tolerance);
        compare.tensors("c" + number, state.cell, test.tensor("out.c" + number), tolerance);
        compare.tensors(
            "searched step" + number, model->step(tokens_B, *memory), expected, tolerance);
    }
}

void runRnnLm(const Case& test, Comparison& compare)
{
    if (test.has("out.step0")) {
        runRnnLmSteps(test, compare);
        return;
    }
    const auto model = languageModelOf<model::RnnLm>(kRnnLm, test);
    const torch::Tensor& tokens_BT = test.tensor("in.x");
    const model::RecurrentOutput result = model->forwardWithState(tokens_BT, {});
    std::map<std::string, torch::Tensor> outputs { { "y", result.output }, { "h", result.hidden } };
    if (result.cell.defined())
        outputs["c"] = result.cell;
    compareCall(test, outputs, model.get(), {}, compare);
    compareSteps(*model, tokens_BT, compare);
}

} // namespace

Runners languageModelRunners()
{
    return { { kRnnLm, runRnnLm }, { kTransformerLm, runTransformerLm } };
}

} // namespace earwright::tests
