#include "ui/session/command_palette.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QListView>
#include <QVBoxLayout>

namespace kymo::ui {
namespace {

    class InOrderFilter final : public QSortFilterProxyModel {
    public:
        using QSortFilterProxyModel::QSortFilterProxyModel;
        void setPattern(const QString& pattern)
        {
            m_pattern = pattern;
            invalidateFilter();
        }

    protected:
        bool filterAcceptsRow(int row, const QModelIndex& parent) const override
        {
            return matchesInOrder(m_pattern, sourceModel()->index(row, 0, parent).data().toString());
        }

    private:
        QString m_pattern;
    };

} // namespace

bool matchesInOrder(const QString& pattern, const QString& text)
{
    qsizetype from = 0;
    for (const QChar letter : pattern) {
        if (letter.isSpace())
            continue;
        const qsizetype at = text.indexOf(letter, from, Qt::CaseInsensitive);
        if (at < 0)
            return false;
        from = at + 1;
    }
    return true;
}

ActionModel::ActionModel(const ActionRegistry& actions, QObject* parent)
    : QAbstractListModel(parent)
    , m_actions(actions.all())
{
}

QAction* ActionModel::actionAt(const QModelIndex& index) const
{
    return index.isValid() ? m_actions.value(index.row()) : nullptr;
}

int ActionModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_actions.size());
}

QVariant ActionModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const QAction* action = actionAt(index);
    const QString keys = action->shortcut().toString(QKeySequence::NativeText);
    if (role == Qt::DisplayRole)
        return keys.isEmpty() ? plainText(*action) : QStringLiteral("%1   %2").arg(plainText(*action), keys);
    if (role == Qt::DecorationRole)
        return action->icon();
    return {};
}

Qt::ItemFlags ActionModel::flags(const QModelIndex& index) const
{
    const QAction* action = actionAt(index);
    return action && action->isEnabled() ? QAbstractListModel::flags(index) : Qt::NoItemFlags;
}

CommandPalette::CommandPalette(const ActionRegistry& actions, QWidget* parent)
    : QDialog(parent, Qt::Popup)
    , m_model(new ActionModel(actions, this))
    , m_filter(new InOrderFilter(this))
    , m_text(new QLineEdit(this))
    , m_view(new QListView(this))
{
    setObjectName(QStringLiteral("commandPalette"));
    setAttribute(Qt::WA_DeleteOnClose);
    m_filter->setSourceModel(m_model);
    m_view->setModel(m_filter);
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setFocusPolicy(Qt::NoFocus);
    m_view->setAccessibleName(tr("Actions"));
    m_text->setPlaceholderText(tr("Type what to do"));
    m_text->setAccessibleName(tr("Type what to do"));
    m_text->installEventFilter(this);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(6, 6, 6, 6);
    column->addWidget(m_text);
    column->addWidget(m_view);
    resize(460, 360);
    connect(m_text, &QLineEdit::textChanged, this, [this](const QString& text) {
        static_cast<InOrderFilter*>(m_filter)->setPattern(text);
        selectFirst();
    });
    connect(m_text, &QLineEdit::returnPressed, this, &CommandPalette::runCurrent);
    connect(m_view, &QListView::clicked, this, &CommandPalette::runCurrent);
    selectFirst();
    m_text->setFocus();
}

void CommandPalette::selectFirst()
{
    for (int row = 0; row < m_filter->rowCount(); ++row)
        if (const QModelIndex index = m_filter->index(row, 0); index.flags().testFlag(Qt::ItemIsEnabled))
            return m_view->setCurrentIndex(index);
}

void CommandPalette::runCurrent()
{
    QAction* action = m_model->actionAt(m_filter->mapToSource(m_view->currentIndex()));
    close();
    // After this popup has gone, so that a dialog the action opens gets the focus.
    if (action)
        QMetaObject::invokeMethod(action, &QAction::trigger, Qt::QueuedConnection);
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Up || key == Qt::Key_Down || key == Qt::Key_PageUp || key == Qt::Key_PageDown)
            return QCoreApplication::sendEvent(m_view, event);
    }
    return QDialog::eventFilter(watched, event);
}

} // namespace kymo::ui
