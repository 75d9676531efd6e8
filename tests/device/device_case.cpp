#include "tests/device/device_case.h"

#include "core/precision/precision.h"
#include "core/recipe/parse.h"
#include "core/recipe/resolve.h"
#include "core/train/optim/optimizer.h"
#include "tests/train/equal_recipes.h"

#include <torch/utils.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace earwright::tests {

namespace {

const std::vector<std::string> kTexts { "ABC", "D", "FEDCB", "AB", "CCD" };
constexpr int64_t kSamples = 8000;
constexpr int64_t kLongestText = 5;

using Encoder = std::shared_ptr<const data::TextEncoder>;

/// Of `task: ctc` without sentence marks, which its output has no place for.
Encoder encoderOf(const std::string& task)
{
    return std::make_shared<const data::TextEncoder>(task == "ctc"
            ? data::TextEncoder::fromTexts({ "ABCDEF" }, 0)
            : data::TextEncoder::fromTexts(
                { "ABCDEF" }, settings::SpecialLabels { .blank = 0, .bos = 1, .eos = 2 }));
}

/// Noises of several lengths; two of them have a hotword.
data::Batch batchOf(const data::TextEncoder& encoder)
{
    const auto rows = std::ssize(kTexts);
    torch::manual_seed(11);
    data::Batch batch;
    batch.wavs_BT = torch::randn({ rows, kSamples }, torch::kFloat) * 0.1;
    batch.wavLens_B = torch::tensor({ 0.7F, 0.5F, 1.F, 0.55F, 0.9F });
    batch.tokens_BL = torch::zeros({ rows, kLongestText }, torch::kLong);
    batch.tokenLens_B = torch::zeros({ rows }, torch::kFloat);
    for (int64_t row = 0; row < rows; ++row) {
        const auto tokens = *encoder.encode(kTexts[static_cast<size_t>(row)]);
        for (size_t i = 0; i < tokens.size(); ++i)
            batch.tokens_BL[row][static_cast<int64_t>(i)] = tokens[i];
        batch.tokenLens_B[row]
            = static_cast<float>(tokens.size()) / static_cast<float>(kLongestText);
        batch.tokens += std::ssize(tokens);
        batch.ids.push_back(std::to_string(row));
        batch.indices.push_back(row);
    }
    batch.texts = kTexts;
    batch.wholeSize = rows;
    batch.wholeTokens = batch.tokens;
    batch.hotwords = { *encoder.encode("BC"), *encoder.encode("EDC") };
    batch.hotwordSpans = { { { 1, 2 } }, {}, { { 1, 3 } }, {}, {} };
    return batch;
}

struct Parts {
    std::unique_ptr<train::Task> task;
    std::unique_ptr<torch::optim::Optimizer> optimizer;
    std::vector<torch::Tensor> parameters;
    data::Batch batch;
};

Parts partsOf(c10::Device device, const DeviceCase& what)
{
    torch::manual_seed(3);
    const recipe::Resolved resolved
        = recipe::resolve(train::with(what.recipe, "!PLACEHOLDER", "nowhere"), "device.yaml", {});
    if (!resolved.root)
        throw std::runtime_error("the recipe does not resolve");
    const Encoder encoder = encoderOf(recipe::asString(*recipe::find(*resolved.root, "task")));
    auto task = train::makeTask(*resolved.root, encoder, device, "reduction");
    if (!task)
        throw std::runtime_error(task.error().message);
    Parts parts { .task = std::move(*task), .batch = batchOf(*encoder) };
    parts.task->modules().to(device);
    parts.task->modules().train(true);
    if (what.change)
        what.change(*parts.task);
    for (const auto& [name, parameter] : parts.task->modules().parameters())
        parts.parameters.push_back(parameter);
    const auto node = recipe::parse("opt_class: !name:" + what.optimizer + "\n", "recipe.yaml");
    std::vector<recipe::Diagnostic> diagnostics;
    parts.optimizer = train::makeOptimizer(
        *recipe::find(*node.root, "opt_class"), parts.parameters, diagnostics);
    if (!parts.optimizer)
        throw std::runtime_error("no optimizer '" + what.optimizer + "'");
    parts.task->startEpoch(1);
    return parts;
}

void evaluate(Parts& parts, DevicePass& pass)
{
    const torch::NoGradGuard noGrad;
    parts.task->modules().train(false);
    for (const train::Stage stage : { train::Stage::Valid, train::Stage::Test }) {
        const train::TaskOutput output = parts.task->run(parts.batch, stage);
        pass.losses.push_back(output.loss.item<double>());
        pass.texts.insert(pass.texts.end(), output.hypotheses.begin(), output.hypotheses.end());
    }
}

} // namespace

DevicePass passOn(c10::Device device, const DeviceCase& what)
{
    constexpr double kMaxGradNorm = 5;
    constexpr uint64_t kSeed = 17;
    Parts parts = partsOf(device, what);
    precision::Precision precision(
        precision::Type::Fp32, precision::Type::Fp32, device, /*scaleLoss=*/true);
    DevicePass pass;
    for (uint64_t step = 0; step < 2; ++step) {
        torch::manual_seed(kSeed + step);
        takeDeviceLog();
        const torch::Tensor loss = parts.task->run(parts.batch, train::Stage::Train).loss;
        precision.backward(loss);
        precision.step(*parts.optimizer, kMaxGradNorm, true);
        pass.step = takeDeviceLog();
        for (torch::Tensor& parameter : parts.parameters)
            parameter.mutable_grad().reset();
        pass.losses.push_back(loss.item<double>());
    }
    evaluate(parts, pass);
    for (const auto& [name, weight] : parts.task->modules().weights())
        pass.weights[name] = weight.detach().cpu().clone();
    return pass;
}

WeightOff furthestWeight(const DevicePass& one, const DevicePass& other)
{
    constexpr double kLeast = 1e-6;
    WeightOff furthest;
    for (const auto& [name, weight] : one.weights) {
        const double off = (weight - other.weights.at(name)).abs().max().item<double>();
        const double relative = off / (kLeast + weight.abs().max().item<double>());
        if (!(relative <= furthest.off)) // NaN too
            furthest = { name, relative };
    }
    return furthest;
}

} // namespace earwright::tests
