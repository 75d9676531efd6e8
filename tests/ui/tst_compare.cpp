#include "tests/ui/hotword_run.h"
#include "tests/ui/screenshot.h"
#include "ui/compare/compare_curves.h"
#include "ui/compare/compare_model.h"
#include "ui/compare/compare_page.h"
#include "ui/compare/report.h"
#include "ui/compare/speed_bars.h"
#include "ui/widgets/figure_table.h"
#include "ui/widgets/plot_board.h"
#include "ui/widgets/plot_colors.h"
#include "ui/widgets/qcp.h"

#include <QAbstractItemModelTester>
#include <QAbstractItemView>
#include <QComboBox>
#include <QSortFilterProxyModel>
#include <QStyleFactory>
#include <QTableView>
#include <QTemporaryDir>

#include <cmath>

using namespace kymo;
using namespace kymo::ui;

namespace {

CompareRun runOf(const QString& recording, size_t count = SIZE_MAX)
{
    const QString path = QStringLiteral("/runs/") + recording;
    return { path, recording, runColor(path), sharedSnapshot(foldRecording(recording, count)) };
}

std::vector<CompareRun> bothRuns()
{
    return { runOf(QStringLiteral("digits_fp32")), runOf(QStringLiteral("digits_bf16")) };
}

/// The second's test heard 5 % more of the hotwords.
std::vector<CompareRun> hotwordRuns()
{
    std::vector<CompareRun> runs;
    for (const char* name : { "seaco", "seaco-labels" }) {
        const QString path = QStringLiteral("/runs/") + QLatin1String(name);
        std::vector<run::Payload> payloads = hotwordRun();
        if (!runs.empty()) {
            for (const run::Payload& payload :
                payloadsOf({ .split = "test", .epoch = 4, .recall = 77.5 }))
                payloads.push_back(payload);
        }
        runs.push_back(
            { path, QLatin1String(name), runColor(path), sharedSnapshot(foldPayloads(payloads)) });
    }
    return runs;
}

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

class TstCompare : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void table_holdsTheRunsFigures();
    void textsWithoutWords_haveNoWer();
    void figures_areSetAgainstTheBaseline();
    void speed_isAMedianAStallDoesNotMove();
    void nanLoss_isShownAsNan();
    void liveRuns_updateInPlace();
    void runWithoutSnapshot_hasEmptyFigures();
    void sorting_isByNumberNotText();
    void names_areCutToWhatTellsThemApart();
    void curves_areOneARunAndSameColorsDiffer();
    void bars_areTheSpeedsOfTheTable();
    void baseline_staysWhileRunsAreLive();
    void baselineBox_isUsedWhileRunsAreLive();
    void csv_holdsTheTableInPlainNumbers();
    void report_isWrittenInEachFormat();
    void reportOfMissingFolder_namesIt();
    void hotwords_havePlotsWhereARunHasSome();
    void hotwords_haveColumnsWhereARunHasSome();
    void hotwordsOfTwoRuns_areSetAgainstEachOther();
    void interval_standsBesideTheTestsRate();
    void baselineBox_tellsTheWholeName();
    void manyLongNames_leaveThePlotItsRoom();
    void screenshots();
};

void TstCompare::initTestCase()
{
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
}

void TstCompare::table_holdsTheRunsFigures()
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

void TstCompare::textsWithoutWords_haveNoWer()
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

void TstCompare::figures_areSetAgainstTheBaseline()
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

void TstCompare::speed_isAMedianAStallDoesNotMove()
{
    QCOMPARE(*figuresOf(runWithSpeeds({ 0.1, 10, 11, 12, 0.2 })).itPerSecond, 10.0);
}

void TstCompare::nanLoss_isShownAsNan()
{
    CompareRun run = runOf(QStringLiteral("digits_fp32"));
    run::Snapshot snapshot = *run.snapshot;
    run::fold(snapshot, 0, { snapshot.lastTime, run::Scalar { "train/loss", 481, std::nan("") } });
    run.snapshot = sharedSnapshot(snapshot);
    CompareModel model;
    model.setRuns({ run });
    QCOMPARE(cell(model, 0, "Train loss"), QStringLiteral("NaN"));
}

void TstCompare::liveRuns_updateInPlace()
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

void TstCompare::runWithoutSnapshot_hasEmptyFigures()
{
    ComparePage page;
    page.setRuns({ { QStringLiteral("/runs/new"), QStringLiteral("new"), Qt::red, nullptr } });
    QCOMPARE(cell(*page.model(), 0, "it/s"), QStringLiteral("–"));
    QCOMPARE(cell(*page.model(), 0, "Train loss"), QStringLiteral("–"));
}

void TstCompare::sorting_isByNumberNotText()
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

void TstCompare::names_areCutToWhatTellsThemApart()
{
    const auto names = [](std::initializer_list<const char*> folders) {
        QStringList paths;
        for (const char* folder : folders)
            paths << QStringLiteral("/runs/") + QString::fromUtf8(folder);
        return shortRunNames(paths).join(QLatin1Char(' '));
    };
    QCOMPARE(names({ "ctc-fp32-20261121-154555", "ctc-bf16-20261121-160102-2" }),
        QStringLiteral("fp32 bf16"));
    QCOMPARE(names({ "ctc-20261121-154555", "ctc-20261121-160102" }),
        QStringLiteral("ctc-20261121-154555 ctc-20261121-160102"));
    QCOMPARE(names({ "ctc-fp32-20261121-154555" }), QStringLiteral("ctc-fp32"));
    QCOMPARE(names({ "ctc-", "ctc-a" }), QStringLiteral("ctc- ctc-a"));
    QCOMPARE(names({ "语音", "数字" }), QStringLiteral("语音 数字"));
    QCOMPARE(names({}), QString());
}

void TstCompare::curves_areOneARunAndSameColorsDiffer()
{
    std::vector<CompareRun> runs = bothRuns();
    runs[1].color = runs[0].color;
    ComparePage page;
    page.setRuns(runs);
    const std::vector<PlotCurve> curves = page.board()->plots().front()->curves();
    QCOMPARE(curves.size(), size_t { 2 });
    QVERIFY(curves[0].dash != curves[1].dash);
    QCOMPARE(curves[0].series->points().size(), size_t { 480 });
}

void TstCompare::bars_areTheSpeedsOfTheTable()
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

void TstCompare::baseline_staysWhileRunsAreLive()
{
    ComparePage page;
    const std::vector<CompareRun> runs = bothRuns();
    page.setRuns(runs);
    QCOMPARE(page.baseline(), runs[0].path);
    page.findChild<QComboBox*>(QStringLiteral("baseline"))->setCurrentIndex(1);
    QCOMPARE(page.baseline(), runs[1].path);
    page.setRuns(runs);
    QCOMPARE(page.baseline(), runs[1].path);
}

/// By the keyboard: a snapshot comes while its list is open.
void TstCompare::baselineBox_isUsedWhileRunsAreLive()
{
    ComparePage page;
    page.setRuns({ runOf(QStringLiteral("digits_fp32"), 100), bothRuns()[1] });
    page.show();
    page.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&page));
    auto* box = page.findChild<QComboBox*>(QStringLiteral("baseline"));
    box->showPopup();
    QTest::keyClick(box->view(), Qt::Key_Down);
    page.setRuns(bothRuns());
    QTest::keyClick(box->view(), Qt::Key_Return);
    QCOMPARE(page.baseline(), bothRuns()[1].path);
    page.setRuns({ bothRuns()[1] });
    QCOMPARE(box->count(), 1);
}

void TstCompare::csv_holdsTheTableInPlainNumbers()
{
    QTemporaryDir folder;
    ComparePage page;
    page.setRuns(bothRuns());
    const QString path = folder.filePath(QStringLiteral("table.csv"));
    QVERIFY(page.prepareExport(path)());
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QList<QByteArray> lines = file.readAll().trimmed().split('\n');
    QCOMPARE(lines.size(), 3);
    QVERIFY(lines[0].startsWith("Run,State,Precision,it/s,Train loss,Valid loss,Valid WER %"));
    const QList<QByteArray> fields = lines[2].split(',');
    QCOMPARE(fields[0], QByteArray("digits_bf16"));
    QCOMPARE(fields[2], QByteArray("bf16"));
    QCOMPARE(fields[4].toDouble(), number(*page.model(), 1, "Train loss"));
}

void TstCompare::report_isWrittenInEachFormat()
{
    QTemporaryDir folder;
    for (const char* suffix : { "png", "pdf", "svg" }) {
        const QString path = folder.filePath(QStringLiteral("report.") + QLatin1String(suffix));
        QVERIFY(writeReport(path, bothRuns()));
        QVERIFY2(QFileInfo(path).size() > 20000, suffix);
    }
    const QImage image(folder.filePath(QStringLiteral("report.png")));
    bool hasCurve = false;
    for (int y = image.height() / 4; y < image.height() && !hasCurve; ++y) {
        for (int x = 0; x < image.width() && !hasCurve; ++x)
            hasCurve = image.pixelColor(x, y) == runColor(QStringLiteral("/runs/digits_bf16"));
    }
    QVERIFY(hasCurve);
    QVERIFY(!writeReport(folder.filePath(QStringLiteral("missing/report.png")), bothRuns()));
}

void TstCompare::reportOfMissingFolder_namesIt()
{
    QTemporaryDir folder;
    QCOMPARE(runReport(folder.filePath(QStringLiteral("r.png")), {}), 2);
    QCOMPARE(runReport(folder.filePath(QStringLiteral("r.png")),
                 { folder.filePath(QStringLiteral("no-run")) }),
        3);
}

void TstCompare::hotwords_havePlotsWhereARunHasSome()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("report.png"));
    ComparePage page;
    page.show();
    const auto namesShown = [&page] {
        QStringList names;
        for (const PlotView* plot : page.findChild<PlotBoard*>()->plots())
            if (plot->isVisible())
                names << plot->spec().id;
        return names.join(QLatin1Char(' '));
    };
    std::vector<CompareRun> runs = bothRuns();
    page.setRuns(runs);
    QCOMPARE(namesShown(), QStringLiteral("trainLoss validLoss validWer validCer"));
    QVERIFY(writeReport(path, runs));
    const int height = QImage(path).height();
    run::Snapshot heard = foldRecording(QStringLiteral("digits_bf16"));
    for (const char* tag : { "valid/hotword_recall", "valid/hotword_precision", "valid/hotword_F1",
             "valid/unseen_hotword_recall", "valid/unseen_hotword_precision",
             "valid/unseen_hotword_F1" })
        run::fold(heard, 0, { 1, run::Scalar { tag, 240, 62.5 } });
    runs[1].snapshot = sharedSnapshot(std::move(heard));
    page.setRuns(runs);
    QVERIFY(namesShown().endsWith(
        QStringLiteral(" validHotwordRecall validHotwordPrecision validHotwordF1 validUnseenRecall "
                       "validUnseenPrecision validUnseenF1")));
    QVERIFY(writeReport(path, runs));
    QVERIFY(QImage(path).height() > height);
}

void TstCompare::hotwords_haveColumnsWhereARunHasSome()
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

void TstCompare::hotwordsOfTwoRuns_areSetAgainstEachOther()
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

void TstCompare::interval_standsBesideTheTestsRate()
{
    CompareModel model;
    model.setRuns(hotwordRuns());
    QCOMPARE(cell(model, 0, "Test CER 95 %\ninterval"), QStringLiteral("21.50–30.25"));
    const int words = columnOf(model, QStringLiteral("Test WER 95 %\ninterval"));
    QVERIFY(!hasFigures(model, words)); // the CER counts
    const std::vector<int> hidden = columnsHiddenWhenEmpty();
    QVERIFY(std::find(hidden.begin(), hidden.end(), words) != hidden.end());
}

void TstCompare::baselineBox_tellsTheWholeName()
{
    std::vector<CompareRun> runs = hotwordRuns();
    runs[0].name = QStringLiteral("语音识别-中文普通话-带热词的一个很长很长的名字-bf16");
    ComparePage page;
    page.setRuns(runs);
    const auto* box = page.findChild<QComboBox*>(QStringLiteral("baseline"));
    QCOMPARE(box->toolTip(), runs[0].name);
    page.setBaseline(runs[1].path);
    QCOMPARE(box->toolTip(), runs[1].name);
}

void TstCompare::manyLongNames_leaveThePlotItsRoom()
{
    const CompareRun one = runOf(QStringLiteral("digits_fp32"));
    std::vector<CompareRun> runs;
    for (int i = 0; i < 8; ++i) {
        const QString name = QStringLiteral("语音识别-中文普通话-很长很长的名字-%1").arg(i);
        runs.push_back({ QStringLiteral("/runs/") + name, name, one.color, one.snapshot });
    }
    ComparePage page;
    page.resize(640, 600);
    page.setRuns(runs);
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    auto* view = page.findChild<PlotView*>(QStringLiteral("trainLoss"));
    view->refresh();
    auto* plot = view->findChild<QCustomPlot*>();
    plot->replot();
    QVERIFY2(
        plot->axisRect()->height() >= 50, qPrintable(QString::number(plot->axisRect()->height())));
}

void TstCompare::screenshots()
{
    std::vector<CompareRun> runs { runOf(QStringLiteral("digits_fp32")),
        runOf(QStringLiteral("digits_bf16"), 1900) };
    runs[0].name = QStringLiteral("数字串 digits-fp32 with a long name that does not fit anywhere");
    runs[1].name = QStringLiteral("数字串 digits-bf16");
    ComparePage page;
    page.resize(1280, 860);
    page.setRuns(runs);
    page.show();
    takeScreenshots(page, QStringLiteral("compare"));
    QVERIFY(writeReport(screenshotFolder() + QStringLiteral("/report.png"), runs));
    runs = hotwordRuns();
    page.setRuns(runs);
    takeScreenshots(page, QStringLiteral("compare-hotwords"));
    QVERIFY(writeReport(screenshotFolder() + QStringLiteral("/report-hotwords.png"), runs));
}

QTEST_MAIN(TstCompare)
#include "tst_compare.moc"
