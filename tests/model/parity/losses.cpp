#include "tests/model/parity/runners.h"

#include "core/model/ctc_loss.h"
#include "core/model/label_loss.h"
#include "core/model/masks.h"

namespace earwright::tests {

namespace {

torch::Tensor logits(const Case& test)
{
    return test.tensor("in.logits").clone().set_requires_grad(true);
}

model::LabelLossOptions labelOptions(const Json& test)
{
    const Json& arguments = test.at("constructor");
    model::LabelLossOptions options;
    // The 2-d case names it in words, in its call.
    if (test.at("call").get<std::string>().find("batchmean") != std::string::npos)
        options.reduction = "batchmean";
    options.labelSmoothing = arguments.value("label_smoothing", options.labelSmoothing);
    options.allowedLenDiff = arguments.value("allowed_len_diff", options.allowedLenDiff);
    options.padIdx = arguments.value("pad_idx", options.padIdx);
    options.reduction = arguments.value("reduction", options.reduction);
    return options;
}

void runCtc(const Case& test, Comparison& compare)
{
    const Json& arguments = test.json.at("constructor");
    catalog::CtcLossConfig config;
    config.blankIndex = arguments.at("blank_index").get<int64_t>();
    config.reduction = arguments.at("reduction").get<std::string>();
    const torch::Tensor x = logits(test);
    const torch::Tensor& targets = test.tensor("in.targets");
    const torch::Tensor lengths = test.hostTensor("in.input_lens");
    const torch::Tensor targetLengths = test.hostTensor("in.target_lens");
    const torch::Tensor loss
        = model::ctcLoss(torch::log_softmax(x, -1), targets, lengths, targetLengths, config);
    compareCall(test, { { "loss", loss } }, nullptr, { { "logits", x } }, compare);

    compare.tensors("abs_input_lens", model::frameCounts(lengths, x.size(1)),
        test.tensor("out.abs_input_lens"), {});
    compare.tensors("abs_target_lens", model::frameCounts(targetLengths, targets.size(1)),
        test.tensor("out.abs_target_lens"), {});
    // A row that upstream's zero_infinity silenced is one whose gradient is exactly zero.
    const torch::Tensor silent = (test.tensor("grad.in.logits").abs().sum({ 1, 2 }) == 0);
    compare.check(
        "rows that teach nothing", torch::equal(x.grad().abs().sum({ 1, 2 }) == 0, silent));
}

void runLabelLoss(const Case& test, Comparison& compare, decltype(model::nllLoss)* function)
{
    const torch::Tensor x = logits(test);
    const torch::Tensor lengths
        = test.has("in.length") ? test.tensor("in.length") : torch::Tensor();
    const torch::Tensor loss = function(
        torch::log_softmax(x, -1), test.tensor("in.targets"), lengths, labelOptions(test.json));
    compareCall(test, { { "loss", loss } }, nullptr, { { "logits", x } }, compare);
}

} // namespace

Runners lossRunners()
{
    return {
        { "speechbrain.nnet.losses.ctc_loss", runCtc },
        { "speechbrain.nnet.losses.nll_loss",
            [](auto& test, auto& compare) { runLabelLoss(test, compare, model::nllLoss); } },
        { "speechbrain.nnet.losses.kldiv_loss",
            [](auto& test, auto& compare) { runLabelLoss(test, compare, model::kldivLoss); } },
    };
}

} // namespace earwright::tests
