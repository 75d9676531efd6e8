#include "ui/session/window_actions.h"

#include <QFontMetrics>
#include <QMainWindow>

namespace earwright::ui {

WindowActions::WindowActions(QMainWindow& window)
    : QObject(&window)
    , m_window(window)
    , m_registry(new ActionRegistry(this))
{
}

QAction* WindowActions::add(const char* id, const QString& text, const char* icon,
    const QKeySequence& keys, std::function<void()> run)
{
    QAction* made = m_registry->add({ .id = QString::fromLatin1(id),
        .text = text,
        .iconName = QString::fromLatin1(icon),
        .shortcut = keys });
    connect(made, &QAction::triggered, this, std::move(run));
    m_window.addAction(made);
    return made;
}

QAction* WindowActions::addOfRun(const char* id, const QString& text, const char* icon,
    const QKeySequence& keys, std::function<void()> run)
{
    QAction* made = add(id, text.arg(tr("the Selected Run")), icon, keys, std::move(run));
    made->setData(text);
    return made;
}

QAction* WindowActions::find(const char* id) const
{
    return m_registry->find(QString::fromLatin1(id));
}

QList<QAction*> WindowActions::find(std::initializer_list<const char*> ids) const
{
    QList<QAction*> found;
    for (const char* id : ids)
        found << find(id);
    return found;
}

void WindowActions::enableWhen(std::initializer_list<const char*> ids, std::function<bool()> holds)
{
    onRefresh([actions = find(ids), holds = std::move(holds)] {
        const bool isEnabled = holds();
        for (QAction* each : actions)
            each->setEnabled(isEnabled);
    });
}

void WindowActions::onRefresh(std::function<void()> rule)
{
    m_rules.push_back(std::move(rule));
}

void WindowActions::refresh()
{
    for (const auto& rule : m_rules)
        rule();
}

void WindowActions::setEnabled(std::initializer_list<const char*> ids, bool isEnabled)
{
    for (QAction* each : find(ids))
        each->setEnabled(isEnabled);
}

void WindowActions::nameRun(const QString& name)
{
    constexpr int kMaxLetters = 24;
    const QFontMetrics metrics = m_window.fontMetrics();
    QString whole = name.isEmpty() ? tr("the Selected Run") : name;
    QString run
        = metrics.elidedText(whole, Qt::ElideMiddle, kMaxLetters * metrics.averageCharWidth());
    for (QString* each : { &whole, &run })
        each->replace(u"&"_qs, u"&&"_qs);
    for (QAction* each : m_registry->all())
        if (const QString text = each->data().toString(); !text.isEmpty())
            m_registry->setText(each, text.arg(run), text.arg(whole));
}

} // namespace earwright::ui
