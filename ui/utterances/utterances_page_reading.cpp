#include "ui/utterances/utterances_page.h"

#include "ui/utterances/evaluation_chooser.h"
#include "ui/utterances/manifest_look.h"
#include "ui/utterances/transcript_menu.h"
#include "ui/utterances/utterance_model.h"
#include "ui/utterances/utterance_table.h"
#include "ui/utterances/utterance_views.h"
#include "ui/widgets/figure_table.h"
#include "ui/widgets/when_done.h"

#include <QHideEvent>
#include <QLabel>
#include <QLineEdit>
#include <QStackedWidget>
#include <QtConcurrentRun>

namespace earwright::ui {

namespace {

enum UtterancesState { kWithoutRun, kWithoutEvaluation, kWithUtterances }; // pages of m_stack

/// The sums of a manifest, and what can be done with it: first, to see those rows at which the run
/// had trouble.
void announceManifest(
    const UtteranceSet& set, InfoBar& bar, ManifestLook& manifest, QLineEdit& filter)
{
    std::vector<InfoBar::Choice> choices = manifest.choices();
    if (set.numOfBadSteps > 0)
        choices.insert(choices.begin(),
            { UtterancesPage::tr("In Steps That Were Not Finite (%1)").arg(set.numOfBadSteps),
                [&bar, &manifest, &filter, summary = set.summary] {
                    filter.setText(QStringLiteral("nonfinite"));
                    bar.showMessage(Tone::Info, summary, manifest.choices());
                } });
    bar.showMessage(Tone::Info, set.summary, choices);
}

void announce(const UtteranceSet& set, InfoBar& bar, ManifestLook& manifest, QLineEdit& filter)
{
    if (!set.error.isEmpty())
        bar.showMessage(Tone::Bad, set.error, manifest.choices());
    else if (set.isManifest)
        announceManifest(set, bar, manifest, filter);
    else if (!set.otherError.isEmpty())
        bar.showMessage(set.numMatched > 0 ? Tone::Warning : Tone::Bad, set.otherError);
    else if (set.isCompared && set.numMatched == 0)
        bar.showMessage(Tone::Warning,
            UtterancesPage::tr("The other evaluation has none of these utterances."));
}

/// The user may have forgotten it.
void tellOfManifest(InfoBar& bar, ManifestLook& manifest)
{
    if (manifest.isOpen())
        bar.showMessage(Tone::Info,
            UtterancesPage::tr("The manifest '%1' is open in the place of a run's utterances.")
                .arg(manifest.name()),
            manifest.choices());
}

/// Of the run that is shown; "" = none.
QString shownRunPath(const EvaluationChooser& chooser)
{
    const std::optional<ChosenEvaluation> chosen = chooser.chosen();
    return chosen ? chosen->runPath : QString();
}

} // namespace

void UtterancesPage::setRuns(const std::vector<UtteranceRun>& runs)
{
    m_hasRun = !runs.empty();
    const QString before = shownRunPath(*m_chooser);
    m_chooser->setRuns(runs);
    if (shownRunPath(*m_chooser) != before)
        tellOfManifest(*m_bar, *m_manifest);
    refresh();
}

void UtterancesPage::showEvaluation(const std::string& alignmentsFile, const QString& filter)
{
    m_manifest->close();
    m_chooser->want(alignmentsFile);
    m_filter->setText(filter);
    m_views->showUtterances();
    refresh();
}

void UtterancesPage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (m_bar->isHidden())
        tellOfManifest(*m_bar, *m_manifest);
    refresh();
}

void UtterancesPage::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    if (!event->spontaneous()) // a window that is minimised keeps its page
        m_chooser->forgetKept();
}

/// What could not be read may be there by now.
void UtterancesPage::onChosen()
{
    m_manifest->close();
    const UtteranceSetPtr& shown = m_model->utterances();
    if (shown && !(shown->error.isEmpty() && shown->otherError.isEmpty()))
        m_read.reset();
    read();
}

void UtterancesPage::refresh()
{
    m_stack->setCurrentIndex(m_manifest->isOpen() ? kWithUtterances
            : !m_hasRun                           ? kWithoutRun
            : m_chooser->isEmpty()                ? kWithoutEvaluation
                                                  : kWithUtterances);
    if (!isVisible() || m_manifest->isOpen())
        return;
    m_chooser->keepChosen();
    read();
}

void UtterancesPage::read()
{
    const auto isSame = [](const auto& a, const auto& b) {
        return a.has_value() == b.has_value() && (!a || a->isSame(*b));
    };
    if (isSame(m_chooser->chosen(), m_read) && isSame(m_chooser->other(), m_readOther))
        return;
    m_read = m_chooser->chosen();
    m_readOther = m_chooser->other();
    const int number = ++m_number;
    m_isReading = m_read.has_value();
    if (!m_read)
        return take(nullptr);
    m_count->setText(tr("Reading…"));
    const auto work
        = [wanted = *m_read, with = m_readOther] { return readUtteranceSet(wanted, with); };
    whenDone(QtConcurrent::run(work), this, [this, number](const UtteranceSetPtr& set) {
        if (number == m_number)
            take(set);
    });
}

void UtterancesPage::take(const UtteranceSetPtr& set)
{
    m_isReading = false;
    m_bar->hide();
    if (set)
        announce(*set, *m_bar, *m_manifest, *m_filter);
    showSet(set);
}

void UtterancesPage::showManifest(const std::filesystem::path& file)
{
    m_filter->clear();
    m_views->showUtterances();
    m_manifest->open(file, shownRunPath(*m_chooser));
}

void UtterancesPage::openManifest()
{
    m_manifest->askForFile(shownRunPath(*m_chooser));
}

void UtterancesPage::showSet(const UtteranceSetPtr& set)
{
    m_model->setUtterances(set);
    m_transcript->setUtterances(set);
    m_views->setUtterances(set);
    showKnownColumns(*m_table, set);
}

} // namespace earwright::ui
