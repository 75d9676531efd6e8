#include "core/data/pattern.h"

#include <cassert>
#include <unicode/regex.h>

namespace earwright::data {
namespace {

icu::UnicodeString wide(const std::string& utf8)
{
    return icu::UnicodeString::fromUTF8(utf8);
}

std::string narrow(const icu::UnicodeString& text)
{
    std::string utf8;
    return text.toUTF8String(utf8);
}

} // namespace

Pattern::Pattern(const std::string& pattern)
{
    UErrorCode status = U_ZERO_ERROR;
    m_pattern.reset(icu::RegexPattern::compile(wide(pattern), 0, status));
    assert(U_SUCCESS(status));
}

Pattern::~Pattern() = default;

std::string Pattern::replaced(const std::string& text, const std::string& with) const
{
    UErrorCode status = U_ZERO_ERROR;
    const icu::UnicodeString input = wide(text);
    const std::unique_ptr<icu::RegexMatcher> matcher(m_pattern->matcher(input, status));
    const icu::UnicodeString made = matcher->replaceAll(wide(with), status);
    return U_SUCCESS(status) ? narrow(made) : text;
}

std::string Pattern::replaced(const std::string& text, const Replace& with) const
{
    UErrorCode status = U_ZERO_ERROR;
    const icu::UnicodeString input = wide(text);
    const std::unique_ptr<icu::RegexMatcher> matcher(m_pattern->matcher(input, status));
    icu::UnicodeString made;
    int32_t begin = 0;
    while (matcher->find(status)) {
        std::vector<std::string> groups;
        for (int32_t group = 0; group <= matcher->groupCount(); ++group)
            groups.push_back(narrow(matcher->group(group, status)));
        made.append(input, begin, matcher->start(status) - begin).append(wide(with(groups)));
        begin = matcher->end(status);
    }
    return narrow(made.append(input, begin, input.length() - begin));
}

std::vector<std::string> Pattern::split(const std::string& text) const
{
    UErrorCode status = U_ZERO_ERROR;
    const icu::UnicodeString input = wide(text);
    const std::unique_ptr<icu::RegexMatcher> matcher(m_pattern->matcher(input, status));
    std::vector<std::string> parts;
    int32_t begin = 0;
    while (matcher->find(status)) {
        parts.push_back(narrow(input.tempSubStringBetween(begin, matcher->start(status))));
        begin = matcher->end(status);
    }
    parts.push_back(narrow(input.tempSubString(begin)));
    return parts;
}

} // namespace earwright::data
