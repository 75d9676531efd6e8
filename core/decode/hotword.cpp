#include "core/decode/hotword.h"

#include "core/base/code_point.h"
#include "core/base/not_text.h"
#include "core/base/number.h"
#include "core/base/text.h"

#include <algorithm>
#include <cmath>

namespace earwright::decode {

namespace {

/// Of Latin letters, as toLower().
std::string toUpper(std::string text)
{
    for (char& c : text)
        c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    return text;
}

/// What is wrong with it; "" = nothing.
std::string misfit(double weight)
{
    return std::abs(weight) <= kMostHotwordWeight
        ? ""
        : "is no weight of a hotword: those are from -10000 to 10000";
}

/// Of a line; an empty one has no text.
Result<Hotword> readPhrase(const std::string& line, double usualWeight)
{
    if (brokenUtf8At(line) != std::string::npos)
        return Error { "the hotword is not UTF-8; if it is GBK, 'iconv -f GBK -t UTF-8' makes it "
                       "so" };
    const size_t tab = line.find('\t');
    Hotword phrase { squeezed(std::string_view(line).substr(0, tab)), usualWeight };
    const std::string_view behind
        = tab == std::string::npos ? "" : trim(std::string_view(line).substr(tab + 1));
    if (behind.empty())
        return phrase;
    const auto weight = parseNumber<double>(behind);
    if (!weight)
        return Error { "'" + std::string(behind) + "' is no weight" };
    if (const std::string wrong = misfit(*weight); !wrong.empty())
        return Error { "'" + std::string(behind) + "' " + wrong };
    phrase.weight = *weight;
    return phrase;
}

} // namespace

std::string squeezed(std::string_view text)
{
    return join(splitAtWhiteSpace(text), " ");
}

Status checkHotwordWeight(double weight)
{
    if (const std::string wrong = misfit(weight); !wrong.empty())
        return Error { "'" + formatDouble(weight) + "' " + wrong };
    return Done {};
}

std::string spellingHint(
    const std::string& phrase, const std::function<bool(const std::string&)>& isSpelled)
{
    if (const std::string upper = toUpper(phrase); upper != phrase && isSpelled(upper))
        return "; the model writes upper case";
    if (const std::string lower = toLower(phrase); lower != phrase && isSpelled(lower))
        return "; the model writes lower case";
    const size_t blank = std::min(phrase.rfind(' '), phrase.size());
    if (blank < phrase.size() && parseNumber<double>(phrase.substr(blank + 1))
        && isSpelled(phrase.substr(0, blank)))
        return "; a weight stands behind a tab";
    return {};
}

Result<std::vector<Hotword>> readHotwords(const std::filesystem::path& file, double usualWeight)
{
    if (const Status fits = checkHotwordWeight(usualWeight); !fits)
        return fits.error();
    const Result<std::string> text = readTextFile(file);
    if (!text)
        return text.error();
    std::vector<Hotword> phrases;
    int number = 0;
    for (const std::string& line : split(withoutByteOrderMark(*text), '\n')) {
        ++number;
        Result<Hotword> phrase = readPhrase(line, usualWeight);
        if (!phrase)
            return Error { file.string() + ":" + std::to_string(number) + ": "
                + phrase.error().message };
        const auto same = std::find_if(phrases.begin(), phrases.end(),
            [&](const Hotword& earlier) { return earlier.text == phrase->text; });
        if (same != phrases.end())
            *same = std::move(*phrase);
        else if (!phrase->text.empty())
            phrases.push_back(std::move(*phrase));
    }
    return phrases;
}

} // namespace earwright::decode
