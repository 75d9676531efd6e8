#include "core/run/run_filter.h"

#include "core/base/number.h"
#include "core/base/text.h"
#include "core/run/run_folder.h"
#include "core/run/run_settings.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace earwright::run {
namespace {

/// What a summary tells without the recipe.
constexpr std::array<std::string_view, 8> kTexts { "name", "run", "tag", "note", "state",
    "precision", "device", "error" };
constexpr std::array<std::string_view, 4> kNumbers { "wer", "cer", "epoch", "step" };

bool isIn(const std::string& text, const std::string& part)
{
    return toLower(text).find(part) != std::string::npos;
}

bool isAmong(std::string_view key, const auto& keys)
{
    return std::find(keys.begin(), keys.end(), key) != keys.end();
}

/// The words between blanks; what stands between two quotes is one.
Result<std::vector<std::string>> wordsOf(std::string_view text)
{
    std::vector<std::string> words;
    std::string word;
    bool isQuoted = false;
    bool isWord = false;
    for (const char c : text) {
        if (c == '"') {
            isQuoted = !isQuoted;
            isWord = true;
        } else if (!isQuoted && std::isspace(static_cast<unsigned char>(c))) {
            if (isWord)
                words.push_back(std::exchange(word, {}));
            isWord = false;
        } else {
            word += c;
            isWord = true;
        }
    }
    if (isQuoted)
        return Error { "a quote (\") is not closed; write another one behind the words" };
    if (isWord)
        words.push_back(word);
    return words;
}

std::vector<std::string> textsOf(
    const RunSummary& run, const RunSettings& settings, const std::string& key)
{
    if (key == "name")
        return { run.notes.name, run.name };
    if (key == "run")
        return { run.folder.path.filename().string() };
    if (key == "tag")
        return run.notes.tags;
    if (key == "note")
        return { run.notes.notes };
    if (key == "state")
        return { stateName(run.state) };
    if (key == "precision")
        return { run.precision };
    if (key == "device")
        return run.devices;
    if (key == "error")
        return { run.error };
    const auto found = settings.keys.find(key);
    return found == settings.keys.end() ? std::vector<std::string>()
                                        : std::vector<std::string> { found->second };
}

bool standsAnywhere(const RunSummary& run, const RunSettings& settings, const std::string& part)
{
    std::vector<std::string> texts { run.notes.name, run.name, run.folder.path.filename().string(),
        run.notes.notes };
    texts.insert(texts.end(), run.notes.tags.begin(), run.notes.tags.end());
    texts.insert(texts.end(), settings.overrides.begin(), settings.overrides.end());
    return std::any_of(
        texts.begin(), texts.end(), [&part](const std::string& text) { return isIn(text, part); });
}

} // namespace

std::optional<double> numberOf(
    const RunSummary& run, const RunSettings& settings, const std::string& key)
{
    if (key == "wer" || key == "cer") {
        // Of texts without words a WER says nothing.
        const double rate = key == "cer" ? run.testCer : run.testRate == "CER" ? -1 : run.testWer;
        return rate < 0 ? std::nullopt : std::optional(rate);
    }
    if (key == "epoch")
        return static_cast<double>(run.epoch);
    if (key == "step")
        return static_cast<double>(run.step);
    if (const auto metric = run.metrics.find(key); metric != run.metrics.end())
        return metric->second;
    const auto found = settings.keys.find(key);
    if (found == settings.keys.end())
        return std::nullopt;
    return recipe::asDouble(*recipe::makeScalar(found->second));
}

Result<RunFilter> RunFilter::parse(std::string_view text)
{
    const Result<std::vector<std::string>> words = wordsOf(text);
    if (!words)
        return words.error();
    RunFilter filter;
    for (const std::string& word : *words) {
        Result<Term> term = parseTerm(word);
        if (!term)
            return term.error();
        filter.m_terms.push_back(std::move(*term));
    }
    return filter;
}

Result<RunFilter::Term> RunFilter::parseTerm(const std::string& word)
{
    const size_t at = word.find_first_of(":<>");
    if (at == std::string::npos || at == 0)
        return Term { .text = toLower(word) };
    Term term { .key = word.substr(0, at) };
    const bool isEqualToo = word[at] != ':' && word.substr(at + 1).starts_with('=');
    const std::string value = word.substr(at + (isEqualToo ? 2 : 1));
    if (word[at] == ':') {
        term.text = toLower(value);
        return term;
    }
    const std::optional<double> number = parseNumber<double>(value);
    if (!number)
        return Error { inQuotes(word)
            + " compares with no number; write one behind the sign, as in "
            + inQuotes(term.key + word.substr(at, isEqualToo ? 2 : 1) + "10") };
    term.number = *number;
    term.is = word[at] == '<' ? (isEqualToo ? Is::LessOrEqual : Is::Less)
                              : (isEqualToo ? Is::GreaterOrEqual : Is::Greater);
    return term;
}

bool RunFilter::needsSettings() const
{
    return std::any_of(m_terms.begin(), m_terms.end(), [](const Term& term) {
        return !(term.is == Is::In
                ? isAmong(term.key, kTexts)
                : isAmong(term.key, kNumbers) || term.key.find('/') != std::string::npos);
    });
}

bool RunFilter::matches(const RunSummary& run, const RunSettings& settings) const
{
    return std::all_of(m_terms.begin(), m_terms.end(),
        [&](const Term& term) { return holds(term, run, settings); });
}

bool RunFilter::holds(const Term& term, const RunSummary& run, const RunSettings& settings)
{
    if (term.key.empty())
        return standsAnywhere(run, settings, term.text);
    if (term.is == Is::In) {
        const std::vector<std::string> texts = textsOf(run, settings, term.key);
        return std::any_of(texts.begin(), texts.end(),
            [&term](const std::string& text) { return isIn(text, term.text); });
    }
    const std::optional<double> number = numberOf(run, settings, term.key);
    if (!number)
        return false;
    switch (term.is) {
    case Is::Less:
        return *number < term.number;
    case Is::LessOrEqual:
        return *number <= term.number;
    case Is::Greater:
        return *number > term.number;
    default:
        return *number >= term.number;
    }
}

} // namespace earwright::run
