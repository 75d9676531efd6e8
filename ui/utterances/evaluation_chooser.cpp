#include "ui/utterances/evaluation_chooser.h"

#include "ui/widgets/combo_box.h"
#include "ui/widgets/plain_tip.h"

#include <algorithm>
#include <utility>

namespace earwright::ui {

namespace {

constexpr int kWidestChoice = 280;

void setUpChoice(QComboBox& box, const QString& name)
{
    box.setObjectName(name);
    box.setSizeAdjustPolicy(QComboBox::AdjustToContents);
    box.setMinimumContentsLength(9); // where there is no room for more
    box.setMaximumWidth(kWidestChoice);
}

/// Nothing where it lists these already: a list that is open would lose its place.
void fillChoice(QComboBox& box, const std::vector<ListedEvaluation>& listed, const QString& none)
{
    QStringList titles;
    if (!none.isEmpty())
        titles << none;
    for (const ListedEvaluation& each : listed)
        titles << each.title;
    QStringList known;
    for (int i = 0; i < box.count(); ++i)
        known << box.itemText(i);
    if (titles == known)
        return;
    box.clear();
    box.addItems(titles);
}

/// A run that resumes writes it anew.
bool isOfSameFile(const ChosenEvaluation& a, const ChosenEvaluation& b)
{
    return a.runPath == b.runPath && a.evaluated.alignmentsFile == b.evaluated.alignmentsFile;
}

} // namespace

EvaluationChooser::EvaluationChooser(QWidget* parent)
    : QObject(parent)
    , m_evaluation(new ComboBox(parent))
    , m_other(new ComboBox(parent))
{
    setUpChoice(*m_evaluation, QStringLiteral("evaluation"));
    setUpChoice(*m_other, QStringLiteral("compareWith"));
    connect(m_evaluation, &QComboBox::activated, this, [this](int index) {
        m_wantedFile
            = m_evaluations[static_cast<size_t>(index)].evaluation.evaluated.alignmentsFile;
        m_isOnlyKept = false;
        fillOthers();
        Q_EMIT changed();
    });
    connect(m_other, &QComboBox::activated, this, [this] {
        m_wantedOther = other();
        explain();
        Q_EMIT changed();
    });
}

void EvaluationChooser::setRuns(const std::vector<UtteranceRun>& runs)
{
    const auto pathOf = [](const std::vector<UtteranceRun>& listed) {
        return listed.empty() ? QString() : listed.front().path;
    };
    if (pathOf(runs) != pathOf(m_runs)) {
        m_wantedFile.clear();
        m_wantedOther.reset();
    }
    m_runs = runs;
    fill();
}

void EvaluationChooser::want(const std::string& alignmentsFile)
{
    m_wantedFile = alignmentsFile;
    m_isOnlyKept = false;
    fill();
}

void EvaluationChooser::keepChosen()
{
    const auto now = chosen();
    if (!now || !m_wantedFile.empty())
        return;
    m_wantedFile = now->evaluated.alignmentsFile;
    m_isOnlyKept = true;
}

void EvaluationChooser::forgetKept()
{
    if (std::exchange(m_isOnlyKept, false))
        m_wantedFile.clear();
}

void EvaluationChooser::fill()
{
    m_evaluations
        = m_runs.empty() ? std::vector<ListedEvaluation>() : listEvaluations(m_runs.front());
    fillChoice(*m_evaluation, m_evaluations, {});
    const auto wanted = std::find_if(
        m_evaluations.begin(), m_evaluations.end(), [this](const ListedEvaluation& listed) {
            return listed.evaluation.evaluated.alignmentsFile == m_wantedFile;
        });
    m_evaluation->setCurrentIndex(wanted == m_evaluations.end()
            ? static_cast<int>(m_evaluations.size()) - 1
            : static_cast<int>(wanted - m_evaluations.begin()));
    fillOthers();
}

void EvaluationChooser::fillOthers()
{
    const auto now = chosen();
    m_others = now ? listOthers(m_runs, *now) : std::vector<ListedEvaluation>();
    fillChoice(*m_other, m_others, tr("nothing"));
    const auto wanted
        = std::find_if(m_others.begin(), m_others.end(), [this](const ListedEvaluation& listed) {
              return m_wantedOther && isOfSameFile(listed.evaluation, *m_wantedOther);
          });
    m_other->setCurrentIndex(
        wanted == m_others.end() ? 0 : static_cast<int>(wanted - m_others.begin()) + 1);
    explain();
}

/// The boxes may be too narrow for their texts.
void EvaluationChooser::explain()
{
    for (QComboBox* box : { m_evaluation, m_other })
        box->setToolTip(plainTip(box->currentText()));
}

std::optional<ChosenEvaluation> EvaluationChooser::chosen() const
{
    const auto index = static_cast<size_t>(m_evaluation->currentIndex());
    return index < m_evaluations.size() ? std::optional(m_evaluations[index].evaluation)
                                        : std::nullopt;
}

std::optional<ChosenEvaluation> EvaluationChooser::other() const
{
    const int index = m_other->currentIndex() - 1;
    return index >= 0 && index < static_cast<int>(m_others.size())
        ? std::optional(m_others[static_cast<size_t>(index)].evaluation)
        : std::nullopt;
}

} // namespace earwright::ui
