#pragma once

#include "core/recipe/diagnostic.h"
#include "core/recipe/node.h"

#include <string>
#include <string_view>
#include <vector>

namespace earwright::settings {

/// What the readers of a search share: the recipe, and where to say what is wrong.
class SearchContext final {
public:
    /// `key`: of the search, "test_search".
    SearchContext(const recipe::Node& root, std::string key, std::vector<recipe::Diagnostic>& found)
        : m_root(root)
        , m_key(std::move(key))
        , m_found(found)
    {
    }

    const recipe::Node& root() const { return m_root; }
    const std::string& key() const { return m_key; }
    std::vector<recipe::Diagnostic>& found() { return m_found; }

    void report(const recipe::Node& place, std::string message,
        recipe::Severity severity = recipe::Severity::Error);
    /// Beyond the last, the decoder has no embedding of it.
    void isToken(const char* argument, int64_t index, const recipe::Node& object);
    /// Tokens that the decoder scores; 0 where the recipe does not tell.
    int64_t outputs() const;
    /// Says so where a scorer is made for another number of tokens.
    void fitsOutputs(const recipe::Node& object, const char* argument);
    /// The layer or, of a search made by `!copy`, the copy of it, which is no other layer.
    bool isOf(const recipe::NodePtr& given, const recipe::NodePtr& layer) const;

private:
    const recipe::Node& m_root;
    std::string m_key;
    std::vector<recipe::Diagnostic>& m_found;
};

/// By its own name, whatever alias the recipe has.
std::string_view objectClass(const recipe::Node& node);
/// Not null, and not left open.
bool isGiven(const recipe::NodePtr& node);

} // namespace earwright::settings
