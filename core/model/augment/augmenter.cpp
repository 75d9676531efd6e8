#include "core/model/augment/augmenter.h"

#include <algorithm>

namespace earwright::model {

namespace {

Augmented rowsOf(const Augmented& all, int64_t from, int64_t to)
{
    return { all.x.slice(0, from, to), all.lengths_B.slice(0, from, to),
        all.rows_B.slice(0, from, to) };
}

Augmented joined(const std::vector<Augmented>& parts)
{
    if (parts.size() == 1)
        return parts.front();
    int64_t longest = 0;
    for (const Augmented& part : parts)
        longest = std::max(longest, part.x.size(1));
    std::vector<torch::Tensor> x;
    std::vector<torch::Tensor> lengths;
    std::vector<torch::Tensor> rows;
    for (const Augmented& part : parts) {
        const int64_t width = part.x.size(1);
        std::vector<int64_t> padding(2 * static_cast<size_t>(part.x.dim() - 1), 0);
        padding.back() = longest - width; // the last pair is dimension 1's
        x.push_back(torch::constant_pad_nd(part.x, padding));
        lengths.push_back(
            part.lengths_B * (static_cast<double>(width) / static_cast<double>(longest)));
        rows.push_back(part.rows_B);
    }
    return { torch::cat(x), torch::cat(lengths), torch::cat(rows) };
}

} // namespace

Augmenter::Augmenter(const catalog::AugmenterConfig& config, Parts parts, int64_t numSwitchedOff)
    : m_config(config)
    , m_parts(std::move(parts))
{
    const int64_t count = std::ssize(m_parts) + numSwitchedOff;
    m_fewest = std::clamp<int64_t>(config.minAugmentations.value_or(1), 0, count);
    m_most = std::max(m_fewest, std::min<int64_t>(config.maxAugmentations.value_or(count), count));
}

/// The first so many, or as many of any.
std::vector<Augmentation*> Augmenter::choose(RandomSource& random) const
{
    const int64_t count
        = std::min<int64_t>(random.integer(m_fewest, m_most + 1), std::ssize(m_parts));
    torch::Tensor order = torch::arange(std::ssize(m_parts));
    if (count > 0 && m_config.shuffleAugmentations)
        order = random.permutation(std::ssize(m_parts));
    std::vector<Augmentation*> chosen;
    for (int64_t i = 0; i < count; ++i)
        chosen.push_back(m_parts[static_cast<size_t>(order[i].item<int64_t>())].get());
    return chosen;
}

Augmented Augmenter::augment(
    const Augmented& given, const std::vector<Augmentation*>& chosen, RandomSource& random) const
{
    Augmented next = given;
    std::vector<Augmented> alone;
    const int64_t rows = given.x.size(0);
    const auto count = std::ssize(chosen);
    for (int64_t i = 0; i < count; ++i) {
        const bool isShared = m_config.parallelAugment && m_config.parallelAugmentFixedBs;
        const Augmented input
            = isShared ? rowsOf(given, i * rows / count, (i + 1) * rows / count) : next;
        if (input.x.size(0) == 0)
            continue;
        Augmented output = chosen[static_cast<size_t>(i)]->apply(input.x, input.lengths_B, random);
        output.rows_B
            = output.rows_B.defined() ? input.rows_B.index_select(0, output.rows_B) : input.rows_B;
        if (m_config.parallelAugment)
            alone.push_back(std::move(output));
        else
            next = std::move(output);
    }
    return m_config.parallelAugment ? joined(alone) : next;
}

Augmented Augmenter::apply(
    const torch::Tensor& x, const torch::Tensor& lengths_B, RandomSource& random)
{
    const int64_t rows = x.size(0);
    const Augmented original { x, lengths_B, torch::arange(rows) };
    const bool isLeft
        = m_config.augmentProb < 1 && random.uniform({ 1 }).item<double>() > m_config.augmentProb;
    if (isLeft || m_config.augmentStartIndex >= rows)
        return original;
    const std::vector<Augmentation*> chosen = choose(random);
    if (chosen.empty() || m_config.repeatAugment == 0)
        return original;
    const Augmented given
        = rowsOf(original, m_config.augmentStartIndex, m_config.augmentEndIndex.value_or(rows));
    if (given.x.size(0) == 0)
        return original;
    std::vector<Augmented> outputs;
    if (m_config.concatOriginal && m_config.concatStartIndex < rows)
        outputs.push_back(
            rowsOf(original, m_config.concatStartIndex, m_config.concatEndIndex.value_or(rows)));
    for (int64_t i = 0; i < m_config.repeatAugment; ++i)
        outputs.push_back(augment(given, chosen, random));
    return joined(outputs);
}

} // namespace earwright::model
