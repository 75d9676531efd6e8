#include "ui/session/command_palette.h"

#include <algorithm>
#include <QApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QTreeView>
#include <QVBoxLayout>
#include <tuple>

namespace earwright::ui {
namespace {

enum Column { kText, kState, kKeys, kMenu, kColumnCount };
constexpr int kShortTextRole = Qt::UserRole; ///< what its button says
constexpr int kPlaceRole = Qt::UserRole + 1; ///< in the menus
constexpr int kWordsRank = 2; ///< a menu's name finds no better than this
constexpr int kNoMatch = 4;
constexpr int kIconSize = 16;

/// Each of the words is found somewhere in the text.
bool holdsWords(const QString& words, const QString& text)
{
    const QStringList all = words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    return std::all_of(all.begin(), all.end(),
        [&text](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
}

class RankedFilter final : public QSortFilterProxyModel {
public:
    using QSortFilterProxyModel::QSortFilterProxyModel;
    void setPattern(const QString& pattern)
    {
        m_pattern = pattern.trimmed();
        invalidate();
    }

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override
    {
        return rankOf(sourceModel()->index(row, kText, parent)) < kNoMatch;
    }
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override
    {
        const auto placeOf = [this](const QModelIndex& index) {
            const int place = index.siblingAtColumn(kText).data(kPlaceRole).toInt();
            return std::tuple(rankOf(index), place, index.row());
        };
        return placeOf(left) < placeOf(right);
    }

private:
    int rankOf(const QModelIndex& index) const
    {
        const QModelIndex shown = index.siblingAtColumn(kText);
        const QString text = shown.data().toString();
        const int rank = std::min(matchRank(m_pattern, text),
            matchRank(m_pattern, shown.data(kShortTextRole).toString()));
        const QString menu = index.siblingAtColumn(kMenu).data().toString();
        return holdsWords(m_pattern, menu + QLatin1Char(' ') + text) ? std::min(rank, kWordsRank)
                                                                     : rank;
    }

    QString m_pattern;
};

/// Keeps the text of actions without an icon in line with the others.
QIcon blankIcon()
{
    QPixmap pixmap(kIconSize, kIconSize);
    pixmap.fill(Qt::transparent);
    return pixmap;
}

bool beginsWord(QStringView text, qsizetype at)
{
    return at == 0 || !text[at - 1].isLetterOrNumber();
}

/// `from`: what comes behind the letter matched last; that one goes on there, or at another word.
bool matchesFrom(QStringView pattern, QStringView text, qsizetype from)
{
    if (pattern.isEmpty())
        return true;
    for (qsizetype at = from; at < text.size(); ++at) {
        const bool isPlace = beginsWord(text, at) || (at == from && from > 0);
        if (isPlace && text[at].toCaseFolded() == pattern[0].toCaseFolded()
            && matchesFrom(pattern.mid(1), text, at + 1))
            return true;
    }
    return false;
}

} // namespace

bool matchesWords(const QString& pattern, const QString& text)
{
    return matchesFrom(QString(pattern).remove(QLatin1Char(' ')), text, 0);
}

int matchRank(const QString& pattern, const QString& text)
{
    if (text.startsWith(pattern, Qt::CaseInsensitive))
        return 0;
    if (text.contains(QLatin1Char(' ') + pattern, Qt::CaseInsensitive))
        return 1;
    if (holdsWords(pattern, text))
        return 2;
    return matchesWords(pattern, text) ? 3 : kNoMatch;
}

ActionModel::ActionModel(const ActionRegistry& actions, QObject* parent)
    : QAbstractTableModel(parent)
    , m_registry(actions)
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

int ActionModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : kColumnCount;
}

QVariant ActionModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const QAction* action = actionAt(index);
    if (index.column() == kMenu)
        return menuData(*action, role);
    if (role == kPlaceRole && index.column() == kText)
        return m_registry.placeOf(*action).at;
    if (role == Qt::DisplayRole && index.column() == kKeys)
        return action->shortcut().toString(QKeySequence::NativeText);
    if (role == Qt::CheckStateRole && index.column() == kState && action->isCheckable())
        return action->isChecked() ? Qt::Checked : Qt::Unchecked;
    if (role == Qt::DisplayRole && index.column() == kText)
        return plainText(*action);
    if (role == kShortTextRole && index.column() == kText)
        return action->iconText();
    if (role == Qt::ToolTipRole && index.column() == kText) // of what may be cut
        return action->toolTip();
    if (role == Qt::DecorationRole && index.column() == kText)
        return action->icon().isNull() ? blankIcon() : action->icon();
    return {};
}

QVariant ActionModel::menuData(const QAction& action, int role) const
{
    if (role == Qt::DisplayRole)
        return m_registry.placeOf(action).menu;
    return role == Qt::ForegroundRole ? QApplication::palette().brush(QPalette::PlaceholderText)
                                      : QVariant();
}

Qt::ItemFlags ActionModel::flags(const QModelIndex& index) const
{
    const QAction* action = actionAt(index);
    return action && action->isEnabled() ? QAbstractTableModel::flags(index) : Qt::NoItemFlags;
}

CommandPalette::CommandPalette(const ActionRegistry& actions, QWidget* parent)
    : QDialog(parent, Qt::Popup)
    , m_model(new ActionModel(actions, this))
    , m_filter(new RankedFilter(this))
    , m_text(new QLineEdit(this))
    , m_view(new QTreeView(this))
    , m_noMatch(new QLabel(tr("No action matches"), this))
{
    setObjectName(QStringLiteral("commandPalette"));
    setAttribute(Qt::WA_DeleteOnClose);
    m_filter->setSourceModel(m_model);
    m_filter->sort(kText);
    buildView();
    m_text->setPlaceholderText(tr("Type what to do"));
    m_text->setAccessibleName(tr("Type what to do"));
    m_text->installEventFilter(this);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(6, 6, 6, 6);
    column->addWidget(m_text);
    column->addWidget(m_view);
    column->addWidget(m_noMatch, 1);
    resize(460, 360);
    connect(m_text, &QLineEdit::textChanged, this, [this](const QString& text) {
        static_cast<RankedFilter*>(m_filter)->setPattern(text);
        showMatches();
    });
    connect(m_text, &QLineEdit::returnPressed, this, &CommandPalette::runCurrent);
    connect(m_view, &QTreeView::clicked, this, &CommandPalette::runCurrent);
    m_noMatch->setObjectName(QStringLiteral("noMatch"));
    m_noMatch->setAlignment(Qt::AlignHCenter | Qt::AlignTop);
    m_noMatch->setForegroundRole(QPalette::PlaceholderText);
    showMatches();
    m_text->setFocus();
}

void CommandPalette::buildView()
{
    m_view->setModel(m_filter);
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setFocusPolicy(Qt::NoFocus);
    m_view->setAccessibleName(tr("Actions"));
    m_view->setTextElideMode(Qt::ElideMiddle); // the ends tell actions and runs apart
    m_view->setHeaderHidden(true);
    m_view->setRootIsDecorated(false);
    m_view->setUniformRowHeights(true);
    m_view->setIconSize({ kIconSize, kIconSize });
    m_view->header()->setStretchLastSection(false);
    m_view->header()->setSectionResizeMode(kText, QHeaderView::Stretch);
    m_view->header()->setSectionResizeMode(kState, QHeaderView::ResizeToContents);
    m_view->header()->setSectionResizeMode(kKeys, QHeaderView::ResizeToContents);
    m_view->header()->setSectionResizeMode(kMenu, QHeaderView::ResizeToContents);
    m_view->header()->moveSection(kMenu, 0);
}

void CommandPalette::showMatches()
{
    m_view->setVisible(m_filter->rowCount() > 0);
    m_noMatch->setVisible(m_filter->rowCount() == 0);
    m_view->setCurrentIndex({});
    for (int row = 0; row < m_filter->rowCount(); ++row)
        if (const QModelIndex index = m_filter->index(row, 0);
            index.flags().testFlag(Qt::ItemIsEnabled))
            return m_view->setCurrentIndex(index);
}

void CommandPalette::runCurrent()
{
    QAction* action = m_model->actionAt(m_filter->mapToSource(m_view->currentIndex()));
    if (!action || !action->isEnabled())
        return;
    close();
    // After this popup has gone, so that a dialog the action opens gets the focus.
    QMetaObject::invokeMethod(action, &QAction::trigger, Qt::QueuedConnection);
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Up || key == Qt::Key_Down || key == Qt::Key_PageUp
            || key == Qt::Key_PageDown)
            return QCoreApplication::sendEvent(m_view, event);
    }
    return QDialog::eventFilter(watched, event);
}

} // namespace earwright::ui
