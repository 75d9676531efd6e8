#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace earwright {
namespace {

size_t sequenceLength(unsigned char lead)
{
    if (lead < 0x80)
        return 1;
    if (lead >= 0xc2 && lead < 0xe0)
        return 2;
    if (lead >= 0xe0 && lead < 0xf0)
        return 3;
    return lead >= 0xf0 && lead < 0xf5 ? 4 : 1;
}

/// Whether a second byte may follow: not where the code point would have fewer bytes, be half of a
/// UTF-16 pair or lie beyond Unicode's last one (Unicode 15, table 3-7).
bool isSecondByteOf(unsigned char lead, unsigned char second)
{
    const unsigned char least = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
    const unsigned char most = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
    return second >= least && second <= most;
}

struct Decimal {
    std::string digits; ///< "125" of 1.25e-08, no point
    int exponent = 0; ///< of the first digit
};

Decimal shortestDecimal(double magnitude)
{
    std::array<char, 32> buffer {};
    const auto end = std::to_chars(
        buffer.data(), buffer.data() + buffer.size(), magnitude, std::chars_format::scientific)
                         .ptr;
    const std::string_view text(buffer.data(), static_cast<size_t>(end - buffer.data()));
    const size_t e = text.find('e');
    Decimal decimal;
    for (const char c : text.substr(0, e)) {
        if (c != '.')
            decimal.digits += c;
    }
    decimal.exponent = std::atoi(std::string(text.substr(e + 1)).c_str());
    return decimal;
}

std::string scientific(const Decimal& d)
{
    std::string text = d.digits.substr(0, 1);
    if (d.digits.size() > 1)
        text.append(".").append(d.digits, 1);
    const std::string power = std::to_string(std::abs(d.exponent));
    return text + (d.exponent < 0 ? "e-" : "e+") + (power.size() < 2 ? "0" : "") + power;
}

std::string positional(const Decimal& d)
{
    if (d.exponent < 0)
        return "0." + std::string(static_cast<size_t>(-d.exponent - 1), '0') + d.digits;
    const size_t whole = static_cast<size_t>(d.exponent) + 1;
    if (d.digits.size() <= whole)
        return d.digits + std::string(whole - d.digits.size(), '0') + ".0";
    return d.digits.substr(0, whole) + "." + d.digits.substr(whole);
}

} // namespace

std::vector<std::string> split(std::string_view text, char separator)
{
    std::vector<std::string> parts;
    size_t begin = 0;
    for (size_t end = 0; (end = text.find(separator, begin)) != std::string_view::npos;) {
        parts.emplace_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    parts.emplace_back(text.substr(begin));
    return parts;
}

std::vector<std::string> splitAtBlanks(std::string_view text, std::string_view blanks)
{
    std::vector<std::string> parts;
    for (size_t at = 0; (at = text.find_first_not_of(blanks, at)) != std::string_view::npos;) {
        const size_t end = std::min(text.find_first_of(blanks, at), text.size());
        parts.emplace_back(text.substr(at, end - at));
        at = end;
    }
    return parts;
}

std::string join(const std::vector<std::string>& parts, std::string_view separator)
{
    std::string text;
    for (size_t i = 0; i < parts.size(); ++i) {
        if (i > 0)
            text += separator;
        text += parts[i];
    }
    return text;
}

std::string listFirst(std::vector<std::string> names, size_t most)
{
    const size_t count = names.size();
    names.resize(std::min(count, most));
    return join(names, ", ")
        + (count > most ? " and " + std::to_string(count - most) + " more" : "");
}

std::string_view withoutByteOrderMark(std::string_view text)
{
    constexpr std::string_view kMark = "\xef\xbb\xbf";
    return text.starts_with(kMark) ? text.substr(kMark.size()) : text;
}

std::string_view trim(std::string_view text)
{
    constexpr std::string_view kSpace = " \t\r\n\f\v";
    const size_t begin = text.find_first_not_of(kSpace);
    if (begin == std::string_view::npos)
        return {};
    return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

std::string withoutControls(std::string_view text)
{
    constexpr const char* kDigits = "0123456789abcdef";
    std::string plain;
    for (size_t i = 0, length = 0; i < text.size(); i += length) {
        length = codePointLength(text, i);
        const auto byte = static_cast<unsigned char>(text[i]);
        const auto last = static_cast<unsigned char>(text[i + length - 1]);
        const bool isLineEnd = byte == '\n' || text.substr(i, 2) == "\r\n";
        const bool isHighControl = byte == 0xC2 && last < 0xA0; // U+0080 to U+009F
        // A terminal that reads no UTF-8 would obey some of the bytes that are none.
        const bool isPlain = length > 1
            ? !isHighControl
            : isLineEnd || byte == '\t' || (byte >= 0x20 && byte < 0x7F);
        if (isPlain)
            plain += text.substr(i, length);
        else
            plain += { '\\', 'x', kDigits[last >> 4], kDigits[last & 15] };
    }
    return plain;
}

std::string inQuotes(std::string_view text)
{
    std::string quoted;
    quoted.reserve(text.size() + 2);
    return quoted.append(1, '\'').append(text).append(1, '\'');
}

std::string atLine(int line)
{
    return "line " + std::to_string(line) + ": ";
}

size_t indentation(std::string_view line)
{
    return std::min(line.find_first_not_of(' '), line.size());
}

std::string toLower(std::string_view text)
{
    std::string lower(text);
    for (char& c : lower) {
        if (c >= 'A' && c <= 'Z')
            c = static_cast<char>(c - 'A' + 'a');
    }
    return lower;
}

size_t codePointLength(std::string_view utf8, size_t at)
{
    const size_t length = sequenceLength(static_cast<unsigned char>(utf8[at]));
    if (at + length > utf8.size())
        return 1;
    if (length > 1
        && !isSecondByteOf(
            static_cast<unsigned char>(utf8[at]), static_cast<unsigned char>(utf8[at + 1])))
        return 1;
    for (size_t i = 2; i < length; ++i) {
        if ((static_cast<unsigned char>(utf8[at + i]) & 0xc0) != 0x80)
            return 1;
    }
    return length;
}

size_t brokenUtf8At(std::string_view text)
{
    size_t length = 0;
    for (size_t at = 0; at < text.size(); at += length) {
        length = codePointLength(text, at);
        if (length == 1 && static_cast<unsigned char>(text[at]) >= 0x80)
            return at;
    }
    return std::string_view::npos;
}

size_t codePointCount(std::string_view utf8)
{
    size_t count = 0;
    for (size_t at = 0; at < utf8.size(); at += codePointLength(utf8, at))
        ++count;
    return count;
}

std::vector<std::string> codePoints(std::string_view utf8)
{
    std::vector<std::string> points;
    for (size_t at = 0; at < utf8.size();) {
        const size_t length = codePointLength(utf8, at);
        points.emplace_back(utf8.substr(at, length));
        at += length;
    }
    return points;
}

size_t editDistance(std::string_view a, std::string_view b)
{
    std::vector<size_t> beforeLast(b.size() + 1);
    std::vector<size_t> last(b.size() + 1);
    std::vector<size_t> row(b.size() + 1);
    for (size_t j = 0; j <= b.size(); ++j)
        last[j] = j;
    for (size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (size_t j = 1; j <= b.size(); ++j) {
            const size_t substitution = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = std::min({ last[j] + 1, row[j - 1] + 1, substitution });
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], beforeLast[j - 2] + 1);
        }
        beforeLast.swap(last);
        last.swap(row);
    }
    return last[b.size()];
}

std::string nearestName(std::string_view word, const std::vector<std::string>& candidates)
{
    // Nobody types a name this long; comparing two takes the product of their lengths.
    constexpr size_t kMaxNameBytes = 200;
    constexpr size_t kMinPrefix = 4;
    if (word.size() > kMaxNameBytes)
        return "";
    const size_t limit = std::max<size_t>(2, word.size() / 3);
    std::string nearest;
    size_t nearestDistance = limit + 1;
    for (const std::string& candidate : candidates) {
        if (candidate.size() > word.size() + limit || word.size() > candidate.size() + limit)
            continue;
        // Two letters changed in a name of two is another name, not a typing error.
        size_t distance = editDistance(toLower(word), toLower(candidate));
        if (distance >= std::max(word.size(), candidate.size()))
            continue;
        // A name cut short is nearer than one with other letters.
        if (word.size() >= kMinPrefix && candidate.starts_with(word))
            distance = std::min<size_t>(distance, 1);
        if (distance < nearestDistance) {
            nearest = candidate;
            nearestDistance = distance;
        }
    }
    return nearest;
}

std::string formatDouble(double value)
{
    if (std::isnan(value))
        return "nan";
    const std::string sign = std::signbit(value) ? "-" : "";
    if (std::isinf(value))
        return sign + "inf";
    const Decimal decimal = shortestDecimal(std::fabs(value));
    const bool isPositional = decimal.exponent >= -4 && decimal.exponent < 16;
    return sign + (isPositional ? positional(decimal) : scientific(decimal));
}

std::string formatNumber(double value)
{
    constexpr double kExact = 1e15;
    return value == std::floor(value) && std::abs(value) < kExact
        ? std::to_string(static_cast<int64_t>(value))
        : formatDouble(value);
}

} // namespace earwright
