#include "core/train/evaluation.h"

#include "core/base/json_fields.h"
#include "core/score/text_scores.h"
#include "core/train/cpu_memory.h"
#include "core/train/memory/device_memory.h"
#include "core/train/task/too_short.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <torch/utils.h>

namespace earwright::train {

namespace {

/// What one rank found, or all did.
struct Found {
    std::vector<int64_t> utterances; ///< their places in the manifest
    std::vector<std::string> hypotheses; ///< one an utterance
    std::vector<int64_t> batches;
    std::vector<double> losses; ///< one a batch
    LabelHits hits;
    bool interrupted = false; ///< not told to the others with the rest

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("utterances", utterances);
        field("hypotheses", hypotheses);
        field("batches", batches);
        field("losses", losses);
        field("right", hits.right);
        field("labels", hits.all);
    }
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
        all.hits += output.hits;
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
        found.batches.push_back(index);
        found.losses.push_back(output.loss.item<double>());
        found.hits += output.hits;
        for (size_t row = 0; row < output.hypotheses.size(); ++row) {
            found.utterances.push_back((*batch)->indices[row]);
            found.hypotheses.push_back(output.hypotheses[row]);
        }
        if (!goOn()) {
            found.interrupted = true;
            return found;
        }
    }
}

/// Throws where it is not what a rank finds in a split of `size` utterances.
Found foundIn(const std::string& text, size_t size)
{
    Found found;
    const Status read = readJson(text, [&found](JsonReader& reader) {
        found.visit([&reader](const char* name, auto& value) { reader.require(name, value); });
    });
    if (!read)
        throw std::runtime_error("a rank's hypotheses cannot be read: " + read.error().message);
    const auto isInSplit
        = [&](int64_t place) { return place >= 0 && place < static_cast<int64_t>(size); };
    if (found.utterances.size() != found.hypotheses.size()
        || found.batches.size() != found.losses.size()
        || !std::all_of(found.utterances.begin(), found.utterances.end(), isInSplit))
        throw std::runtime_error("a rank's hypotheses are not those of its utterances");
    return found;
}

/// What all ranks found, by utterance and by batch.
struct Merged {
    std::map<int64_t, std::string> hypotheses;
    std::map<int64_t, double> losses;
    LabelHits hits;
};

Merged merge(const std::vector<std::string>& parts, size_t size)
{
    Merged all;
    for (const std::string& part : parts) {
        Found found = foundIn(part, size);
        for (size_t i = 0; i < found.utterances.size(); ++i)
            all.hypotheses[found.utterances[i]] = std::move(found.hypotheses[i]);
        for (size_t i = 0; i < found.batches.size(); ++i)
            all.losses[found.batches[i]] = found.losses[i];
        all.hits += found.hits;
    }
    return all;
}

/// What the task can write of them, as it is scored, is what they are compared with.
std::shared_ptr<const std::vector<data::Utterance>> referencesOf(
    const Split& split, const data::TextEncoder& encoder)
{
    if (!encoder.hasSegDict() && !encoder.bytePairs() && !encoder.hasWordPieces())
        return split.utterances;
    auto references = std::make_shared<std::vector<data::Utterance>>(*split.utterances);
    for (data::Utterance& utterance : *references)
        utterance.text = encoder.normalized(encoder.asWritten(utterance.text));
    return references;
}

std::vector<Recognised> asScored(
    std::vector<Recognised> recognised, const data::TextEncoder& encoder)
{
    for (Recognised& one : recognised)
        one.text = encoder.normalized(one.text);
    return recognised;
}

score::TextScores scoresOf(const std::vector<Recognised>& recognised,
    const std::vector<data::Utterance>& utterances, score::WordSplit wordSplit)
{
    std::vector<score::TextPair> pairs;
    for (const auto& [index, text] : recognised)
        pairs.push_back({ utterances[index].id, utterances[index].text, text });
    return score::scoreTexts(pairs, wordSplit);
}

/// One an utterance, without the hotwords that it missed.
std::vector<run::Utterance> utteranceRows(const std::vector<Recognised>& recognised,
    const std::vector<data::Utterance>& utterances, const score::TextScores& scores)
{
    std::vector<run::Utterance> rows;
    for (size_t i = 0; i < recognised.size(); ++i) {
        const data::Utterance& utterance = utterances[recognised[i].utterance];
        const data::SoundPart& part = utterance.part;
        rows.push_back({ .id = utterance.id,
            .speaker = utterance.speaker,
            .seconds = utterance.durationSeconds,
            .sound = utterance.wav,
            .part = { part.begin, part.end, part.seconds, part.countsSamples, part.channel },
            .reference = utterance.text,
            .hypothesis = recognised[i].text,
            .byWord = score::summarise({ scores.byWord[i] }),
            .byCharacter = score::summarise({ scores.byCharacter[i] }) });
    }
    return rows;
}

/// What texts are compared with, and how.
struct Scoring {
    std::shared_ptr<const std::vector<data::Utterance>> references;
    std::shared_ptr<const data::TextEncoder> encoder;
    score::WordSplit wordSplit;
};

Evaluation summarise(const Merged& found, const Scoring& scoring, Stage stage, bool isMain)
{
    Evaluation result;
    result.isSearched = !found.hypotheses.empty();
    if (found.hits.all > 0)
        result.accuracy
            = 100 * static_cast<double>(found.hits.right) / static_cast<double>(found.hits.all);
    for (const auto& [batch, loss] : found.losses)
        result.loss += loss / static_cast<double>(found.losses.size());
    if (!result.isSearched)
        return result;
    for (const auto& [utterance, text] : found.hypotheses)
        result.recognised.push_back({ static_cast<size_t>(utterance), text });
    const std::vector<Recognised> compared = asScored(result.recognised, *scoring.encoder);
    const score::TextScores scored = scoresOf(compared, *scoring.references, scoring.wordSplit);
    const auto& [byWord, byCharacter, hasWords] = scored;
    result.rate = hasWords ? "WER" : "CER";
    result.wer = score::summarise(byWord);
    result.cer = score::summarise(byCharacter);
    if (isMain) {
        result.alignments = score::alignmentText(hasWords ? byWord : byCharacter);
        result.utterances = utteranceRows(compared, *scoring.references, scored);
    }
    if (stage == Stage::Test) {
        result.werInterval = hasWords ? score::bootstrapInterval(byWord) : std::nullopt;
        result.cerInterval = score::bootstrapInterval(byCharacter);
    }
    return result;
}

} // namespace

std::map<std::string, double> Evaluation::figures() const
{
    std::map<std::string, double> all = hotwords;
    all["loss"] = loss;
    if (isSearched) {
        all["WER"] = wer.percent();
        all["CER"] = cer.percent();
    }
    if (accuracy)
        all["ACC"] = *accuracy;
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
    constexpr double kMost = std::numeric_limits<double>::max();
    double badness = scores.rate == "CER" ? scores.cer.percent()
                                          : scores.wer.percent() + scores.cer.percent() / 1000;
    const std::map<std::string, double> figures = scores.figures();
    const auto figureOr = [&](const std::string& key, double none) {
        const auto found = figures.find(key);
        return found == figures.end() ? none : found->second;
    };
    if (!options.maxKey.empty())
        badness = 100 - figureOr(options.maxKey, -kMost);
    else if (!options.minKey.empty())
        badness = figureOr(options.minKey, kMost);
    else if (!scores.isSearched)
        return kMost;
    return std::isfinite(badness) ? badness : kMost;
}

Result<Evaluation> evaluate(Task& task, const Split& split, Stage stage,
    std::shared_ptr<const data::TextEncoder> encoder, const precision::Precision& precision,
    distributed::Group& group, const std::function<bool()>& goOn)
{
    torch::NoGradGuard noGrad;
    task.modules().train(false);
    const auto batches = data::makeBatches(*split.utterances, split.batching, 0, 1);
    const Scoring scoring { referencesOf(split, *encoder), encoder, split.wordSplit };
    std::vector<std::vector<int64_t>> mine;
    for (size_t i = static_cast<size_t>(group.rank()); i < batches.size();
         i += static_cast<size_t>(group.size()))
        mine.push_back(batches[i]);
    data::Loader loader(split.utterances, std::move(mine), std::move(encoder), split.loader);
    Result<Found> found
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
    JsonWriter mineAsText;
    found->visit(mineAsText);
    const Merged all = merge(group.gatherText(mineAsText.text()), scoring.references->size());
    return summarise(all, scoring, stage, group.isMain());
}

} // namespace earwright::train
