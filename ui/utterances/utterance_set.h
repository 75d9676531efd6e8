#pragma once

#include "core/data/amendments.h"
#include "core/run/utterances.h"
#include "ui/utterances/utterance_sound.h"

#include <QString>
#include <QStringList>

#include <limits>
#include <memory>
#include <optional>
#include <vector>

namespace earwright::ui {

/// One evaluation of one run.
struct ChosenEvaluation {
    QString runPath;
    run::Evaluated evaluated;

    bool isSame(const ChosenEvaluation& other) const;
};

/// One utterance of an evaluation, and what another evaluation made of it. A figure that is not
/// known is NaN.
struct UtteranceRow {
    enum Column {
        Id,
        Speaker,
        Seconds,
        Wer,
        Cer,
        Substitutions,
        Deletions,
        Insertions,
        Reference,
        Hypothesis,
        OtherHypothesis,
        OtherRate,
        Difference,
        Corrected,
        Quarantine,
        StrangeWords,
        SameTexts,
        SameSounds,
        InOther,
        Silence,
        Clipped,
        ColumnCount
    };
    static constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

    QString id;
    QString speaker;
    QString reference;
    QString hypothesis;
    double seconds = kUnknown;
    double wer = kUnknown; ///< percent
    double cer = kUnknown; ///< percent
    int64_t substitutions = 0; ///< in the unit that counts, as all edits here
    int64_t deletions = 0;
    int64_t insertions = 0;
    int64_t tokens = 0; ///< of the reference, in the same unit
    QStringList missed {}; ///< hotwords that were spoken and not heard
    std::string sound {}; ///< path as the run read it; "" = unknown
    data::SoundPart part {}; ///< of its file
    QString otherHypothesis {};
    double otherRate = kUnknown; ///< percent, in the unit that counts
    double difference = kUnknown; ///< the other's rate minus this one's: negative = the other is
                                  ///< better
    QString corrected {}; ///< what the reference is to be; "" = it is not corrected
    QString quarantine {}; ///< "left out", of a new manifest; "" = it is not
    // Of a manifest that is looked at before a training (data/manifest_survey.h):
    QString strangeWords {}; ///< that the tokenizer cannot write
    double sameTexts = kUnknown; ///< rows of this text
    double sameSounds = kUnknown; ///< rows of this file and place in it
    QString inOther {}; ///< "yes" where the other manifest has it too
    double silence = kUnknown; ///< percent of its frames
    double clipped = kUnknown; ///< percent of its samples
    bool isOfBadStep = false; ///< the run had it in a step whose loss or gradients were not finite

    static bool isText(int column);
    const QString& text(int column) const; ///< of a column that is text
    double figure(int column) const; ///< of one that is not
};

/// The utterances of an evaluation, or of a manifest, in its order.
struct UtteranceSet {
    std::vector<UtteranceRow> rows {};
    QString rate = QStringLiteral("WER"); ///< the one that counts
    std::filesystem::path workingFolder {}; ///< that sounds' relative paths count from
    score::WordSplit wordSplit = score::WordSplit::WhiteSpace;
    bool hasSpeakers = false;
    bool hasSeconds = false;
    bool hasWer = false;
    bool hasCer = false;
    bool isCompared = false; ///< with another evaluation
    bool isManifest = false; ///< nothing was recognised: there are no hypotheses and no edits
    bool hasTokenizer = false; ///< of a manifest, as those below: strangeWords is known
    bool hasOther = false; ///< inOther is known
    bool hasHeard = false; ///< silence and clipped are known
    QString summary {}; ///< of all rows of a manifest
    int numOfBadSteps = 0; ///< of a manifest: rows with isOfBadStep
    bool hasCorrections = false;
    bool hasQuarantine = false;
    std::filesystem::path manifest {}; ///< that the run read it from; "" = not known
    settings::ManifestColumns columns {}; ///< of the manifest, that the run read
    QString manifestError {}; ///< why nothing can be corrected; "" = it can
    int numMatched = 0; ///< rows that the other evaluation has too, with the same reference
    QString error {}; ///< why there are none; "" = they were read
    QString otherError {}; ///< why nothing is known of the other evaluation, or not of all rows
};
using UtteranceSetPtr = std::shared_ptr<const UtteranceSet>;

/// Where a row's sound lies; nowhere where the run kept no path of it.
SoundPlace soundPlaceOf(const UtteranceSet& set, const UtteranceRow& row);

/// The same with what is noted of the manifest. Safe in any thread.
UtteranceSetPtr amendedSet(const UtteranceSet& set, const data::Amendments& amendments);

/// Reads one evaluation, and what another one of the same rate made of the same utterances: those
/// of the same ID and reference. Reads files: not in the GUI thread.
UtteranceSetPtr readUtteranceSet(
    const ChosenEvaluation& chosen, const std::optional<ChosenEvaluation>& other);

} // namespace earwright::ui
