#pragma once

#include "core/recipe/resolve.h"
#include "core/tasks/paraformer/task.h"
#include "tests/train/equal_recipes.h"

#include <QtGlobal>

namespace earwright::train {

inline const std::vector<std::string> kTexts { "ABC", "D", "FEDCB", "AB", "CCD" };
constexpr int64_t kSamples = 4000;

inline std::shared_ptr<const data::TextEncoder> encoder()
{
    return std::make_shared<const data::TextEncoder>(data::TextEncoder::fromTexts(
        { "ABCDEF" }, settings::SpecialLabels { .blank = 0, .bos = 1, .eos = 2 }));
}

inline Result<std::unique_ptr<Task>> made(const std::string& text,
    const std::string& lossWeighting = "reduction", c10::Device device = torch::kCPU)
{
    torch::manual_seed(3);
    const recipe::Resolved resolved
        = recipe::resolve(with(text, "!PLACEHOLDER", "nowhere"), "equal.yaml", {});
    return makeTask(*resolved.root, encoder(), device, lossWeighting);
}

inline std::unique_ptr<Task> taskOf(const std::string& text,
    const std::string& lossWeighting = "reduction", c10::Device device = torch::kCPU)
{
    Result<std::unique_ptr<Task>> task = made(text, lossWeighting, device);
    if (!task)
        qFatal("%s", task.error().message.c_str());
    (*task)->modules().to(device);
    (*task)->modules().train(true);
    return std::move(*task);
}

/// Noises of several lengths with kTexts; two of them have a hotword.
inline data::Batch batchOf()
{
    const auto rows = std::ssize(kTexts);
    torch::manual_seed(11);
    data::Batch batch;
    batch.wavs_BT = torch::randn({ rows, kSamples }, torch::kFloat) * 0.1;
    batch.wavLens_B = torch::tensor({ 0.7F, 0.5F, 1.F, 0.55F, 0.9F });
    batch.tokens_BL = torch::zeros({ rows, 5 }, torch::kLong);
    batch.tokenLens_B = torch::zeros({ rows }, torch::kFloat);
    for (int64_t row = 0; row < rows; ++row) {
        const auto tokens = *encoder()->encode(kTexts[static_cast<size_t>(row)]);
        for (size_t i = 0; i < tokens.size(); ++i)
            batch.tokens_BL[row][static_cast<int64_t>(i)] = tokens[i];
        batch.tokenLens_B[row] = static_cast<float>(tokens.size()) / 5;
        batch.tokens += std::ssize(tokens);
        batch.ids.push_back(std::to_string(row));
        batch.indices.push_back(row);
    }
    batch.texts = kTexts;
    batch.wholeSize = rows;
    batch.wholeTokens = batch.tokens;
    batch.hotwords = { *encoder()->encode("BC"), *encoder()->encode("EDC") };
    batch.hotwordSpans = { { { 1, 2 } }, {}, { { 1, 3 } }, {}, {} };
    return batch;
}

inline torch::Tensor named(Task& task, const std::string& wanted)
{
    for (const auto& [name, parameter] : task.modules().parameters())
        if (name == wanted)
            return parameter;
    qFatal("no parameter '%s'", wanted.c_str());
}

} // namespace earwright::train
