#include "core/decode/ctc_search.h"

#include "core/base/text.h"
#include "core/decode/log_add.h"

namespace earwright::decode {

namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

/// Upstream keeps these numbers in Python floats and adds frames to them in float32.
double addSingle(double sum, double score, float logProb)
{
    return static_cast<double>(
        logAdd(static_cast<float>(sum), static_cast<float>(score) + logProb));
}

double addDouble(double sum, double score, float logProb)
{
    return logAdd(sum, score + static_cast<double>(logProb));
}

/// A spelling that a beam has, or would have: its number is asked for once the beam survives.
struct Spelled {
    int32_t base = 0;
    int32_t token = -1; ///< behind `base`; -1: `base` it is
    bool isSpaced = false;
    uint64_t hash = 0;
    int32_t length = 0;
};

struct PrefixBeam {
    Spelled prefix; ///< all of it, with its blanks
    Spelled partial; ///< the word under way, as the language model will see it
    int32_t text = 0; ///< the words before
    int32_t token = -1; ///< the last output but blanks
    int32_t times = WordTimes::kNone;
    WordTimes::Span span;
    double blank = kNever; ///< log-probability of ending in a blank
    double other = kNever; ///< and in a token
    double nextBlank = kNever;
    double nextOther = kNever;
    double score = kNever; ///< of both
    double rank = kNever;
    HotwordState hot;

    void step()
    {
        blank = nextBlank;
        other = nextOther;
        nextBlank = nextOther = kNever;
        score = logAdd(blank, other);
    }
};

class PrefixSearch final {
public:
    explicit PrefixSearch(const CtcSearchSetting& setting)
        : m_setting(setting)
        , m_texts(setting.vocabulary, setting.scorer.get())
    {
        PrefixBeam& first = m_beams.front();
        first.blank = 0;
        first.score = 0;
        if (setting.hotwords)
            first.hot = setting.hotwords->start();
    }

    void frame(const float* frame, int32_t index, const LogProbs& logProbs)
    {
        chooseTokens(frame, logProbs, m_setting, m_tokens);
        if (m_tokens.empty())
            return;
        findPrefixes();
        const size_t before = m_beams.size();
        for (const int32_t token : m_tokens) {
            for (size_t place = 0; place < before; ++place)
                tryToken(place, token, frame[token], index);
        }
        for (PrefixBeam& beam : m_beams) {
            beam.step();
            beam.rank = rankOf(beam, false);
        }
        choosePlaces<double>(m_beams, m_setting.options, m_places);
        keep();
    }

    std::vector<CtcHypothesis> finish()
    {
        std::vector<PrefixBeam> ended;
        std::unordered_map<uint64_t, size_t> placeOf;
        for (const PrefixBeam& beam : m_beams) {
            const PrefixBeam end = closed(beam);
            const auto [place, isNew] = placeOf.try_emplace(endOf(beam).value, ended.size());
            if (isNew) {
                ended.push_back(end);
                continue;
            }
            PrefixBeam& met = ended[place->second];
            const double score = logAdd(met.score, end.score);
            met = end;
            met.score = score;
        }
        for (PrefixBeam& beam : ended)
            beam.rank = rankOf(beam, true);
        choosePlaces<double>(ended, m_setting.options, m_places);
        std::vector<CtcHypothesis> best;
        for (size_t i = 0; i < m_places.size() && std::ssize(best) < m_setting.options.topk; ++i)
            best.push_back(hypothesis(ended[static_cast<size_t>(m_places[i])]));
        return best;
    }

private:
    void findPrefixes()
    {
        m_placeOf.clear();
        for (size_t place = 0; place < m_beams.size(); ++place)
            m_placeOf.try_emplace(m_beams[place].prefix.hash, place);
    }

    Spelled extended(const Spelled& spelled, int32_t token, bool isSpaced = false) const
    {
        return { .base = spelled.base,
            .token = token,
            .isSpaced = isSpaced,
            .hash = m_texts.extended(spelled.base, token, isSpaced).value,
            .length = spelled.length + m_setting.vocabulary[token].length };
    }

    void tryToken(size_t place, int32_t token, float logProb, int32_t frame)
    {
        if (m_setting.vocabulary[token].role == TokenRole::Blank) {
            PrefixBeam& beam = m_beams[place];
            beam.nextBlank = addDouble(beam.nextBlank, beam.score, logProb);
            return;
        }
        const bool isRepeat = m_beams[place].token == token;
        if (isRepeat) {
            PrefixBeam& beam = m_beams[place];
            beam.nextOther = addSingle(beam.nextOther, beam.other, logProb);
        }
        PrefixBeam& next = m_beams[longer(place, token, frame)];
        const PrefixBeam& beam = m_beams[place];
        if (!isRepeat)
            next.nextOther = addDouble(next.nextOther, beam.score, logProb);
        else if (beam.blank > kNever)
            next.nextOther = addSingle(next.nextOther, beam.blank, logProb);
    }

    /// The place of the beam that is one token longer. A word mark's beam is never found again, as
    /// upstream looks it up by the label and stores it with a blank.
    size_t longer(size_t place, int32_t token, int32_t frame)
    {
        const bool isStart = m_setting.vocabulary[token].role == TokenRole::WordStart;
        const Spelled prefix = extended(m_beams[place].prefix, token, isStart);
        if (!isStart) {
            const auto found = m_placeOf.find(prefix.hash);
            if (found != m_placeOf.end())
                return found->second;
        }
        PrefixBeam beam = successor(m_beams[place], token, frame);
        beam.prefix = prefix;
        m_beams.push_back(beam);
        m_placeOf.try_emplace(prefix.hash, m_beams.size() - 1);
        return m_beams.size() - 1;
    }

    PrefixBeam successor(const PrefixBeam& from, int32_t token, int32_t frame)
    {
        PrefixBeam beam { .prefix = {},
            .partial = from.partial,
            .text = from.text,
            .token = token,
            .times = from.times,
            .span = from.span,
            .hot = from.hot };
        const TokenRole role = m_setting.vocabulary[token].role;
        if (role == TokenRole::Space || role == TokenRole::WordStart) {
            endWord(beam);
            if (role == TokenRole::WordStart) {
                beam.partial = extended({}, token);
                beam.span = { frame, frame + 1 };
            }
        } else if (token == from.token) { // upstream's words do without the second of two letters
            beam.span.end = frame + 1;
        } else {
            beam.partial = extended(from.partial, token);
            beam.span = { from.span.begin < 0 ? frame : from.span.begin, frame + 1 };
        }
        if (m_setting.hotwords)
            beam.hot = m_setting.hotwords->advance(from.hot, token);
        return beam;
    }

    /// `beam` has the word under way of a beam that survived.
    void endWord(PrefixBeam& beam)
    {
        if (beam.partial.hash != 0)
            beam.times = m_times.append(beam.times, beam.span);
        beam.text = m_texts.append(beam.text, beam.partial.base);
        beam.partial = {};
        beam.span = {};
    }

    /// What upstream merges beams by in the end: the spelling and once more its last word.
    TextHash endOf(const PrefixBeam& beam) const
    {
        const TextHash prefix = m_texts.spelling(beam.prefix.base).hash;
        const TextHash partial = m_texts.spelling(beam.partial.base).hash;
        if (partial.value == 0)
            return prefix;
        return prefix.value == 0 ? partial : prefix + TextHash::of(" ") + partial;
    }

    PrefixBeam closed(const PrefixBeam& from)
    {
        PrefixBeam beam = from;
        endWord(beam);
        if (m_setting.hotwords)
            beam.hot = m_setting.hotwords->finish(beam.hot);
        return beam;
    }

    double rankOf(const PrefixBeam& beam, bool isEnd) const
    {
        double rank = beam.score;
        if (m_setting.scorer) {
            rank += m_texts.text(beam.text).score;
            if (beam.partial.hash != 0)
                rank += m_setting.scorer->prefix({ beam.partial.hash, 1 }, beam.partial.length);
        }
        if (m_setting.hotwords)
            rank += isEnd ? beam.hot.earned : m_setting.hotwords->bonus(beam.hot);
        return rank;
    }

    void settle(Spelled& spelled)
    {
        if (spelled.token >= 0)
            spelled.base = m_texts.extend(spelled.base, spelled.token, spelled.isSpaced);
        spelled.token = -1;
        spelled.isSpaced = false;
    }

    void keep()
    {
        m_next.clear();
        m_histories.clear();
        for (const int32_t place : m_places) {
            PrefixBeam beam = m_beams[static_cast<size_t>(place)];
            settle(beam.prefix);
            settle(beam.partial);
            if (m_setting.options.pruneHistory) {
                const uint64_t key = historyKey(
                    m_texts.lastSpelledWords(beam.prefix.base, historyLength(m_setting)),
                    beam.partial.hash, beam.token, beam.hot);
                if (!m_histories.insert(key))
                    continue;
            }
            m_next.push_back(beam);
        }
        m_beams.swap(m_next);
    }

    CtcHypothesis hypothesis(const PrefixBeam& beam) const
    {
        std::vector<std::string> words;
        for (const std::string& word : split(m_texts.spelled(beam.prefix.base), ' ')) {
            if (!word.empty())
                words.push_back(word);
        }
        return { .text = join(words, " "),
            .score = beam.score,
            .rank = beam.rank,
            .words = framesOf(words, m_times.list(beam.times)) };
    }

    const CtcSearchSetting& m_setting;
    BeamTexts m_texts;
    WordTimes m_times;
    std::vector<PrefixBeam> m_beams { PrefixBeam {} };
    // Of a frame; members, so that their memory is taken once.
    std::unordered_map<uint64_t, size_t> m_placeOf; ///< the first beam of each spelling
    std::vector<int32_t> m_tokens;
    std::vector<int32_t> m_places;
    std::vector<PrefixBeam> m_next;
    HashSet m_histories;
};

} // namespace

std::vector<CtcHypothesis> ctcPrefixBeamSearch(
    const CtcSearchSetting& setting, const LogProbs& logProbs)
{
    return searchFrames<PrefixSearch>(setting, logProbs);
}

} // namespace earwright::decode
