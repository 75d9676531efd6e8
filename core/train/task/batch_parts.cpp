#include "core/train/task/batch_parts.h"

#include "core/base/text.h"

#include <algorithm>
#include <cmath>

namespace earwright::train {

namespace {

std::string seconds(double samples, int sampleRateHz)
{
    return formatDouble(std::round(samples / sampleRateHz * 100) / 100) + " s";
}

int64_t massOf(int64_t utterances, int64_t tokens, LossUnit unit)
{
    return unit == LossUnit::Tokens ? tokens : utterances;
}

torch::Tensor widened(const torch::Tensor& x_BT, int64_t width)
{
    const torch::Tensor wide = torch::constant_pad_nd(x_BT, { 0, width - x_BT.size(1) });
    return x_BT.is_pinned() ? wide.pin_memory() : wide;
}

/// countsOf() relative to another width: to the bit what the loader gives a batch of that width.
torch::Tensor rescaled(const torch::Tensor& lengths_B, int64_t from, int64_t to)
{
    const torch::Tensor scaled_B = (countsOf(lengths_B, from) / to).to(torch::kFloat32);
    return lengths_B.is_pinned() ? scaled_B.pin_memory() : scaled_B;
}

void padTo(torch::Tensor& x_BT, torch::Tensor& lengths_B, int64_t width)
{
    if (x_BT.size(1) == width)
        return;
    lengths_B = rescaled(lengths_B, x_BT.size(1), width);
    x_BT = widened(x_BT, width);
}

// By hand, as ATen has no comparison that might not be a read of the device.

/// 0 … count - 1
bool countsUp(const torch::Tensor& rows_B, int64_t count)
{
    const int64_t* const rows = rows_B.data_ptr<int64_t>();
    bool isSo = rows_B.numel() == count;
    for (int64_t i = 0; isSo && i < count; ++i)
        isSo = rows[i] == i;
    return isSo;
}

bool areEqual(const torch::Tensor& one_B, const torch::Tensor& other_B)
{
    const torch::Tensor a = one_B.to(torch::kFloat64).contiguous();
    const torch::Tensor b = other_B.to(torch::kFloat64).contiguous();
    return std::equal(a.data_ptr<double>(), a.data_ptr<double>() + a.numel(), b.data_ptr<double>(),
        b.data_ptr<double>() + b.numel());
}

/// All but the waves and their lengths.
data::Batch rowsOf(const data::Batch& batch, const torch::Tensor& rows_B)
{
    const auto pick = [&](auto& list) {
        std::decay_t<decltype(list)> picked;
        for (int64_t i = 0; !list.empty() && i < rows_B.size(0); ++i)
            picked.push_back(list[static_cast<size_t>(rows_B[i].item<int64_t>())]);
        list = std::move(picked);
    };
    data::Batch result = batch;
    pick(result.ids);
    pick(result.texts);
    pick(result.labels);
    pick(result.indices);
    pick(result.hotwordSpans);
    result.tokens_BL = batch.tokens_BL.index_select(0, rows_B);
    result.tokenLens_B = batch.tokenLens_B.index_select(0, rows_B);
    result.tokens = countsOf(result.tokenLens_B, result.tokens_BL.size(1))
                        .sum()
                        .to(torch::kLong)
                        .item<int64_t>();
    const data::RowsMade before = batch.made.value_or(
        data::RowsMade { .givenRows = std::ssize(batch.ids), .givenTokens = batch.tokens });
    result.made = { .givenRows = before.givenRows,
        .givenTokens = before.givenTokens,
        .rows = std::ssize(result.ids),
        .tokens = result.tokens };
    return result;
}

} // namespace

torch::Tensor countsOf(const torch::Tensor& lengths_B, int64_t width)
{
    return (lengths_B.to(torch::kFloat64) * width).round();
}

std::vector<double> sharesOf(
    const std::vector<data::Batch>& microBatches, LossUnit unit, int64_t ranks)
{
    int64_t total = 0;
    for (const data::Batch& batch : microBatches)
        total += massOf(batch.wholeSize, batch.wholeTokens, unit);
    std::vector<double> shares;
    for (const data::Batch& batch : microBatches) {
        const auto mass = static_cast<double>(massOf(std::ssize(batch.ids), batch.tokens, unit));
        const double share
            = unit == LossUnit::Sum ? 1 : mass / static_cast<double>(std::max<int64_t>(total, 1));
        shares.push_back(batch.wholeSize < ranks ? share / static_cast<double>(ranks) : share);
    }
    return shares;
}

std::vector<data::Batch> cut(const data::Batch& batch, int64_t count)
{
    const int64_t rows = std::ssize(batch.ids);
    const torch::Tensor tokens_B = countsOf(batch.tokenLens_B, batch.tokens_BL.size(1));
    std::vector<data::Batch> parts;
    for (int64_t part = 0; part < std::min(count, rows); ++part) {
        const int64_t from = part * rows / std::min(count, rows);
        const int64_t to = (part + 1) * rows / std::min(count, rows);
        const auto of = [&](const auto& list) {
            if (list.empty()) // what nobody asked for
                return list;
            return std::decay_t<decltype(list)>(list.begin() + from, list.begin() + to);
        };
        parts.push_back({ .wavs_BT = batch.wavs_BT.slice(0, from, to),
            .wavLens_B = batch.wavLens_B.slice(0, from, to),
            .tokens_BL = batch.tokens_BL.slice(0, from, to),
            .tokenLens_B = batch.tokenLens_B.slice(0, from, to),
            .ids = of(batch.ids),
            .texts = of(batch.texts),
            .labels = of(batch.labels),
            .indices = of(batch.indices),
            .audioSeconds = batch.audioSeconds
                * (batch.wavLens_B.slice(0, from, to).sum() / batch.wavLens_B.sum()).item<double>(),
            .tokens = static_cast<int64_t>(tokens_B.slice(0, from, to).sum().item<double>()),
            .wholeSize = batch.wholeSize,
            .wholeTokens = batch.wholeTokens,
            .wholeRows = batch.wholeRows,
            .stepSize = batch.stepSize,
            .stepTokens = batch.stepTokens,
            .made = batch.made,
            .hotwords = batch.hotwords,
            .hotwordSpans = of(batch.hotwordSpans) });
    }
    return parts;
}

data::Batch remade(const data::Batch& batch, const torch::Tensor& rows_B,
    const torch::Tensor& lengths_B, int64_t samples)
{
    const bool areSameRows = !rows_B.defined() || countsUp(rows_B, std::ssize(batch.ids));
    if (areSameRows && samples == batch.wavs_BT.size(1) && areEqual(lengths_B, batch.wavLens_B))
        return batch;
    data::Batch result = areSameRows ? batch : rowsOf(batch, rows_B);
    result.audioSeconds *= (lengths_B.sum() * samples).item<double>()
        / (batch.wavLens_B.sum() * batch.wavs_BT.size(1)).item<double>();
    result.wavLens_B = lengths_B;
    result.wholeRows.clear();
    result.wavs_BT = torch::empty(
        { lengths_B.size(0), samples }, torch::TensorOptions(at::kMeta).dtype(torch::kFloat32));
    return result;
}

double shareIn(const data::Batch& batch, const data::Batch& part, LossUnit unit)
{
    if (unit == LossUnit::Sum)
        return 1;
    return static_cast<double>(massOf(std::ssize(part.ids), part.tokens, unit))
        / static_cast<double>(
            std::max<int64_t>(massOf(std::ssize(batch.ids), batch.tokens, unit), 1));
}

void joinToStep(std::vector<data::Batch>& microBatches)
{
    int64_t rows = 0;
    int64_t tokens = 0;
    for (const data::Batch& batch : microBatches) {
        rows += batch.wholeSize;
        tokens += batch.wholeTokens;
    }
    for (data::Batch& batch : microBatches) {
        batch.stepSize = rows;
        batch.stepTokens = tokens;
    }
}

void padAlike(std::vector<data::Batch>& microBatches)
{
    int64_t samples = 0;
    int64_t tokens = 0;
    for (const data::Batch& batch : microBatches) {
        samples = std::max(samples, batch.wavs_BT.size(1));
        tokens = std::max(tokens, batch.tokens_BL.size(1));
    }
    for (data::Batch& batch : microBatches) {
        padTo(batch.wavs_BT, batch.wavLens_B, samples);
        padTo(batch.tokens_BL, batch.tokenLens_B, tokens);
    }
}

std::string longestOf(const data::Batch& batch, int sampleRateHz)
{
    const int64_t row = batch.wavLens_B.argmax().item<int64_t>();
    const auto width = static_cast<double>(batch.wavs_BT.size(1));
    const double own = batch.wavLens_B[row].item<double>() * width;
    const std::string padded
        = std::round(own) < width ? ", padded to " + seconds(width, sampleRateHz) : "";
    return "utterance '" + batch.ids[static_cast<size_t>(row)] + "' of "
        + seconds(own, sampleRateHz) + padded;
}

} // namespace earwright::train
