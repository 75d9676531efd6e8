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

/// The recipe's for evaluation, where the device has it.
Result<precision::Type> precisionOn(c10::Device device, const plan::Plan& plan)
{
    const Result<precision::Type> type = precision::parseType(plan.options.evalPrecision);
    if (type && device.is_cpu() && *type != precision::Type::Bf16)
        return precision::Type::Fp32;
    return type;
}

/// What only training uses may name manifests of noises that are not here; a list of hotwords or
/// another search replaces the recipe's, which is not read then.
recipe::NodePtr recognising(
    const recipe::Node& recipe, const std::filesystem::path& run, const DecodeSetting& setting)
{
    recipe::NodePtr copy = withKeptFiles(recipe, run);
    std::erase_if(copy->entries, [&](const recipe::Entry& entry) {
        const std::string& key = entry.key->text;
        return key == "wav_augment" || key == "fea_augment" || key == "augmentation"
            || (key == "hotword" && setting.hotwords)
            || (key == "test_beam_search" && (!setting.isPlain() || setting.hasHotwords()));
    });
    return copy;
}

/// The recipe's with what is asked for besides.
CtcSearchOptions searchFor(const DecodeSetting& setting, CtcSearchOptions options)
{
    options.beams.beamSize
        = setting.beamSize.value_or(std::max(options.beams.beamSize, setting.topk));
    if (setting.topk > 1) {
        options.beams.topk = setting.topk;
        // Beams of one history, of which the search keeps the best, are other hypotheses.
        options.beams.pruneHistory = false;
    }
    if (!setting.languageModel.empty())
        options.languageModel = setting.languageModel;
    options.weights.alpha = setting.lmWeight.value_or(options.weights.alpha);
    options.weights.beta = setting.wordBonus.value_or(options.weights.beta);
    return options;
}

std::vector<Heard> plain(std::vector<std::string> texts)
{
    std::vector<Heard> heard;
    for (std::string& text : texts)
        heard.push_back({ .hypotheses = { { .text = std::move(text), .words = {} } } });
    return heard;
}

std::vector<Heard> listed(std::vector<std::vector<decode::CtcHypothesis>> rows)
{
    std::vector<Heard> heard;
    for (std::vector<decode::CtcHypothesis>& row : rows)
        heard.push_back({ .hypotheses = std::move(row) });
    return heard;
}

/// What an attention decoder's search knows nothing of.
bool searchesCtc(const DecodeSetting& setting)
{
    return !setting.languageModel.empty() || setting.lmWeight || setting.wordBonus
        || setting.hasHotwords();
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
    const recipe::NodePtr own = withKeptFiles(*plan.recipe, run);
    if (const Status ready = recogniser.prepareSearch(setting, *own); !ready)
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
Status Recogniser::prepareSearch(const DecodeSetting& setting, const recipe::Node& recipe)
{
    auto* listener = dynamic_cast<HotwordListener*>(m_task.get());
    if (setting.hotwordWeight && !setting.hotwords && !listener)
        return Error { "a weight of hotwords needs a list of them" };
    if (setting.isPlain() && listener)
        return tell(*listener, setting);
    if (setting.isPlain() && !setting.hasHotwords())
        return Done {};
    auto* own = dynamic_cast<NBestOutput*>(m_task.get());
    if (own && own->searchesBeams() && !searchesCtc(setting)) {
        own->keep(setting.topk, setting.beamSize);
        m_nBest = own;
        return Done {};
    }
    if (own && own->searchesBeams())
        m_warning = "language model and hotwords are heard in the CTC output: the recipe's "
                    "test_search is not run";
    return openSearcher(setting, recipe);
}

Status Recogniser::openSearcher(const DecodeSetting& setting, const recipe::Node& recipe)
{
    const auto* output = dynamic_cast<const CtcOutput*>(m_task.get());
    if (output == nullptr)
        return Error { "a beam search, a language model and hotwords need a CTC output, and the "
                       "recipe's task has none" };
    const auto options = testSearchOf(recipe, output->blankIndex());
    if (!options)
        return options.error();
    const CtcSearchOptions search = searchFor(setting, options->value_or(CtcSearchOptions()));
    if (search.languageModel.empty() && (setting.lmWeight || setting.wordBonus))
        return Error { "--lm-weight and --word-bonus weigh a language model: name one with --lm" };
    Result<CtcSearcher> searcher
        = CtcSearcher::open(search, setting.hotwords.value_or(std::vector<decode::Hotword>()),
            *m_encoder, output->blankIndex());
    if (!searcher)
        return searcher.error();
    if (!searcher->warning().empty())
        m_warning += (m_warning.empty() ? "" : "; ") + searcher->warning();
    m_searcher.emplace(std::move(*searcher));
    return Done {};
}

std::vector<Heard> Recogniser::decode(const data::Batch& batch)
{
    const torch::NoGradGuard noGrad;
    const auto cast = m_precision->evalAutocast();
    const WithinCpuLimit limited;
    const torch::Tensor features = m_task->features(batch, Stage::Test);
    if (m_nBest)
        return listed(m_nBest->nBest(batch, features));
    if (!m_searcher)
        return plain(m_task->recognise(batch, features, Stage::Test));
    auto& output = dynamic_cast<CtcOutput&>(*m_task);
    return listed(m_searcher->search(output.ctcLogProbs(batch, features), batch.wavLens_B));
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
    std::vector<Heard> all(utterances.size());
    data::LoaderOptions options { .sampleRateHz = m_sampleRateHz };
    options.leaveOut = [&all](int64_t index, const std::string& why) {
        all[static_cast<size_t>(index)].problem = why; // each by one thread, once
    };
    data::Loader loader(silent, std::move(batches), m_encoder, std::move(options));
    for (;;) {
        Result<std::optional<data::Batch>> batch = loader.next();
        if (!batch)
            return batch.error();
        if (!*batch)
            return all;
        if ((*batch)->ids.empty())
            continue;
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
