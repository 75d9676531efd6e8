#include "core/train/recogniser.h"

#include "core/data/batching.h"
#include "core/data/encoder_recipe.h"
#include "core/train/batch_parts.h"
#include "core/train/checkpoint.h"
#include "core/train/cpu_memory.h"
#include "core/train/ctc_output.h"
#include "core/train/hotword_list.h"
#include "core/train/kept_files.h"
#include "core/train/load_weights.h"

namespace kymo::train {

namespace {

constexpr int64_t kUsualBeams = 100; // upstream's beam_size

/// The recipe's for evaluation, where the device has it.
Result<precision::Type> precisionOn(c10::Device device, const plan::Plan& plan)
{
    const Result<precision::Type> type = precision::parseType(plan.options.evalPrecision);
    if (type && device.is_cpu() && *type != precision::Type::Bf16)
        return precision::Type::Fp32;
    return type;
}

/// Where no label is a blank, each character is a word: to an n-gram one text is not one word.
decode::CtcVocabulary vocabularyOf(const std::vector<std::string>& labels, int64_t blankIndex)
{
    const decode::CtcVocabulary words(labels, blankIndex);
    return words.hasBlanks() ? words : decode::CtcVocabulary::ofCharacters(labels, blankIndex);
}

/// What only training uses may name manifests of noises that are not here; a list of hotwords
/// replaces the recipe's, which is not read then.
recipe::NodePtr recognising(
    const recipe::Node& recipe, const std::filesystem::path& run, const DecodeSetting& setting)
{
    recipe::NodePtr copy = withKeptFiles(recipe, run);
    std::erase_if(copy->entries, [&](const recipe::Entry& entry) {
        const std::string& key = entry.key->text;
        return key == "wav_augment" || key == "fea_augment" || key == "augmentation"
            || (key == "hotword" && setting.hotwords);
    });
    return copy;
}

Result<decode::CtcSearchSetting> searchOf(
    const DecodeSetting& setting, const data::TextEncoder& encoder, int64_t blankIndex)
{
    decode::CtcSearchSetting search { .vocabulary
        = vocabularyOf(encoder.searchLabels(), blankIndex),
        .options = setting.beams,
        .scorer = nullptr,
        .hotwords = nullptr };
    if (!setting.languageModel.empty()) {
        const auto model = decode::NgramModel::open(setting.languageModel);
        if (!model)
            return model.error();
        search.scorer = std::make_shared<decode::NgramScorer>(*model, setting.weights);
    }
    if (setting.hotwords && !setting.hotwords->empty()) {
        Result<decode::Hotwords> hotwords
            = decode::Hotwords::make(*setting.hotwords, search.vocabulary);
        if (!hotwords)
            return hotwords.error();
        search.hotwords = std::make_shared<decode::Hotwords>(std::move(*hotwords));
    }
    return search;
}

std::vector<Heard> plain(std::vector<std::string> texts)
{
    std::vector<Heard> heard;
    for (std::string& text : texts)
        heard.push_back({ { { .text = std::move(text), .words = {} } } });
    return heard;
}

/// Of their own, behind a phrase.
bool haveWeights(const DecodeSetting& setting)
{
    const double usual = setting.hotwordWeight.value_or(decode::kUsualHotwordWeight);
    return std::any_of(setting.hotwords->begin(), setting.hotwords->end(),
        [&](const decode::Hotword& hotword) { return hotword.weight != usual; });
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
    recogniser.m_encoder = std::make_shared<const data::TextEncoder>(std::move(*encoder));
    Result<std::unique_ptr<Task>> task = makeTask(*recognising(*plan.recipe, run, setting),
        recogniser.m_encoder, device, plan.options.lossWeighting);
    if (!task)
        return task.error();
    recogniser.m_task = std::move(*task);
    const Result<Checkpoint> stored = loadCheckpoint(checkpoint);
    if (!stored)
        return stored.error();
    recogniser.m_task->modules().to(device);
    const Status loaded
        = loadWeights(*recogniser.m_task, stored->model, "'" + checkpoint.string() + "'");
    if (!loaded)
        return loaded.error();
    recogniser.m_task->modules().train(false);
    if (const Status ready = recogniser.prepareSearch(setting); !ready)
        return ready.error();
    const Result<precision::Type> type = precisionOn(device, plan);
    if (!type)
        return type.error();
    recogniser.m_precision = std::make_unique<precision::Precision>(*type, *type, device);
    if (const recipe::NodePtr rate = recipe::find(*plan.recipe, "sample_rate"))
        recogniser.m_sampleRateHz = static_cast<int>(recipe::asInt(*rate).value_or(16000));
    return recogniser;
}

Status Recogniser::tell(HotwordListener& listener, const DecodeSetting& setting)
{
    if (setting.hotwordWeight) {
        if (const Status preferred = listener.prefer(*setting.hotwordWeight); !preferred)
            return preferred;
    }
    if (setting.hotwords) {
        if (const Status told = listener.listenFor(phrasesOf(*setting.hotwords)); !told)
            return told;
        if (haveWeights(setting))
            m_warning = "the model has one weight for all hotwords, that of --hotword-weight: the "
                        "list's are not used";
    }
    if (!listener.leftOut().empty())
        m_warning += (m_warning.empty() ? "" : "; ") + leftOutText(listener.leftOut());
    return Done {};
}

/// Hotwords are the model's own affair where it listens for them, else the search's.
Status Recogniser::prepareSearch(const DecodeSetting& setting)
{
    auto* listener = dynamic_cast<HotwordListener*>(m_task.get());
    if (setting.hotwordWeight && !setting.hotwords && !listener)
        return Error { "a weight of hotwords needs a list of them" };
    if (setting.isPlain() && listener)
        return tell(*listener, setting);
    if (setting.isPlain() && (!setting.hotwords || setting.hotwords->empty()))
        return Done {};
    const auto* output = dynamic_cast<const CtcOutput*>(m_task.get());
    if (output == nullptr)
        return Error { "a beam search, a language model and hotwords need a CTC output, and the "
                       "recipe's task has none" };
    DecodeSetting searched = setting;
    if (setting.isPlain()) // hotwords alone ask for the search
        searched.beams.beamSize = kUsualBeams;
    Result<decode::CtcSearchSetting> search = searchOf(searched, *m_encoder, output->blankIndex());
    if (!search)
        return search.error();
    m_search.emplace(std::move(*search));
    return Done {};
}

std::vector<Heard> Recogniser::decode(const data::Batch& batch)
{
    const torch::NoGradGuard noGrad;
    const auto cast = m_precision->evalAutocast();
    const WithinCpuLimit limited;
    const torch::Tensor features = m_task->features(batch, Stage::Test);
    if (!m_search)
        return plain(m_task->recognise(batch, features, Stage::Test));
    auto& output = dynamic_cast<CtcOutput&>(*m_task);
    const torch::Tensor logProbs_BTV = output.ctcLogProbs(batch, features);
    std::vector<Heard> heard;
    for (auto& hypotheses :
        decode::searchBatch(decode::ctcBeamSearch, *m_search, logProbs_BTV, batch.wavLens_B))
        heard.push_back({ std::move(hypotheses) });
    for (Heard& row : heard) {
        if (row.hypotheses.empty()) // not a number somewhere
            row.hypotheses.emplace_back();
    }
    return heard;
}

std::vector<Heard> Recogniser::decodeFitting(const data::Batch& batch)
{
    try {
        return decode(batch);
    } catch (const c10::OutOfMemoryError& error) {
        if (batch.ids.size() == 1)
            throw std::runtime_error(longestOf(batch, m_sampleRateHz)
                + " does not fit into memory (" + error.what_without_backtrace() + ")");
    }
    releaseCached(m_device);
    std::vector<Heard> all;
    for (const data::Batch& half : cut(batch, 2)) {
        std::vector<Heard> heard = decodeFitting(half);
        std::move(heard.begin(), heard.end(), std::back_inserter(all));
    }
    return all;
}

Result<std::vector<Heard>> Recogniser::recognise(
    const std::vector<data::Utterance>& utterances, int64_t batchSize)
{
    auto silent = std::make_shared<std::vector<data::Utterance>>(utterances);
    for (data::Utterance& utterance : *silent)
        utterance.text.clear(); // it may hold what the model has no label for
    auto batches
        = data::makeBatches(*silent, { .sorting = "ascending", .batchSize = batchSize }, 0, 1);
    data::Loader loader(silent, std::move(batches), m_encoder, { .sampleRateHz = m_sampleRateHz });
    std::vector<Heard> all(utterances.size());
    for (;;) {
        Result<std::optional<data::Batch>> batch = loader.next();
        if (!batch)
            return batch.error();
        if (!*batch)
            return all;
        std::vector<Heard> heard;
        try {
            heard = decodeFitting(**batch);
        } catch (const c10::Error& error) {
            return Error { "utterances from '" + (*batch)->ids.front()
                + "' on: " + error.what_without_backtrace() };
        } catch (const std::exception& error) {
            return Error { error.what() };
        }
        for (size_t row = 0; row < heard.size(); ++row)
            all[static_cast<size_t>((*batch)->indices[row])] = std::move(heard[row]);
    }
}

} // namespace kymo::train
