#pragma once

#include "core/adapter/convert.h"

#include <set>
#include <string>

namespace earwright::adapter {

recipe::NodePtr emptyMapping();

/// The recipe that a configuration becomes, key by key, and what is said of it.
class RecipeText final {
public:
    RecipeText(Toolkit toolkit, const std::string& fileName);

    /// One key below a comment. The first to set a key keeps it.
    void put(const std::string& key, const recipe::NodePtr& value, const std::string& comment);
    bool has(const std::string& key) const { return m_written.contains(key); }
    /// Whether a value so far is made of that key's.
    bool refersTo(const std::string& key) const;
    /// "seaco.yaml:12", for a comment; an override as typed.
    std::string placeOf(const recipe::Entry& entry) const;

    void warn(const recipe::Entry& entry, std::string message);
    /// A warning of what does not reach the recipe, with the override that asked for it.
    void leaveOut(const recipe::Entry& entry, std::string message);
    /// The same of what changes the training: an error where an override asked for it.
    void refuse(const recipe::Entry& entry, std::string message);
    /// An error of what no training can read.
    void fail(const recipe::Entry& entry, std::string message);

    Converted& converted() { return m_converted; }

private:
    std::string m_file;
    std::set<std::string> m_written;
    Converted m_converted;
};

} // namespace earwright::adapter
