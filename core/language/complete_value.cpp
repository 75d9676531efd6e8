#include "core/catalog/argument_value.h"
#include "core/catalog/catalog.h"
#include "core/language/complete_impl.h"
#include "core/language/field_text.h"
#include "core/language/follow.h"
#include "core/recipe/reference.h"
#include "core/tasks/run_option_fields.h"

#include <algorithm>
#include <unordered_set>

namespace earwright::language {

using catalog::Field;
using recipe::Node;

namespace {

/// Devices of the machine as a recipe's `device` names them.
std::vector<std::string> deviceNames(const check::Machine& machine)
{
    std::vector<std::string> names { "cpu" };
    if (!machine.gpus.empty())
        names.emplace_back("cuda");
    for (size_t i = 0; i < machine.gpus.size(); ++i)
        names.push_back("cuda:" + std::to_string(i));
    return names;
}

std::string classOrText(const Node& value)
{
    if (const auto name = catalog::classOf(value); !name.empty())
        return catalog::lastPart(name);
    return value.kind == recipe::Kind::Scalar ? value.text : "";
}

/// The keys a "<" or "[" may be followed by, and what stands there.
class References final {
public:
    References(const Asked& asked, Candidates& candidates)
        : m_asked(asked)
        , m_candidates(candidates)
    {
        // A key that refers to itself would be a cycle.
        if (asked.place.frames.size() > 1 || !asked.frame().key.empty())
            m_taken.insert(asked.place.frames.front().key);
    }

    void add(const std::string& key, const std::string& detail, const std::string& before,
        const std::string& after)
    {
        const bool isTyped = m_candidates.typed().starts_with('<');
        if (m_taken.insert(key).second)
            m_candidates.add(CompletionKind::Reference, isTyped ? "<" + key + ">" : key, detail, "",
                before + key + after);
    }

    /// Those of the tree, then those that are in the text only: the line being typed may be why it
    /// does not parse.
    void addAll(const Node* mapping, const std::string& before, const std::string& after)
    {
        if (mapping)
            for (const recipe::Entry& entry : mapping->entries)
                if (recipe::scalarType(*entry.key) == recipe::ScalarType::String)
                    add(entry.key->text, classOrText(*entry.value), before, after);
    }
    void addTopLevel(const std::string& before, const std::string& after)
    {
        addAll(m_asked.document.tree.get(), before, after);
        for (const std::string& key : *m_asked.place.frames.front().keys)
            add(key, "", before, after);
    }

private:
    const Asked& m_asked;
    Candidates& m_candidates;
    std::unordered_set<std::string> m_taken;
};

/// "<a[b][c" before the caret: a and b, and where c begins.
struct OpenReference {
    std::vector<std::string> keys;
    size_t wordBegin = 0;
};

std::optional<OpenReference> openReference(const Asked& asked)
{
    const std::string_view before
        = asked.text().substr(asked.place.begin, asked.caret - asked.place.begin);
    const size_t open = before.rfind('<');
    if (open == std::string_view::npos || before.find('>', open) != std::string_view::npos)
        return std::nullopt;
    const std::string_view inside = before.substr(open + 1);
    if (inside.find('.') != std::string_view::npos) // attributes of an object: Python's own
        return std::nullopt;
    OpenReference reference;
    reference.keys = recipe::readReference(inside).keys;
    const size_t bracket = inside.rfind('[');
    reference.wordBegin
        = asked.place.begin + open + 1 + (bracket == std::string_view::npos ? 0 : bracket + 1);
    if (!reference.keys.empty())
        reference.keys.pop_back();
    return reference;
}

/// What closes the reference behind the word, where it is not closed yet.
std::string closing(std::string_view text, size_t at, bool isNested)
{
    const char next = at < text.size() ? text[at] : '\n';
    if ((next == ']' && isNested) || next == '[' || next == '.')
        return "";
    return std::string(isNested ? "]" : "") + (next == '>' ? "" : ">");
}

/// `<folder>/tr`: the path that it will be.
std::string expanded(const Asked& asked, std::string_view text)
{
    Follower follower(asked.document);
    std::string path;
    for (const recipe::Piece& piece : recipe::splitReferences(text)) {
        const auto target = piece.isReference
            ? follower.follow(recipe::readReference(piece.text).keys)
            : std::nullopt;
        path += target && target->resolved ? target->resolved->text : piece.text;
    }
    return path;
}

bool looksLikePath(const std::string& key, std::string_view typed)
{
    if (typed.find('/') != std::string_view::npos || typed.starts_with('.'))
        return true;
    const auto isNamed = [&](const char* end) { return key.ends_with(end); };
    return isNamed("_folder") || isNamed("_file") || isNamed("_csv") || isNamed("_json")
        || isNamed("_path") || isNamed("_dir") || isNamed("_annotation");
}

void addChoices(const Asked& asked, const Field& field, Candidates& candidates)
{
    const bool isDefault = !field.facts.required && !field.defaultText.empty();
    const auto detail = [&](const std::string& choice) {
        return isDefault && choice == field.defaultText ? std::string("default") : std::string();
    };
    for (const std::string& choice : field.facts.choices)
        candidates.add(CompletionKind::Value, choice, detail(choice), field.facts.help);
    if (field.type == catalog::FieldType::Bool)
        for (const char* const word : { "True", "False" })
            candidates.add(CompletionKind::Value, word, detail(word), field.facts.help);
    const bool isListed = !field.facts.choices.empty() || field.type == catalog::FieldType::Bool;
    if (!isListed && isDefault && field.defaultText != "null" && asked.place.begin == asked.caret)
        candidates.add(CompletionKind::Value, field.defaultText, "default", field.facts.help);
    if (field.nullable)
        candidates.add(CompletionKind::Value, "null", detail("null"), "no value");
}

/// The recipe's own key of the argument's name: what `n_mels: !ref <n_mels>` is so often written
/// for.
void addSameName(const Asked& asked, Candidates& candidates)
{
    const std::string& key = asked.frame().key;
    const auto& topLevel = *asked.place.frames.front().keys;
    const bool isThere = std::find(topLevel.begin(), topLevel.end(), key) != topLevel.end();
    if (asked.place.frames.size() > 1 && !key.empty() && isThere)
        candidates.add(CompletionKind::Reference, "!ref <" + key + ">", "the recipe's own " + key);
}

} // namespace

std::vector<Completion> completeReference(const Asked& asked)
{
    const auto open = openReference(asked);
    if (!open) {
        const std::string_view typed
            = asked.text().substr(asked.place.begin, asked.caret - asked.place.begin);
        if (typed.empty()) {
            Candidates candidates(asked, asked.caret, asked.caret);
            References(asked, candidates).addTopLevel("<", ">");
            return std::move(candidates).ranked();
        }
        if (typed.find('/') == std::string_view::npos)
            return {};
        const size_t slash = typed.rfind('/') + 1;
        return completePath(asked, asked.place.begin + slash, typed.substr(slash),
            expanded(asked, typed.substr(0, slash)));
    }
    const std::string_view text = asked.text();
    const size_t end = std::min(text.find_first_of("<>[]. \t\r\n,", asked.caret), text.size());
    Candidates candidates(asked, open->wordBegin, end);
    References references(asked, candidates);
    const std::string after = closing(text, end, !open->keys.empty());
    if (open->keys.empty())
        references.addTopLevel("", after);
    else
        References(asked, candidates)
            .addAll(Follower(asked.document).mappingAt(open->keys), "", after);
    return std::move(candidates).ranked();
}

const Field* fieldAt(const Asked& asked)
{
    const Frame& frame = asked.frame();
    const bool isList = frame.kind == Collection::BlockList || frame.kind == Collection::FlowList;
    if (const auto* const info
        = classOf(frame).empty() ? nullptr : catalog::findClass(classOf(frame))) {
        if (isList)
            return frame.index < info->fields.size() ? &info->fields[frame.index] : nullptr;
        return findArgument(classOf(frame), frame.key);
    }
    const std::vector<std::string> path = asked.place.path();
    const bool isOption = path.empty() || (path.size() == 1 && path[0] == "train_conf");
    return isOption ? tasks::findRunOption(frame.key) : nullptr;
}

std::vector<Completion> completeValue(const Asked& asked)
{
    const std::string_view typed
        = asked.text().substr(asked.place.begin, asked.caret - asked.place.begin);
    const std::string& key = asked.frame().key;
    if (looksLikePath(key, typed))
        return completePath(asked, asked.place.begin, typed, "");
    if (typed.starts_with('<')) { // a reference whose tag was forgotten
        Candidates candidates(asked, asked.place.begin, asked.place.end);
        References(asked, candidates).addTopLevel("!ref <", ">");
        return std::move(candidates).ranked();
    }
    Candidates candidates(asked, asked.place.begin, asked.place.end);
    addSameName(asked, candidates);
    if (const Field* const field = fieldAt(asked))
        addChoices(asked, *field, candidates);
    if (asked.place.frames.size() == 1 && key == "device")
        for (const std::string& name : deviceNames(asked.document.machine))
            candidates.add(CompletionKind::Value, name, "");
    return std::move(candidates).ranked();
}

} // namespace earwright::language
