#include "ui/editor/form_delegate.h"

#include "ui/editor/form_model.h"
#include "ui/widgets/combo_box.h"

#include <algorithm>
#include <limits>
#include <QLineEdit>

namespace earwright::ui {
namespace {

/// What the form put into an editor: where its text is another, the user has typed. (A line's
/// isModified() forgets that: spin boxes and choices write into their line themselves.)
constexpr const char* kShown = "shownText";

const language::FormRow& rowOf(const QModelIndex& index)
{
    return *static_cast<const FormModel*>(index.model())->rowAt(index);
}

int clampedToInt(double value)
{
    constexpr double kLowest = std::numeric_limits<int>::min();
    constexpr double kHighest = std::numeric_limits<int>::max();
    return static_cast<int>(std::clamp(value, kLowest, kHighest));
}

bool fitsSpinBox(const language::FormRow& row)
{
    bool isInt = false;
    QString::fromStdString(row.text).toInt(&isInt);
    return row.field.type == catalog::FieldType::Int && !row.field.nullable && isInt;
}

QWidget* makeChoices(const language::FormRow& row, QWidget* parent)
{
    auto* box = new ComboBox(parent);
    for (const std::string& choice : row.field.facts.choices)
        box->addItem(QString::fromStdString(choice));
    box->setEditable(true); // what the recipe says may be none of them
    box->setInsertPolicy(QComboBox::NoInsert);
    return box;
}

QWidget* makeSpinBox(const language::FormRow& row, QWidget* parent)
{
    auto* box = new SpinBox(parent);
    box->setRange(clampedToInt(row.field.facts.min), clampedToInt(row.field.facts.max));
    return box;
}

/// The line in which the user types, of any of our controls.
QLineEdit* lineOf(QWidget* editor)
{
    auto* line = qobject_cast<QLineEdit*>(editor);
    return line ? line : editor->findChild<QLineEdit*>();
}

} // namespace

QWidget* FormDelegate::createEditor(
    QWidget* parent, const QStyleOptionViewItem&, const QModelIndex& index) const
{
    const language::FormRow& row = rowOf(index);
    QWidget* editor = !row.field.facts.choices.empty() ? makeChoices(row, parent)
        : fitsSpinBox(row)                             ? makeSpinBox(row, parent)
                                                       : new QLineEdit(parent);
    editor->setObjectName(QStringLiteral("formEditor"));
    editor->setAccessibleName(QString::fromStdString(row.label));
    editor->setAutoFillBackground(true);
    return editor;
}

void FormDelegate::setEditorData(QWidget* editor, const QModelIndex& index) const
{
    QLineEdit* line = lineOf(editor);
    const QVariant shown = editor->property(kShown);
    if (shown.isValid() && line->text() != shown.toString())
        return;
    const QString text = index.data(Qt::EditRole).toString();
    if (auto* box = qobject_cast<QSpinBox*>(editor))
        box->setValue(text.toInt());
    else if (auto* choices = qobject_cast<QComboBox*>(editor))
        choices->setCurrentText(text);
    else
        line->setText(text);
    line->selectAll();
    editor->setProperty(kShown, line->text());
}

void FormDelegate::setModelData(
    QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const
{
    if (auto* box = qobject_cast<QSpinBox*>(editor))
        box->interpretText();
    model->setData(index, lineOf(editor)->text());
}

QSize FormDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const QSize hint = QStyledItemDelegate::sizeHint(option, index);
    return { hint.width(), std::max(hint.height(), option.fontMetrics.height() + 10) };
}

} // namespace earwright::ui
