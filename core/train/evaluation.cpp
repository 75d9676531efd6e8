#include "core/train/evaluation.h"

#include "core/decode/text_scores.h"
#include "core/train/cpu_memory.h"
#include "core/train/memory/device_memory.h"
#include "core/train/task/too_short.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <torch/utils.h>

namespace earwright::train {

namespace {

using nlohmann::json;

/// What one rank found: [[index, hypothesis], …] and [[batch, loss], …].
struct Found {
    json hypotheses = json::array();
    json losses = json::array();
    bool interrupted = false;
};

/// In halves where it does not fit into memory; padding, and so what a row becomes, stays.
TaskOutput runFitting(
    Task& task, const data::Batch& batch, const torch::Tensor& features, Stage stage)
{
    try {
        return givingBack(features.device(), [&] { return task.run(batch, features, stage); });
    } catch (const c10::Error& error) {
        if (batch.ids.size() == 1 || !distributed::memoryShortage(error))
            throw;
    }
    releaseCached(features.device());
    TaskOutput all;
    int64_t row = 0;
    for (const data::Batch& half : cut(batch, 2)) {
        const int64_t rows = std::ssize(half.ids);
        TaskOutput output = runFitting(task, half, features.narrow(0, row, rows), stage);
        row += rows;
        output.loss = output.loss * shareIn(batch, half, task.lossUnit());
        all.loss = all.loss.defined() ? all.loss + output.loss : output.loss;
        std::move(
            output.hypotheses.begin(), output.hypotheses.end(), std::back_inserter(all.hypotheses));
    }
    return all;
}

/// A row is as much memory as the longest is wide: where one does not fit, that one is named. So
/// is it where even the longest is too short.
TaskOutput runBatch(Task& task, const data::Batch& batch, Stage stage, int sampleRateHz)
{
    try {
        return namingShort(batch, sampleRateHz,
            [&] { return runFitting(task, batch, task.features(batch, stage), stage); });
    } catch (const c10::Error& error) {
        const auto shortage = distributed::memoryShortage(error);
        if (!shortage)
            throw;
        throw std::runtime_error(longestOf(batch, sampleRateHz)
            + " does not fit into memory, alone either (" + shortage->cause
            + "): take it out of the manifest of this split or cut it");
    }
}

Result<Found> runBatches(Task& task, data::Loader& loader, Stage stage, int sampleRateHz,
    const precision::Precision& precision, const distributed::Group& group,
    const std::function<bool()>& goOn)
{
    Found found;
    for (int64_t index = group.rank();; index += group.size()) {
        Result<std::optional<data::Batch>> batch = loader.next();
        if (!batch)
            return batch.error();
        if (!*batch)
            return found;
        const auto cast = precision.evalAutocast();
        const WithinCpuLimit limited;
        const TaskOutput output = [&] {
            const distributed::Pulse::InModel inModel(group.pulse());
            return runBatch(task, **batch, stage, sampleRateHz);
        }();
        found.losses.push_back({ index, output.loss.item<double>() });
        for (size_t row = 0; row < output.hypotheses.size(); ++row)
            found.hypotheses.push_back({ (*batch)->indices[row], output.hypotheses[row] });
        if (!goOn()) {
            found.interrupted = true;
            return found;
        }
    }
}

/// All ranks' lists as one, ordered by their first member.
json merge(const std::vector<std::string>& parts)
{
    json all = json::array();
    for (const std::string& part : parts) {
        for (json& item : json::parse(part))
            all.push_back(std::move(item));
    }
    std::sort(all.begin(), all.end(),
        [](const json& a, const json& b) { return a[0].get<int64_t>() < b[0].get<int64_t>(); });
    return all;
}

/// What the task can write of them is what they are compared with.
std::shared_ptr<const std::vector<data::Utterance>> referencesOf(
    const Split& split, const data::TextEncoder& encoder)
{
    if (!encoder.hasSegDict())
        return split.utterances;
    auto references = std::make_shared<std::vector<data::Utterance>>(*split.utterances);
    for (data::Utterance& utterance : *references)
        utterance.text = encoder.asWritten(utterance.text);
    return references;
}

decode::TextScores scoresOf(const std::vector<Recognised>& recognised,
    const std::vector<data::Utterance>& utterances, decode::WordSplit wordSplit)
{
    std::vector<decode::TextPair> pairs;
    for (const auto& [index, text] : recognised)
        pairs.push_back({ utterances[index].id, utterances[index].text, text });
    return decode::scoreTexts(pairs, wordSplit);
}

Evaluation summarise(const json& hypotheses, const json& losses,
    const std::vector<data::Utterance>& utterances, const Split& split, Stage stage,
    bool withAlignments)
{
    Evaluation result;
    for (const json& item : hypotheses)
        result.recognised.push_back({ item[0].get<size_t>(), item[1] });
    const auto [byWord, byCharacter, hasWords]
        = scoresOf(result.recognised, utterances, split.wordSplit);
    result.rate = hasWords ? "WER" : "CER";
    result.wer = decode::summarise(byWord);
    result.cer = decode::summarise(byCharacter);
    if (withAlignments) {
        result.alignments = decode::alignmentText(hasWords ? byWord : byCharacter);
        result.characterAlignments = hasWords ? decode::alignmentText(byCharacter) : "";
    }
    if (stage == Stage::Test) {
        result.werInterval = hasWords ? decode::bootstrapInterval(byWord) : std::nullopt;
        result.cerInterval = decode::bootstrapInterval(byCharacter);
    }
    // NaN becomes null in JSON: said as NaN again.
    for (const json& item : losses)
        result.loss += (item[1].is_null() ? std::nan("") : item[1].get<double>())
            / static_cast<double>(losses.size());
    return result;
}

} // namespace

std::map<std::string, double> Evaluation::figures() const
{
    std::map<std::string, double> all = hotwords;
    all.merge(std::map<std::string, double> {
        { "loss", loss }, { "WER", wer.percent() }, { "CER", cer.percent() } });
    for (const auto& [name, interval] :
        { std::pair { "WER", werInterval }, { "CER", cerInterval } }) {
        if (!interval)
            continue;
        all[std::string(name) + "_low"] = interval->low;
        all[std::string(name) + "_high"] = interval->high;
    }
    return all;
}

double badnessOf(const Evaluation& scores, const catalog::RunOptions& options)
{
    double badness = scores.rate == "CER" ? scores.cer.percent()
                                          : scores.wer.percent() + scores.cer.percent() / 1000;
    if (!options.maxKey.empty())
        badness = 100 - scores.figures().at(options.maxKey);
    else if (!options.minKey.empty())
        badness = scores.figures().at(options.minKey);
    return std::isfinite(badness) ? badness : std::numeric_limits<double>::max();
}

Result<Evaluation> evaluate(Task& task, const Split& split, Stage stage,
    std::shared_ptr<const data::TextEncoder> encoder, const precision::Precision& precision,
    distributed::Group& group, const std::function<bool()>& goOn)
{
    torch::NoGradGuard noGrad;
    task.modules().train(false);
    const auto batches = data::makeBatches(*split.utterances, split.batching, 0, 1);
    const auto references = referencesOf(split, *encoder);
    std::vector<std::vector<int64_t>> mine;
    for (size_t i = static_cast<size_t>(group.rank()); i < batches.size();
         i += static_cast<size_t>(group.size()))
        mine.push_back(batches[i]);
    data::Loader loader(split.utterances, std::move(mine), std::move(encoder), split.loader);
    const Result<Found> found
        = runBatches(task, loader, stage, split.loader.sampleRateHz, precision, group, goOn);
    task.modules().train(true);
    if (!found)
        return found.error();
    // Who has finished may have to wait for a pause of rank 0: that takes as long as it takes,
    // where a collective has a time limit.
    group.barrier("evaluated");
    for (const std::string& rank : group.gatherText(found->interrupted ? "interrupted" : "")) {
        if (!rank.empty())
            return Evaluation { .wer = {},
                .cer = {},
                .rate = {},
                .alignments = {},
                .recognised = {},
                .interrupted = true };
    }
    // A tokenizer's pieces may be any bytes.
    const json hypotheses = merge(
        group.gatherText(found->hypotheses.dump(-1, ' ', false, json::error_handler_t::replace)));
    const json losses = merge(group.gatherText(found->losses.dump()));
    return summarise(hypotheses, losses, *references, split, stage, group.isMain());
}

} // namespace earwright::train
