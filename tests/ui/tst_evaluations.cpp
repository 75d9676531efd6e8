#include "tests/registry.h"
#include "tests/ui/hotword_run.h"
#include "tests/ui/screenshot.h"
#include "ui/monitor/evaluation_model.h"
#include "ui/monitor/evaluation_panel.h"
#include "ui/monitor/monitor_page.h"
#include "ui/widgets/figure_table.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QLabel>
#include <QMimeData>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QStyleFactory>
#include <QTabWidget>

#include <limits>

using namespace earwright;
using namespace earwright::ui;

namespace {

using M = EvaluationModel;

/// The model as the text a user sees, a line a row; figures that are not there as "–".
QStringList linesOf(const QAbstractItemModel& model)
{
    QStringList lines;
    for (int row = 0; row < model.rowCount(); ++row) {
        QStringList cells;
        for (int column = 0; column < model.columnCount(); ++column)
            cells << model.index(row, column).data().toString();
        lines << cells.join(QLatin1Char(' ')).trimmed();
    }
    return lines;
}

bool isBold(const M& model, int row)
{
    return model.index(row, 0).data(Qt::FontRole).value<QFont>().bold();
}

} // namespace

/// The report of a run by epoch.
class TstEvaluations : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void everyValidationAndTest_isARow();
    void runWithoutHotwords_showsItsRates();
    void newEvaluation_isAnAppendedRow();
    void anotherBest_movesTheMark();
    void repeatedTest_keepsItsRow();
    void resumedRun_losesWhatNeverHappened();
    void lossThatIsNotFinite_isShownAsItIs();
    void columnsWithoutAValue_areHidden();
    void intervals_standBesideTheirRates();
    void noEvaluation_isSaidInWords();
    void copiedRows_areTextAndCsv();
    void nothingSelected_copiesAll();
    void copiedFormula_isEscapedOnce();
    void tabs_areReachedByKeyboard();
    void tableFollowsTheEnd_whileItIsInView();
    void screenshots();

private:
    const run::Snapshot m_snapshot = foldPayloads(hotwordRun());
};

void TstEvaluations::initTestCase()
{
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
}

void TstEvaluations::everyValidationAndTest_isARow()
{
    M model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setSnapshot(m_snapshot);
    QCOMPARE(linesOf(model),
        QStringList({
            QStringLiteral("valid  1 40 2.0000 – – 29.00 – 65.00 75.00 70.00 32.50 42.50 37.50"),
            QStringLiteral("valid  2 80 1.0000 – – 28.00 – 70.00 80.00 75.00 – – –"),
            QStringLiteral(
                "valid best 3 120 0.6667 – – 27.00 – 75.00 85.00 80.00 37.50 47.50 42.50"),
            QStringLiteral("valid  4 160 0.5000 – – 26.00 – 80.00 90.00 85.00 40.00 50.00 45.00"),
            QStringLiteral(
                "test mean of 2 4 160 0.5000 – – 26.00 21.50–30.25 72.50 82.50 77.50 36.25 46.25 "
                "41.25"),
        }));
    QVERIFY(isBold(model, 2) && !isBold(model, 1) && !isBold(model, 4));
    QCOMPARE(model.index(4, M::Checkpoint).data(Qt::ToolTipRole).toString(),
        QStringLiteral("step-120\nstep-160"));
    QCOMPARE(model.headerData(M::UnseenF1, Qt::Horizontal, Qt::AccessibleTextRole).toString(),
        QStringLiteral("Unseen F1 %"));
}

void TstEvaluations::runWithoutHotwords_showsItsRates()
{
    M model;
    model.setSnapshot(foldRecording(QStringLiteral("digits_bf16")));
    QVERIFY(model.rowCount() > 4);
    const QString first = linesOf(model).first();
    QVERIFY2(first.startsWith(QStringLiteral("valid  1 40 ")), qPrintable(first));
    QVERIFY(model.index(0, M::Wer).data().toString() != kNoFigure); // words are counted here
    QVERIFY(!hasFigures(model, M::Recall));
}

void TstEvaluations::newEvaluation_isAnAppendedRow()
{
    M model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setSnapshot(m_snapshot);
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
    model.setSnapshot(m_snapshot);
    QVERIFY(changes.isEmpty()); // nothing new
    std::vector<run::Payload> longer = hotwordRun();
    for (const run::Payload& payload : payloadsOf({ .epoch = 5, .recall = 81 }))
        longer.push_back(payload);
    model.setSnapshot(foldPayloads(longer));
    QCOMPARE(model.rowCount(), 6);
    QVERIFY(resets.isEmpty()); // selection and scroll position stay
    model.setSnapshot({});
    QCOMPARE(model.rowCount(), 0);
}

void TstEvaluations::anotherBest_movesTheMark()
{
    M model;
    model.setSnapshot(m_snapshot);
    std::vector<run::Payload> longer = hotwordRun();
    longer.emplace_back(run::CheckpointSaved { "checkpoints/step-160", 4, 160, true });
    model.setSnapshot(foldPayloads(longer));
    QVERIFY(!isBold(model, 2) && isBold(model, 3));
    QVERIFY(!isBold(model, 4)); // the test of the same step
}

void TstEvaluations::repeatedTest_keepsItsRow()
{
    std::vector<run::Payload> again = hotwordRun();
    for (const run::Payload& payload : payloadsOf({ .split = "test", .epoch = 4, .recall = 50 }))
        again.push_back(payload);
    M model;
    model.setSnapshot(foldPayloads(again));
    QCOMPARE(model.rowCount(), 5);
    QCOMPARE(model.index(4, M::Recall).data().toString(), QStringLiteral("50.00"));
    QCOMPARE(model.index(4, M::Checkpoint).data().toString(), QString());
}

void TstEvaluations::resumedRun_losesWhatNeverHappened()
{
    M model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setSnapshot(m_snapshot);
    std::vector<run::Payload> resumed = hotwordRun();
    resumed.emplace_back(run::RunStarted { .attempt = 1, .resumedStep = 100 });
    model.setSnapshot(foldPayloads(resumed));
    QCOMPARE(model.rowCount(), 2);
    QVERIFY(isBold(model, 0));
}

void TstEvaluations::lossThatIsNotFinite_isShownAsItIs()
{
    run::Snapshot snapshot = m_snapshot;
    snapshot.evaluations[1].loss = std::numeric_limits<double>::infinity();
    M model;
    model.setSnapshot(snapshot);
    QCOMPARE(model.index(1, M::Loss).data().toString(), QStringLiteral("Inf"));
    QVERIFY(model.index(1, M::Loss).data(Qt::ForegroundRole).isValid());
    QVERIFY(!model.index(0, M::Loss).data(Qt::ForegroundRole).isValid());
}

void TstEvaluations::columnsWithoutAValue_areHidden()
{
    EvaluationPanel panel;
    auto* table = panel.findChild<FigureTable*>();
    panel.setSnapshot(foldRecording(QStringLiteral("digits_bf16")));
    QVERIFY(!table->isColumnHidden(M::Wer) && !table->isColumnHidden(M::Cer));
    QVERIFY(table->isColumnHidden(M::Recall) && table->isColumnHidden(M::UnseenF1));
    panel.setSnapshot({});
    panel.setSnapshot(m_snapshot);
    QVERIFY(table->isColumnHidden(M::Wer)); // the CER counts
    QVERIFY(!table->isColumnHidden(M::Recall) && !table->isColumnHidden(M::UnseenF1));
}

void TstEvaluations::intervals_standBesideTheirRates()
{
    run::Snapshot snapshot;
    for (const auto& [tag, value] : { std::pair { "test/WER_low", 8.0 }, { "test/WER_high", 12.5 },
             { "test/CER_low", 3.25 }, { "test/CER_high", 5.0 } })
        run::fold(snapshot, 0, { 1, run::Scalar { tag, 10, value } });
    run::fold(snapshot, 0, { 1, run::Evaluated { "test", 1, 10, 0.5, 10, 4, "" } });
    EvaluationPanel panel;
    const auto* table = panel.findChild<FigureTable*>();
    const auto cell = [table](int column) { return table->model()->index(0, column).data(); };
    panel.setSnapshot(snapshot);
    QCOMPARE(cell(M::WerInterval).toString(), QStringLiteral("8.00–12.50"));
    QCOMPARE(cell(M::CerInterval).toString(), QStringLiteral("3.25–5.00"));
    QVERIFY(!table->isColumnHidden(M::WerInterval));
    panel.setSnapshot({});
    panel.setSnapshot(foldRecording(QStringLiteral("digits_bf16"))); // no test
    QVERIFY(table->isColumnHidden(M::WerInterval) && table->isColumnHidden(M::CerInterval));
}

void TstEvaluations::noEvaluation_isSaidInWords()
{
    EvaluationPanel panel;
    panel.show();
    const auto isSaid = [&panel] {
        const auto labels = panel.findChildren<QLabel*>();
        return std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
            return label->isVisible() && label->text() == QStringLiteral("No validation yet");
        });
    };
    QVERIFY(isSaid());
    panel.setSnapshot(m_snapshot);
    QVERIFY(!isSaid());
}

void TstEvaluations::copiedRows_areTextAndCsv()
{
    EvaluationPanel panel;
    panel.setSnapshot(m_snapshot);
    panel.show();
    QVERIFY(QTest::qWaitForWindowActive(&panel));
    auto* table = panel.findChild<FigureTable*>();
    table->setFocus();
    table->selectRow(1);
    QTest::keyClick(table, Qt::Key_C, Qt::ControlModifier);
    const QMimeData* copied = QApplication::clipboard()->mimeData();
    QCOMPARE(copied->text(),
        QStringLiteral("Evaluation\tCheckpoint\tEpoch\tStep\tLoss\tCER %\tCER 95 % "
                       "interval\tHotword recall %\tHotword precision "
                       "%\tHotword F1 %\tUnseen recall %\tUnseen precision %\tUnseen F1 "
                       "%\n"
                       "valid\t\t2\t80\t1.0000\t28.00\t\t70.00\t80.00\t75.00\t\t\t\n"));
    QVERIFY(copied->data(QStringLiteral("text/csv"))
                .endsWith("\nvalid,,2,80,1.0000,28.00,,70.00,80.00,75.00,,,\n"));
}

void TstEvaluations::nothingSelected_copiesAll()
{
    EvaluationPanel panel;
    panel.setSnapshot(m_snapshot);
    panel.show();
    QVERIFY(QTest::qWaitForWindowActive(&panel));
    auto* table = panel.findChild<FigureTable*>();
    table->setFocus();
    table->clearSelection();
    QTest::keyClick(table, Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QApplication::clipboard()->text().count(QLatin1Char('\n')), 6);
}

/// As a name of a data set may be.
void TstEvaluations::copiedFormula_isEscapedOnce()
{
    QStandardItemModel model(1, 1);
    model.setItem(0, new QStandardItem(QStringLiteral("=1+1")));
    FigureTable table;
    table.setModel(&model);
    table.show();
    QVERIFY(QTest::qWaitForWindowActive(&table));
    table.setFocus();
    QTest::keyClick(&table, Qt::Key_C, Qt::ControlModifier);
    const QMimeData* copied = QApplication::clipboard()->mimeData();
    QCOMPARE(copied->text(), QStringLiteral("1\n'=1+1\n"));
    QCOMPARE(copied->data(QStringLiteral("text/csv")), QByteArray("1\n'=1+1\n"));
}

void TstEvaluations::tabs_areReachedByKeyboard()
{
    MonitorPage page;
    page.resize(1000, 700);
    page.setRun(QStringLiteral("/runs/a"));
    page.setSnapshot(QStringLiteral("/runs/a"), sharedSnapshot(m_snapshot));
    page.show();
    QVERIFY(QTest::qWaitForWindowActive(&page));
    auto* views = page.findChild<QTabWidget*>(QStringLiteral("views"));
    QCOMPARE(views->currentIndex(), int { MonitorPage::Curves });
    QTest::keyClick(&page, Qt::Key_N, Qt::AltModifier);
    QCOMPARE(views->currentIndex(), int { MonitorPage::Evaluations });
    auto* table = page.findChild<FigureTable*>(QStringLiteral("evaluations"));
    views->setFocus();
    QTest::keyClick(views->focusWidget(), Qt::Key_Tab);
    QVERIFY(table->hasFocus());
    QTest::keyClick(table, Qt::Key_Down);
    QVERIFY(table->currentIndex().isValid());
    QTest::keyClick(table, Qt::Key_Tab); // leaves the table
    QVERIFY(!table->hasFocus());
}

void TstEvaluations::tableFollowsTheEnd_whileItIsInView()
{
    EvaluationPanel panel;
    panel.resize(900, 200);
    panel.show();
    run::Snapshot snapshot;
    const auto addEpochs = [&](int64_t upTo) {
        while (snapshot.step < 40 * upTo) {
            const int64_t epoch = snapshot.step / 40 + 1;
            for (const run::Payload& payload : payloadsOf({ .epoch = epoch }))
                run::fold(snapshot, 0, { 1, payload });
        }
        panel.setSnapshot(snapshot);
    };
    const auto* table = panel.findChild<FigureTable*>();
    const auto isEndShown = [&] {
        const QModelIndex last = table->model()->index(table->model()->rowCount() - 1, 0);
        return table->viewport()->rect().contains(table->visualRect(last).center());
    };
    addEpochs(30);
    QTRY_VERIFY(isEndShown());
    addEpochs(31);
    QTRY_VERIFY(isEndShown());
    panel.findChild<FigureTable*>()->scrollToTop();
    addEpochs(32);
    QVERIFY(!isEndShown());
}

void TstEvaluations::screenshots()
{
    MonitorPage page;
    page.resize(900, 560);
    page.setRun(QStringLiteral("/runs/热词-seaco"));
    page.setSnapshot(QStringLiteral("/runs/热词-seaco"), sharedSnapshot(m_snapshot));
    page.show();
    takeScreenshots(page, QStringLiteral("monitor-hotword-curves"));
    page.showView(MonitorPage::Evaluations);
    takeScreenshots(page, QStringLiteral("evaluations"));
    page.setRun(QStringLiteral("/runs/digits"));
    takeScreenshots(page, QStringLiteral("evaluations-empty"));
    page.setSnapshot(QStringLiteral("/runs/digits"),
        sharedSnapshot(foldRecording(QStringLiteral("digits_bf16"))));
    takeScreenshots(page, QStringLiteral("evaluations-without-hotwords"));
}

EARWRIGHT_TEST(TstEvaluations)
#include "tst_evaluations.moc"
