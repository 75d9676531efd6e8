#pragma once

#include "ui/utterances/utterance_set.h"

#include <functional>
#include <QString>
#include <vector>

namespace earwright::ui {

/// What the user types to see fewer utterances: terms between blanks, all of which must hold.
///   word, "some words", /regex/        in any text of the row, whatever the case
///   id: speaker: ref: hyp:             the same in one text, as in speaker:anna or ref:/^open/
///   id= speaker= ref= hyp=             one text is that and nothing more
///   wer cer seconds s d i errors diff  with < <= > >= =, as in wer>50; percent, seconds, counts
///   rate                               the same of the speaking rate: words of the reference a
///                                      second, or where texts have no words characters
///   missed, missed:part, missed=whole  a hotword, one with that in it, or that one, was spoken and
///                                      not heard
///   corrected, quarantined             its transcript is corrected; it is to be left out
///   strange, overlap                   of a manifest: it has words outside the tokenizer; another
///                                      manifest has it too
///   nonfinite                          of a manifest: the run had it in a step whose loss or
///                                      gradients were not finite
///   sametext samesound silence clipped of a manifest, with < <= > >= =
///   better, worse                      the other evaluation has fewer or more errors
/// In quotation marks \" is a quotation mark and \\ a backslash. Blanks count as one.
/// A figure that is not known holds for no comparison. Safe in any thread once it is made.
class UtteranceFilter final {
public:
    UtteranceFilter() = default; ///< lets all pass
    explicit UtteranceFilter(const QString& text);

    bool isAll() const { return m_terms.empty() && m_error.isEmpty(); }
    /// What cannot be understood, "" = nothing; then no row passes.
    const QString& error() const { return m_error; }
    bool passes(const UtteranceRow& row) const;

    /// The filter for the utterances in which this hotword was spoken and not heard.
    static QString missedPhrase(const QString& phrase);
    /// Of a speaker's utterances; "" = of those that name none.
    static QString speakerNamed(const QString& speaker);
    /// Of the utterances in which this was said and that heard, and that have such an error; "" =
    /// nothing was said, or heard. Both are words, or parts of texts without words.
    static QString confusion(const QString& said, const QString& heard, bool haveWords);
    static QString help(); ///< of the field where it is typed, as a tool tip

private:
    using Term = std::function<bool(const UtteranceRow&)>;

    void add(const QString& word);
    bool addFlag(const QString& word);
    bool addComparison(const QString& word);
    bool addInOneText(const QString& word);

    std::vector<Term> m_terms;
    QString m_error;
};

} // namespace earwright::ui
