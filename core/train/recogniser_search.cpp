#include "core/train/recogniser.h"
#include "core/train/task/ctc_output.h"

namespace earwright::train {

namespace {

/// The recipe's with what is asked for besides.
CtcSearchOptions searchFor(const DecodeSetting& setting, CtcSearchOptions options)
{
    options.beams.beamSize
        = setting.beamSize.value_or(std::max(options.beams.beamSize, setting.topk));
    if (setting.topk > 1) {
        options.beams.topk = options.beams.beamSize; // among which a text may be twice
        // Beams of one history, of which the search keeps the best, are other hypotheses.
        options.beams.pruneHistory = false;
    }
    if (!setting.languageModel.empty())
        options.languageModel = setting.languageModel;
    options.weights.alpha = setting.lmWeight.value_or(options.weights.alpha);
    options.weights.beta = setting.wordBonus.value_or(options.weights.beta);
    return options;
}

bool has(const recipe::Node& recipe, const char* key)
{
    const recipe::NodePtr node = recipe::find(recipe, key);
    return node && !recipe::isNull(*node);
}

/// What an attention decoder's search knows nothing of.
bool searchesCtc(const DecodeSetting& setting)
{
    return !setting.languageModel.empty() || setting.lmWeight || setting.wordBonus
        || setting.hasHotwords();
}

/// The recipe's test_beam_search, which the test of a joint model does not go by.
Result<std::optional<CtcSearchOptions>> ownSearch(
    const recipe::Node& recipe, const CtcOutput& output)
{
    if (dynamic_cast<const NBestOutput*>(&output) != nullptr)
        return std::optional<CtcSearchOptions>();
    return testSearchOf(recipe, output.blankIndex());
}

/// Of their own, behind a phrase.
bool haveWeights(const DecodeSetting& setting)
{
    const double usual = setting.hotwordWeight.value_or(decode::kUsualHotwordWeight);
    return std::any_of(setting.hotwords->begin(), setting.hotwords->end(),
        [&](const decode::Hotword& hotword) { return hotword.weight != usual; });
}

} // namespace

void Recogniser::warn(const std::string& text)
{
    m_warning += (m_warning.empty() || text.empty() ? "" : "; ") + text;
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
        if (setting.hasHotwords() && listener.leftOut().size() == setting.hotwords->size())
            return Error { leftOutText(listener.leftOut()) + listener.hint()
                + ". None is left of the list" };
        if (haveWeights(setting))
            warn("the model has one weight for all hotwords, that of --hotword-weight: the list's "
                 "are not used");
    }
    warn(leftOutText(listener.leftOut()) + listener.hint());
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
    const bool isOwn = !setting.asksForSearch(); // as in the test, perhaps with its scores
    if (isOwn && !setting.wantsScores)
        return m_task->readyFor(Stage::Test);
    auto* own = dynamic_cast<NBestOutput*>(m_task.get());
    if (own && own->searchesBeams() && !searchesCtc(setting)) {
        if (const Status ready = m_task->readyFor(Stage::Test); !ready)
            return ready;
        own->keep(setting.topk, setting.beamSize);
        m_nBest = own;
        return Done {};
    }
    // Of a joint model the test does not go by test_beam_search, nor do its scores.
    if (isOwn && (own || !has(recipe, "test_beam_search")))
        return m_task->readyFor(Stage::Test);
    if (own && has(recipe, "test_search"))
        warn(searchesCtc(setting) ? "language model and hotwords are heard in the CTC output: the "
                                    "recipe's test_search is not run"
                                  : "beams are searched in the CTC output: the recipe's "
                                    "test_search, which keeps a single text, is not run");
    return openSearcher(setting, recipe);
}

Status Recogniser::prepareTimes(const DecodeSetting& setting)
{
    auto* task = dynamic_cast<TimedOutput*>(m_task.get());
    const Status able = task
        ? task->canTellTimes()
        : Status(
            Error { "--timestamps are written by Whisper alone. Of a CTC output, --format json "
                    "has the times of words, where their frames are known." });
    if (setting.wantsTimes && !able)
        return able;
    if (able && setting.topk <= 1 && !setting.maxSegmentSeconds)
        m_timed = task;
    m_wantsTimes = setting.wantsTimes;
    return Done {};
}

Status Recogniser::openSearcher(const DecodeSetting& setting, const recipe::Node& recipe)
{
    const auto* output = dynamic_cast<const CtcOutput*>(m_task.get());
    if (output == nullptr)
        return Error { "--beam-size, --nbest and --lm search beams in a CTC output. This model has "
                       "none that can be searched: leave them out. SeACo takes hotwords without "
                       "them." };
    const auto options = ownSearch(recipe, *output);
    if (!options)
        return options.error();
    const CtcSearchOptions search = searchFor(setting, options->value_or(CtcSearchOptions()));
    if (search.languageModel.empty() && (setting.lmWeight || setting.wordBonus))
        return Error { "--lm-weight and --word-bonus weigh a language model: name one with --lm" };
    const auto own = *options ? searchedHotwords(recipe) : std::vector<decode::Hotword>();
    if (!setting.hotwords && !own)
        return own.error();
    Result<CtcSearcher> searcher = setting.hotwords
        ? CtcSearcher::open(search, *setting.hotwords, *m_encoder, output->blankIndex())
        : CtcSearcher::openForTest(search, *own, *m_encoder, output->blankIndex());
    if (!searcher)
        return searcher.error();
    warn(searcher->warning());
    m_searcher.emplace(std::move(*searcher));
    return Done {};
}

} // namespace earwright::train
