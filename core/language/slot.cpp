#include "core/language/slot.h"

#include "core/catalog/argument_value.h"
#include "core/language/field_text.h"
#include "core/language/same.h"
#include "core/language/source_edit.h"
#include "core/tasks/run_option_fields.h"

namespace earwright::language {

using catalog::Field;
using recipe::Edit;
using recipe::Kind;
using recipe::Node;
using recipe::SourceText;

namespace {

const Field* fieldOf(const Slot& slot)
{
    if (!slot.owner)
        return nullptr;
    if (const auto name = catalog::classOf(*slot.owner->node); !name.empty())
        return findArgument(name, slot.key);
    const bool isOption = slot.path == slot.key || slot.path == "train_conf." + slot.key;
    return isOption ? tasks::findRunOption(slot.key) : nullptr;
}

Allowed omitting(const Slot& before, const Slot& after)
{
    Allowed allowed;
    if (const auto* const entry = entryOf(before))
        allowed.before = { before.owner->node, entry };
    if (const auto* const entry = entryOf(after))
        allowed.after = { after.owner->node, entry };
    return allowed;
}

} // namespace

Slot slotOf(const Document& document, const std::string& path)
{
    Slot slot { path, path, valueAt(document, path), valueAt(document, ""), nullptr };
    if (slot.value && !slot.value->entry)
        slot.key.clear(); // an item
    for (size_t dot = path.rfind('.'); dot != std::string::npos && dot > 0;
         dot = path.rfind('.', dot - 1)) {
        auto owner = valueAt(document, path.substr(0, dot));
        if (!owner || path.find('[', dot) != std::string::npos)
            continue;
        slot.owner = std::move(owner);
        slot.key = path.substr(dot + 1);
        break;
    }
    slot.field = fieldOf(slot);
    return slot;
}

const recipe::Entry* entryOf(const Slot& slot)
{
    if (!slot.owner)
        return nullptr;
    for (const recipe::Entry& entry : slot.owner->node->entries)
        if (entry.key->text == slot.key)
            return &entry;
    return nullptr;
}

Edited::Edited(const Document& before, const Edit& edit)
    : m_before(before)
{
    m_after.request.fileName = before.request.fileName;
    m_after.treeText = recipe::applyFix(before.treeText, { "", { edit } });
    m_after.tree = recipe::parse(m_after.treeText, before.request.fileName).root;
    if (m_after.tree && recipe::isNull(*m_after.tree)) // its last key was taken out
        m_after.tree->kind = Kind::Mapping;
    if (m_after.tree && m_after.tree->kind != Kind::Mapping)
        m_after.tree = nullptr;
}

const Node* Edited::accepted(const Slot& slot, const std::string& text) const
{
    const Slot after = slotOf(m_after, slot.path);
    const SourceText source(m_after.treeText);
    if (!m_after.tree || !after.value || textOf(*after.value, source) != text)
        return nullptr;
    Allowed allowed;
    if (slot.value) {
        allowed.valueBefore = slot.value->node;
        allowed.valueAfter = after.value->node;
    } else {
        allowed = omitting(slot, after);
    }
    return isSame(*m_before.tree, *m_after.tree, allowed) ? after.value->node : nullptr;
}

bool Edited::isWithout(const Slot& slot) const
{
    if (!m_after.tree)
        return false;
    return isSame(*m_before.tree, *m_after.tree, omitting(slot, slotOf(m_after, slot.path)));
}

bool Edited::isMerged(const Slot& slot) const
{
    return m_after.tree && entryOf(slotOf(m_after, slot.path));
}

} // namespace earwright::language
