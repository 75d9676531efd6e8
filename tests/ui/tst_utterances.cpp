#include "tests/registry.h"
#include "tests/ui/desk.h"
#include "tests/ui/utterance_run.h"
#include "ui/utterances/alignment_view.h"
#include "ui/utterances/sound_view.h"
#include "ui/utterances/utterances_page.h"
#include "ui/widgets/figure_table.h"
#include "ui/widgets/info_bar.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>

using namespace earwright;
using namespace earwright::ui;

namespace {

using Utt = UtteranceRow;

/// A window on the utterances of a run.
struct UtteranceDesk : Desk {
    QString run = writeUtteranceRun(runsRoot(), QStringLiteral("words"));

    UtteranceDesk()
    {
        open();
        window->selectRun(run);
        action("view.utterances")->trigger();
        window->activateWindow();
        if (!QTest::qWaitForWindowActive(window.get()))
            qFatal("the window does not get the keyboard");
        if (!QTest::qWaitFor([this] { return table()->model()->rowCount() == 4; }, 30000))
            qFatal("the utterances do not come");
        table()->setFocus();
    }
    template <class Widget>
    Widget* find(const char* name) const
    {
        return window->findChild<UtterancesPage*>()->findChild<Widget*>(QLatin1String(name));
    }
    FigureTable* table() const { return find<FigureTable>("utterances"); }
    AlignmentView* alignment() const { return find<AlignmentView>("alignment"); }
    SoundView* sound() const { return find<SoundView>("sound"); }
    QLineEdit* filter() const { return find<QLineEdit>("utteranceFilter"); }
    QString count() const { return find<QLabel>("utteranceCount")->text(); }
    /// The IDs that are shown, in their order.
    QStringList ids() const
    {
        QStringList shown;
        for (int row = 0; row < table()->model()->rowCount(); ++row)
            shown << table()->model()->index(row, Utt::Id).data().toString();
        return shown;
    }
    void select(const QString& id) const
    {
        table()->setCurrentIndex(
            table()->model()->index(static_cast<int>(ids().indexOf(id)), Utt::Id));
    }
    void choose(const char* box, const QString& title) const
    {
        auto* choice = find<QComboBox>(box);
        const int index = choice->findText(title, Qt::MatchStartsWith);
        if (index < 0)
            qFatal("'%s' is not in the list", qPrintable(title));
        choice->setCurrentIndex(index);
        Q_EMIT choice->activated(index);
    }
};

const QString kLongId = QString::fromStdString(kLongUtterance);

/// "open [D: the] menu" of each alignment, behind its title.
QString pairsOf(const AlignmentView& view)
{
    QStringList texts;
    for (const Alignment& alignment : view.alignments())
        texts << (alignment.title.isEmpty() ? QString() : alignment.title + u' ')
                + alignment.text();
    return texts.join(u'|');
}

} // namespace

/// Every utterance of a validation or test.
class TstUtterances : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void page_showsTheNewestEvaluation();
    void page_isEmptyInWords();
    void header_sortsTheTable();
    void typing_filtersTheTable();
    void selection_isAligned();
    void selection_isSeen();
    void fileThatIsGone_isNamed();
    void unreadableEvaluation_isSaid();
    void keys_leadThroughThePage();
    void space_playsOrSaysWhyNot();
    void otherEpoch_standsBeside();
    void otherRun_standsBeside();
    void otherReference_isNotCompared();
    void otherRate_isNotCompared();
    void chosenOther_isKeptAcrossPages();
    void newestEvaluation_isShownOnReturn();
    void evaluationsRow_opensItsUtterances();
    void hotword_opensItsMisses();
    void copiedRows_areTextAndCsv();
    void smallWindow_holdsThePage();
};

void TstUtterances::page_showsTheNewestEvaluation()
{
    UtteranceDesk desk;
    QCOMPARE(desk.page(), static_cast<int>(MainWindow::UtterancesPageIndex));
    QCOMPARE(desk.ids(),
        QStringList({ QStringLiteral("utt-10"), QStringLiteral("utt-9"), kLongId,
            QStringLiteral("utt-11") }));
    QTRY_COMPARE(desk.count(), QStringLiteral("4 of 4 shown"));
    const auto* evaluation = desk.find<QComboBox>("evaluation");
    QCOMPARE(evaluation->count(), 3);
    QCOMPARE(evaluation->itemText(0), QStringLiteral("valid, epoch 1: WER 54.55 %"));
    QCOMPARE(evaluation->currentText(), QStringLiteral("test: WER 45.45 %"));
    const QAbstractItemModel* model = desk.table()->model();
    QCOMPARE(model->index(1, Utt::Wer).data().toString(), QStringLiteral("33.33"));
    QCOMPARE(model->index(3, Utt::Seconds).data().toString(), kNoFigure);
    QVERIFY(desk.table()->isColumnHidden(Utt::OtherRate));
    QVERIFY(!desk.table()->isColumnHidden(Utt::Speaker));
    QVERIFY(desk.table()->columnWidth(Utt::Id) <= 260);
}

void TstUtterances::page_isEmptyInWords()
{
    Desk desk;
    const QString run
        = QString::fromStdString(writePlannedRun(desk.runsRoot(), "planned").path.string());
    desk.open();
    desk.action("view.utterances")->trigger();
    const auto said = [&] {
        QStringList texts;
        for (const auto* label : desk.window->findChild<UtterancesPage*>()->findChildren<QLabel*>())
            if (label->isVisible())
                texts << label->text();
        return texts;
    };
    QVERIFY(said().contains(QStringLiteral("No run to show")));
    desk.window->selectRun(run);
    QVERIFY(said().contains(QStringLiteral("No utterances yet")));
}

void TstUtterances::header_sortsTheTable()
{
    UtteranceDesk desk;
    desk.table()->sortByColumn(Utt::Seconds, Qt::DescendingOrder);
    QTRY_COMPARE(desk.ids(),
        QStringList({ kLongId, QStringLiteral("utt-10"), QStringLiteral("utt-9"),
            QStringLiteral("utt-11") }));
    // The utterance that was selected still is.
    QCOMPARE(desk.table()->currentIndex().row(), 1);
    desk.table()->sortByColumn(Utt::Id, Qt::AscendingOrder);
    QTRY_COMPARE(desk.ids().mid(0, 3),
        QStringList(
            { QStringLiteral("utt-9"), QStringLiteral("utt-10"), QStringLiteral("utt-11") }));
}

void TstUtterances::typing_filtersTheTable()
{
    UtteranceDesk desk;
    QTest::keyClicks(desk.filter(), QStringLiteral("wer>50"));
    QTRY_COMPARE(desk.count(), QStringLiteral("2 of 4 shown"));
    QCOMPARE(desk.ids(), QStringList({ kLongId, QStringLiteral("utt-11") }));
    desk.filter()->setText(QStringLiteral("/(/"));
    QTRY_VERIFY2(desk.count().startsWith(QStringLiteral("/(/ is no regular expression")),
        qPrintable(desk.count()));
    QCOMPARE(desk.ids(), QStringList());
    desk.filter()->clear();
    QTRY_COMPARE(desk.count(), QStringLiteral("4 of 4 shown"));
}

void TstUtterances::selection_isAligned()
{
    UtteranceDesk desk;
    desk.select(kLongId);
    QTRY_COMPARE(pairsOf(*desk.alignment()),
        QStringLiteral("turn [S: on → of] the [S: light → lights] [I: please]"));
    desk.select(QStringLiteral("utt-11"));
    QTRY_COMPARE(pairsOf(*desk.alignment()), QStringLiteral("[D: stop]"));
    desk.find<QCheckBox>("byCharacters")->click();
    QTRY_COMPARE(pairsOf(*desk.alignment()), QStringLiteral("[D: s] [D: t] [D: o] [D: p]"));
}

void TstUtterances::selection_isSeen()
{
    UtteranceDesk desk;
    desk.select(QStringLiteral("utt-9"));
    QTRY_VERIFY(desk.sound()->sound());
    QCOMPARE(desk.sound()->sound()->seconds, 0.5); // its part of the file
    desk.select(QStringLiteral("utt-10"));
    QTRY_VERIFY(desk.sound()->sound() && desk.sound()->sound()->seconds == 2.5);
    desk.select(kLongId);
    QVERIFY(!desk.sound()->sound());
    QVERIFY(desk.sound()->message().contains(QStringLiteral("no path")));
}

void TstUtterances::fileThatIsGone_isNamed()
{
    UtteranceDesk desk;
    desk.select(QStringLiteral("utt-11"));
    QTRY_VERIFY(desk.sound()->sound());
    QVERIFY2(desk.sound()->message().contains(QStringLiteral("gone.wav': no such file")),
        qPrintable(desk.sound()->message()));
    QVERIFY(desk.sound()->sound()->wave.empty());
}

void TstUtterances::unreadableEvaluation_isSaid()
{
    UtteranceDesk desk;
    QVERIFY(QFile::remove(desk.run + QStringLiteral("/alignments/valid-epoch-1-utterances.tsv")));
    desk.choose("evaluation", QStringLiteral("valid, epoch 1"));
    QTRY_COMPARE(desk.count(), QStringLiteral("0 of 0 shown"));
    const auto* bar = desk.find<QWidget>("infoBar");
    QVERIFY(bar->isVisible());
    const run::RunFolder folder { desk.run.toStdU16String() };
    writeEvaluation(folder, "valid", 1, spokenUtterances(1, QString()));
    desk.choose("evaluation", QStringLiteral("valid, epoch 1")); // choosing again reads again
    QTRY_COMPARE(desk.count(), QStringLiteral("4 of 4 shown"));
    QVERIFY(!bar->isVisible());
    QVERIFY(QFile::remove(desk.run + QStringLiteral("/alignments/valid-epoch-2-utterances.tsv")));
    desk.choose("evaluation", QStringLiteral("valid, epoch 2"));
    QTRY_VERIFY(bar->isVisible());
    desk.choose("evaluation", QStringLiteral("test"));
    QTRY_COMPARE(desk.count(), QStringLiteral("4 of 4 shown"));
    QVERIFY(!bar->isVisible());
}

void TstUtterances::keys_leadThroughThePage()
{
    UtteranceDesk desk;
    desk.action("view.monitor")->trigger();
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_4, Qt::ControlModifier);
    QCOMPARE(QApplication::focusWidget(), desk.table());
    QTRY_COMPARE(desk.table()->currentIndex().row(), 0);
    QTest::keyClick(desk.table(), Qt::Key_Down);
    QCOMPARE(desk.table()->currentIndex().row(), 1);
    QTRY_COMPARE(pairsOf(*desk.alignment()), QStringLiteral("open [D: the] menu"));
    QTest::keyClick(desk.table(), Qt::Key_L, Qt::ControlModifier);
    QCOMPARE(QApplication::focusWidget(), desk.filter());
    QTest::keyClick(desk.filter(), Qt::Key_PageDown, Qt::AltModifier);
    QCOMPARE(desk.table()->currentIndex().row(), 2);
    QTest::keyClick(desk.filter(), Qt::Key_PageUp, Qt::AltModifier);
    QCOMPARE(desk.table()->currentIndex().row(), 1);
    QTest::keyClicks(desk.filter(), QStringLiteral("turn on"));
    QCOMPARE(desk.filter()->text(), QStringLiteral("turn on")); // the blank plays nothing
    QTRY_COMPARE(desk.ids(), QStringList({ kLongId }));
    QTest::keyClick(desk.filter(), Qt::Key_Return);
    QCOMPARE(QApplication::focusWidget(), desk.table());
}

/// Where tests run there may be no sound output.
void TstUtterances::space_playsOrSaysWhyNot()
{
    UtteranceDesk desk;
    desk.select(QStringLiteral("utt-10"));
    QTRY_VERIFY(desk.sound()->sound());
    desk.table()->setFocus();
    const auto* play = desk.find<QPushButton>("play");
    QCOMPARE(play->text(), QStringLiteral("&Play"));
    QTest::keyClick(desk.table(), Qt::Key_Space);
    QCOMPARE(play->text(), QStringLiteral("Sto&p"));
    QTest::keyClick(desk.table(), Qt::Key_Space);
    QCOMPARE(play->text(), QStringLiteral("&Play"));
    QTest::keyClick(desk.table(), Qt::Key_Return);
    QCOMPARE(play->text(), QStringLiteral("Sto&p"));
    // Played to its end, or refused with words.
    QTRY_COMPARE_WITH_TIMEOUT(play->text(), QStringLiteral("&Play"), 30000);
}

void TstUtterances::otherEpoch_standsBeside()
{
    UtteranceDesk desk;
    desk.choose("compareWith", QStringLiteral("valid, epoch 1"));
    const QAbstractItemModel* model = desk.table()->model();
    QTRY_COMPARE(
        model->index(0, Utt::OtherHypothesis).data().toString(), QStringLiteral("close in now"));
    QCOMPARE(model->index(0, Utt::OtherRate).data().toString(), QStringLiteral("33.33"));
    QCOMPARE(model->index(0, Utt::Difference).data().toString(), QStringLiteral("+33.33"));
    QCOMPARE(model->index(1, Utt::Difference).data().toString(), QStringLiteral("0.00"));
    for (const int column : { Utt::OtherHypothesis, Utt::OtherRate, Utt::Difference })
        QVERIFY(!desk.table()->isColumnHidden(column));
    QTRY_COMPARE(
        pairsOf(*desk.alignment()), QStringLiteral("A close it now|B close [S: it → in] now"));
    desk.filter()->setText(QStringLiteral("worse"));
    QTRY_COMPARE(desk.ids(), QStringList({ QStringLiteral("utt-10") }));
    desk.filter()->setText(QStringLiteral("better"));
    QTRY_COMPARE(desk.count(), QStringLiteral("0 of 4 shown"));
    desk.filter()->clear();
    desk.choose("compareWith", QStringLiteral("nothing"));
    QTRY_VERIFY(desk.table()->isColumnHidden(Utt::Difference));
}

void TstUtterances::otherRun_standsBeside()
{
    UtteranceDesk desk;
    const QString second = writeUtteranceRun(desk.runsRoot(), QStringLiteral("second"));
    desk.window->compareRuns({ desk.run, second });
    desk.action("view.utterances")->trigger();
    const auto* other = desk.find<QComboBox>("compareWith");
    QTRY_VERIFY(other->findText(QStringLiteral("second: test"), Qt::MatchStartsWith) > 0);
    desk.choose("compareWith", QStringLiteral("second: valid, epoch 1"));
    const QAbstractItemModel* model = desk.table()->model();
    QTRY_COMPARE(
        model->index(0, Utt::OtherHypothesis).data().toString(), QStringLiteral("close in now"));
}

/// Two sets number their utterances alike: the same ID is not the same utterance.
void TstUtterances::otherReference_isNotCompared()
{
    UtteranceDesk desk;
    const run::RunFolder folder { desk.run.toStdU16String() };
    std::vector<run::Utterance> spoken = spokenUtterances(1, QString());
    spoken[1] = utteranceOf("utt-9", "shut the door", "shut door");
    spoken[3].reference = "stop "; // the same words
    writeEvaluation(folder, "valid", 1, spoken);
    desk.choose("compareWith", QStringLiteral("valid, epoch 1"));
    const QAbstractItemModel* model = desk.table()->model();
    QTRY_COMPARE(
        model->index(0, Utt::OtherHypothesis).data().toString(), QStringLiteral("close in now"));
    QCOMPARE(model->index(1, Utt::OtherHypothesis).data().toString(), QString());
    QCOMPARE(model->index(1, Utt::OtherRate).data().toString(), kNoFigure);
    QCOMPARE(model->index(1, Utt::Difference).data().toString(), kNoFigure);
    QCOMPARE(model->index(3, Utt::Difference).data().toString(), QStringLiteral("0.00"));
    const auto* bar = desk.find<InfoBar>("infoBar");
    QVERIFY(bar->isVisible());
    QCOMPARE(bar->text(),
        QStringLiteral("1 utterance has another reference text in the other evaluation: it is not "
                       "compared."));
    desk.select(QStringLiteral("utt-9"));
    QTRY_COMPARE(pairsOf(*desk.alignment()), QStringLiteral("open [D: the] menu"));
}

void TstUtterances::otherRate_isNotCompared()
{
    UtteranceDesk desk;
    const run::RunFolder folder { desk.run.toStdU16String() };
    run::Evaluated byCharacter
        = writeEvaluation(folder, "valid", 3, spokenUtterances(3, QString()));
    byCharacter.rate = "CER";
    appendEvaluation(desk.run, byCharacter);
    const auto* other = desk.find<QComboBox>("compareWith");
    const QString title = QStringLiteral("valid, epoch 3: CER");
    QTRY_VERIFY(other->findText(title, Qt::MatchStartsWith) > 0);
    desk.choose("compareWith", title);
    const auto* bar = desk.find<InfoBar>("infoBar");
    QTRY_VERIFY(bar->isVisible());
    QVERIFY2(bar->text().startsWith(
                 QStringLiteral("The other evaluation counts the CER, this one the WER")),
        qPrintable(bar->text()));
    QTRY_COMPARE(desk.table()->model()->index(0, Utt::Difference).data().toString(), kNoFigure);
}

void TstUtterances::chosenOther_isKeptAcrossPages()
{
    UtteranceDesk desk;
    const QString second = writeUtteranceRun(desk.runsRoot(), QStringLiteral("second"));
    desk.window->compareRuns({ desk.run, second });
    desk.action("view.utterances")->trigger();
    const auto* other = desk.find<QComboBox>("compareWith");
    const QString title = QStringLiteral("second: valid, epoch 1");
    QTRY_VERIFY(other->findText(title, Qt::MatchStartsWith) > 0);
    desk.choose("compareWith", title);
    QTRY_VERIFY(!desk.table()->isColumnHidden(Utt::Difference));
    desk.action("view.monitor")->trigger();
    QVERIFY(desk.window->session().snapshot(second)); // still watched
    desk.action("view.utterances")->trigger();
    QVERIFY2(other->currentText().startsWith(title), qPrintable(other->currentText()));
    // Not listed for a while: its run is compared no more.
    desk.window->compareRuns({ desk.run });
    desk.action("view.utterances")->trigger();
    QTRY_COMPARE(other->currentText(), QStringLiteral("nothing"));
    desk.window->compareRuns({ desk.run, second });
    desk.action("view.utterances")->trigger();
    QTRY_VERIFY2(other->currentText().startsWith(title), qPrintable(other->currentText()));
    QTRY_COMPARE(desk.table()->model()->index(0, Utt::OtherHypothesis).data().toString(),
        QStringLiteral("close in now"));
}

/// Who chose none and comes back sees the newest; who chose one keeps it.
void TstUtterances::newestEvaluation_isShownOnReturn()
{
    UtteranceDesk desk;
    const run::RunFolder folder { desk.run.toStdU16String() };
    const auto* evaluation = desk.find<QComboBox>("evaluation");
    appendEvaluation(desk.run, writeEvaluation(folder, "valid", 3, spokenUtterances(3, QString())));
    QTRY_COMPARE(evaluation->count(), 4);
    QVERIFY(evaluation->currentText().startsWith(QStringLiteral("test"))); // it is looked at
    desk.action("view.monitor")->trigger();
    desk.action("view.utterances")->trigger();
    QVERIFY(evaluation->currentText().startsWith(QStringLiteral("valid, epoch 3")));
    desk.choose("evaluation", QStringLiteral("valid, epoch 2"));
    desk.action("view.monitor")->trigger();
    desk.action("view.utterances")->trigger();
    QVERIFY(evaluation->currentText().startsWith(QStringLiteral("valid, epoch 2")));
}

void TstUtterances::evaluationsRow_opensItsUtterances()
{
    UtteranceDesk desk;
    desk.action("view.evaluations")->trigger();
    auto* evaluations = desk.window->findChild<FigureTable*>(QStringLiteral("evaluations"));
    evaluations->setFocus();
    evaluations->setCurrentIndex(evaluations->model()->index(0, 0));
    QTest::keyClick(evaluations, Qt::Key_Return);
    QCOMPARE(desk.page(), static_cast<int>(MainWindow::UtterancesPageIndex));
    QVERIFY(desk.find<QComboBox>("evaluation")
                ->currentText()
                .startsWith(QStringLiteral("valid, epoch 1")));
    QTRY_COMPARE(desk.table()->model()->index(0, Utt::Hypothesis).data().toString(),
        QStringLiteral("close in now"));
}

void TstUtterances::hotword_opensItsMisses()
{
    UtteranceDesk desk;
    auto* hotwords = desk.window->findChild<FigureTable*>(QStringLiteral("hotwordTable"));
    QTRY_COMPARE(hotwords->model()->rowCount(), 2);
    desk.action("view.hotwords")->trigger();
    hotwords->setFocus();
    hotwords->setCurrentIndex(hotwords->model()->index(1, 0));
    QTest::keyClick(hotwords, Qt::Key_Return);
    QCOMPARE(desk.filter()->text(), QStringLiteral("missed=\"stop\""));
    QTRY_COMPARE(desk.ids(), QStringList({ QStringLiteral("utt-11") }));
    QCOMPARE(desk.page(), static_cast<int>(MainWindow::UtterancesPageIndex));
}

void TstUtterances::copiedRows_areTextAndCsv()
{
    UtteranceDesk desk;
    desk.select(QStringLiteral("utt-9"));
    QTest::keyClick(desk.table(), Qt::Key_C, Qt::ControlModifier);
    const QMimeData* copied = QApplication::clipboard()->mimeData();
    QCOMPARE(copied->text(),
        QStringLiteral("ID\tSpeaker\tSeconds\tWER %\tCER %\tS\tD\tI\tReference\tHypothesis\n"
                       "utt-9\tanna\t0.50\t33.33\t30.77\t0\t1\t0\topen the menu\topen menu\n"));
    QVERIFY(copied->hasFormat(QStringLiteral("text/csv")));
}

void TstUtterances::smallWindow_holdsThePage()
{
    UtteranceDesk desk;
    desk.window->resize(1024, 700);
    QTRY_COMPARE(desk.window->size(), QSize(1024, 700));
    for (const QWidget* part : { desk.table()->viewport(), desk.alignment()->viewport(),
             static_cast<QWidget*>(desk.sound()), static_cast<QWidget*>(desk.filter()) }) {
        const QRect seen = part->visibleRegion().boundingRect();
        QVERIFY2(seen.height() >= 20 && seen.width() >= 100, qPrintable(part->objectName()));
    }
}

EARWRIGHT_TEST(TstUtterances)
#include "tst_utterances.moc"
