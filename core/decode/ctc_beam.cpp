#include "core/decode/ctc_search.h"

#include "core/base/text.h"
#include "core/decode/log_add.h"

namespace earwright::decode {

namespace {

struct OutputBeam {
    int32_t text = 0;
    int32_t partial = 0; ///< spelling of the word under way
    int32_t token = -1; ///< the last output
    int32_t times = WordTimes::kNone;
    WordTimes::Span span; ///< of the word under way
    int32_t closed = -1; ///< the text with that word, once it was asked for
    float score = 0;
    HotwordState hot;
};

enum class Step { Stay, Close, Start, Extend };

/// A beam that may follow: its predecessor and what the token does to it.
struct Candidate {
    int32_t from = 0; ///< place of the predecessor
    int32_t token = -1;
    Step step = Step::Stay;
    int32_t text = 0;
    uint64_t partial = 0; ///< hash of its word under way
    float score = 0;
    float rank = 0;
    HotwordState hot;
};

/// Finds the candidate of this token that spells the same. One output's candidates are a beam's
/// number at most.
class Meeting final {
public:
    void begin(size_t beams)
    {
        size_t size = 16;
        while (size < 2 * beams)
            size *= 2;
        m_slots.assign(size, -1);
    }
    /// The place of an equal candidate, or -1: then `place` is remembered for it.
    int32_t find(const std::vector<Candidate>& all, const Candidate& candidate, int32_t place)
    {
        const size_t mask = m_slots.size() - 1;
        size_t slot
            = (candidate.partial ^ static_cast<uint64_t>(candidate.text) * 0x9e3779b97f4a7c15)
            & mask;
        for (; m_slots[slot] >= 0; slot = (slot + 1) & mask) {
            const Candidate& other = all[static_cast<size_t>(m_slots[slot])];
            if (other.partial == candidate.partial && other.text == candidate.text)
                return m_slots[slot];
        }
        m_slots[slot] = place;
        return -1;
    }

private:
    std::vector<int32_t> m_slots;
};

/// The search over one utterance.
class BeamSearch final {
public:
    explicit BeamSearch(const CtcSearchSetting& setting)
        : m_setting(setting)
        , m_texts(setting.vocabulary, setting.scorer.get())
    {
        if (setting.hotwords)
            m_beams.front().hot = setting.hotwords->start();
    }

    void frame(const float* frame, int32_t index, const LogProbs& logProbs)
    {
        chooseTokens(frame, logProbs, m_setting, m_tokens);
        if (m_tokens.empty())
            return;
        m_candidates.clear();
        for (const int32_t token : m_tokens)
            tryToken(token, frame[token]);
        for (Candidate& candidate : m_candidates)
            candidate.rank = rankOf(candidate);
        choosePlaces<float>(m_candidates, m_setting.options, m_places);
        keep(index);
    }

    std::vector<CtcHypothesis> finish()
    {
        m_candidates.clear();
        m_meeting.begin(m_beams.size());
        for (size_t place = 0; place < m_beams.size(); ++place) {
            const OutputBeam& beam = m_beams[place];
            Candidate candidate { .from = static_cast<int32_t>(place),
                .step = Step::Close,
                .text = m_texts.isBlankWord(beam.partial) ? beam.text : closed(place),
                .score = beam.score,
                .hot = beam.hot };
            if (m_setting.hotwords)
                candidate.hot = m_setting.hotwords->finish(beam.hot);
            offer(candidate);
        }
        for (Candidate& candidate : m_candidates)
            candidate.rank = rankOf(candidate);
        choosePlaces<float>(m_candidates, m_setting.options, m_places);
        std::vector<CtcHypothesis> best;
        for (size_t i = 0; i < m_places.size() && std::ssize(best) < m_setting.options.topk; ++i)
            best.push_back(hypothesis(m_candidates[static_cast<size_t>(m_places[i])]));
        return best;
    }

private:
    int32_t closed(size_t place)
    {
        OutputBeam& beam = m_beams[place];
        if (beam.closed < 0)
            beam.closed = m_texts.append(beam.text, beam.partial);
        return beam.closed;
    }

    Step stepOf(const OutputBeam& beam, int32_t token) const
    {
        const TokenRole role = m_setting.vocabulary[token].role;
        if (role == TokenRole::Blank || beam.token == token || isIdleBlank(beam, token))
            return Step::Stay;
        if (role == TokenRole::WordStart)
            return Step::Start;
        return role == TokenRole::Space ? Step::Close : Step::Extend;
    }

    /// Where a blank is a word, nobody writes one behind another or before a text, which
    /// SentencePieces begin with one.
    bool isIdleBlank(const OutputBeam& beam, int32_t token) const
    {
        return m_setting.vocabulary.areCharacters() && m_setting.vocabulary[token].piece == " "
            && (m_texts.isBlankWord(beam.partial) || (beam.text == 0 && beam.partial == 0));
    }

    void tryToken(int32_t token, float logProb)
    {
        m_meeting.begin(m_beams.size());
        for (size_t place = 0; place < m_beams.size(); ++place) {
            const OutputBeam& beam = m_beams[place];
            Candidate candidate { .from = static_cast<int32_t>(place),
                .token = token,
                .step = stepOf(beam, token),
                .text = beam.text,
                .partial = m_texts.spelling(beam.partial).hash.value,
                .score = beam.score + logProb,
                .hot = beam.hot };
            if (candidate.step == Step::Close || candidate.step == Step::Start) {
                candidate.text = closed(place);
                candidate.partial = 0;
            }
            if (candidate.step == Step::Start || candidate.step == Step::Extend)
                candidate.partial = m_texts.extended(wordUnder(candidate), token).value;
            if (m_setting.hotwords && candidate.step != Step::Stay)
                candidate.hot = m_setting.hotwords->advance(beam.hot, token);
            offer(candidate);
        }
    }

    /// The spelling that the candidate's token goes on with.
    int32_t wordUnder(const Candidate& candidate) const
    {
        return candidate.step == Step::Extend ? m_beams[static_cast<size_t>(candidate.from)].partial
                                              : 0;
    }

    void offer(const Candidate& candidate)
    {
        const int32_t same
            = m_meeting.find(m_candidates, candidate, static_cast<int32_t>(m_candidates.size()));
        if (same < 0) {
            m_candidates.push_back(candidate);
            return;
        }
        Candidate& met = m_candidates[static_cast<size_t>(same)];
        const float score = logAdd(met.score, candidate.score);
        met = candidate;
        met.score = score;
    }

    int32_t partialLength(const Candidate& candidate) const
    {
        if (candidate.step == Step::Stay)
            return m_texts.spelling(m_beams[static_cast<size_t>(candidate.from)].partial).length;
        if (candidate.step == Step::Close)
            return 0;
        return m_texts.spelling(wordUnder(candidate)).length
            + m_setting.vocabulary[candidate.token].length;
    }

    float rankOf(const Candidate& candidate) const
    {
        double extra = 0;
        if (m_setting.scorer) {
            extra = m_texts.text(candidate.text).score;
            if (candidate.partial != 0)
                extra += m_setting.scorer->prefix(
                    TextHash { candidate.partial, 1 }, partialLength(candidate));
        }
        if (m_setting.hotwords)
            extra += candidate.token < 0 ? candidate.hot.earned
                                         : m_setting.hotwords->bonus(candidate.hot);
        return candidate.score + static_cast<float>(extra);
    }

    int32_t timesOf(const Candidate& candidate)
    {
        const OutputBeam& from = m_beams[static_cast<size_t>(candidate.from)];
        const bool ends = candidate.step == Step::Close || candidate.step == Step::Start;
        return ends && from.partial != 0 ? m_times.append(from.times, from.span) : from.times;
    }

    WordTimes::Span spanOf(const Candidate& candidate, int32_t frame) const
    {
        const WordTimes::Span before = m_beams[static_cast<size_t>(candidate.from)].span;
        const bool isBlank = candidate.token == m_setting.vocabulary.blankIndex();
        switch (candidate.step) {
        case Step::Stay:
            return isBlank ? before : WordTimes::Span { before.begin, frame + 1 };
        case Step::Close:
            return {};
        case Step::Start:
            return { frame, frame + 1 };
        case Step::Extend:
            break;
        }
        return { before.begin < 0 ? frame : before.begin, frame + 1 };
    }

    OutputBeam follow(const Candidate& candidate, int32_t frame)
    {
        OutputBeam beam { .text = candidate.text,
            .token = candidate.token,
            .times = timesOf(candidate),
            .span = spanOf(candidate, frame),
            .score = candidate.score,
            .hot = candidate.hot };
        if (candidate.step == Step::Stay)
            beam.partial = m_beams[static_cast<size_t>(candidate.from)].partial;
        else if (candidate.step != Step::Close)
            beam.partial = m_texts.extend(wordUnder(candidate), candidate.token);
        return beam;
    }

    void keep(int32_t frame)
    {
        m_next.clear();
        m_histories.clear();
        for (const int32_t place : m_places) {
            const Candidate& candidate = m_candidates[static_cast<size_t>(place)];
            if (m_setting.options.pruneHistory) {
                const uint64_t key
                    = historyKey(m_texts.lastWords(candidate.text, historyLength(m_setting)),
                        candidate.partial, candidate.token, candidate.hot);
                if (!m_histories.insert(key))
                    continue;
            }
            m_next.push_back(follow(candidate, frame));
        }
        m_beams.swap(m_next);
    }

    CtcHypothesis hypothesis(const Candidate& candidate)
    {
        const std::vector<std::string> words = m_texts.words(candidate.text);
        return { .text = join(words, m_setting.vocabulary.wordSeparator()),
            .score = static_cast<double>(candidate.score),
            .rank = static_cast<double>(candidate.rank),
            .words = framesOf(words, m_times.list(timesOf(candidate))) };
    }

    const CtcSearchSetting& m_setting;
    BeamTexts m_texts;
    WordTimes m_times;
    std::vector<OutputBeam> m_beams { OutputBeam {} };
    // Of a frame; members, so that their memory is taken once.
    std::vector<int32_t> m_tokens;
    std::vector<Candidate> m_candidates;
    std::vector<int32_t> m_places;
    std::vector<OutputBeam> m_next;
    HashSet m_histories;
    Meeting m_meeting;
};

} // namespace

std::vector<CtcHypothesis> ctcBeamSearch(const CtcSearchSetting& setting, const LogProbs& logProbs)
{
    return searchFrames<BeamSearch>(setting, logProbs);
}

} // namespace earwright::decode
