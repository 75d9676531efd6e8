#include "core/recipe/resolve.h"

#include "core/base/text.h"
#include "core/recipe/scalar_text.h"

#include <map>

namespace earwright::recipe {
namespace {

constexpr size_t kMaxFlowWidth = 80;

/// "(1, 2)"; a tuple without a text was written as a tagged sequence.
bool hasTupleText(const Node& node)
{
    return node.kind == Kind::Sequence && node.tag == "!tuple" && !node.text.empty();
}

/// A tag as YAML reads it back: one that %TAG made, or with unusual characters, is written out.
std::string tagYaml(const Node& node)
{
    if (node.kind == Kind::Sequence && node.tag == "!tuple")
        return "!!python/tuple";
    constexpr std::string_view kPlain
        = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
          "-_.:/;?@&=+$~*'()#%";
    const size_t begin = node.tag.starts_with("!!") ? 2 : 1;
    const bool isPlain = node.tag.starts_with('!') && node.tag.size() > begin
        && node.tag.find_first_not_of(kPlain, begin) == std::string::npos;
    return isPlain ? node.tag : "!<" + node.tag + ">";
}

/// The scalar that stands for a tuple.
std::string tupleScalar(const Node& node)
{
    Node scalar;
    scalar.text = node.text;
    return scalarYaml(scalar, false);
}

/// Quoted it would be a string; with the tag it is the tuple all the same.
bool isImplicitTuple(const Node& node)
{
    return hasTupleText(node) && node.style == ScalarStyle::Plain && tupleScalar(node) == node.text;
}

/// Two equal texts are no news, the texts of tuples included; two containers or two objects are.
bool canBeShared(const Node& node)
{
    const bool isText = node.kind == Kind::Scalar && node.tag.empty();
    return !isText && !isImplicitTuple(node);
}

class Emitter final {
public:
    explicit Emitter(const Node& root) { count(root); }

    /// "key: " or "- " stands before; the text ends with a line break.
    void value(const Node& node, size_t indent);
    void entries(const Node& mapping, size_t indent, bool isFirstInline);
    std::string& text() { return m_text; }

private:
    void count(const Node& node);
    std::string properties(const Node& node);
    void items(const Node& sequence, size_t indent);
    void item(const Node& node, size_t indent);
    void key(const Node& node);
    std::string flow(const Node& node);
    std::string tuple(const Node& node);
    bool fitsFlow(const Node& node) const;

    std::map<const Node*, int> m_uses;
    std::map<const Node*, std::string> m_names;
    std::string m_text;
};

void Emitter::count(const Node& node)
{
    if (!canBeShared(node) || ++m_uses[&node] > 1)
        return;
    for (const NodePtr& child : node.items)
        count(*child);
    for (const Entry& entry : node.entries)
        count(*entry.value);
}

/// Anchor and tag, each followed by a space.
std::string Emitter::properties(const Node& node)
{
    std::string text;
    if (m_uses[&node] > 1) {
        const std::string number = std::to_string(m_names.size() + 1);
        m_names[&node]
            = "id" + std::string(number.size() < 3 ? 3 - number.size() : 0, '0') + number;
        text = "&" + m_names[&node] + " ";
    }
    return node.tag.empty() || hasTupleText(node) ? text : text + tagYaml(node) + " ";
}

/// Only leaves, few of them: anything else is easier to read in lines.
bool Emitter::fitsFlow(const Node& node) const
{
    size_t width = 0;
    for (const NodePtr& child : node.items) {
        if (child->kind != Kind::Scalar || canBeShared(*child))
            return false;
        width += scalarYaml(*child, true).size() + 2;
    }
    return width <= kMaxFlowWidth;
}

std::string Emitter::flow(const Node& node)
{
    std::vector<std::string> parts;
    const auto tagged = [&](const Node& child) {
        return (child.tag.empty() ? "" : tagYaml(child) + " ") + flow(child);
    };
    for (const NodePtr& child : node.items)
        parts.push_back(tagged(*child));
    for (const Entry& entry : node.entries)
        parts.push_back(tagged(*entry.key) + ": " + tagged(*entry.value));
    if (node.kind == Kind::Scalar)
        return scalarYaml(node, true);
    std::string text = node.kind == Kind::Sequence ? "[" : "{";
    return text.append(join(parts, ", ")).append(1, node.kind == Kind::Sequence ? ']' : '}');
}

std::string Emitter::tuple(const Node& node)
{
    return (isImplicitTuple(node) ? "" : "!tuple ") + tupleScalar(node);
}

void Emitter::value(const Node& node, size_t indent)
{
    if (const auto name = m_names.find(&node); name != m_names.end()) {
        m_text += " *" + name->second + "\n";
        return;
    }
    std::string before = properties(node);
    before.insert(before.begin(), ' ');
    if (hasTupleText(node)) {
        m_text += before + tuple(node) + "\n";
    } else if (node.kind == Kind::Scalar) {
        before += scalarYaml(node, false);
        m_text += before.substr(0, before.find_last_not_of(' ') + 1) + "\n";
    } else if (node.kind == Kind::Sequence && fitsFlow(node)) {
        m_text += before + flow(node) + "\n";
    } else if (node.kind == Kind::Mapping && node.entries.empty()) {
        m_text += before + "{}\n";
    } else {
        before.pop_back();
        m_text += before + "\n";
        node.kind == Kind::Mapping ? entries(node, indent, false) : items(node, indent);
    }
}

void Emitter::key(const Node& node)
{
    if (node.kind == Kind::Scalar && !node.tag.empty())
        m_text += tagYaml(node) + " ";
    // "null" as a key is written, not left out.
    m_text += node.kind == Kind::Scalar ? scalarYaml(node, false) : flow(node);
    m_text += ':';
}

void Emitter::entries(const Node& mapping, size_t indent, bool isFirstInline)
{
    for (const Entry& entry : mapping.entries) {
        if (!isFirstInline)
            m_text += std::string(indent, ' ');
        isFirstInline = false;
        key(*entry.key);
        value(*entry.value, indent + 2);
    }
}

void Emitter::items(const Node& sequence, size_t indent)
{
    for (const NodePtr& child : sequence.items) {
        m_text += std::string(indent, ' ') + "-";
        item(*child, indent + 2);
    }
}

/// A mapping without tag and anchor begins on the line of its "-".
void Emitter::item(const Node& node, size_t indent)
{
    const bool isInline = node.kind == Kind::Mapping && node.tag.empty() && !node.entries.empty()
        && m_uses[&node] < 2;
    if (!isInline) {
        value(node, indent);
        return;
    }
    m_text += ' ';
    entries(node, indent, true);
}

} // namespace

std::string emitYaml(const Node& root)
{
    Emitter emitter(root);
    if (root.kind == Kind::Mapping && root.tag.empty() && !root.entries.empty()) {
        emitter.entries(root, 0, false);
        return emitter.text();
    }
    emitter.value(root, 0);
    return emitter.text().substr(emitter.text().find_first_not_of(' '));
}

} // namespace earwright::recipe
