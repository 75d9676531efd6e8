#include "ui/editor/completion_popup.h"

#include "ui/editor/completion_model.h"

#include <algorithm>
#include <QApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QListView>
#include <QScreen>

namespace earwright::ui {
namespace {

constexpr int kRows = 10;
constexpr int kListWidth = 420;
constexpr int kHelpWidth = 280;

} // namespace

CompletionPopup::CompletionPopup(QWidget* parent)
    : QFrame(parent, Qt::ToolTip | Qt::FramelessWindowHint)
    , m_model(new CompletionModel(this))
    , m_list(new QListView(this))
    , m_help(new QLabel(this))
{
    setObjectName(QStringLiteral("completionPopup"));
    setAttribute(Qt::WA_ShowWithoutActivating);
    setFrameShape(QFrame::StyledPanel);
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    m_list->setObjectName(QStringLiteral("completionList"));
    m_list->setAccessibleName(tr("Completions"));
    m_list->setModel(m_model);
    m_list->setItemDelegate(new CompletionDelegate(m_list));
    m_list->setUniformItemSizes(true);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_help->setObjectName(QStringLiteral("completionHelp"));
    m_help->setTextFormat(Qt::PlainText);
    m_help->setWordWrap(true);
    m_help->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_help->setMargin(8);
    m_help->setFixedWidth(kHelpWidth);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(1, 1, 1, 1);
    row->setSpacing(0);
    row->addWidget(m_list);
    row->addWidget(m_help);
    connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this,
        &CompletionPopup::showHelp);
    connect(m_list, &QListView::clicked, this, &CompletionPopup::chosen);
}

void CompletionPopup::showFor(std::vector<language::Completion> completions, const QRect& caret)
{
    if (completions.empty())
        return hide();
    m_model->setCompletions(std::move(completions));
    m_list->setCurrentIndex(m_model->index(0));
    place(caret);
    show();
}

void CompletionPopup::place(const QRect& caret)
{
    const int rows = std::min(kRows, m_model->rowCount());
    m_list->setFixedSize(kListWidth, rows * m_list->sizeHintForRow(0) + 2);
    showHelp();
    adjustSize();
    QPoint corner = caret.bottomLeft();
    const QRect screen = QApplication::screenAt(corner) ? QApplication::screenAt(corner)->geometry()
                                                        : QRect(0, 0, 10000, 10000);
    if (corner.y() + height() > screen.bottom())
        corner.setY(caret.top() - height());
    corner.setX(std::max(screen.left(), std::min(corner.x(), screen.right() - width())));
    move(corner);
}

void CompletionPopup::showHelp()
{
    const language::Completion* completion = current();
    // A short detail is in the list already.
    constexpr size_t kShort = 40;
    m_help->setVisible(
        completion && (!completion->help.empty() || completion->detail.size() > kShort));
    if (!completion)
        return;
    QStringList parts;
    for (const std::string& part : { completion->detail, completion->help })
        if (!part.empty())
            parts << QString::fromStdString(part);
    m_help->setText(parts.join(QStringLiteral("\n\n")));
    if (isVisible())
        adjustSize();
}

const language::Completion* CompletionPopup::current() const
{
    const QModelIndex index = m_list->currentIndex();
    return index.isValid() ? &m_model->at(index.row()) : nullptr;
}

int CompletionPopup::count() const
{
    return m_model->rowCount();
}

bool CompletionPopup::walk(QKeyEvent& event)
{
    const int row = m_list->currentIndex().row();
    const int last = m_model->rowCount() - 1;
    int next = row;
    switch (event.key()) {
    case Qt::Key_Down:
        next = row == last ? 0 : row + 1;
        break;
    case Qt::Key_Up:
        next = row == 0 ? last : row - 1;
        break;
    case Qt::Key_PageDown:
        next = std::min(last, row + kRows);
        break;
    case Qt::Key_PageUp:
        next = std::max(0, row - kRows);
        break;
    default:
        return false;
    }
    m_list->setCurrentIndex(m_model->index(next));
    return true;
}

} // namespace earwright::ui
