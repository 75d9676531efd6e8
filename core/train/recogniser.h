#pragma once

#include "core/base/result.h"
#include "core/data/manifest.h"
#include "core/data/other_letters.h"
#include "core/plan/plan.h"
#include "core/precision/precision.h"
#include "core/settings/frame_rate.h"
#include "core/train/task/ctc_search.h"
#include "core/train/task/hotword_list.h"
#include "core/train/task/nbest_output.h"
#include "core/train/task/task.h"
#include "core/train/task/timed_output.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace earwright::train {

/// How what a model gives becomes texts. What is not said is as in the recipe's test.
struct DecodeSetting {
    std::optional<int64_t> beamSize;
    int64_t topk = 1; ///< hypotheses of an utterance
    std::filesystem::path languageModel; ///< "" = the recipe's
    std::optional<double> lmWeight; ///< alpha
    std::optional<double> wordBonus; ///< beta
    /// What a model that listens for hotwords is told instead of the recipe's; for others what a
    /// search looks for.
    std::optional<std::vector<decode::Hotword>> hotwords;
    /// Of a model that listens for hotwords, instead of the recipe's hotword_weight.
    std::optional<double> hotwordWeight;
    /// Hypotheses have scores, and words frames, wherever the recipe's own search gives them.
    bool wantsScores = false;
    /// What is longer is cut where it is quietest (data/silent_cuts.h), and its segments are
    /// decoded by themselves. None: 60, which is behind what utterances of corpora last, or what
    /// the model hears at once, but that a TimedOutput hears by windows.
    std::optional<double> maxSegmentSeconds {};
    /// Of every sound the segments that the model itself tells, a TimedOutput. Not with
    /// maxSegmentSeconds and several hypotheses.
    bool wantsTimes = false;

    bool hasHotwords() const { return hotwords && !hotwords->empty(); }
    /// Without a search of its own: the texts that the test would have.
    bool isPlain() const
    {
        return !beamSize && topk <= 1 && languageModel.empty() && !lmWeight && !wordBonus;
    }
    /// Something asks for another search than the recipe's test has.
    bool asksForSearch() const { return !isPlain() || hasHotwords(); }
};

std::vector<std::string> phrasesOf(const std::vector<decode::Hotword>& hotwords);

/// What was heard in one utterance, best first, one at least.
struct Heard {
    std::vector<decode::CtcHypothesis> hypotheses { {} };
    std::string problem {}; ///< why there is no text: its sound cannot be read or is too short for
                            ///< the model, …; "" = there is
    double secondsPerFrame = 0; ///< of the words' frames; 0 = not known
    int32_t numFrames = 0; ///< where words have frames
    std::vector<HeardSegment> segments {}; ///< none where it was heard in one piece
    bool isScored = true; ///< hypotheses have scores where the recogniser's search has them
    const std::string& text() const { return hypotheses.front().text; }
};

/// A trained model that turns audio into text: as its recipe's test does, or by another search.
class Recogniser final {
public:
    /// `run` is the run folder, `checkpoint` one of its checkpoints. Errors: a checkpoint that does
    /// not fit, a search over a model without CTC output, a language model or hotwords that cannot
    /// be used.
    static Result<Recogniser> load(const plan::Plan& plan, const std::filesystem::path& run,
        const std::filesystem::path& checkpoint, c10::Device device, const DecodeSetting& setting);

    /// Told of each utterance once it is known, by its place; in the caller's thread. After an
    /// error it is told of the rest of its batch, and no more is recognised.
    using Tell = std::function<Status(size_t utterance, const Heard& heard)>;

    /// Asked after each batch and window; false ends it with an error.
    using GoOn = std::function<bool()>;

    /// One entry an utterance, in order; `batchSize` of like durationSeconds are read at a time,
    /// fewer where they would have more than a minute each with their padding, in halves where the
    /// model cannot take them at once. Those longer than maxSegmentSeconds come last, one after the
    /// other, their segments in such batches or by windows. Texts of the utterances are not looked
    /// at.
    /// A sound that cannot be read, or that the model cannot take alone either, is no error: the
    /// others' texts stand. Errors name the utterance.
    Result<std::vector<Heard>> recognise(const std::vector<data::Utterance>& utterances,
        int64_t batchSize, const Tell& tell = {}, const GoOn& goOn = {});

    /// What to tell of a search that is not the recipe's, a language model that does not fit and of
    /// hotwords that the model cannot listen for; "" = nothing.
    std::string warning() const { return m_warning; }
    /// A transcript as the model can write it, to compare with.
    std::string asWritten(const std::string& transcript) const
    {
        return m_encoder->asWritten(transcript);
    }
    /// What is compared of a text, a transcript or one of its own.
    std::string scored(const std::string& text) const { return m_encoder->normalized(text); }
    /// What of transcripts the model cannot write.
    data::OtherLetters otherLetters(const std::vector<std::string>& transcripts) const
    {
        return data::otherLetters(transcripts, *m_encoder);
    }
    int sampleRateHz() const { return m_sampleRateHz; }
    /// DecodeSetting's, or less where the model hears no more at once: 30 s of Whisper.
    double maxSegmentSeconds() const { return m_maxSegmentSeconds; }
    /// What is longer is not cut.
    bool hearsByWindows() const { return m_timed != nullptr; }
    /// Hypotheses have scores, of a CTC output frames too.
    bool isSearch() const { return m_searcher || m_nBest; }

private:
    explicit Recogniser(c10::Device device)
        : m_device(device)
    {
    }
    Status prepareSearch(const DecodeSetting& setting, const recipe::Node& recipe);
    Status prepareTimes(const DecodeSetting& setting);
    Status openSearcher(const DecodeSetting& setting, const recipe::Node& recipe);
    Status tell(HotwordListener& listener, const DecodeSetting& setting);
    void warn(const std::string& text);
    /// Utterances and how they are cut into batches.
    struct Work;
    Status recogniseBatches(Work& work, const Tell& tell, const GoOn& goOn);
    Result<Heard> recogniseLong(
        const data::Utterance& utterance, int64_t batchSize, const GoOn& goOn);
    Result<Heard> recogniseByWindows(const data::Utterance& utterance, const GoOn& goOn);
    // Fewer than the rows where goOn says false.
    std::vector<Heard> decode(const data::Batch& batch, const GoOn& goOn);
    std::vector<Heard> decodeParts(const data::Batch& batch, int64_t count, const GoOn& goOn);
    std::vector<Heard> decodeFitting(const data::Batch& batch, const GoOn& goOn);
    Result<std::vector<Heard>> decodeBatch(const data::Batch& batch, const GoOn& goOn);
    bool goesByWindows(const data::Batch& batch) const;
    double secondsPerFrame(const data::Batch& batch, int64_t frames) const;

    c10::Device m_device;
    std::shared_ptr<const data::TextEncoder> m_encoder;
    std::unique_ptr<Task> m_task;
    std::optional<CtcSearcher> m_searcher; ///< over the CTC output
    NBestOutput* m_nBest = nullptr; ///< the task itself; neither: its own texts
    TimedOutput* m_timed = nullptr; ///< the task itself, where long sounds go by windows
    bool m_wantsTimes = false; ///< so do all
    std::string m_warning;
    std::unique_ptr<precision::Precision> m_precision;
    int64_t m_topk = 1;
    double m_maxSegmentSeconds = 60;
    int m_sampleRateHz = 16000;
    std::optional<settings::FrameRate> m_frameRate;
};

} // namespace earwright::train
