#include "ui/widgets/action_registry.h"

#include "ui/widgets/icons.h"
#include "ui/widgets/plain_tip.h"

#include <QRegularExpression>

namespace earwright::ui {
namespace {

constexpr const char* kIconName = "earwrightIconName";

} // namespace

ActionRegistry::ActionRegistry(QObject* parent)
    : QObject(parent)
{
}

QAction* ActionRegistry::add(const ActionSpec& spec)
{
    Q_ASSERT(!find(spec.id));
    auto* action = new QAction(this);
    action->setObjectName(spec.id);
    action->setShortcut(spec.shortcut);
    action->setCheckable(spec.checkable);
    setText(action, spec.text);
    action->setProperty(kIconName, spec.iconName);
    if (!spec.iconName.isEmpty())
        action->setIcon(icon(spec.iconName));
    m_actions.append(action);
    return action;
}

void ActionRegistry::setText(QAction* action, const QString& text, const QString& whole)
{
    const QString tip = plainText(whole.isEmpty() ? text : whole);
    const QString keys = action->shortcut().toString(QKeySequence::NativeText);
    action->setText(text);
    action->setToolTip(plainTip(keys.isEmpty() ? tip : QStringLiteral("%1 (%2)").arg(tip, keys)));
    action->setStatusTip(tip);
}

void ActionRegistry::adopt(QAction* action, const QString& id)
{
    Q_ASSERT(!find(id));
    action->setObjectName(id);
    m_actions.append(action);
}

QAction* ActionRegistry::find(const QString& id) const
{
    for (QAction* action : m_actions)
        if (action->objectName() == id)
            return action;
    return nullptr;
}

void ActionRegistry::refreshIcons()
{
    for (QAction* action : std::as_const(m_actions))
        if (const QString name = action->property(kIconName).toString(); !name.isEmpty())
            action->setIcon(icon(name));
}

void ActionRegistry::setPlace(const QAction& action, const Place& place)
{
    m_places.insert(&action, place);
}

ActionRegistry::Place ActionRegistry::placeOf(const QAction& action) const
{
    return m_places.value(&action);
}

QString plainText(const QAction& action)
{
    return plainText(action.text());
}

QString plainText(const QString& menuText)
{
    static const QRegularExpression kMark(QStringLiteral("&(.)"));
    QString text = menuText;
    text.replace(kMark, QStringLiteral("\\1"));
    if (text.endsWith(QChar(0x2026)))
        text.chop(1);
    return text;
}

} // namespace earwright::ui
