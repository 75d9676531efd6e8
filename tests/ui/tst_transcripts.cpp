#include "core/run/event_log.h"
#include "tests/registry.h"
#include "tests/ui/desk.h"
#include "tests/ui/utterance_run.h"
#include "ui/utterances/manifest_set.h"
#include "ui/utterances/utterances_page.h"
#include "ui/widgets/figure_table.h"
#include "ui/widgets/info_bar.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QFileDialog>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTabBar>

using namespace earwright;
using namespace earwright::ui;

namespace {

using Utt = UtteranceRow;

/// A window on the test of a run, whose manifest is there.
struct TranscriptDesk : Desk {
    QString run = writeUtteranceRun(runsRoot(), QStringLiteral("words"));
    QString manifest = folder.filePath(QStringLiteral("test.csv"));

    explicit TranscriptDesk(bool hasManifest = true)
    {
        if (hasManifest)
            writeFile(manifest,
                "ID,duration,wav,wrd\nutt-10,2.5,a.wav,close it now\n"
                "utt-9,0.5,a.wav,open the menu\nutt-11,1,b.wav,stop\n"
                    + QByteArray::fromStdString(kLongUtterance) + ",10,c.wav,turn on the light\n");
        const QString resolved = run + QStringLiteral("/resolved.yaml");
        QByteArray recipe = bytesOf(resolved);
        recipe.replace("build/prompts/test.csv", manifest.toUtf8());
        writeFile(resolved, recipe);
        open();
        window->selectRun(run);
        action("view.utterances")->trigger();
        if (!QTest::qWaitFor([this] { return table()->model()->rowCount() == 4; }, 30000))
            qFatal("the utterances do not come");
    }
    template <class Widget>
    Widget* find(const char* name) const
    {
        return page()->findChild<Widget*>(QLatin1String(name));
    }
    UtterancesPage* page() const { return window->findChild<UtterancesPage*>(); }
    FigureTable* table() const { return find<FigureTable>("utterances"); }
    QString filter() const { return find<QLineEdit>("utteranceFilter")->text(); }
    QString cell(int row, int column) const
    {
        return table()->model()->index(row, column).data().toString();
    }
    void select(int row) const { table()->setCurrentIndex(table()->model()->index(row, 0)); }
    void trigger(const char* name) const { find<QAction>(name)->trigger(); }
    /// The dialog for the transcript of a row, once its text has been read.
    QInputDialog* openText(int row) const
    {
        select(row);
        trigger("transcript.correct");
        QInputDialog* dialog = nullptr;
        if (!QTest::qWaitFor(
                [&] { return (dialog = window->findChild<QInputDialog*>()) != nullptr; }))
            qFatal("no transcript is asked for");
        return dialog;
    }
    void correct(int row, const QString& text) const
    {
        QInputDialog* dialog = openText(row);
        dialog->setTextValue(text);
        dialog->accept();
    }
    /// A button of the bar above the table.
    void press(const QString& text) const
    {
        for (auto* button : find<InfoBar>("infoBar")->findChildren<QAbstractButton*>())
            if (button->text() == text)
                return button->click();
        qFatal("there is no button '%s'", qPrintable(text));
    }
    QString corrections() const { return manifest + QStringLiteral(".corrections.csv"); }
    QString quarantine() const { return manifest + QStringLiteral(".quarantine.txt"); }
    void showTab(int tab) const { find<QTabBar>("utteranceTabs")->setCurrentIndex(tab); }
    /// Opens a tab, waits for its table, and clicks the first cell of a row.
    void click(int tab, const char* name, int rows, int row) const
    {
        showTab(tab);
        auto* errors = find<FigureTable>(name);
        QTRY_COMPARE(errors->model()->rowCount(), rows);
        const QModelIndex index = errors->model()->index(row, 0);
        errors->scrollTo(index);
        QTest::mouseClick(
            errors->viewport(), Qt::LeftButton, {}, errors->visualRect(index).center());
    }
};

} // namespace

/// What is wrong in many utterances, and in their manifest.
class TstTranscripts : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void confusion_opensItsUtterances();
    void groups_openTheirUtterances();
    void typing_returnsToTheUtterances();
    void correction_isWrittenAndUndone();
    void ownText_isOfferedAndLeftAsItIs();
    void quarantine_isWrittenAndUndone();
    void newManifest_isWritten();
    void correctionsOfBefore_areShown();
    void missingManifest_isSaid();
    void manifest_isShownBeforeATraining();
    void utterancesOfBadSteps_areFound();
    void unreadableManifest_isSaid();
    void openManifest_isToldOfAndClosed();
    void pathsOfAManifest_countFromTheRunsFolders();
};

void TstTranscripts::confusion_opensItsUtterances()
{
    TranscriptDesk desk(false);
    desk.showTab(1);
    auto* errors = desk.find<FigureTable>("confusions");
    QTRY_COMPARE(errors->model()->rowCount(), 5);
    errors->sortByColumn(0, Qt::DescendingOrder);
    QCOMPARE(errors->model()->index(1, 0).data().toString(), QStringLiteral("stop"));
    desk.click(1, "confusions", 5, 1);
    QCOMPARE(desk.find<QTabBar>("utteranceTabs")->currentIndex(), 0);
    QCOMPARE(desk.filter(), QStringLiteral("ref:/(?<!\\S)stop(?!\\S)/ d>0"));
    QTRY_COMPARE(desk.table()->model()->rowCount(), 1);
    QCOMPARE(desk.cell(0, Utt::Id), QStringLiteral("utt-11"));
}

void TstTranscripts::groups_openTheirUtterances()
{
    TranscriptDesk desk(false);
    desk.click(2, "errorsBySpeaker", 4, 3);
    QCOMPARE(desk.filter(), QStringLiteral("speaker=\"ben\""));
    QTRY_COMPARE(desk.table()->model()->rowCount(), 1);
    QCOMPARE(desk.cell(0, Utt::Id), QStringLiteral("utt-10"));
    desk.click(3, "errorsBySeconds", 4, 2);
    QCOMPARE(desk.filter(), QStringLiteral("seconds>=10 seconds<15"));
    desk.click(4, "errorsByRate", 4, 2);
    QCOMPARE(desk.filter(), QStringLiteral("rate>=6 rate<8"));
    QTRY_COMPARE(desk.cell(0, Utt::Id), QStringLiteral("utt-9"));
}

void TstTranscripts::typing_returnsToTheUtterances()
{
    TranscriptDesk desk(false);
    desk.showTab(1);
    QVERIFY(!desk.table()->isVisible());
    desk.action("view.monitor")->trigger();
    desk.action("view.utterances")->trigger();
    QVERIFY(desk.find<FigureTable>("confusions")->isVisible());
    QTest::keyClicks(desk.find<QLineEdit>("utteranceFilter"), QStringLiteral("stop"));
    QVERIFY(desk.table()->isVisible());
    desk.showTab(2);
    desk.action("utterance.filter")->trigger();
    QVERIFY(desk.table()->isVisible());
}

void TstTranscripts::correction_isWrittenAndUndone()
{
    TranscriptDesk desk;
    QVERIFY(desk.find<QAction>("transcript.correct")->isEnabled());
    const QByteArray original = bytesOf(desk.manifest);
    QVERIFY(desk.table()->isColumnHidden(Utt::Corrected));
    desk.correct(1, QStringLiteral("open a menu"));
    QTRY_COMPARE(desk.cell(1, Utt::Corrected), QStringLiteral("open a menu"));
    QVERIFY(!desk.table()->isColumnHidden(Utt::Corrected));
    QCOMPARE(
        bytesOf(desk.corrections()), QByteArray("ID,old,new\nutt-9,open the menu,open a menu\n"));
    desk.correct(1, QStringLiteral("open any menu"));
    QTRY_COMPARE(desk.cell(1, Utt::Corrected), QStringLiteral("open any menu"));
    desk.trigger("transcript.undo");
    QTRY_COMPARE(desk.cell(1, Utt::Corrected), QStringLiteral("open a menu"));
    desk.trigger("transcript.undo");
    QTRY_VERIFY(desk.table()->isColumnHidden(Utt::Corrected));
    desk.correct(1, QStringLiteral(" "));
    QVERIFY(desk.find<InfoBar>("infoBar")->text().startsWith(QStringLiteral("A transcript needs")));
    QVERIFY(!QFile::exists(desk.corrections()));
    QCOMPARE(bytesOf(desk.manifest), original);
}

/// What the run was scored against may be normalised.
void TstTranscripts::ownText_isOfferedAndLeftAsItIs()
{
    TranscriptDesk desk;
    QByteArray rows = bytesOf(desk.manifest);
    writeFile(desk.manifest, rows.replace("open the menu", "Open the Menu!"));
    QInputDialog* dialog = desk.openText(1);
    QCOMPARE(dialog->textValue(), QStringLiteral("Open the Menu!"));
    dialog->accept();
    desk.table()->selectRow(0);
    desk.trigger("transcript.quarantine"); // made after what came before
    QTRY_COMPARE(desk.cell(0, Utt::Quarantine), QStringLiteral("left out"));
    QVERIFY(!QFile::exists(desk.corrections()));
    desk.correct(1, QStringLiteral("Open a Menu!"));
    QTRY_COMPARE(desk.cell(1, Utt::Corrected), QStringLiteral("Open a Menu!"));
    dialog = desk.openText(1);
    QCOMPARE(dialog->textValue(), QStringLiteral("Open a Menu!"));
    dialog->reject();
}

void TstTranscripts::quarantine_isWrittenAndUndone()
{
    TranscriptDesk desk;
    desk.table()->selectRow(0);
    desk.table()->selectionModel()->select(desk.table()->model()->index(3, 0),
        QItemSelectionModel::Select | QItemSelectionModel::Rows);
    desk.trigger("transcript.quarantine");
    QTRY_COMPARE(desk.cell(3, Utt::Quarantine), QStringLiteral("left out"));
    QCOMPARE(desk.cell(0, Utt::Quarantine), QStringLiteral("left out"));
    QCOMPARE(desk.cell(1, Utt::Quarantine), QString());
    QList<QByteArray> lines = bytesOf(desk.quarantine()).split('\n');
    std::sort(lines.begin(), lines.end());
    QCOMPARE(lines, QList<QByteArray>({ "", "utt-10", "utt-11" }));
    desk.table()->selectRow(0);
    desk.trigger("transcript.release");
    QTRY_COMPARE(desk.cell(0, Utt::Quarantine), QString());
    desk.trigger("transcript.undo");
    QTRY_COMPARE(desk.cell(0, Utt::Quarantine), QStringLiteral("left out"));
    desk.trigger("transcript.undo");
    QTRY_VERIFY(desk.table()->isColumnHidden(Utt::Quarantine));
    QVERIFY(!QFile::exists(desk.quarantine()));
}

void TstTranscripts::newManifest_isWritten()
{
    TranscriptDesk desk;
    const QByteArray original = bytesOf(desk.manifest);
    desk.correct(1, QStringLiteral("open a menu"));
    QTRY_COMPARE(desk.cell(1, Utt::Corrected), QStringLiteral("open a menu"));
    desk.table()->selectRow(3);
    desk.trigger("transcript.quarantine");
    QTRY_COMPARE(desk.cell(3, Utt::Quarantine), QStringLiteral("left out"));
    const QString file = desk.folder.filePath(QStringLiteral("new.csv"));
    const auto* bar = desk.find<InfoBar>("infoBar");
    for (const char* said : { "rows 3, corrected 1, left out 1.", "is there already" }) {
        desk.trigger("transcript.write");
        auto* dialog = desk.window->findChild<QFileDialog*>();
        QVERIFY(dialog);
        Q_EMIT dialog->fileSelected(file);
        delete dialog;
        QTRY_VERIFY2(bar->text().contains(QLatin1String(said)), qPrintable(bar->text()));
    }
    QCOMPARE(bytesOf(file),
        "ID,duration,wav,wrd\nutt-10,2.5,a.wav,close it now\nutt-9,0.5,a.wav,open a menu\n"
            + QByteArray::fromStdString(kLongUtterance) + ",10,c.wav,turn on the light\n");
    QCOMPARE(bytesOf(desk.manifest), original);
}

void TstTranscripts::correctionsOfBefore_areShown()
{
    TranscriptDesk desk;
    writeFile(desk.quarantine(), "utt-10\n");
    auto* evaluation = desk.find<QComboBox>("evaluation");
    for (const int index : { 0, 2 }) { // another one, and back
        evaluation->setCurrentIndex(index);
        Q_EMIT evaluation->activated(index);
    }
    desk.find<QLineEdit>("utteranceFilter")->setText(QStringLiteral("quarantined"));
    QTRY_COMPARE(desk.table()->model()->rowCount(), 1);
    QCOMPARE(desk.cell(0, Utt::Id), QStringLiteral("utt-10"));
}

void TstTranscripts::missingManifest_isSaid()
{
    TranscriptDesk desk(false);
    const auto* button = desk.find<QPushButton>("transcriptMenu");
    QTRY_VERIFY(button->toolTip().contains(QStringLiteral("not there")));
    QVERIFY(!desk.find<QAction>("transcript.correct")->isEnabled());
    QVERIFY2(button->toolTip().contains(QStringLiteral("test.csv' is not there.")),
        qPrintable(button->toolTip()));
}

/// Its sums, its rows, and back to the run.
void TstTranscripts::manifest_isShownBeforeATraining()
{
    TranscriptDesk desk;
    const QString other = desk.folder.filePath(QStringLiteral("train.csv"));
    const QString sounds = desk.run + QStringLiteral("/sounds");
    writeFile(other,
        "ID,duration,wav,spk_id,wrd\nutt-1,2.5," + sounds.toUtf8()
            + "/utt-10.wav,anna,go on\nutt-2,1,gone.wav,ben,go on\nutt-3,4,gone.wav,ben,stop\n");
    desk.page()->showManifest(other.toStdU16String());
    auto* table = desk.table();
    QTRY_COMPARE(table->model()->rowCount(), 3);
    const auto* bar = desk.find<InfoBar>("infoBar");
    QVERIFY2(bar->text().startsWith(
                 QStringLiteral("'train.csv': 3 rows, 0.00 h, 2 speakers, 6 letters: o g n")),
        qPrintable(bar->text()));
    QVERIFY(table->isColumnHidden(Utt::Hypothesis) && table->isColumnHidden(Utt::Wer));
    QVERIFY(table->isColumnHidden(Utt::Silence) && table->isColumnHidden(Utt::InOther));
    QCOMPARE(desk.cell(0, Utt::SameTexts), QStringLiteral("2"));
    QCOMPARE(desk.cell(0, Utt::SameSounds), QStringLiteral("1"));
    QCOMPARE(desk.cell(2, Utt::SameSounds), QStringLiteral("2"));
    desk.find<QLineEdit>("utteranceFilter")->setText(QStringLiteral("sametext>1 speaker:ben"));
    QTRY_COMPARE(table->model()->rowCount(), 1);
    desk.find<QLineEdit>("utteranceFilter")->clear();
    desk.press(QStringLiteral("Read the Sounds"));
    QTRY_COMPARE(desk.cell(0, Utt::Silence), QStringLiteral("50.00"));
    QCOMPARE(desk.cell(0, Utt::Clipped), QStringLiteral("0.00"));
    QCOMPARE(desk.cell(1, Utt::Silence), kNoFigure);
    QVERIFY(bar->text().endsWith(QStringLiteral("2 without a sound that can be read")));
    desk.showTab(2);
    QTRY_COMPARE(desk.find<FigureTable>("errorsBySpeaker")->model()->columnCount(), 4);
    desk.showTab(0);
    desk.correct(2, QStringLiteral("stop it"));
    QTRY_COMPARE(desk.cell(2, Utt::Corrected), QStringLiteral("stop it"));
    QCOMPARE(bytesOf(other + QStringLiteral(".corrections.csv")),
        QByteArray("ID,old,new\nutt-3,stop,stop it\n"));
    desk.press(QStringLiteral("Close the Manifest"));
    QTRY_COMPARE(table->model()->rowCount(), 4);
    QVERIFY(!table->isColumnHidden(Utt::Hypothesis));
    QVERIFY(!bar->isVisible());
}

/// From a step that was not finite to what was in its batch.
void TstTranscripts::utterancesOfBadSteps_areFound()
{
    TranscriptDesk desk;
    const run::RunFolder folder { desk.run.toStdString() };
    {
        const auto writer = run::EventWriter::open(folder.events(1), 1);
        QVERIFY(writer);
        (*writer)->write({ 1795273146, // behind the run's start, which drops what came before
            run::NonFinite { .step = 2, .what = "loss", .utterances = { "utt-2", "utt-7" } } });
        (*writer)->flush();
    }
    const QString train = desk.folder.filePath(QStringLiteral("train.csv"));
    writeFile(train,
        "ID,duration,wav,wrd\nutt-1,2.5,a.wav,go on\nutt-2,1,b.wav,stop\nutt-3,4,c.wav,stop\n");
    desk.page()->showManifest(train.toStdU16String());
    QTRY_COMPARE(desk.table()->model()->rowCount(), 3);
    desk.press(QStringLiteral("In Steps That Were Not Finite (1)"));
    QCOMPARE(desk.filter(), QStringLiteral("nonfinite"));
    QTRY_COMPARE(desk.table()->model()->rowCount(), 1);
    QCOMPARE(desk.cell(0, Utt::Id), QStringLiteral("utt-2"));
}

void TstTranscripts::unreadableManifest_isSaid()
{
    TranscriptDesk desk;
    desk.page()->showManifest(desk.folder.filePath(QStringLiteral("gone.csv")).toStdU16String());
    const auto* bar = desk.find<InfoBar>("infoBar");
    QTRY_VERIFY(bar->isVisible());
    QVERIFY2(bar->text().contains(QStringLiteral("gone.csv")), qPrintable(bar->text()));
    auto* evaluation = desk.find<QComboBox>("evaluation");
    Q_EMIT evaluation->activated(evaluation->currentIndex());
    QTRY_COMPARE(desk.table()->model()->rowCount(), 4);
}

/// Whatever the bar says: an error, another message, nothing.
void TstTranscripts::openManifest_isToldOfAndClosed()
{
    TranscriptDesk desk;
    const QString gone = desk.folder.filePath(QStringLiteral("gone.csv"));
    const auto* close = desk.find<QAction>("transcript.closeManifest");
    const auto* bar = desk.find<InfoBar>("infoBar");
    QVERIFY(!close->isEnabled());
    desk.page()->showManifest(gone.toStdU16String());
    QTRY_VERIFY(bar->isVisible());
    desk.press(QStringLiteral("Close the Manifest"));
    QTRY_COMPARE(desk.table()->model()->rowCount(), 4);
    desk.page()->showManifest(desk.manifest.toStdU16String());
    QTRY_VERIFY(bar->isVisible());
    desk.press(QStringLiteral("Dismiss"));
    QVERIFY(!bar->isVisible());
    desk.action("view.monitor")->trigger();
    desk.action("view.utterances")->trigger();
    QVERIFY2(bar->text().startsWith(QStringLiteral("The manifest 'test.csv' is open")),
        qPrintable(bar->text()));
    QVERIFY(bar->isVisible());
    desk.press(QStringLiteral("Dismiss"));
    desk.page()->setRuns({}); // another run, or none
    QVERIFY(bar->isVisible());
    desk.press(QStringLiteral("Dismiss"));
    QVERIFY(close->isEnabled());
    desk.trigger("transcript.closeManifest");
    QVERIFY(!close->isEnabled());
}

/// Of its working folder and its data folder, wherever the window was started.
void TstTranscripts::pathsOfAManifest_countFromTheRunsFolders()
{
    const QTemporaryDir folder;
    const run::RunFolder run = writePlannedRun(folder.path(), QStringLiteral("planned"));
    const auto plan = run::readPlan(run);
    QVERIFY(plan);
    QCOMPARE(plan->settings.data.dataFolder, std::string("build/prompts"));
    const QString planFile = QString::fromStdString((run.path / "plan.json").string());
    QByteArray json = bytesOf(planFile);
    const auto inJson = [](const QByteArray& text) { return '"' + text + '"'; };
    json.replace(
        inJson(QByteArray::fromStdString(plan->workingFolder)), inJson(folder.path().toUtf8()));
    writeFile(planFile, json);
    const QString manifest = folder.filePath(QStringLiteral("train.csv"));
    writeFile(manifest, "ID,duration,wav,wrd\na,1,sounds/a.wav,go on\nb,1,$data_root/b.wav,stop\n");
    const UtteranceSetPtr set = readManifestSet(
        { .file = manifest.toStdU16String(), .runPath = QString::fromStdString(run.path.string()) },
        [] { return true; });
    QCOMPARE(set->error, QString());
    QCOMPARE(set->rows.size(), size_t { 2 });
    const std::filesystem::path start = folder.path().toStdU16String();
    QVERIFY(soundPlaceOf(*set, set->rows[0]).file == start / "sounds/a.wav");
    QVERIFY(soundPlaceOf(*set, set->rows[1]).file == start / "build/prompts/b.wav");
}

EARWRIGHT_TEST(TstTranscripts)
#include "tst_transcripts.moc"
