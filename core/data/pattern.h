#pragma once

#include <functional>
#include <memory>
#include <string>
#include <unicode/uversion.h>
#include <vector>

U_NAMESPACE_BEGIN
class RegexPattern;
U_NAMESPACE_END

namespace earwright::data {

/// A regular expression of ICU over UTF-8. Safe from any thread.
class Pattern final {
public:
    /// What Python's `re` takes for white space and for an edge of a word (of letters, numbers and
    /// "_"), which ICU's \s and \b do not have.
    static constexpr const char* kSpace = "[\\t-\\r\\x1c-\\x20\\x85\\p{Z}]";
    static constexpr const char* kEdge
        = "(?:(?<=[\\p{L}\\p{N}_])(?![\\p{L}\\p{N}_])|(?<![\\p{L}\\p{N}_])(?=[\\p{L}\\p{N}_]))";

    explicit Pattern(const std::string& pattern);
    ~Pattern();
    Pattern(const Pattern&) = delete;
    Pattern& operator=(const Pattern&) = delete;

    /// Every match becomes `with`, in which $1 is the first group.
    std::string replaced(const std::string& text, const std::string& with) const;
    /// Every match becomes what `with` makes of its groups, the whole match first.
    using Replace = std::function<std::string(const std::vector<std::string>& groups)>;
    std::string replaced(const std::string& text, const Replace& with) const;
    /// What stands between the matches; one part where there is none.
    std::vector<std::string> split(const std::string& text) const;

private:
    std::unique_ptr<icu::RegexPattern> m_pattern;
};

} // namespace earwright::data
