#include "ui/monitor/hotword_figures.h"

#include "core/run/test_scores.h"

#include <QCoreApplication>
#include <QStringList>

namespace earwright::ui {

HotwordFigures hotwordsOf(
    const run::Snapshot& snapshot, const run::Evaluated& evaluated, Phrases which)
{
    const std::string tag
        = evaluated.split + (which == Phrases::Unseen ? "/unseen_hotword_" : "/hotword_");
    return { .recall = run::valueAt(snapshot, tag + "recall", evaluated.step),
        .precision = run::valueAt(snapshot, tag + "precision", evaluated.step),
        .f1 = run::valueAt(snapshot, tag + "F1", evaluated.step) };
}

QString hotwordText(const HotwordFigures& figures)
{
    QStringList parts;
    const auto add = [&parts](const QString& text, std::optional<double> percent) {
        if (percent)
            parts << text.arg(*percent, 0, 'f', 2);
    };
    add(QCoreApplication::translate("Hotwords", "recall %1 %"), figures.recall);
    add(QCoreApplication::translate("Hotwords", "precision %1 %"), figures.precision);
    add(QCoreApplication::translate("Hotwords", "F1 %1 %"), figures.f1);
    return parts.join(QCoreApplication::translate("Hotwords", ", "));
}

} // namespace earwright::ui
