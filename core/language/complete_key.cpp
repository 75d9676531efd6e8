#include "core/catalog/argument_value.h"
#include "core/catalog/catalog.h"
#include "core/check/known_keys.h"
#include "core/language/complete_impl.h"
#include "core/language/field_text.h"
#include "core/language/follow.h"
#include "core/tasks/run_option_fields.h"

#include <algorithm>
#include <unordered_set>

namespace earwright::language {

using recipe::Node;

namespace {

/// Adds keys that are not yet there.
class Keys final {
public:
    explicit Keys(const Asked& asked)
        : m_asked(asked)
        , m_candidates(asked, asked.place.begin, asked.place.end)
    {
        const std::string_view word
            = asked.text().substr(asked.place.begin, asked.place.end - asked.place.begin);
        bool isOwn = asked.place.isFollowedByColon; // the word itself is among the keys
        for (const std::string& key : *asked.frame().keys) {
            if (key == word && isOwn)
                isOwn = false;
            else
                m_taken.insert(key);
        }
    }

    /// `value` is written behind the colon.
    void add(const std::string& key, const std::string& detail, const std::string& help,
        const std::string& value = "")
    {
        if (!m_taken.insert(key).second)
            return;
        const std::string colon = m_asked.place.isFollowedByColon ? "" : ": " + value;
        m_candidates.add(CompletionKind::Key, key, detail, help, key + colon);
    }
    void addField(const catalog::Field& field)
    {
        if (!m_taken.insert(field.name).second)
            return;
        const std::string colon = m_asked.place.isFollowedByColon ? "" : ": ";
        m_candidates.add(CompletionKind::Argument, field.name, summary(field), field.facts.help,
            field.name + colon);
    }
    std::vector<Completion> ranked() { return std::move(m_candidates).ranked(); }

private:
    const Asked& m_asked;
    Candidates m_candidates;
    std::unordered_set<std::string> m_taken;
};

void addRunOptions(Keys& keys)
{
    for (const catalog::Field& field : tasks::runOptionFields())
        keys.add(field.name, summary(field), field.facts.help);
}

void addTopLevel(Keys& keys)
{
    for (const settings::KnownKey& known : check::knownKeys())
        if (*known.detail)
            keys.add(known.name, known.detail, known.help);
    addRunOptions(keys);
    // Not what only SpeechBrain's scripts read, nor what is known to the checks for being old.
    for (const settings::KnownKey& known : check::knownKeys())
        if (known.reader.isOurs() && known.reader != settings::kCheckReader)
            keys.add(known.name, "", "");
}

/// Keys of a section that is no object, such as `train_dataloader_opts`.
void addSection(const std::string& section, Keys& keys)
{
    for (const settings::KnownKey& known : check::knownKeysOf(section))
        keys.add(known.name, "", "");
}

/// Required arguments first.
void addArguments(const catalog::ClassInfo& info, Keys& keys)
{
    for (const bool isRequired : { true, false })
        for (const catalog::Field& field : info.fields)
            if (field.facts.required == isRequired)
                keys.addField(field);
}

/// Objects of the top level that `modules` and a checkpointer's recoverables may name.
void addObjects(const Asked& asked, bool needsParameters, Keys& keys)
{
    if (!asked.document.tree)
        return;
    for (const recipe::Entry& entry : asked.document.tree->entries) {
        const std::string_view name = recipe::newClass(*entry.value);
        const catalog::ClassInfo* const info = name.empty() ? nullptr : catalog::findClass(name);
        const bool isAround = entry.key->text == asked.place.frames.front().key;
        const bool owns = !info || info->ownsParameters || info->role == catalog::Role::Container;
        if (name.empty() || isAround || (needsParameters && !owns))
            continue;
        const std::string& key = entry.key->text;
        keys.add(key, catalog::lastPart(name), "", "!ref <" + key + ">");
    }
}

/// The keys of an included file, which the body of an !include may set.
void addIncluded(const Asked& asked, Keys& keys)
{
    recipe::NodePtr node = asked.document.findings.recipe;
    for (const std::string& key : asked.place.path())
        node = node ? recipe::find(*node, key) : nullptr;
    if (!node)
        return;
    for (const recipe::Entry& entry : node->entries)
        keys.add(entry.key->text, "of the included file", "");
}

} // namespace

std::vector<Completion> completeKey(const Asked& asked)
{
    Keys keys(asked);
    const std::vector<std::string> path = asked.place.path();
    const std::string_view name = classOf(asked.frame());
    if (path.empty())
        addTopLevel(keys);
    else if (const auto* const info = name.empty() ? nullptr : catalog::findClass(name))
        addArguments(*info, keys);
    else if (asked.frame().tag.starts_with("!include:"))
        addIncluded(asked, keys);
    else if (path.back() == "modules")
        addObjects(asked, true, keys);
    else if (path.back() == "recoverables")
        addObjects(asked, false, keys);
    else if (path.back() == "train_conf")
        addRunOptions(keys);
    else
        addSection(path.back(), keys);
    return keys.ranked();
}

} // namespace earwright::language
