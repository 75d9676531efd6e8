#include "core/train/recogniser.h"

#include "core/data/encoder_recipe.h"
#include "core/model/adapters/adapted_model.h"
#include "core/model/whisper/whisper.h"
#include "core/settings/hub_source.h"
#include "core/tasks/spec.h"
#include "core/train/cpu_memory.h"
#include "core/train/memory/device_memory.h"
#include "core/train/task/batch_parts.h"
#include "core/train/task/ctc_output.h"
#include "core/train/task/too_short.h"
#include "core/train/weights/checkpoint.h"
#include "core/train/weights/kept_files.h"
#include "core/train/weights/load_weights.h"

#include <set>
#include <torch/utils.h>

namespace earwright::train {

namespace {

constexpr double kUsualSegmentSeconds = 60;

/// The recipe's for evaluation, where the device has it.
Result<precision::Type> precisionOn(c10::Device device, const plan::Plan& plan)
{
    const Result<precision::Type> type = precision::parseType(plan.options.evalPrecision);
    if (type && device.is_cpu() && *type != precision::Type::Bf16)
        return precision::Type::Fp32;
    return type;
}

/// What only training uses may name manifests of noises or language models that are not here; a
/// list of hotwords or another search replaces the recipe's, which is not read then.
recipe::NodePtr recognising(
    const recipe::Node& recipe, const std::filesystem::path& run, const DecodeSetting& setting)
{
    recipe::NodePtr copy = withKeptFiles(recipe, run);
    std::erase_if(copy->entries, [&](const recipe::Entry& entry) {
        const std::string& key = entry.key->text;
        return key == "wav_augment" || key == "fea_augment" || key == "augmentation"
            || key == "valid_search" || (key == "hotword" && setting.hotwords)
            || (key == "test_beam_search" && (setting.asksForSearch() || setting.wantsScores));
    });
    return copy;
}

std::vector<Heard> plain(std::vector<std::string> texts)
{
    std::vector<Heard> heard;
    for (std::string& text : texts)
        heard.push_back({ .hypotheses = { { .text = std::move(text), .words = {} } } });
    return heard;
}

std::vector<Heard> withTimes(std::vector<TimedText> texts)
{
    std::vector<Heard> heard;
    for (TimedText& one : texts)
        heard.push_back({ .hypotheses = { { .text = std::move(one.text), .words = {} } },
            .segments = std::move(one.segments),
            .isScored = false });
    return heard;
}

std::string utteranceName(const std::string& id)
{
    return "utterance '" + id + "'";
}

/// The first of each text. Upstream's prefix search gives one again where a blank was at its end,
/// its attention search one that the last step has ended.
std::vector<decode::CtcHypothesis> distinct(
    std::vector<decode::CtcHypothesis> hypotheses, int64_t topk)
{
    std::set<std::string> texts;
    std::erase_if(hypotheses, [&](const decode::CtcHypothesis& hypothesis) {
        return std::ssize(texts) == topk || !texts.insert(hypothesis.text).second;
    });
    return hypotheses;
}

std::vector<Heard> listed(std::vector<std::vector<decode::CtcHypothesis>> rows,
    const std::vector<std::string>& ids, int64_t topk)
{
    std::vector<Heard> heard;
    for (size_t row = 0; row < rows.size(); ++row) {
        if (rows[row].empty())
            heard.push_back({ .problem = utteranceName(ids[row]) + ": the model gave no numbers" });
        else
            heard.push_back({ .hypotheses = distinct(std::move(rows[row]), topk) });
    }
    return heard;
}

/// A text does not depend on which files are named with its own.
void keepRowsApart(const ModuleSet& modules)
{
    for (const std::string& key : settings::pretrainedKeys())
        if (const auto whisper
            = std::dynamic_pointer_cast<model::Whisper>(model::unwrapped(modules.find(key))))
            whisper->keepRowsApart();
}

std::string reasonOf(const c10::Error& error)
{
    if (isTooShort(error))
        return "is too short for this model";
    const std::string text = error.what_without_backtrace();
    return "cannot be recognised: " + text.substr(0, text.find('\n'));
}

} // namespace

std::vector<std::string> phrasesOf(const std::vector<decode::Hotword>& hotwords)
{
    std::vector<std::string> phrases;
    for (const decode::Hotword& hotword : hotwords)
        phrases.push_back(hotword.text);
    return phrases;
}

Result<Recogniser> Recogniser::load(const plan::Plan& plan, const std::filesystem::path& run,
    const std::filesystem::path& checkpoint, c10::Device device, const DecodeSetting& setting)
{
    Result<data::TextEncoder> encoder = data::loadEncoder(*plan.recipe, run);
    if (!encoder)
        return encoder.error();
    Recogniser recogniser(device);
    recogniser.m_topk = setting.topk;
    const settings::FeatureSettings& features = plan.settings.features;
    const double longest = setting.maxSegmentSeconds.value_or(kUsualSegmentSeconds);
    recogniser.m_maxSegmentSeconds = std::min({ longest, features.heardSeconds.value_or(longest),
        features.encodableSeconds.value_or(longest) });
    recogniser.m_encoder = std::make_shared<const data::TextEncoder>(std::move(*encoder));
    Result<std::unique_ptr<Task>> task = makeTask(*recognising(*plan.recipe, run, setting),
        recogniser.m_encoder, device, plan.options.lossWeighting);
    if (!task)
        return task.error();
    recogniser.m_task = std::move(*task);
    keepRowsApart(recogniser.m_task->modules());
    Result<Tensors> stored = loadModel(checkpoint);
    if (!stored)
        return stored.error();
    recogniser.m_task->modules().to(device);
    const Status loaded
        = loadWeights(*recogniser.m_task, std::move(*stored), "'" + checkpoint.string() + "'");
    if (!loaded)
        return loaded.error();
    recogniser.m_task->modules().train(false);
    const recipe::NodePtr own = withKeptFiles(*plan.recipe, run);
    if (const Status ready = recogniser.prepareSearch(setting, *own); !ready)
        return ready.error();
    if (const Status ready = recogniser.prepareTimes(setting); !ready)
        return ready.error();
    const Result<precision::Type> type = precisionOn(device, plan);
    if (!type)
        return type.error();
    recogniser.m_precision = std::make_unique<precision::Precision>(*type, *type, device);
    recogniser.m_sampleRateHz = plan.settings.features.sampleRateHz;
    recogniser.m_frameRate = tasks::frameRate(*own, recogniser.m_sampleRateHz);
    return recogniser;
}

/// All where times are wanted, else those with a row that is longer than the model hears.
bool Recogniser::goesByWindows(const data::Batch& batch) const
{
    const auto longest
        = [&] { return countsOf(batch.wavLens_B, batch.wavs_BT.size(1)).max().item<double>(); };
    return m_timed && (m_wantsTimes || longest() / m_sampleRateHz > m_maxSegmentSeconds);
}

std::vector<Heard> Recogniser::decode(const data::Batch& batch, const GoOn& goOn)
{
    const torch::NoGradGuard noGrad;
    const auto cast = m_precision->evalAutocast();
    const WithinCpuLimit limited;
    if (goesByWindows(batch))
        return withTimes(m_timed->timedTexts(batch, goOn).value_or(std::vector<TimedText>()));
    const torch::Tensor features = m_task->features(batch, Stage::Test);
    if (m_nBest)
        return listed(m_nBest->nBest(batch, features), batch.ids, m_topk);
    if (!m_searcher)
        return plain(m_task->recognise(batch, features, Stage::Test));
    auto& output = dynamic_cast<CtcOutput&>(*m_task);
    const torch::Tensor logProbs_BTV = output.ctcLogProbs(batch, features);
    std::vector<Heard> heard
        = listed(m_searcher->search(logProbs_BTV, batch.wavLens_B), batch.ids, m_topk);
    const torch::Tensor frames_B = countsOf(batch.wavLens_B, logProbs_BTV.size(1));
    for (size_t row = 0; row < heard.size(); ++row) {
        heard[row].secondsPerFrame = secondsPerFrame(batch, logProbs_BTV.size(1));
        heard[row].numFrames = frames_B[static_cast<int64_t>(row)].item<int32_t>();
    }
    return heard;
}

/// Only where the recipe's rate is the model's: of layers that are not known it may be another.
double Recogniser::secondsPerFrame(const data::Batch& batch, int64_t frames) const
{
    if (!m_frameRate || std::abs(m_frameRate->frames(batch.wavs_BT.size(1)) - frames) > 1)
        return 0;
    return static_cast<double>(m_frameRate->frameSamples()) / m_sampleRateHz;
}

std::vector<Heard> Recogniser::decodeParts(
    const data::Batch& batch, int64_t count, const GoOn& goOn)
{
    std::vector<Heard> all;
    for (const data::Batch& part : cut(batch, count)) {
        std::vector<Heard> heard = decodeFitting(part, goOn);
        std::move(heard.begin(), heard.end(), std::back_inserter(all));
    }
    return all;
}

/// In halves where the model cannot take it at once; a row that it cannot take alone has a problem.
/// Row by row where one goes by windows for its length, which the others do not.
std::vector<Heard> Recogniser::decodeFitting(const data::Batch& batch, const GoOn& goOn)
{
    const auto rows = std::ssize(batch.ids);
    if (rows > 1 && !m_wantsTimes && goesByWindows(batch))
        return decodeParts(batch, rows, goOn);
    try {
        return givingBack(m_device, [&] { return decode(batch, goOn); });
    } catch (const c10::Error& error) {
        if (distributed::isOfDevice(error))
            throw; // no fault of the utterances
        const auto shortage = distributed::memoryShortage(error);
        if (rows == 1 && shortage)
            return { { .problem = longestOf(batch, m_sampleRateHz) + " does not fit into memory ("
                    + shortage->cause + ")" } };
        if (rows == 1)
            return { { .problem = utteranceName(batch.ids.front()) + " " + reasonOf(error) } };
    }
    releaseCached(m_device);
    return decodeParts(batch, 2, goOn);
}

Result<std::vector<Heard>> Recogniser::decodeBatch(const data::Batch& batch, const GoOn& goOn)
{
    try {
        std::vector<Heard> heard = decodeFitting(batch, goOn);
        if (heard.size() < batch.ids.size())
            return Error { "stopped" };
        return heard;
    } catch (const std::exception& error) {
        return Error { "utterances from '" + batch.ids.front() + "' on: " + error.what() };
    }
}

} // namespace earwright::train
