#include "ui/utterances/transcript_menu.h"

#include "ui/utterances/utterance_model.h"
#include "ui/widgets/figure_table.h"
#include "ui/widgets/plain_tip.h"
#include "ui/widgets/when_done.h"

#include <QAction>
#include <QFileDialog>
#include <QInputDialog>
#include <QMenu>
#include <QtConcurrentRun>

namespace earwright::ui {

TranscriptMenu::TranscriptMenu(
    const FigureTable& table, const UtteranceModel& model, QWidget* parent)
    : QPushButton(tr("Transcript"), parent)
    , m_table(table)
    , m_model(model)
    , m_correct(new QAction(tr("&Correct…"), this))
    , m_quarantine(new QAction(tr("&Quarantine the Selected Utterances"), this))
    , m_release(new QAction(tr("&Take the Selected Utterances out of Quarantine"), this))
    , m_undo(new QAction(tr("&Undo"), this))
    , m_write(new QAction(tr("&Write a New Manifest…"), this))
    , m_open(new QAction(tr("&Look at a Manifest…"), this))
{
    m_thread.setMaxThreadCount(1);
    setObjectName(QStringLiteral("transcriptMenu"));
    buildMenu();
    setUtterances(nullptr);
}

void TranscriptMenu::buildMenu()
{
    auto* menu = new QMenu(this);
    m_correct->setObjectName(QStringLiteral("transcript.correct"));
    m_quarantine->setObjectName(QStringLiteral("transcript.quarantine"));
    m_release->setObjectName(QStringLiteral("transcript.release"));
    m_undo->setObjectName(QStringLiteral("transcript.undo"));
    m_write->setObjectName(QStringLiteral("transcript.write"));
    m_open->setObjectName(QStringLiteral("transcript.open"));
    menu->addActions({ m_correct, m_quarantine, m_release, m_undo });
    menu->addSeparator();
    menu->addActions({ m_write, m_open });
    setMenu(menu);
    connect(menu, &QMenu::aboutToShow, this, &TranscriptMenu::updateActions);
    connect(m_correct, &QAction::triggered, this, &TranscriptMenu::askForText);
    connect(m_quarantine, &QAction::triggered, this, [this] { quarantine(true); });
    connect(m_release, &QAction::triggered, this, [this] { quarantine(false); });
    connect(m_undo, &QAction::triggered, this, &TranscriptMenu::undo);
    connect(m_write, &QAction::triggered, this, &TranscriptMenu::askForFile);
    connect(m_open, &QAction::triggered, this, &TranscriptMenu::manifestWanted);
}

void TranscriptMenu::setUtterances(const UtteranceSetPtr& set)
{
    m_set = set;
    if (!m_inverses.empty() && (!set || set->manifest != m_inverses.back().manifest))
        m_inverses.clear();
    setToolTip(set && !set->manifestError.isEmpty()
            ? plainTip(set->manifestError)
            : tr("Correct transcripts and leave utterances out: noted beside the manifest, which "
                 "stays as it is"));
    updateActions();
}

bool TranscriptMenu::isKnown() const
{
    return m_set && m_set->error.isEmpty() && m_set->manifestError.isEmpty();
}

void TranscriptMenu::updateActions()
{
    for (QAction* ofRow : { m_correct, m_quarantine, m_release })
        ofRow->setEnabled(isKnown());
    m_undo->setEnabled(isKnown() && !m_inverses.empty());
    m_write->setEnabled(isKnown() && (m_set->hasCorrections || m_set->hasQuarantine));
}

std::vector<std::string> TranscriptMenu::selectedIds() const
{
    std::vector<std::string> ids;
    for (const QModelIndex& index : m_table.selectionModel()->selectedRows())
        ids.push_back(m_model.utteranceAt(index.row()).id.toStdString());
    return ids;
}

Amendment TranscriptMenu::amendment() const
{
    return { .manifest = m_set->manifest, .columns = m_set->columns };
}

/// Offers the manifest's own text: what the run was scored against may be normalised.
void TranscriptMenu::askForText()
{
    const int current = m_table.currentIndex().row();
    if (!m_set || current < 0)
        return;
    const UtteranceRow& row = m_model.utteranceAt(current);
    Amendment change = amendment();
    change.ids = { row.id.toStdString() };
    if (!row.corrected.isEmpty())
        return openText(change, row.corrected);
    const auto read = [change] { return ownTextOf(change); };
    whenDone(
        QtConcurrent::run(&m_thread, read), this, [this, change](const Result<std::string>& text) {
            if (!text)
                Q_EMIT said(Tone::Bad, QString::fromStdString(text.error().message));
            else if (m_set && m_set->manifest == change.manifest)
                openText(change, QString::fromStdString(*text));
        });
}

void TranscriptMenu::openText(const Amendment& change, const QString& offered)
{
    auto* dialog = new QInputDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Correct the Transcript"));
    dialog->setLabelText(tr("What is said in the selected utterance:"));
    dialog->setTextValue(offered);
    dialog->resize(640, dialog->sizeHint().height());
    // A line's box takes no line breaks: what it made of the text is what nobody changed.
    const QString shown = dialog->textValue();
    connect(
        dialog, &QInputDialog::textValueSelected, this, [this, change, shown](const QString& text) {
            if (text == shown)
                return;
            if (text.trimmed().isEmpty())
                return Q_EMIT said(Tone::Bad,
                    tr("A transcript needs words: quarantine an utterance in which nothing is "
                       "said."));
            Amendment corrected = change;
            corrected.text = text.toStdString();
            carryOut(corrected, false);
        });
    dialog->open();
}

void TranscriptMenu::quarantine(bool isQuarantined)
{
    if (!m_set)
        return;
    Amendment change = amendment();
    change.ids = selectedIds();
    change.isQuarantined = isQuarantined;
    if (!change.ids.empty())
        carryOut(change, false);
}

void TranscriptMenu::undo()
{
    if (m_inverses.empty())
        return;
    const Amendment change = m_inverses.back();
    m_inverses.pop_back();
    carryOut(change, true);
}

void TranscriptMenu::carryOut(const Amendment& amendment, bool isUndo)
{
    const auto work = [amendment] { return ui::carryOut(amendment); };
    whenDone(QtConcurrent::run(&m_thread, work), this,
        [this, amendment, isUndo](const Result<Amended>& done) {
            if (!done)
                Q_EMIT said(Tone::Bad, QString::fromStdString(done.error().message));
            if (!m_set || m_set->manifest != amendment.manifest)
                return; // another evaluation is shown meanwhile
            if (done && !isUndo)
                m_inverses.push_back(done->inverse);
            else if (!done && isUndo)
                m_inverses.push_back(amendment);
            if (done)
                showNoted(done->amendments);
        });
}

void TranscriptMenu::showNoted(const data::Amendments& amendments)
{
    const int number = ++m_number;
    const auto make = [set = m_set, amendments] { return amendedSet(*set, amendments); };
    whenDone(QtConcurrent::run(&m_thread, make), this,
        [this, number, amendments, before = m_set](const UtteranceSetPtr& set) {
            if (number != m_number || !m_set || m_set->manifest != before->manifest)
                return;
            if (m_set == before)
                Q_EMIT amended(set);
            else // others are shown meanwhile, of the same manifest
                showNoted(amendments);
        });
}

void TranscriptMenu::askForFile()
{
    if (!m_set)
        return;
    auto* dialog = new QFileDialog(this, tr("Write a New Manifest"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setOption(QFileDialog::DontConfirmOverwrite); // a file that is there is refused
    const QString suffix = QString::fromStdString(m_set->manifest.extension().string());
    dialog->setNameFilter(tr("Manifest (*%1)").arg(suffix));
    dialog->setDefaultSuffix(suffix.mid(1));
    connect(dialog, &QFileDialog::fileSelected, this, &TranscriptMenu::write);
    dialog->open();
}

void TranscriptMenu::write(const QString& file)
{
    if (!m_set)
        return;
    const auto work = [set = m_set, file] {
        return data::writeAmendedManifest(set->manifest, file.toStdU16String(), set->columns);
    };
    whenDone(QtConcurrent::run(&m_thread, work), this,
        [this, file](const Result<data::AmendedManifest>& written) {
            if (!written)
                Q_EMIT said(Tone::Bad, QString::fromStdString(written.error().message));
            else
                Q_EMIT said(Tone::Good,
                    tr("'%1': rows %2, corrected %3, left out %4.")
                        .arg(file, QString::number(written->rows),
                            QString::number(written->corrected),
                            QString::number(written->leftOut)));
        });
}

} // namespace earwright::ui
