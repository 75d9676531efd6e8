#include "ui/session/shortcuts_dialog.h"

#include "ui/widgets/action_registry.h"

#include <QHeaderView>
#include <QLineEdit>
#include <QSortFilterProxyModel>
#include <QStandardItemModel>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

namespace earwright::ui {
namespace {

QStandardItem* plainItem(const QString& text)
{
    auto* item = new QStandardItem(text);
    item->setEditable(false);
    return item;
}

} // namespace

ShortcutsDialog::ShortcutsDialog(const ActionRegistry& actions, QWidget* parent)
    : QDialog(parent)
    , m_model(new QStandardItemModel(this))
    , m_filter(new QSortFilterProxyModel(this))
{
    setObjectName(QStringLiteral("shortcutsDialog"));
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Keyboard shortcuts"));
    fill(actions);
    build();
}

void ShortcutsDialog::fill(const ActionRegistry& actions)
{
    m_model->setHorizontalHeaderLabels({ tr("Action"), tr("Keys") });
    QList<QAction*> sorted = actions.all();
    std::stable_sort(sorted.begin(), sorted.end(), [&](const QAction* a, const QAction* b) {
        return actions.placeOf(*a).at < actions.placeOf(*b).at;
    });
    QStandardItem* menu = nullptr;
    for (const QAction* action : sorted) {
        const QString keys
            = QKeySequence::listToString(action->shortcuts(), QKeySequence::NativeText);
        if (keys.isEmpty())
            continue;
        const QString name = actions.placeOf(*action).menu;
        if (!menu || menu->text() != name)
            m_model->appendRow({ menu = plainItem(name), plainItem({}) });
        menu->appendRow({ plainItem(plainText(*action)), plainItem(keys) });
    }
}

void ShortcutsDialog::build()
{
    m_filter->setSourceModel(m_model);
    m_filter->setRecursiveFilteringEnabled(true);
    m_filter->setAutoAcceptChildRows(true); // of a menu that is named
    m_filter->setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_filter->setFilterKeyColumn(-1);
    auto* text = new QLineEdit(this);
    text->setPlaceholderText(tr("Find an action or a key"));
    text->setAccessibleName(tr("Find an action or a key"));
    text->setClearButtonEnabled(true);
    auto* view = new QTreeView(this);
    view->setObjectName(QStringLiteral("shortcuts"));
    view->setAccessibleName(tr("Keyboard shortcuts"));
    view->setFrameShape(QFrame::NoFrame);
    view->setModel(m_filter);
    view->setUniformRowHeights(true);
    view->setAllColumnsShowFocus(true);
    view->header()->setStretchLastSection(false);
    view->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    view->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    view->expandAll();
    connect(text, &QLineEdit::textChanged, view, [this, view](const QString& typed) {
        m_filter->setFilterFixedString(typed);
        view->expandAll();
    });
    auto* column = new QVBoxLayout(this);
    column->addWidget(text);
    column->addWidget(view, 1);
    resize(560, 640);
}

} // namespace earwright::ui
