#include "ui/monitor/hotword_figures.h"

#include <QCoreApplication>
#include <QStringList>

namespace kymo::ui {

namespace {

/// The newest point that a curve has of a step: a resumed run may repeat its last test.
std::optional<double> valueAt(const run::Snapshot& snapshot, const std::string& tag, int64_t step)
{
    const auto found = snapshot.series.find(tag);
    if (found == snapshot.series.end())
        return std::nullopt;
    const size_t end = found->second.lowerBoundStep(step + 1);
    const auto& points = found->second.points();
    return end > 0 && points[end - 1].step == step ? std::optional(points[end - 1].value)
                                                   : std::nullopt;
}

} // namespace

HotwordFigures hotwordsOf(
    const run::Snapshot& snapshot, const run::Evaluated& evaluated, Phrases which)
{
    const std::string tag
        = evaluated.split + (which == Phrases::Unseen ? "/unseen_hotword_" : "/hotword_");
    return { .recall = valueAt(snapshot, tag + "recall", evaluated.step),
        .precision = valueAt(snapshot, tag + "precision", evaluated.step),
        .f1 = valueAt(snapshot, tag + "F1", evaluated.step) };
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

} // namespace kymo::ui
