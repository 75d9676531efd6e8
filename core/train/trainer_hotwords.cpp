#include "core/decode/hotword_rate.h"
#include "core/train/hotword_figure.h"
#include "core/train/task/ctc_search.h"
#include "core/train/task/hotword_list.h"
#include "core/train/trainer.h"
#include "core/train/weights/kept_files.h"

#include <algorithm>

namespace earwright::train {

namespace {

constexpr const char* kOneWeight = "the model has one weight for all hotwords, 'hotword_weight': "
                                   "those behind the phrases of 'hotword' are not used";

std::vector<std::string> textsOf(const Split& split)
{
    std::vector<std::string> texts;
    for (const data::Utterance& utterance : *split.utterances)
        texts.push_back(utterance.text);
    return texts;
}

} // namespace

/// Every rank reads the list, so that a missing one ends the run before its first step.
Status Trainer::readHotwords()
{
    Result<std::vector<std::string>> phrases
        = recipeHotwords(*withKeptFiles(*m_in.plan.recipe, m_in.folder.path));
    if (!phrases)
        return phrases.error();
    if (m_train.loader.hotwords)
        if (const Status sampled = data::checkSampling(*m_train.loader.hotwords, *m_encoder);
            !sampled)
            return sampled;
    const std::string& maxKey = m_in.plan.options.maxKey;
    if (!maxKey.empty() && m_valid.utterances)
        if (const std::string why = whyNoFigure(maxKey, *phrases, textsOf(m_valid)); !why.empty())
            return Error { why };
    if (!phrases->empty())
        m_hotwords.emplace(*phrases, textsOf(m_train));
    if (m_hotwords && m_valid.utterances)
        tellSpoken();
    return Done {};
}

/// How much the figures of the validation will be worth.
void Trainer::tellSpoken()
{
    decode::HotwordCounter counter = *m_hotwords;
    for (const std::string& text : textsOf(m_valid))
        counter.add(text, "");
    const int64_t spoken = counter.all().spoken;
    if (m_in.group.isMain())
        m_in.events.write({ .payload = run::Message { "info",
                                "the hotwords are spoken " + std::to_string(spoken)
                                    + " times in the validation, those of no training text "
                                    + std::to_string(counter.unseen().spoken) + " times" } });
}

void Trainer::warnOfHotwords()
{
    const auto* listener = dynamic_cast<const HotwordListener*>(m_task.get());
    if (listener == nullptr || !m_in.group.isMain())
        return;
    const auto listed = searchedHotwords(*withKeptFiles(*m_in.plan.recipe, m_in.folder.path));
    const bool haveWeights
        = listed && std::any_of(listed->begin(), listed->end(), [](const decode::Hotword& hotword) {
              return hotword.weight != decode::kUsualHotwordWeight;
          });
    for (const std::string& text : { leftOutText(listener->leftOut()) + listener->hint(),
             std::string(haveWeights ? kOneWeight : "") }) {
        if (!text.empty())
            m_in.events.write({ .payload = run::Message { "warning", text } });
    }
}

/// How the hotwords of the recipe's list were heard: hotwords of `scores`, and a table by hotword;
/// "" without a list.
std::string Trainer::countHotwords(const Split& split, Evaluation& scores) const
{
    if (!m_hotwords)
        return {};
    decode::HotwordCounter counter = *m_hotwords;
    for (size_t i = 0; i < scores.recognised.size(); ++i) {
        const auto& [utterance, text] = scores.recognised[i];
        std::vector<std::string> missed = counter.add((*split.utterances)[utterance].text, text);
        if (i < scores.utterances.size()) // of rank 0
            scores.utterances[i].missedHotwords = std::move(missed);
    }
    const auto tell = [&scores](const std::string& what, const decode::HotwordCount& count) {
        for (const auto& [figure, value] : count.figures())
            scores.hotwords[what + "_" + figure] = value;
    };
    tell("hotword", counter.all());
    tell("unseen_hotword", counter.unseen());
    return counter.table();
}

} // namespace earwright::train
