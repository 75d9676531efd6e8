#include "core/language/open_collections.h"

#include <memory>
#include <utility>

namespace earwright::language {
namespace {

Frame makeFrame(Collection kind, size_t column, std::string tag, Frame::Keys keys = nullptr)
{
    Frame frame;
    frame.kind = kind;
    frame.column = column;
    frame.tag = std::move(tag);
    frame.keys = keys ? std::move(keys) : std::make_shared<std::vector<std::string>>();
    frame.childKeys = std::make_shared<std::vector<std::string>>();
    return frame;
}

/// A new entry or item begins.
void openValue(Frame& frame)
{
    frame.valueTag.clear();
    frame.hasValue = false;
    frame.childKeys = std::make_shared<std::vector<std::string>>();
}

} // namespace

bool isFlow(const Frame& frame)
{
    return frame.kind == Collection::FlowMapping || frame.kind == Collection::FlowList;
}

bool isMapping(const Frame& frame)
{
    return frame.kind == Collection::BlockMapping || frame.kind == Collection::FlowMapping;
}

OpenCollections::OpenCollections()
    : m_frames { makeFrame(Collection::BlockMapping, 0, "") }
{
}

void OpenCollections::openMapping(size_t column)
{
    m_frames.push_back(
        makeFrame(Collection::BlockMapping, column, top().valueTag, top().childKeys));
}

void OpenCollections::openItem(size_t column)
{
    if (top().kind == Collection::BlockList && top().column == column) {
        ++top().index;
    } else {
        top().hasValue = true;
        m_frames.push_back(makeFrame(Collection::BlockList, column, top().valueTag));
    }
    openValue(top());
}

void OpenCollections::openFlow(char bracket)
{
    const Collection kind = bracket == '[' ? Collection::FlowList : Collection::FlowMapping;
    const std::string tag = top().valueTag;
    top().hasValue = true;
    m_frames.push_back(makeFrame(kind, top().column, tag));
}

void OpenCollections::closeTo(size_t column, bool isDash)
{
    while (m_frames.size() > 1
        && (top().column > column
            || (top().column == column && !isDash && top().kind == Collection::BlockList)))
        m_frames.pop_back();
}

bool OpenCollections::opensAt(size_t column) const
{
    const bool hasEntry = top().kind == Collection::BlockList || !top().key.empty();
    return column > top().column && !top().hasValue && hasEntry;
}

void OpenCollections::setKey(std::string_view word)
{
    if (word.size() > 1 && (word[0] == '"' || word[0] == '\''))
        word = word.substr(1, word.size() - 2);
    top().key = word;
    top().keys->push_back(top().key);
    openValue(top());
}

void OpenCollections::nextFlowItem()
{
    ++top().index;
    top().key.clear();
    openValue(top());
}

Role OpenCollections::roleHere() const
{
    if (top().hasValue)
        return Role::None;
    if (!isMapping(top()) || !top().key.empty())
        return Role::Value;
    return isFlow(top()) ? Role::Key : Role::None;
}

} // namespace earwright::language
