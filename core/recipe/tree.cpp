#include "core/recipe/tree.h"

#include "core/base/text.h"
#include "core/recipe/extent.h"
#include "core/recipe/limits.h"
#include "core/recipe/padded_text.h"
#include "core/recipe/yaml_quirks.h"

#include <algorithm>
#include <sstream>
#include <utility>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

namespace earwright::recipe {
namespace {

/// Thrown inside yaml-cpp's parser, which calls us, and caught behind it: it has no other way to be
/// stopped.
struct LimitExceeded {
    Diagnostic diagnostic;
};

struct Frame {
    NodePtr node;
    NodePtr key; ///< of a mapping, while its value is awaited
    size_t begin = 0;
    YAML::anchor_t anchor = 0;
    Extent extent;
};

class Builder final : public YAML::EventHandler {
public:
    Builder(const SourceText& source, const std::string& file, const PaddedText& padded)
        : m_source(source)
        , m_text(source.text())
        , m_file(file)
        , m_padded(padded)
    {
    }

    NodePtr root() const { return m_root; }
    /// Where something stands after the last node.
    size_t nextContent() const { return skipProperties(m_text, m_end).content; }
    std::vector<Diagnostic>& diagnostics() { return m_diagnostics; }

    void OnDocumentStart(const YAML::Mark&) override { }
    void OnDocumentEnd() override { }
    void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override;
    void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override;
    void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
        const std::string& value) override;
    void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
        YAML::EmitterStyle::value) override
    {
        open(Kind::Sequence, offsetOf(mark), tag, anchor);
    }
    void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
        YAML::EmitterStyle::value) override
    {
        open(Kind::Mapping, offsetOf(mark), tag, anchor);
    }
    void OnSequenceEnd() override { close(); }
    void OnMapEnd() override { close(); }

private:
    size_t offsetOf(const YAML::Mark& mark) const
    {
        const auto offset = static_cast<size_t>(std::max(mark.pos, 0));
        return std::min(m_padded.originalOffset(offset), m_text.size());
    }
    Diagnostic errorAt(size_t begin, size_t end, std::string rule, std::string message) const
    {
        return { Severity::Error, std::move(rule), std::move(message),
            m_source.span(m_file, begin, end), std::nullopt };
    }
    void addScalar(NodePtr node, size_t begin, size_t end, YAML::anchor_t anchor);
    bool awaitsKey() const
    {
        return !m_frames.empty() && m_frames.back().node->kind == Kind::Mapping
            && !m_frames.back().key;
    }
    void refuseLoneKey();
    void open(Kind kind, size_t begin, const std::string& tag, YAML::anchor_t anchor);
    void close();
    void add(const NodePtr& node, Extent extent);
    void remember(YAML::anchor_t anchor, const NodePtr& node, Extent extent);

    const SourceText& m_source;
    std::string_view m_text;
    const std::string& m_file;
    const PaddedText& m_padded; ///< what yaml-cpp reads
    NodePtr m_root;
    std::vector<Frame> m_frames;
    std::vector<std::pair<NodePtr, Extent>> m_anchors; ///< by yaml-cpp's number, from 1
    size_t m_end = 0; ///< where the last node ended
    std::vector<Diagnostic> m_diagnostics;
};

/// A last line without ':' is taken by yaml-cpp for a key without a value.
void Builder::refuseLoneKey()
{
    if (m_frames.empty() || !m_frames.back().key)
        return;
    const Frame& frame = m_frames.back();
    const size_t content = skipProperties(m_text, frame.begin).content;
    const bool isBlock
        = content < m_text.size() && m_text[content] != '{' && m_text[content] != '?';
    if (isBlock)
        throw SyntaxError { m_source.offset(frame.key->span.begin), "lone key" };
}

void Builder::OnNull(const YAML::Mark& mark, YAML::anchor_t anchor)
{
    const Properties properties = skipProperties(m_text, offsetOf(mark));
    if (const std::string tag = m_frames.empty() ? lostTag(m_text, offsetOf(mark), properties) : "";
        !tag.empty()) {
        OnScalar(mark, tag, anchor, "");
        return;
    }
    const std::string_view word = nullWord(m_text, properties.content, awaitsKey());
    if (!word.empty() || anchor != 0) {
        const size_t end = word.empty() ? properties.end : properties.content + word.size();
        addScalar(makeScalar(std::string(word)), offsetOf(mark), end, anchor);
        return;
    }
    size_t at = m_text.find_first_not_of(" \t", m_end);
    const bool hasColon = at != std::string_view::npos && m_text[at] == ':';
    if (!hasColon)
        refuseLoneKey();
    at = hasColon ? at + 1 : m_end;
    addScalar(makeScalar(""), at, at, anchor);
}

void Builder::OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor)
{
    const size_t begin = offsetOf(mark);
    m_end = std::min(m_text.find_first_of(" \t\r\n,[]{}", begin), m_text.size());
    const auto& [node, extent] = m_anchors.at(anchor - 1);
    const bool isOpen = std::any_of(m_frames.begin(), m_frames.end(),
        [&, target = node](const Frame& frame) { return frame.node == target; });
    if (!isOpen) {
        add(node, extent);
        return;
    }
    m_diagnostics.push_back(errorAt(begin, m_end, "reference-cycle",
        inQuotes(m_text.substr(begin, m_end - begin)) + " contains itself"));
    addScalar(makeScalar(""), begin, m_end, 0);
}

void Builder::OnScalar(
    const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, const std::string& value)
{
    const size_t begin = offsetOf(mark);
    const Properties properties = skipProperties(m_text, begin);
    NodePtr node = makeScalar(wholeEscapes(value));
    node->style = value.empty() && tag != "!" && properties.end != begin
        ? ScalarStyle::Plain
        : styleAt(m_text, properties.content);
    if (const auto glued = gluedTag(m_text, begin, properties.end, tag))
        throw *glued;
    if (node->style == ScalarStyle::Quoted && !quotedEnd(m_text, properties.content))
        throw SyntaxError { properties.content, "quote not closed" };
    const bool isBare = value.empty() && node->style == ScalarStyle::Plain;
    node->tag = writtenTag(tag);
    // "! 12" is the text 12.
    if (tag == "!" && node->style == ScalarStyle::Plain)
        node->style = ScalarStyle::Quoted;
    addScalar(node, begin, isBare ? properties.end : scalarEnd(m_text, properties.content, value),
        anchor);
}

void Builder::addScalar(NodePtr node, size_t begin, size_t end, YAML::anchor_t anchor)
{
    node->span = m_source.span(m_file, begin, end);
    m_end = std::max(m_end, end);
    remember(anchor, node, extentOf(*node));
    add(node, extentOf(*node));
}

void Builder::open(Kind kind, size_t begin, const std::string& tag, YAML::anchor_t anchor)
{
    if (m_frames.size() >= kMaxDepth) {
        throw LimitExceeded { errorAt(begin, begin + 1, "too-deep",
            "more than " + std::to_string(kMaxDepth) + " levels inside each other") };
    }
    auto node = std::make_shared<Node>();
    node->kind = kind;
    node->tag = writtenTag(tag);
    m_end = std::max(m_end, begin);
    remember(anchor, node, {});
    m_frames.push_back({ node, nullptr, begin, anchor, {} });
}

void Builder::close()
{
    const Frame frame = std::move(m_frames.back());
    m_frames.pop_back();
    const size_t content = skipProperties(m_text, frame.begin).content;
    const char first = content < m_text.size() ? m_text[content] : ' ';
    if (frame.node->kind == Kind::Sequence && first == '[')
        m_end = flowEnd(m_text, m_end, ']');
    else if (frame.node->kind == Kind::Mapping && first == '{')
        m_end = flowEnd(m_text, m_end, '}');
    frame.node->span = m_source.span(m_file, frame.begin, m_end);
    if (frame.node->kind == Kind::Mapping)
        finishMapping(*frame.node, m_diagnostics);
    Extent extent = frame.extent;
    extent.add(extentOf(*frame.node));
    ++extent.depth;
    remember(frame.anchor, frame.node, extent);
    add(frame.node, extent);
}

void Builder::remember(YAML::anchor_t anchor, const NodePtr& node, Extent extent)
{
    if (anchor == 0)
        return;
    m_anchors.resize(std::max(m_anchors.size(), anchor));
    m_anchors[anchor - 1] = { node, extent };
}

void Builder::add(const NodePtr& node, Extent extent)
{
    if (m_frames.empty()) {
        m_root = node;
        return;
    }
    Frame& parent = m_frames.back();
    parent.extent.add(extent);
    if (m_frames.size() + extent.depth > kMaxDepth) {
        throw LimitExceeded { errorAt(parent.begin, m_end, "too-deep",
            "aliases put more than " + std::to_string(kMaxDepth) + " levels inside each other") };
    }
    if (parent.extent.nodes > kMaxNodes) {
        throw LimitExceeded { errorAt(parent.begin, m_end, "too-large",
            "more than " + std::to_string(kMaxNodes) + " values, counting every use of an alias") };
    }
    if (parent.extent.bytes > kMaxBytes) {
        throw LimitExceeded { errorAt(parent.begin, m_end, "too-large",
            "more than " + std::to_string(kMaxBytes >> 20)
                + " MiB of text, counting every use of an alias") };
    }
    if (parent.node->kind == Kind::Sequence)
        parent.node->items.push_back(node);
    else if (!parent.key)
        parent.key = node;
    else
        parent.node->entries.push_back({ std::exchange(parent.key, nullptr), node });
}

void parseInto(Builder& builder, Tree& tree, std::string_view text)
{
    std::istringstream stream { std::string(text) };
    YAML::Parser parser(stream);
    const bool hasDocument = parser.HandleNextDocument(builder);
    tree.root = hasDocument && builder.root() ? builder.root() : makeScalar("");
    const size_t rootEnd = builder.nextContent();
    if (hasDocument && parser.HandleNextDocument(builder))
        tree.error = SyntaxError { rootEnd, "second document" };
}

Tree read(const SourceText& source, const std::string& file, const PaddedText& padded)
{
    Tree tree;
    Builder builder(source, file, padded);
    const auto errorAt = [&](int position, std::string reason) {
        const auto offset = static_cast<size_t>(std::max(position, 0));
        tree.error = SyntaxError { padded.originalOffset(offset), std::move(reason) };
    };
    try {
        parseInto(builder, tree, padded.text);
    } catch (const LimitExceeded& limit) {
        builder.diagnostics().push_back(limit.diagnostic);
        tree.root = nullptr;
    } catch (const SyntaxError& error) {
        tree.error = error;
    } catch (const YAML::Exception& error) {
        errorAt(error.mark.pos, error.msg);
    } catch (const std::exception& error) {
        errorAt(0, error.what());
    }
    if (tree.error)
        tree.root = nullptr;
    tree.diagnostics = std::move(builder.diagnostics());
    return tree;
}

} // namespace

Tree buildTree(const SourceText& source, const std::string& file)
{
    Tree tree = read(source, file, { std::string(source.text()), {} });
    if (!tree.error)
        return tree;
    const PaddedText padded = padBlockScalars(source.text());
    if (padded.insertions.empty())
        return tree;
    Tree second = read(source, file, padded);
    return second.error ? tree : second;
}

} // namespace earwright::recipe
