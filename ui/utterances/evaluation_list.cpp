#include "ui/utterances/evaluation_list.h"

#include <algorithm>
#include <QCoreApplication>
#include <string_view>
#include <unordered_set>

namespace earwright::ui {

namespace {

QString listedTitle(const run::Evaluated& evaluated)
{
    const QString split = QString::fromStdString(evaluated.split);
    const QString name = split == u"valid"
        ? QCoreApplication::translate("EvaluationList", "valid, epoch %1").arg(evaluated.epoch)
        : split;
    return QStringLiteral("%1: %2 %3 %")
        .arg(name, QString::fromStdString(evaluated.rate))
        .arg(evaluated.percent(), 0, 'f', 2);
}

} // namespace

std::vector<ListedEvaluation> listEvaluations(const UtteranceRun& run)
{
    std::vector<ListedEvaluation> listed;
    if (!run.snapshot)
        return listed;
    const std::vector<run::Evaluated>& all = run.snapshot->evaluations;
    std::unordered_set<std::string_view> files;
    for (auto evaluated = all.rbegin(); evaluated != all.rend(); ++evaluated) {
        const std::string& file = evaluated->alignmentsFile;
        if (!file.empty() && files.insert(file).second)
            listed.push_back({ listedTitle(*evaluated), { run.path, *evaluated } });
    }
    std::reverse(listed.begin(), listed.end());
    return listed;
}

std::vector<ListedEvaluation> listOthers(
    const std::vector<UtteranceRun>& runs, const ChosenEvaluation& chosen)
{
    std::vector<ListedEvaluation> others;
    for (const UtteranceRun& run : runs)
        for (ListedEvaluation& listed : listEvaluations(run)) {
            if (listed.evaluation.isSame(chosen))
                continue;
            if (run.path != chosen.runPath)
                listed.title = run.name + QStringLiteral(": ") + listed.title;
            others.push_back(std::move(listed));
        }
    std::stable_partition(others.begin(), others.end(), [&](const ListedEvaluation& listed) {
        return listed.evaluation.runPath == chosen.runPath;
    });
    return others;
}

} // namespace earwright::ui
