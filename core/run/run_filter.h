#pragma once

#include "core/base/result.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace earwright::run {

struct RunSettings;
struct RunSummary;

/// Which runs a text asks for. Its words, with blanks between them, must all be true of a run:
/// - `fsdd`: stands in the name, the folder's name, a tag, the notes or an override;
/// - `key:value`: the value stands in what the run has there: name, tag, note, state, precision,
///   device, or a key of the recipe;
/// - `key<10`, `<=`, `>`, `>=`: a number: wer, cer (of the test, percent), epoch, step, a metric
///   such as `valid/loss`, or a key of the recipe. What is no number there is never true.
/// "two words" are one. Capital letters count as small ones.
class RunFilter final {
public:
    /// The error says which word is wrong and what to write instead. No word asks for all runs.
    static Result<RunFilter> parse(std::string_view text);

    bool isEmpty() const { return m_terms.empty(); }
    /// Whether it asks for what only the run's recipe says.
    bool needsSettings() const;
    /// `settings` may be empty where it does not need them.
    bool matches(const RunSummary& run, const RunSettings& settings) const;

private:
    enum class Is { In, Less, LessOrEqual, Greater, GreaterOrEqual };
    struct Term {
        std::string key; ///< "" = anywhere
        Is is = Is::In;
        std::string text; ///< in small letters
        double number = 0;
    };
    static Result<Term> parseTerm(const std::string& word);
    static bool holds(const Term& term, const RunSummary& run, const RunSettings& settings);

    std::vector<Term> m_terms;
};

/// What a run has under a key of a filter, as a number where it is one: "wer", "epoch", a metric, a
/// key of the recipe. Also what a column of that name shows.
std::optional<double> numberOf(
    const RunSummary& run, const RunSettings& settings, const std::string& key);

} // namespace earwright::run
