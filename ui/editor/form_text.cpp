#include "ui/editor/form_text.h"

#include "ui/editor/form_model.h"
#include "ui/widgets/plain_tip.h"
#include "ui/widgets/theme.h"

#include <cmath>
#include <QApplication>
#include <QFont>

namespace earwright::ui {
namespace {

QString numberText(double value)
{
    return QString::number(value, 'g', 6);
}

QString rowText(const language::FormRow& row)
{
    const QString text = QString::fromStdString(row.text);
    if (!row.isReference)
        return text;
    const QString value = QString::fromStdString(row.value);
    return value.isEmpty() ? text : QStringLiteral("%1 = %2").arg(text, value);
}

/// Everything that is known of a setting, a line each.
QString aboutText(const language::FormRow& row, const QString& separator)
{
    QStringList parts;
    if (*row.field.facts.help)
        parts << QString::fromUtf8(row.field.facts.help);
    if (const QString range = rangeText(row.field.facts); !range.isEmpty())
        parts << range;
    if (!row.field.facts.choices.empty()) {
        QStringList choices;
        for (const std::string& choice : row.field.facts.choices)
            choices << QString::fromStdString(choice);
        parts << FormModel::tr("one of %1").arg(choices.join(QStringLiteral(", ")));
    }
    if (!row.field.defaultText.empty())
        parts << FormModel::tr("default %1").arg(QString::fromStdString(row.field.defaultText));
    else if (row.field.facts.required)
        parts << FormModel::tr("required");
    return parts.join(separator);
}

QString display(const language::FormRow& row, int column)
{
    switch (column) {
    case FormModel::Setting:
        return QString(row.level * 4, QLatin1Char(' ')) + QString::fromStdString(row.label);
    case FormModel::Value:
        return rowText(row);
    case FormModel::Unit:
        return QString::fromUtf8(row.field.facts.unit);
    default:
        return aboutText(row, QStringLiteral(" · "));
    }
}

QVariant color(const language::FormRow& row, int column)
{
    const QPalette palette = QApplication::palette();
    const bool isNote = column == FormModel::Unit || column == FormModel::About;
    if (isNote || !row.isWritten)
        return toneColor(Tone::Muted, palette);
    if (column == FormModel::Value && row.isReference)
        return palette.color(QPalette::Link);
    return {};
}

QVariant font(const language::FormRow& row, int column)
{
    QFont font = QApplication::font();
    font.setItalic(!row.isWritten);
    font.setUnderline(column == FormModel::Value && row.isReference);
    return font;
}

} // namespace

QString rangeText(const catalog::FieldFacts& facts)
{
    const bool hasMin = std::isfinite(facts.min);
    const bool hasMax = std::isfinite(facts.max);
    if (hasMin && hasMax)
        return FormModel::tr("%1 to %2").arg(numberText(facts.min), numberText(facts.max));
    if (hasMin)
        return FormModel::tr("at least %1").arg(numberText(facts.min));
    return hasMax ? FormModel::tr("at most %1").arg(numberText(facts.max)) : QString();
}

bool isSwitch(const language::FormRow& row)
{
    return row.field.type == catalog::FieldType::Bool && !row.field.nullable && !row.isReference
        && row.isEditable;
}

QString formRowAbout(const language::FormRow& row)
{
    return QString::fromStdString(row.path) + QLatin1Char('\n')
        + aboutText(row, QStringLiteral("\n"));
}

QVariant formRowData(const language::FormRow& row, int column, int role)
{
    switch (role) {
    case Qt::DisplayRole:
        return display(row, column);
    case Qt::EditRole:
        return QString::fromStdString(row.text);
    case Qt::CheckStateRole:
        if (column != FormModel::Value || !isSwitch(row))
            return {};
        return row.value == "true" || row.value == "True" ? Qt::Checked : Qt::Unchecked;
    case Qt::ForegroundRole:
        return color(row, column);
    case Qt::FontRole:
        return font(row, column);
    case Qt::ToolTipRole:
        return plainTip(formRowAbout(row));
    case Qt::AccessibleTextRole:
        return column == FormModel::Value
            ? QStringLiteral("%1: %2").arg(QString::fromStdString(row.label), display(row, column))
            : display(row, column);
    default:
        return {};
    }
}

QVariant formSectionData(int role)
{
    if (role != Qt::FontRole)
        return {};
    QFont font = QApplication::font();
    font.setBold(true);
    return font;
}

} // namespace earwright::ui
