#include "ui/editor/text_diff_dialog.h"

#include "ui/widgets/theme.h"

#include <QApplication>
#include <QDialogButtonBox>
#include <QFontDatabase>
#include <QHeaderView>
#include <QLabel>
#include <QTreeView>
#include <QVBoxLayout>

namespace earwright::ui {
namespace {

constexpr int kContext = 3;

bool isChange(const DiffLine& line)
{
    return line.left == 0 || line.right == 0;
}

std::vector<DiffLine> aroundChanges(const std::vector<DiffLine>& all)
{
    std::vector<bool> isKept(all.size());
    for (size_t i = 0; i < all.size(); ++i)
        for (size_t j = i < kContext ? 0 : i - kContext;
             isChange(all[i]) && j < std::min(all.size(), i + kContext + 1); ++j)
            isKept[j] = true;
    std::vector<DiffLine> kept;
    for (size_t i = 0; i < all.size(); ++i)
        if (isKept[i])
            kept.push_back(all[i]);
        else if (kept.empty() || kept.back() != DiffLine {})
            kept.push_back({});
    return kept;
}

} // namespace

TextDiffModel::TextDiffModel(const QString& left, const QString& right, QObject* parent)
    : QAbstractTableModel(parent)
    , m_lines(aroundChanges(lineDiff(left, right)))
{
}

int TextDiffModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_lines.size());
}

int TextDiffModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant TextDiffModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const DiffLine& line = m_lines[static_cast<size_t>(index.row())];
    const bool isGap = line == DiffLine {};
    if (role == Qt::ForegroundRole && !isGap && isChange(line))
        return toneColor(line.left == 0 ? Tone::Good : Tone::Bad, QApplication::palette());
    if (role == Qt::FontRole && index.column() == Line)
        return QFontDatabase::systemFont(QFontDatabase::FixedFont);
    if (role == Qt::TextAlignmentRole && index.column() != Line)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    if (index.column() == Line) {
        const QString sign = line.left == 0 ? QStringLiteral("+ ")
            : line.right == 0               ? QStringLiteral("− ")
                                            : QStringLiteral("  ");
        return isGap ? QStringLiteral("⋯") : sign + line.text;
    }
    const int number = index.column() == Left ? line.left : line.right;
    return number > 0 ? QString::number(number) : QString();
}

QVariant TextDiffModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    return section == Left ? tr("Old") : section == Right ? tr("New") : tr("Line");
}

TextDiffDialog::TextDiffDialog(const Text& left, const Text& right, QWidget* parent)
    : QDialog(parent)
{
    setObjectName(QStringLiteral("textDiffDialog"));
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("%1 and %2").arg(left.name, right.name));
    auto* label
        = new QLabel(tr("Removed from %1 (−) and added by %2 (+):").arg(left.name, right.name));
    label->setObjectName(QStringLiteral("textDiffNames"));
    label->setWordWrap(true);
    auto* view = new QTreeView(this);
    view->setObjectName(QStringLiteral("textDiffView"));
    view->setAccessibleName(tr("Lines that differ"));
    view->setRootIsDecorated(false);
    view->setUniformRowHeights(true);
    view->setModel(new TextDiffModel(left.text, right.text, this));
    view->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* column = new QVBoxLayout(this);
    column->addWidget(label);
    column->addWidget(view, 1);
    column->addWidget(buttons);
    resize(820, 520);
}

void TextDiffDialog::showBeside(const QString& here, const Text& other, QWidget* page)
{
    auto* dialog = new TextDiffDialog({ tr("the text here"), here }, other, page);
    dialog->show();
}

} // namespace earwright::ui
