#include "ui/editor/form_panel.h"

#include "ui/editor/form_delegate.h"
#include "ui/editor/form_model.h"
#include "ui/editor/form_text.h"
#include "ui/widgets/text_tone.h"

#include <QApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QTreeView>
#include <QVBoxLayout>

namespace earwright::ui {

FormPanel::FormPanel(QWidget* parent)
    : QWidget(parent)
    , m_model(new FormModel(this))
    , m_filter(new QLineEdit(this))
    , m_view(new QTreeView(this))
    , m_about(new QLabel(this))
{
    build();
    connect(m_model, &FormModel::edited, this, &FormPanel::edited);
    connect(this, &FormPanel::edited, this, [this] { m_refused.reset(); });
    connect(m_model, &QAbstractItemModel::modelReset, this, [this] {
        m_view->expandAll();
        applyFilter();
    });
    connect(m_model, &QAbstractItemModel::rowsInserted, this, &FormPanel::applyFilter);
    connect(m_filter, &QLineEdit::textChanged, this, &FormPanel::applyFilter);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this,
        &FormPanel::showAbout);
    connect(m_view, &QTreeView::activated, this, [this](const QModelIndex& index) {
        const language::FormRow* row = m_model->rowAt(index);
        if (row && row->isReference)
            Q_EMIT referenceActivated(QString::fromStdString(row->path));
    });
    m_view->installEventFilter(this);
}

void FormPanel::build()
{
    m_filter->setObjectName(QStringLiteral("formFilter"));
    m_filter->setPlaceholderText(tr("Filter the settings"));
    m_filter->setAccessibleName(tr("Filter the settings"));
    m_filter->setClearButtonEnabled(true);
    m_view->setObjectName(QStringLiteral("formView"));
    m_view->setAccessibleName(tr("Settings of the recipe"));
    m_view->setModel(m_model);
    m_view->setItemDelegate(new FormDelegate(m_view));
    m_view->setUniformRowHeights(true);
    m_view->setAllColumnsShowFocus(false);
    m_view->setSelectionBehavior(QAbstractItemView::SelectItems);
    m_view->setTabKeyNavigation(false);
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setIndentation(12);
    m_view->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed
        | QAbstractItemView::AnyKeyPressed | QAbstractItemView::SelectedClicked);
    m_view->header()->setMinimumSectionSize(24);
    m_view->header()->setStretchLastSection(false); // which would not make it narrower than it was
    m_view->header()->setSectionResizeMode(FormModel::About, QHeaderView::Stretch);
    m_view->header()->resizeSection(FormModel::Setting, 152);
    m_view->header()->resizeSection(FormModel::Value, 150);
    m_view->header()->resizeSection(FormModel::Unit, 56);
    m_about->setObjectName(QStringLiteral("formAbout"));
    m_about->setWordWrap(true);
    m_about->setTextFormat(Qt::PlainText);
    m_about->setMargin(8);
    m_about->setAlignment(Qt::AlignTop);
    m_about->setFixedHeight(4 * fontMetrics().lineSpacing() + 16);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_filter);
    column->addWidget(m_view, 1);
    column->addWidget(m_about);
    setFocusProxy(m_view);
}

void FormPanel::setSections(std::vector<language::FormSection> sections)
{
    const QString path = currentPath();
    const std::optional<Refusal> refused = m_refused; // which a reset forgets
    m_model->setSections(std::move(sections));
    const QModelIndex index = m_model->find(path);
    if (index.isValid() && m_view->currentIndex() != index)
        m_view->setCurrentIndex(index);
    showAbout(m_view->currentIndex());
    if (refused && refused->path == currentPath())
        showError(refused->path, refused->message);
}

QString FormPanel::currentPath() const
{
    const language::FormRow* row = m_model->rowAt(m_view->currentIndex());
    return row ? QString::fromStdString(row->path) : QString();
}

void FormPanel::showAbout(const QModelIndex& current)
{
    m_refused.reset();
    setTextTone(*m_about, {});
    const language::FormRow* row = m_model->rowAt(current);
    m_about->setText(row
            ? formRowAbout(*row)
            : tr("Enter or a double click changes a value, Delete takes it back to its default."));
    if (row)
        Q_EMIT currentChanged(currentPath());
}

void FormPanel::showError(const QString& path, const QString& message)
{
    m_refused = Refusal { path, message };
    setTextTone(*m_about, Tone::Bad);
    m_about->setText(tr("%1: %2").arg(path, message));
}

void FormPanel::takeFocus()
{
    if (!m_model->rowAt(m_view->currentIndex()))
        m_view->setCurrentIndex(m_model->index(0, FormModel::Value, m_model->index(0, 0)));
    m_view->setFocus();
}

void FormPanel::takeOpenEdit()
{
    if (m_view->isAncestorOf(QApplication::focusWidget()))
        m_view->setFocus(); // which closes the value's control
}

void FormPanel::applyFilter()
{
    const QString wanted = m_filter->text();
    for (int section = 0; section < m_model->rowCount(); ++section) {
        const QModelIndex parent = m_model->index(section, 0);
        bool isAnyShown = false;
        for (int row = 0; row < m_model->rowCount(parent); ++row) {
            const language::FormRow* setting = m_model->rowAt(m_model->index(row, 0, parent));
            const bool isShown
                = QString::fromStdString(setting->path).contains(wanted, Qt::CaseInsensitive);
            m_view->setRowHidden(row, parent, !isShown);
            isAnyShown = isAnyShown || isShown;
        }
        m_view->setRowHidden(section, {}, !isAnyShown);
    }
}

bool FormPanel::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    const auto* key = static_cast<QKeyEvent*>(event);
    const language::FormRow* row = m_model->rowAt(m_view->currentIndex());
    if (key->key() == Qt::Key_Delete && row && row->isWritten) {
        Q_EMIT edited(QString::fromStdString(row->path), QString());
        return true;
    }
    const QModelIndex value = m_view->currentIndex().siblingAtColumn(FormModel::Value);
    const bool isEnter = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
    if (!isEnter || !row || !m_model->flags(value).testFlag(Qt::ItemIsEditable))
        return QWidget::eventFilter(watched, event);
    m_view->setCurrentIndex(value);
    m_view->edit(value);
    return true;
}

} // namespace earwright::ui
