#include "ui/session/run_news.h"

#include "ui/launch/translated.h"
#include "ui/runs/run_list_model.h"
#include "ui/runs/run_state.h"

#include <cmath>
#include <map>
#include <optional>
#include <QFileInfo>

namespace earwright::ui {
namespace {

QString folderNameOf(const QString& runPath)
{
    return QFileInfo(runPath).fileName();
}

/// "2000 steps, WER 12.34 %".
QString doneText(const run::RunSummary& run)
{
    const QString steps = translated("%1 steps").arg(run.step);
    const double rate = run.testRate == "CER" ? run.testCer : run.testWer;
    return rate < 0 ? steps
                    : QStringLiteral("%1, %2 %3 %")
                          .arg(steps, QString::fromStdString(run.testRate))
                          .arg(rate, 0, 'f', 2);
}

std::optional<RunNews> endNews(const run::RunSummary& run)
{
    const QString path = runPathOf(run);
    const QString name = folderNameOf(path);
    switch (run.state) {
    case run::State::Done:
        return RunNews { RunNews::Kind::Done, path, translated("%1 is done").arg(name),
            doneText(run) };
    case run::State::Failed:
        return RunNews { RunNews::Kind::Failed, path, translated("%1 failed").arg(name),
            QString::fromStdString(run.error) };
    case run::State::Interrupted:
        return RunNews { RunNews::Kind::Interrupted, path,
            translated("%1 was interrupted").arg(name),
            translated("Its supervisor is gone without a word. Resume continues from the last "
                       "checkpoint.") };
    default:
        return std::nullopt;
    }
}

bool hasFiniteLoss(const run::RunSummary& run)
{
    const auto loss = run.metrics.find("train/loss");
    return loss == run.metrics.end() || std::isfinite(loss->second);
}

} // namespace

std::vector<RunNews> newsBetween(
    const std::vector<run::RunSummary>& before, const std::vector<run::RunSummary>& now)
{
    std::map<std::filesystem::path, const run::RunSummary*> earlier;
    for (const run::RunSummary& run : before)
        earlier[run.folder.path] = &run;
    std::vector<RunNews> news;
    for (const run::RunSummary& run : now) {
        const auto found = earlier.find(run.folder.path);
        if (found == earlier.end() || !run.capsule.empty())
            continue;
        const run::RunSummary& was = *found->second;
        if (const auto end = endNews(run); end && !isOver(was.state))
            news.push_back(*end);
        else if (hasFiniteLoss(was) && !hasFiniteLoss(run) && isLive(run.state))
            news.push_back({ RunNews::Kind::NotFinite, runPathOf(run),
                translated("The loss of %1 is not finite").arg(folderNameOf(runPathOf(run))),
                translated("At step %1.").arg(run.step) });
    }
    return news;
}

RunNews nonFiniteNews(const QString& runPath, const run::NonFinite& event)
{
    const QString text
        = event.skipped ? translated("At step %1, which was skipped.") : translated("At step %1.");
    const QString title = event.what == "gradient"
        ? translated("The gradients of %1 are not finite")
        : translated("The loss of %1 is not finite");
    return { RunNews::Kind::NotFinite, runPath, title.arg(folderNameOf(runPath)),
        text.arg(event.step) };
}

} // namespace earwright::ui
