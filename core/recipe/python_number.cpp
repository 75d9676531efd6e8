#include "core/recipe/python_number.h"

#include "core/base/text.h"

#include <array>
#include <cctype>
#include <charconv>
#include <cmath>

namespace earwright::recipe::python {
namespace {

bool isIn(std::string_view set, char c)
{
    return set.find(c) != std::string_view::npos;
}

/// Digits with single underscores between them; the end of them.
size_t digitsEnd(std::string_view text, size_t at, std::string_view digits)
{
    if (at >= text.size() || !isIn(digits, text[at]))
        return at;
    while (at < text.size()
        && (isIn(digits, text[at])
            || (text[at] == '_' && at + 1 < text.size() && isIn(digits, text[at + 1]))))
        ++at;
    return at;
}

struct Base {
    char letter;
    int base;
    std::string_view digits;
};
constexpr std::array<Base, 3> kBases { Base { 'x', 16, "0123456789abcdefABCDEF" },
    Base { 'o', 8, "01234567" }, Base { 'b', 2, "01" } };

const Base* baseOf(std::string_view text)
{
    for (const Base& base : kBases) {
        if (text.size() > 2 && text[0] == '0' && (text[1] | 0x20) == base.letter)
            return &base;
    }
    return nullptr;
}

size_t decimalEnd(std::string_view text)
{
    constexpr std::string_view kDigits = "0123456789";
    const size_t whole = digitsEnd(text, 0, kDigits);
    size_t end = whole;
    if (end < text.size() && text[end] == '.')
        end = digitsEnd(text, end + 1, kDigits);
    if (end == 0 || (whole == 0 && end == 1))
        return 0;
    if (end < text.size() && (text[end] | 0x20) == 'e') {
        const size_t sign = end + 1 < text.size() && isIn("+-", text[end + 1]) ? 1 : 0;
        const size_t exponentEnd = digitsEnd(text, end + 1 + sign, kDigits);
        end = exponentEnd > end + 1 + sign ? exponentEnd : end;
    }
    const bool isLeadingZero = end == whole && text[0] == '0'
        && text.substr(0, whole).find_first_not_of("0_") != std::string_view::npos;
    return isLeadingZero ? 0 : end;
}

} // namespace

int64_t floorDivide(int64_t a, int64_t b)
{
    const int64_t quotient = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

int64_t modulo(int64_t a, int64_t b)
{
    const int64_t rest = a % b;
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

double modulo(double a, double b)
{
    const double rest = std::fmod(a, b);
    if (rest == 0.0)
        return std::copysign(0.0, b);
    return (rest < 0) != (b < 0) ? rest + b : rest;
}

double floorDivide(double a, double b)
{
    const double quotient = (a - modulo(a, b)) / b;
    if (quotient == 0.0)
        return std::copysign(0.0, a / b);
    const double floored = std::floor(quotient);
    return quotient - floored > 0.5 ? floored + 1.0 : floored;
}

bool power(int64_t base, int64_t exponent, int64_t& result)
{
    result = 1;
    // Only 0, 1 and -1 have powers beyond 2^63 that fit; their cycle is two long.
    if (base >= -1 && base <= 1 && exponent > 2)
        exponent = exponent % 2 == 0 ? 2 : 1;
    for (int64_t i = 0; i < exponent; ++i) {
        if (__builtin_mul_overflow(result, base, &result))
            return false;
    }
    return true;
}

size_t numberLength(std::string_view text)
{
    const Base* base = baseOf(text);
    const size_t end = base ? digitsEnd(text, 2, base->digits) : decimalEnd(text);
    const bool goesOn = end < text.size()
        && (std::isalnum(static_cast<unsigned char>(text[end])) || isIn("_.", text[end])
            || static_cast<unsigned char>(text[end]) >= 0x80);
    return goesOn || (base && end == 2) ? 0 : end;
}

Result<PythonValue> readNumber(std::string_view literal)
{
    std::string text;
    for (const char c : literal) {
        if (c != '_')
            text += c;
    }
    const Base* base = baseOf(text);
    const char* const end = text.data() + text.size();
    if (base || text.find_first_of(".eE") == std::string::npos) {
        int64_t value = 0;
        const auto read
            = std::from_chars(text.data() + (base ? 2 : 0), end, value, base ? base->base : 10);
        if (read.ec != std::errc())
            return Error { inQuotes(literal) + " does not fit 64 bits" };
        return PythonValue(value);
    }
    double value = 0;
    const auto read = std::from_chars(text.data(), end, value);
    if (read.ec == std::errc::result_out_of_range)
        value = text.find('-') == std::string::npos ? HUGE_VAL : 0.0;
    return PythonValue(value);
}

} // namespace earwright::recipe::python
