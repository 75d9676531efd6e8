#include "ui/editor/hover_text.h"

#include "ui/editor/diagnostics_model.h"
#include "ui/widgets/plain_tip.h"
#include "ui/widgets/theme.h"

#include <QCoreApplication>
#include <QStringList>

namespace earwright::ui {
namespace {

constexpr qsizetype kMaxLines = 12;
constexpr qsizetype kMaxLineLength = 100;

QString shortened(const std::string& text)
{
    QStringList lines = QString::fromStdString(text).trimmed().split(QLatin1Char('\n'));
    const bool isCut = lines.size() > kMaxLines;
    if (isCut)
        lines = lines.first(kMaxLines);
    for (QString& line : lines)
        if (line.size() > kMaxLineLength)
            line = line.first(kMaxLineLength) + QStringLiteral("…");
    if (isCut)
        lines << QStringLiteral("…");
    return lines.join(QLatin1Char('\n'));
}

QString escaped(const std::string& text)
{
    return beginningOf(QString::fromStdString(text)).toHtmlEscaped();
}

QString colored(const QString& text, Tone tone, const QPalette& palette)
{
    return QStringLiteral("<span style='color:%1'>%2</span>")
        .arg(toneColor(tone, palette).name(), text);
}

QString problemText(const recipe::Diagnostic& problem, const QPalette& palette)
{
    const Tone tone = problem.severity == recipe::Severity::Error ? Tone::Bad
        : problem.severity == recipe::Severity::Warning           ? Tone::Warning
                                                                  : Tone::Info;
    QString text
        = QStringLiteral("<p style='margin:2px'>%1 %2</p>")
              .arg(colored(QStringLiteral("<b>%1:</b>").arg(severityName(problem.severity)), tone,
                       palette),
                  escaped(problem.message));
    if (problem.fix)
        text += QStringLiteral("<p style='margin:2px'>%1</p>")
                    .arg(QCoreApplication::translate("earwright", "Alt+Enter: %1")
                             .arg(escaped(problem.fix->title)));
    return text;
}

} // namespace

QString hoverText(const std::vector<recipe::Diagnostic>& problems,
    const std::optional<language::Hover>& hover, const QPalette& palette)
{
    QString text;
    for (const recipe::Diagnostic& problem : problems)
        text += problemText(problem, palette);
    if (!hover)
        return text;
    if (!text.isEmpty())
        text += QStringLiteral("<hr>");
    if (!hover->title.empty())
        text += QStringLiteral("<p style='margin:2px'><b>%1</b></p>").arg(escaped(hover->title));
    if (!hover->value.empty())
        text += QStringLiteral("<pre style='margin:2px; white-space:pre-wrap'>= %1</pre>")
                    .arg(shortened(hover->value).toHtmlEscaped());
    if (!hover->help.empty())
        text += QStringLiteral("<p style='margin:2px'>%1</p>")
                    .arg(escaped(hover->help).replace(u"\n"_qs, QStringLiteral("<br>")));
    if (!hover->source.empty())
        text += QStringLiteral("<p style='margin:2px'>%1</p>")
                    .arg(colored(QCoreApplication::translate("earwright", "from %1")
                                     .arg(escaped(hover->source)),
                        Tone::Muted, palette));
    return text;
}

} // namespace earwright::ui
