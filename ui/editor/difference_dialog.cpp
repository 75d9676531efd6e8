#include "ui/editor/difference_dialog.h"

#include "ui/widgets/combo_box.h"
#include "ui/widgets/counted.h"
#include "ui/widgets/plain_tip.h"
#include "ui/widgets/when_done.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QSortFilterProxyModel>
#include <QtConcurrentRun>
#include <QTreeView>
#include <QVBoxLayout>

namespace earwright::ui {

DifferenceDialog::DifferenceDialog(
    std::vector<RecipeSource> sources, std::pair<int, int> first, QWidget* parent)
    : QDialog(parent)
    , m_sources(std::move(sources))
    , m_model(new DifferenceModel(this))
    , m_filtered(new QSortFilterProxyModel(this))
    , m_left(addChoice("differenceLeft", tr("Left recipe"), first.first))
    , m_right(addChoice("differenceRight", tr("Right recipe"), first.second))
    , m_filter(new QLineEdit(this))
    , m_view(new QTreeView(this))
    , m_message(new QLabel(this))
{
    setObjectName(QStringLiteral("differenceDialog"));
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Compare recipes"));
    build();
    connect(m_left, &QComboBox::currentIndexChanged, this, &DifferenceDialog::compare);
    connect(m_right, &QComboBox::currentIndexChanged, this, &DifferenceDialog::compare);
    connect(m_filter, &QLineEdit::textChanged, m_filtered,
        &QSortFilterProxyModel::setFilterFixedString);
    connect(m_view, &QTreeView::activated, this, &DifferenceDialog::jump);
    resize(900, 560);
    compare();
}

QComboBox* DifferenceDialog::addChoice(const char* name, const QString& title, int index)
{
    auto* box = new ComboBox(this);
    box->setObjectName(QLatin1String(name));
    box->setAccessibleName(title);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(16);
    for (const RecipeSource& source : m_sources) {
        box->addItem(source.name);
        box->setItemData(box->count() - 1, plainTip(source.path), Qt::ToolTipRole);
    }
    box->setCurrentIndex(index);
    return box;
}

void DifferenceDialog::build()
{
    m_filtered->setSourceModel(m_model);
    m_filtered->setFilterKeyColumn(-1);
    m_filtered->setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_filter->setObjectName(QStringLiteral("differenceFilter"));
    m_filter->setPlaceholderText(tr("Filter by setting or value"));
    m_filter->setAccessibleName(tr("Filter by setting or value"));
    m_filter->setClearButtonEnabled(true);
    m_view->setObjectName(QStringLiteral("differenceView"));
    m_view->setAccessibleName(tr("Settings that differ"));
    m_view->setModel(m_filtered);
    m_view->setRootIsDecorated(false);
    m_view->setUniformRowHeights(true);
    m_view->setAllColumnsShowFocus(true);
    m_view->header()->resizeSection(DifferenceModel::Path, 300);
    m_view->header()->resizeSection(DifferenceModel::Left, 270);
    m_message->setObjectName(QStringLiteral("differenceMessage"));
    m_message->setWordWrap(true);
    m_message->setTextFormat(Qt::PlainText);
    auto* choices = new QHBoxLayout;
    choices->addWidget(m_left, 1);
    choices->addWidget(new QLabel(QStringLiteral("⟶"), this));
    choices->addWidget(m_right, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    for (QAbstractButton* button : buttons->buttons())
        static_cast<QPushButton*>(button)->setAutoDefault(false); // Enter jumps
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* column = new QVBoxLayout(this);
    column->addLayout(choices);
    column->addWidget(m_filter);
    column->addWidget(m_view, 1);
    column->addWidget(m_message);
    column->addWidget(buttons);
}

QString DifferenceDialog::message() const
{
    return m_message->text();
}

DifferenceDialog::Compared DifferenceDialog::compareSources(
    const RecipeSource& left, const RecipeSource& right)
{
    const Result<recipe::NodePtr> leftTree = resolvedTree(left);
    if (!leftTree)
        return { {}, QString::fromStdString(leftTree.error().message) };
    const Result<recipe::NodePtr> rightTree = resolvedTree(right);
    if (!rightTree)
        return { {}, QString::fromStdString(rightTree.error().message) };
    return { language::differences(**leftTree, **rightTree) };
}

void DifferenceDialog::compare()
{
    m_message->setText(tr("Comparing…"));
    const auto source = [this](const QComboBox* box) {
        return m_sources[static_cast<size_t>(std::max(0, box->currentIndex()))];
    };
    whenDone(QtConcurrent::run(compareSources, source(m_left), source(m_right)), this,
        [this, generation = ++m_generation](const Compared& result) {
            if (generation == m_generation)
                showResult(result);
        });
}

void DifferenceDialog::showResult(const Compared& result)
{
    m_model->setDifferences(result.differences);
    const auto count = static_cast<qsizetype>(result.differences.size());
    const QString counts = count == 0
        ? tr("Nothing differs: the two mean the same.")
        : counted(count, tr("%1 setting differs"), tr("%1 settings differ"));
    m_message->setText(result.error.isEmpty() ? counts : result.error);
    m_view->setCurrentIndex(m_filtered->index(0, 0));
    m_view->setFocus();
    Q_EMIT compared();
}

void DifferenceDialog::jump(const QModelIndex& shown)
{
    const language::Difference& difference = m_model->at(m_filtered->mapToSource(shown).row());
    const auto source = [this](const QComboBox* box) {
        return m_sources[static_cast<size_t>(std::max(0, box->currentIndex()))];
    };
    // A run's recipe is not open: then the other side is jumped to.
    const bool isRight
        = difference.rightSpan.begin.line > 0 && source(m_right).kind != RecipeSource::Run;
    recipe::Span place = isRight ? difference.rightSpan : difference.leftSpan;
    const RecipeSource& from = source(isRight ? m_right : m_left);
    if (place.begin.line == 0 || from.kind == RecipeSource::Run)
        return;
    if (place.file.empty())
        place.file = from.path.toStdString();
    Q_EMIT activated(place);
}

} // namespace earwright::ui
