#include "tests/registry.h"
#include "tests/ui/compared_runs.h"
#include "ui/compare/compare_curves.h"
#include "ui/compare/compare_model.h"
#include "ui/compare/compare_page.h"
#include "ui/compare/speed_bars.h"
#include "ui/widgets/figure_table.h"
#include "ui/widgets/qcp.h"
#include "ui/widgets/theme.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>

using namespace earwright;
using namespace earwright::ui;

namespace {

int columnOf(const QAbstractItemModel& model, const QString& title)
{
    for (int column = 0; column < model.columnCount(); ++column) {
        if (model.headerData(column, Qt::Horizontal).toString() == title)
            return column;
    }
    return -1;
}

QString cell(const QAbstractItemModel& model, int row, const char* title)
{
    return model.index(row, columnOf(model, QLatin1String(title))).data().toString();
}

double number(const QAbstractItemModel& model, int row, const char* title)
{
    return model.index(row, columnOf(model, QLatin1String(title)))
        .data(CompareModel::SortRole)
        .toDouble();
}

run::Snapshot runWithSpeeds(std::initializer_list<double> speeds)
{
    run::Snapshot snapshot;
    int64_t step = 0;
    for (const double speed : speeds)
        run::fold(snapshot, 0,
            { static_cast<double>(++step), run::Scalar { "train/it_per_s", step, speed } });
    return snapshot;
}

} // namespace

/// Figures of several runs side by side.
class TstCompareTable : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void table_holdsTheRunsFigures();
    void textsWithoutWords_haveNoWer();
    void figures_areSetAgainstTheBaseline();
    void speed_isAMedianAStallDoesNotMove();
    void nanLoss_isShownAsNan();
    void liveRuns_updateInPlace();
    void runWithoutSnapshot_hasEmptyFigures();
    void sorting_isByNumberNotText();
    void sorting_putsLastWhatIsNoNumber_data();
    void sorting_putsLastWhatIsNoNumber();
    void sorting_ofTextsCountsTheirNumbers();
    void bars_areTheSpeedsOfTheTable();
    void csv_holdsTheTableInPlainNumbers();
    void hotwords_haveColumnsWhereARunHasSome();
    void hotwordsOfTwoRuns_areSetAgainstEachOther();
    void interval_standsBesideTheTestsRate();
};

void TstCompareTable::table_holdsTheRunsFigures()
{
    CompareModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setRuns(bothRuns());
    const run::Snapshot snapshot = foldRecording(QStringLiteral("digits_bf16"));
    QCOMPARE(model.rowCount(), 2);
    QCOMPARE(cell(model, 1, "Precision"), QStringLiteral("bf16"));
    QCOMPARE(cell(model, 1, "Proved dtype"), QStringLiteral("bfloat16 100 %"));
    QCOMPARE(cell(model, 1, "Devices"), QStringLiteral("cpu:0"));
    QCOMPARE(cell(model, 1, "Steps"), QStringLiteral("480"));
    QCOMPARE(cell(model, 1, "State"), QStringLiteral("done"));
    QCOMPARE(cell(model, 1, "Test WER %"), QStringLiteral("–"));
    QCOMPARE(
        number(model, 1, "Train loss"), snapshot.series.at("train/loss").points().back().value);
    QCOMPARE(
        number(model, 1, "Valid loss"), snapshot.series.at("valid/loss").points().back().value);
    double best = 1e9;
    for (const run::Point& point : snapshot.series.at("valid/WER").points())
        best = std::min(best, point.value);
    QVERIFY(std::abs(number(model, 1, "Valid WER %") - best) < 1e-3);
}

void TstCompareTable::textsWithoutWords_haveNoWer()
{
    std::vector<CompareRun> runs = bothRuns();
    run::Snapshot characters = foldRecording(QStringLiteral("digits_bf16"));
    for (run::Evaluated& evaluated : characters.evaluations)
        evaluated.rate = "CER";
    runs[1].snapshot = sharedSnapshot(std::move(characters));
    CompareModel model;
    model.setRuns(runs);
    QVERIFY(std::isfinite(number(model, 0, "Valid WER %")));
    QCOMPARE(cell(model, 1, "Valid WER %"), QStringLiteral("–"));
    QVERIFY(std::isfinite(number(model, 1, "Valid CER %")));
    const auto plots = compareCurves(runs);
    QCOMPARE(plots.at(2).size(), 1U);
    QCOMPARE(plots.at(3).size(), 2U);
}

void TstCompareTable::figures_areSetAgainstTheBaseline()
{
    CompareModel model;
    std::vector<CompareRun> runs { runOf(QStringLiteral("digits_fp32")),
        runOf(QStringLiteral("digits_bf16")) };
    runs[0].snapshot = sharedSnapshot(runWithSpeeds({ 10, 10, 10 }));
    runs[1].snapshot = sharedSnapshot(runWithSpeeds({ 15, 15, 15 }));
    model.setRuns(runs);
    QCOMPARE(cell(model, 1, "it/s"), QStringLiteral("15.00"));
    model.setBaseline(runs[0].path);
    QCOMPARE(cell(model, 0, "it/s"), QStringLiteral("10.00"));
    QCOMPARE(cell(model, 1, "it/s"), QStringLiteral("15.00  (1.50×)"));
    QCOMPARE(cell(model, 0, "Run"), QStringLiteral("digits_fp32 (baseline)"));
    const CompareColumn& wer = compareColumns().at(
        static_cast<size_t>(columnOf(model, QStringLiteral("Valid WER %")) - 1));
    QCOMPARE(deltaText(wer, 9.5, 10.0), QStringLiteral("−0.50"));
    QCOMPARE(deltaText(wer, 11.0, 10.0), QStringLiteral("+1.00"));
    QCOMPARE(deltaText(wer, std::nullopt, 10.0), QString());
    QCOMPARE(deltaText(wer, std::nan(""), 10.0), QString());
}

void TstCompareTable::speed_isAMedianAStallDoesNotMove()
{
    QCOMPARE(*figuresOf(runWithSpeeds({ 0.1, 10, 11, 12, 0.2 })).itPerSecond, 10.0);
}

void TstCompareTable::nanLoss_isShownAsNan()
{
    CompareRun run = runOf(QStringLiteral("digits_fp32"));
    run::Snapshot snapshot = *run.snapshot;
    run::fold(snapshot, 0, { snapshot.lastTime, run::Scalar { "train/loss", 481, std::nan("") } });
    run.snapshot = sharedSnapshot(snapshot);
    CompareModel model;
    model.setRuns({ run });
    QCOMPARE(cell(model, 0, "Train loss"), QStringLiteral("NaN"));
}

void TstCompareTable::liveRuns_updateInPlace()
{
    CompareModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setRuns(
        { runOf(QStringLiteral("digits_fp32"), 900), runOf(QStringLiteral("digits_bf16"), 700) });
    const QPersistentModelIndex row = model.index(1, 0);
    QCOMPARE(cell(model, 1, "State"), QStringLiteral("running"));
    model.setRuns(bothRuns());
    QVERIFY(row.isValid()); // no reset: selection and sorting stay
    QCOMPARE(cell(model, 1, "State"), QStringLiteral("done"));
}

void TstCompareTable::runWithoutSnapshot_hasEmptyFigures()
{
    ComparePage page;
    page.setRuns({ { QStringLiteral("/runs/new"), QStringLiteral("new"), Qt::red, nullptr } });
    QCOMPARE(cell(*page.model(), 0, "it/s"), QStringLiteral("–"));
    QCOMPARE(cell(*page.model(), 0, "Train loss"), QStringLiteral("–"));
}

void TstCompareTable::sorting_isByNumberNotText()
{
    std::vector<CompareRun> runs;
    for (const double speed : { 9.0, 100.0, 20.0 }) {
        const QString name = QString::number(speed);
        runs.push_back({ QStringLiteral("/runs/") + name, name, Qt::red,
            sharedSnapshot(runWithSpeeds({ speed })) });
    }
    ComparePage page;
    page.setRuns(runs);
    auto* table = page.findChild<QTableView*>(QStringLiteral("compareTable"));
    table->sortByColumn(columnOf(*page.model(), QStringLiteral("it/s")), Qt::DescendingOrder);
    QCOMPARE(
        table->model()->index(0, 0).data(CompareModel::SortRole).toString(), QStringLiteral("100"));
    QCOMPARE(
        table->model()->index(2, 0).data(CompareModel::SortRole).toString(), QStringLiteral("9"));
}

void TstCompareTable::sorting_putsLastWhatIsNoNumber_data()
{
    QTest::addColumn<Qt::SortOrder>("order");
    QTest::addColumn<QStringList>("expected");
    QTest::newRow("ascending") << Qt::AscendingOrder
                               << QStringList { "-3", "2", "10", "inf", "-inf", "nan", "none" };
    QTest::newRow("descending") << Qt::DescendingOrder
                                << QStringList { "10", "2", "-3", "inf", "-inf", "nan", "none" };
}

void TstCompareTable::sorting_putsLastWhatIsNoNumber()
{
    QFETCH(Qt::SortOrder, order);
    QFETCH(QStringList, expected);
    std::vector<CompareRun> runs;
    for (const char* loss : { "none", "inf", "2", "nan", "-inf", "10", "-3" }) {
        const QString name = QString::fromLatin1(loss);
        run::Snapshot snapshot;
        if (name != QLatin1String("none"))
            run::fold(
                snapshot, 0, { 1, run::Scalar { "train/loss", 1, std::strtod(loss, nullptr) } });
        runs.push_back({ QStringLiteral("/runs/") + name, name, Qt::red,
            sharedSnapshot(std::move(snapshot)) });
    }
    ComparePage page;
    page.setRuns(runs);
    page.setBaseline(QStringLiteral("/runs/none"));
    auto* table = page.findChild<QTableView*>(QStringLiteral("compareTable"));
    table->sortByColumn(columnOf(*page.model(), QStringLiteral("Train loss")), order);
    QStringList names;
    for (int row = 0; row < table->model()->rowCount(); ++row)
        names << table->model()->index(row, 0).data(CompareModel::SortRole).toString();
    QCOMPARE(names, expected);
}

/// Of intervals, and of runs that are counted.
void TstCompareTable::sorting_ofTextsCountsTheirNumbers()
{
    std::vector<CompareRun> runs;
    for (const double low : { 10.25, 9.5, 100.0 }) {
        run::Snapshot snapshot;
        for (const auto& [tag, value] :
            { std::pair("test/WER_low", low), { "test/WER_high", 101.0 } })
            run::fold(snapshot, 0, { 1, run::Scalar { tag, 7, value } });
        run::fold(snapshot, 0, { 1, run::Evaluated { "test", 1, 7, 0.5, 50, 50, "" } });
        const QString name = QStringLiteral("run-%1").arg(low);
        runs.push_back({ QStringLiteral("/runs/") + name, name, Qt::red,
            sharedSnapshot(std::move(snapshot)) });
    }
    ComparePage page;
    page.setRuns(runs);
    auto* table = page.findChild<QTableView*>(QStringLiteral("compareTable"));
    for (const int column :
        { 0, columnOf(*page.model(), QStringLiteral("Test WER 95 %\ninterval")) }) {
        QVERIFY(column >= 0);
        table->sortByColumn(column, Qt::AscendingOrder);
        QStringList names;
        for (int row = 0; row < 3; ++row)
            names << table->model()->index(row, 0).data(CompareModel::SortRole).toString();
        QCOMPARE(names, (QStringList { "run-9.5", "run-10.25", "run-100" }));
    }
}

void TstCompareTable::bars_areTheSpeedsOfTheTable()
{
    ComparePage page;
    page.setRuns(bothRuns());
    QCustomPlot* bars = page.findChild<SpeedBars*>()->plot();
    QCOMPARE(bars->plottableCount(), 2);
    for (int row = 0; row < 2; ++row) {
        const auto* bar = qobject_cast<QCPBars*>(bars->plottable(row));
        QCOMPARE(bar->data()->at(0)->value, number(*page.model(), row, "it/s"));
    }
}

void TstCompareTable::csv_holdsTheTableInPlainNumbers()
{
    QTemporaryDir folder;
    ComparePage page;
    std::vector<CompareRun> runs = bothRuns();
    runs[0].name = QStringLiteral("=1+1");
    page.setRuns(runs);
    const QString path = folder.filePath(QStringLiteral("table.csv"));
    QVERIFY(page.prepareTableExport(path)());
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QList<QByteArray> lines = file.readAll().trimmed().split('\n');
    QCOMPARE(lines.size(), 3);
    QVERIFY(lines[0].startsWith("Run,State,Precision,it/s,Train loss,Valid loss,Valid WER %"));
    QVERIFY(lines[1].startsWith("'=1+1,"));
    const QList<QByteArray> fields = lines[2].split(',');
    QCOMPARE(fields[0], QByteArray("digits_bf16"));
    QCOMPARE(fields[2], QByteArray("bf16"));
    QCOMPARE(fields[4].toDouble(), number(*page.model(), 1, "Train loss"));
}

void TstCompareTable::hotwords_haveColumnsWhereARunHasSome()
{
    ComparePage page;
    page.setRuns(bothRuns());
    const auto* table = page.findChild<FigureTable*>();
    const int recall = columnOf(*page.model(), QStringLiteral("Test hotword\nrecall %"));
    QVERIFY(recall > 0 && table->isColumnHidden(recall));
    const QByteArray without = tableToCsv(*page.model());
    QVERIFY2(!without.contains("hotword"), without.constData());
    std::vector<CompareRun> runs = bothRuns();
    runs.push_back(hotwordRuns().front());
    page.setRuns(runs);
    QVERIFY(!table->isColumnHidden(recall));
    QCOMPARE(cell(*page.model(), 0, "Test hotword\nrecall %"), kNoFigure);
    QCOMPARE(number(*page.model(), 2, "Test hotword\nrecall %"), 72.5);
    QCOMPARE(number(*page.model(), 2, "Test unseen\nF1 %"), 41.25);
    QCOMPARE(number(*page.model(), 2, "Valid hotword\nprecision %"), 85.0); // of the best
    const QByteArray with = tableToCsv(*page.model());
    QVERIFY2(with.contains(",Test CER %,Test CER 95 % interval,Valid hotword recall %,"),
        with.constData());
}

void TstCompareTable::hotwordsOfTwoRuns_areSetAgainstEachOther()
{
    CompareModel model;
    const std::vector<CompareRun> runs = hotwordRuns();
    model.setRuns(runs);
    model.setBaseline(runs[0].path);
    QCOMPARE(cell(model, 1, "Test hotword\nrecall %"), QStringLiteral("77.50  (+5.00)"));
    const auto color = [&](const char* title) {
        return model.index(1, columnOf(model, QLatin1String(title)))
            .data(Qt::ForegroundRole)
            .value<QColor>();
    };
    QCOMPARE(color("Test hotword\nrecall %"), toneColor(Tone::Good, QApplication::palette()));
}

void TstCompareTable::interval_standsBesideTheTestsRate()
{
    CompareModel model;
    model.setRuns(hotwordRuns());
    QCOMPARE(cell(model, 0, "Test CER 95 %\ninterval"), QStringLiteral("21.50–30.25"));
    const int words = columnOf(model, QStringLiteral("Test WER 95 %\ninterval"));
    QVERIFY(!hasFigures(model, words)); // the CER counts
    const std::vector<int> hidden = columnsHiddenWhenEmpty();
    QVERIFY(std::find(hidden.begin(), hidden.end(), words) != hidden.end());
}

EARWRIGHT_TEST(TstCompareTable)
#include "tst_compare_table.moc"
