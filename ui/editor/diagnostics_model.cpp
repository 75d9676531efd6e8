#include "ui/editor/diagnostics_model.h"

#include "ui/widgets/icons.h"
#include "ui/widgets/plain_tip.h"
#include "ui/widgets/theme.h"

#include <algorithm>
#include <QApplication>
#include <QCoreApplication>
#include <QFileInfo>

namespace earwright::ui {
namespace {

QVariant severityIcon(recipe::Severity severity)
{
    const Tone tone = severity == recipe::Severity::Error ? Tone::Bad
        : severity == recipe::Severity::Warning           ? Tone::Warning
                                                          : Tone::Info;
    return colorDot(toneColor(tone, QApplication::palette()), 10, qApp->devicePixelRatio());
}

} // namespace

QString severityName(recipe::Severity severity)
{
    switch (severity) {
    case recipe::Severity::Error:
        return QCoreApplication::translate("earwright", "Error");
    case recipe::Severity::Warning:
        return QCoreApplication::translate("earwright", "Warning");
    case recipe::Severity::Info:
        break;
    }
    return QCoreApplication::translate("earwright", "Note");
}

DiagnosticsModel::DiagnosticsModel(QObject* parent)
    : QAbstractTableModel(parent)
{
}

void DiagnosticsModel::setDiagnostics(
    const QString& fileName, std::vector<recipe::Diagnostic> diagnostics)
{
    beginResetModel();
    m_isChecked = true;
    m_fileName = fileName;
    m_diagnostics = std::move(diagnostics);
    endResetModel();
}

int DiagnosticsModel::errorCount() const
{
    return static_cast<int>(std::count_if(m_diagnostics.begin(), m_diagnostics.end(),
        [](const recipe::Diagnostic& d) { return d.severity == recipe::Severity::Error; }));
}

int DiagnosticsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_diagnostics.size());
}

int DiagnosticsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant DiagnosticsModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const recipe::Diagnostic& diagnostic = at(index.row());
    if (role == Qt::DisplayRole)
        return text(diagnostic, index.column());
    if (role == SortRole)
        return sortKey(diagnostic, index.column());
    if (role == Qt::DecorationRole && index.column() == Message)
        return severityIcon(diagnostic.severity);
    if (role == Qt::ToolTipRole && index.column() == Place)
        return plainTip(text(diagnostic, Place).toString());
    if (role == Qt::ToolTipRole) {
        const QString message = QString::fromStdString(diagnostic.message);
        return plainTip(diagnostic.fix
                ? tr("%1\nAlt+Enter: %2")
                      .arg(message, QString::fromStdString(diagnostic.fix->title))
                : message);
    }
    if (role == Qt::AccessibleTextRole && index.column() == Message)
        return tr("%1: %2").arg(
            severityName(diagnostic.severity), text(diagnostic, Message).toString());
    return {};
}

QVariant DiagnosticsModel::sortKey(const recipe::Diagnostic& diagnostic, int column) const
{
    const recipe::Position place = diagnostic.span.begin;
    if (column == Place)
        return static_cast<qlonglong>(place.line) * 100000 + place.column;
    const QString shown = text(diagnostic, column).toString();
    return column == Message ? QString::number(static_cast<int>(diagnostic.severity)) + shown
                             : shown;
}

QVariant DiagnosticsModel::text(const recipe::Diagnostic& diagnostic, int column) const
{
    if (column == Message) {
        const QString message = QString::fromStdString(diagnostic.message);
        return diagnostic.fix
            ? tr("%1  ⟶ %2").arg(message, QString::fromStdString(diagnostic.fix->title))
            : message;
    }
    if (column == Rule)
        return QString::fromStdString(diagnostic.rule);
    const QString file
        = diagnostic.span.file.empty() ? m_fileName : QString::fromStdString(diagnostic.span.file);
    const QString name = QFileInfo(file).fileName();
    return diagnostic.span.begin.line > 0 ? QStringLiteral("%1:%2:%3")
                                                .arg(name)
                                                .arg(diagnostic.span.begin.line)
                                                .arg(diagnostic.span.begin.column)
                                          : name;
}

QVariant DiagnosticsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Message:
        return tr("Problem");
    case Place:
        return tr("Place");
    case Rule:
        return tr("Rule");
    default:
        return {};
    }
}

} // namespace earwright::ui
