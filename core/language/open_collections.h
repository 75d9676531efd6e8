#pragma once

#include "core/language/scan.h"

#include <cstddef>
#include <string_view>
#include <vector>

namespace earwright::language {

bool isFlow(const Frame& frame);
bool isMapping(const Frame& frame);

/// The collections that are open where a scan stands, outermost first: at least the recipe itself.
class OpenCollections final {
public:
    OpenCollections();

    const std::vector<Frame>& frames() const { return m_frames; }
    Frame& top() { return m_frames.back(); }
    const Frame& top() const { return m_frames.back(); }
    size_t depth() const { return m_frames.size(); }

    /// As the value of the open entry.
    void openMapping(size_t column);
    /// Behind a dash: of the list at this column or of a new one.
    void openItem(size_t column);
    void openFlow(char bracket);
    void nextFlowItem(); ///< behind a comma
    void close() { m_frames.pop_back(); }
    /// The outermost so many stay.
    void closeDownTo(size_t depth) { m_frames.resize(depth); }
    /// Block collections deeper than the column are closed; a list at its key's own column is
    /// closed by the next key.
    void closeTo(size_t column, bool isDash);
    /// The value of the open entry may be a block mapping at this column.
    bool opensAt(size_t column) const;
    /// The word, in quotes or not, is the next entry's key.
    void setKey(std::string_view word);
    /// Of what may be written next.
    Role roleHere() const;

private:
    std::vector<Frame> m_frames;
};

} // namespace earwright::language
