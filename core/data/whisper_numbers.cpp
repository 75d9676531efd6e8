#include "core/data/whisper_numbers.h"

#include "core/base/code_point.h"
#include "core/base/text.h"
#include "core/data/pattern.h"
#include "core/data/whisper_number_words.h"

#include <algorithm>
#include <optional>
#include <unicode/uchar.h>
#include <vector>

namespace earwright::data {
namespace {

std::string withoutLeadingZeros(const std::string& digits)
{
    return digits.substr(std::min(digits.find_first_not_of('0'), digits.size() - 1));
}

/// In ASCII's digits, whatever script they are of; nothing where a sign is another than a digit or
/// a point, where two points are, or no digit.
std::optional<std::string> asciiNumber(const std::string& text)
{
    std::string made;
    for (const std::string& point : codePoints(text)) {
        const int32_t digit = u_charDigitValue(static_cast<UChar32>(codeOf(point)));
        if (point != "." && digit < 0)
            return std::nullopt;
        made += point == "." ? point : std::to_string(digit);
    }
    const bool isOne = std::count(made.begin(), made.end(), '.') <= 1 && made.size() > 0;
    return isOne && made != "." ? std::optional(made) : std::nullopt;
}

/// The number times ten to the power of `count`, where that is a whole one.
std::optional<std::string> wholeTimes(const std::string& number, int64_t count)
{
    const std::optional<std::string> ascii = asciiNumber(number);
    if (!ascii)
        return std::nullopt;
    const size_t point = std::min(ascii->find('.'), ascii->size());
    std::string fraction = ascii->substr(std::min(point + 1, ascii->size()));
    const size_t moved = std::min(fraction.size(), static_cast<size_t>(count));
    if (fraction.find_first_not_of('0', moved) != std::string::npos)
        return std::nullopt;
    fraction.resize(static_cast<size_t>(count), '0');
    const std::string whole = ascii->substr(0, point) + fraction;
    return withoutLeadingZeros(whole.empty() ? "0" : whole);
}

/// "12", "1.5", in digits of any script.
bool isNumeric(const std::string& text)
{
    size_t digits = 0; // since the beginning, or the point
    bool hasPoint = false;
    for (const std::string& point : codePoints(text)) {
        if (point == "." && digits > 0 && !hasPoint) {
            hasPoint = true;
            digits = 0;
        } else if (u_charDigitValue(static_cast<UChar32>(codeOf(point))) >= 0) {
            ++digits;
        } else {
            return false;
        }
    }
    return digits > 0;
}

/// Of whole numbers in digits.
std::string sum(const std::string& a, const std::string& b)
{
    std::string made(std::max(a.size(), b.size()) + 1, '0');
    int carry = 0;
    for (size_t i = 0; i < made.size(); ++i) {
        const auto digit = [&](const std::string& of) {
            return i < of.size() ? of[of.size() - 1 - i] - '0' : 0;
        };
        const int total = digit(a) + digit(b) + carry;
        made[made.size() - 1 - i] = static_cast<char>('0' + total % 10);
        carry = total / 10;
    }
    return withoutLeadingZeros(made);
}

/// A text's words one by one, with the number that is being read.
class NumberReader final {
public:
    explicit NumberReader(const std::vector<std::string>& words)
        : m_words(words)
    {
    }

    std::vector<std::string> read()
    {
        for (m_at = 0; m_at < m_words.size(); ++m_at)
            readWord(m_words[m_at]);
        endNumber();
        return std::move(m_made);
    }

private:
    /// What is read as one number: a whole one, or digits that are only put together.
    struct Value {
        std::string digits;
        bool isWhole;
    };

    const std::string& wordAt(size_t at) const
    {
        static const std::string none;
        return at < m_words.size() ? m_words[at] : none; // the one before the first wraps around
    }
    const std::string& before() const { return wordAt(m_at - 1); }
    const std::string& next() const { return wordAt(m_at + 1); }
    bool mayNextBeNumeric() const { return m_known.has(next()) || isNumeric(next()); }

    void write(const std::string& text)
    {
        m_made.push_back(m_sign + text);
        m_sign.clear();
        m_value.reset();
    }
    void endNumber()
    {
        if (m_value)
            write(std::string(m_value->digits));
    }
    void writeWord(const std::string& word)
    {
        endNumber();
        write(word);
    }
    /// As Python takes a number for a condition: of 0 nothing stays.
    void append(const std::string& digits)
    {
        const bool isNothing = !m_value || (m_value->isWhole && m_value->digits == "0");
        m_value = Value { (isNothing ? "" : m_value->digits) + digits, false };
    }

    /// The value with a part of one or two digits (`zeros`: what the value must end in to be added
    /// to, "0" or "00").
    Value joined(int64_t part, std::string_view zeros) const
    {
        const std::string digits = std::to_string(part);
        if (!m_value)
            return { digits, true };
        const bool isZero = m_value->digits == "0";
        if (m_value->isWhole && (isZero || m_value->digits.ends_with(zeros)))
            return { sum(m_value->digits, digits), true };
        return { m_value->digits + digits, false };
    }
    /// The same of one to nineteen.
    Value joinedOnes(int64_t part) const
    {
        if (!m_value || (m_value->isWhole && !m_known.ones.contains(before())))
            return joined(part, part < 10 ? "0" : "00");
        const bool isBehindTens = m_known.tens.contains(before()) && part < 10;
        const std::string& digits = m_value->digits;
        return { (isBehindTens ? digits.substr(0, digits.size() - 1) : digits)
                + std::to_string(part),
            false };
    }
    /// The last three digits times a multiplier: "two million three" hundred.
    std::string multiplied(int64_t count) const
    {
        const std::string& digits = m_value->digits;
        const size_t cut = digits.size() > 3 ? digits.size() - 3 : 0;
        const std::string above = cut > 0 ? digits.substr(0, cut) + "000" : "0";
        return sum(above, digits.substr(cut) + std::string(static_cast<size_t>(count), '0'));
    }

    void readWord(const std::string& word)
    {
        static const std::vector<std::string> signs { "-", "+", "£", "€", "$", "¢" };
        const std::string first = word.substr(0, codePointLength(word, 0));
        const bool hasSign = std::find(signs.begin(), signs.end(), first) != signs.end();
        const std::string bare = hasSign ? word.substr(first.size()) : word;
        if (isNumeric(bare))
            readDigits(word, bare, hasSign ? first : "");
        else if (!m_known.has(word))
            writeWord(word);
        else if (!readNumber(word) && !readMultiplier(word) && !readSign(word))
            readJoint(word);
    }

    void readDigits(const std::string& word, const std::string& bare, const std::string& sign)
    {
        if (m_value && !m_value->isWhole && m_value->digits.ends_with('.')) {
            m_value->digits += word; // decimals, or parts of an address
            return;
        }
        endNumber();
        if (!sign.empty())
            m_sign = sign;
        const std::optional<std::string> whole = wholeTimes(bare, 0);
        m_value = Value { whole.value_or(bare), whole.has_value() };
    }

    bool readNumber(const std::string& word)
    {
        if (NumberWords::isZero(word))
            append("0");
        else if (const auto one = m_known.ones.find(word); one != m_known.ones.end())
            m_value = joinedOnes(one->second);
        else if (const auto ten = m_known.tens.find(word); ten != m_known.tens.end())
            m_value = joined(ten->second, "00");
        else if (const auto nth = m_known.suffixedOnes.find(word);
                 nth != m_known.suffixedOnes.end())
            write(joinedOnes(nth->second.number).digits + nth->second.suffix);
        else if (const auto tenth = m_known.suffixedTens.find(word);
                 tenth != m_known.suffixedTens.end())
            write(joined(tenth->second.number, "00").digits + tenth->second.suffix);
        else
            return false;
        return true;
    }

    bool readMultiplier(const std::string& word)
    {
        const auto plain = m_known.zeros.find(word);
        const auto suffixed = m_known.suffixedZeros.find(word);
        if (plain == m_known.zeros.end() && suffixed == m_known.suffixedZeros.end())
            return false;
        const bool isPlain = plain != m_known.zeros.end();
        const int64_t count = isPlain ? plain->second : suffixed->second.number;
        const std::string multiplier = "1" + std::string(static_cast<size_t>(count), '0');
        std::optional<std::string> made = multiplier;
        if (m_value)
            made = m_value->isWhole ? multiplied(count) : wholeTimes(m_value->digits, count);
        if (!made)
            endNumber(); // "1.2345 hundred"
        m_value = Value { made.value_or(multiplier), true };
        if (!isPlain)
            write(m_value->digits + suffixed->second.suffix);
        return true;
    }

    /// What is written before or behind a number, and is a word by itself where there is none.
    bool readSign(const std::string& word)
    {
        if (const auto sign = m_known.before.find(word); sign != m_known.before.end()) {
            endNumber();
            if (mayNextBeNumeric())
                m_sign = sign->second;
            else
                write(word);
            return true;
        }
        const auto sign = m_known.behind.find(word);
        const bool isPercent = word == "percent" || (word == "per" && next() == "cent");
        if (sign == m_known.behind.end() && word != "percent" && word != "per")
            return false;
        if (!m_value || (word == "per" && !isPercent)) {
            writeWord(word);
        } else if (isPercent) {
            m_at += word == "per" ? 1 : 0;
            write(m_value->digits + "%");
        } else {
            m_sign = sign->second;
            endNumber();
        }
        return true;
    }

    /// "and", "double", "triple", "point"
    void readJoint(const std::string& word)
    {
        if (!mayNextBeNumeric()) {
            writeWord(word);
        } else if (word == "and") {
            if (!m_known.zeros.contains(before()))
                writeWord(word);
        } else if (word == "point") {
            if (m_known.isDecimal(next()) || isNumeric(next()))
                append(".");
        } else {
            repeatNext(word);
        }
    }

    void repeatNext(const std::string& word)
    {
        const auto one = m_known.ones.find(next());
        if (one == m_known.ones.end() && !NumberWords::isZero(next())) {
            writeWord(word);
            return;
        }
        const std::string digits = std::to_string(one == m_known.ones.end() ? 0 : one->second);
        append(digits + digits + (word == "triple" ? digits : ""));
        ++m_at;
    }

    const std::vector<std::string>& m_words;
    const NumberWords& m_known = numberWords();
    size_t m_at = 0;
    std::optional<Value> m_value; ///< of the number that is being read
    std::string m_sign; ///< before the next that is written
    std::vector<std::string> m_made;
};

/// "two and a half" as "two point five"; a blank between letters and digits, but for what ends a
/// number ("3rd").
std::string withPoints(const std::string& text)
{
    const std::string space = Pattern::kSpace + std::string("+");
    static const Pattern half(
        Pattern::kEdge + ("and" + space + "a" + space + "half") + Pattern::kEdge);
    static const Pattern letterDigit("([a-z])([0-9])");
    static const Pattern digitLetter("([0-9])([a-z])");
    static const Pattern suffix("([0-9])" + space + "(st|nd|rd|th|s)" + Pattern::kEdge);
    const std::vector<std::string> parts = half.split(text);
    std::vector<std::string> made;
    for (size_t i = 0; i < parts.size(); ++i) {
        const std::vector<std::string> words = splitAtWhiteSpace(parts[i]);
        if (words.empty())
            continue;
        made.push_back(parts[i]);
        const bool isNumber
            = numberWords().isDecimal(words.back()) || numberWords().zeros.contains(words.back());
        if (i + 1 < parts.size())
            made.emplace_back(isNumber ? "point five" : "and a half");
    }
    return suffix.replaced(
        digitLetter.replaced(letterDigit.replaced(join(made, " "), "$1 $2"), "$1 $2"), "$1$2");
}

/// "$2 and ¢7" as "$2.07", "$0.07" as "¢7", "1" as "one".
std::string withCents(const std::string& text)
{
    static const Pattern both(
        std::string("([€£$])([0-9]+) (?:and )?¢([0-9]{1,2})") + Pattern::kEdge);
    static const Pattern cents(std::string("[€£$]0.([0-9]{1,2})") + Pattern::kEdge);
    static const Pattern one(std::string(Pattern::kEdge) + "1(s?)" + Pattern::kEdge);
    const std::string joined = both.replaced(text, [](const std::vector<std::string>& groups) {
        return groups[1] + groups[2] + (groups[3].size() == 1 ? ".0" : ".") + groups[3];
    });
    const std::string made = cents.replaced(joined, [](const std::vector<std::string>& groups) {
        return "¢" + withoutLeadingZeros(groups[1]);
    });
    return one.replaced(made, "one$1");
}

} // namespace

std::string withDigits(const std::string& text)
{
    const std::vector<std::string> words = splitAtWhiteSpace(withPoints(text));
    return withCents(join(NumberReader(words).read(), " "));
}

} // namespace earwright::data
