#include "tests/registry.h"
#include "tests/ui/hotword_run.h"
#include "tests/ui/screenshot.h"
#include "ui/monitor/alert_model.h"
#include "ui/monitor/alerts.h"
#include "ui/monitor/monitor_curves.h"
#include "ui/monitor/monitor_page.h"
#include "ui/monitor/run_facts.h"
#include "ui/monitor/run_header.h"
#include "ui/widgets/column_scroll.h"
#include "ui/widgets/info_bar.h"
#include "ui/widgets/plot_board.h"
#include "ui/widgets/plot_tool_bar.h"
#include "ui/widgets/qcp.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QLabel>
#include <QListView>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QStackedWidget>
#include <QStyleFactory>
#include <QTemporaryDir>
#include <QToolButton>

using namespace earwright;
using namespace earwright::ui;

namespace {

const QString kPath = QStringLiteral("/runs/digits-bf16-20260301-101500");
const QString kRecording = QStringLiteral("digits_bf16");

QString textOf(const QWidget& page, const char* name)
{
    const auto* label = page.findChild<QLabel*>(QLatin1String(name));
    return label ? label->text() : QStringLiteral("no such label");
}

run::Snapshot failedRun(const std::string& error)
{
    run::Snapshot snapshot = foldRecording(kRecording, 600);
    run::fold(snapshot, -1, { snapshot.lastTime + 1, run::Finished { "failed", error, 1 } });
    return snapshot;
}

PlotView* plotOf(const MonitorPage& page, const char* id)
{
    return page.findChild<PlotView*>(QLatin1String(id));
}

} // namespace

class TstMonitor : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void noRun_saysWhatToDo();
    void liveRun_showsProgressAndFigures();
    void bestValidation_isThatOfTheBestCheckpoint();
    void hotwords_haveAPlotWhereTheyAreCounted();
    void hotwordsThatWereNotSpoken_areNoPoint();
    void everyStep_isReadBackFromTheLossPlot();
    void skippedSteps_areAlertsWithUtterances();
    void doneRun_offersNoStop();
    void stopButton_asksToStop();
    void otherRunsSnapshot_isIgnored();
    void failedRun_showsErrorAndWhatToTry();
    void longError_isReadByScrolling();
    void smallPage_scrollsAndCutsNothing();
    void unprovedPrecision_isAnAlert();
    void advice_fitsTheRunsPrecision();
    void memoryOfAGpu_appearsWhereItIsRead();
    void system_isAGroupWhereItIsLogged();
    void everyGpu_hasACurve();
    void accuracyAndEncodersRate_areShown();
    void steppingIn_isMarkedAndAGap();
    void overflow_isAnAlertAndLossScaleAppears();
    void crosshair_isTheSameInAllPlots();
    void zoom_isTheSameInAllPlots();
    void export_writesCsvOfAllCurves();
    void alertModel_keepsTheModelContract();
    void manyAlerts_areCountedNotListed();
    void batchesInParts_offerTheChangeOfTheRecipeOnce();
    void screenshots();
};

void TstMonitor::initTestCase()
{
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
}

void TstMonitor::noRun_saysWhatToDo()
{
    MonitorPage page;
    page.show();
    bool isHintShown = false;
    for (const QLabel* label : page.findChildren<QLabel*>())
        isHintShown
            |= label->isVisible() && label->text().contains(QStringLiteral("Open a recipe"));
    QVERIFY(isHintShown);
}

void TstMonitor::liveRun_showsProgressAndFigures()
{
    MonitorPage page;
    page.setRun(kPath);
    page.setSnapshot(kPath, sharedSnapshot(foldRecording(kRecording, 1300)));
    QCOMPARE(textOf(page, "runName"), QStringLiteral("digits-bf16"));
    QCOMPARE(textOf(page, "runState"), QStringLiteral("running"));
    QCOMPARE(textOf(page, "precisionProof"), QStringLiteral("100 % of matrix work in bfloat16"));
    QVERIFY(textOf(page, "runSetting")
                .startsWith(QStringLiteral("recipe 数字串 digits-bf16  ·  bf16  ·  ")));
    QVERIFY(textOf(page, "runSetting").contains(QStringLiteral("cpu:0")));
    QVERIFY(textOf(page, "step").endsWith(QStringLiteral(" / 480")));
    QVERIFY(textOf(page, "epoch").endsWith(QStringLiteral(" / 12")));
    QVERIFY(textOf(page, "speed").endsWith(QStringLiteral(" it/s")));
    QVERIFY(textOf(page, "remaining").startsWith(QStringLiteral("0:00:")));
    QVERIFY(textOf(page, "bestWer").endsWith(QStringLiteral(" %")));
    QVERIFY(page.findChild<QPushButton*>(QStringLiteral("stop"))->isEnabled());
}

void TstMonitor::bestValidation_isThatOfTheBestCheckpoint()
{
    run::Snapshot snapshot;
    snapshot.evaluations = { { "valid", 1, 10, 0.5, 10.0, 4.0, "" },
        { "valid", 2, 20, 0.4, 10.0, 3.0, "" }, { "valid", 3, 30, 0.6, 10.0, 3.0, "" },
        { "valid", 4, 40, 0.3, 10.0, 5.0, "" }, { "test", 4, 40, 0.3, 9.0, 2.0, "" } };
    QVERIFY(!bestValidation(snapshot));
    snapshot.checkpoints = { { "step-10", 1, 10, true }, { "step-20", 2, 20, true },
        { "step-25", 2, 25, false }, { "step-30", 3, 30, true }, { "step-40", 4, 40, false } };
    QCOMPARE(bestValidation(snapshot)->epoch, 3);
}

void TstMonitor::hotwords_haveAPlotWhereTheyAreCounted()
{
    run::Snapshot snapshot = foldRecording(kRecording, 1300);
    MonitorPage page;
    page.resize(1200, 900);
    page.show();
    page.setRun(kPath);
    page.setSnapshot(kPath, sharedSnapshot(snapshot));
    const auto* plot = page.findChild<PlotView*>(QStringLiteral("hotwords"));
    const auto* unseen = page.findChild<PlotView*>(QStringLiteral("unseenHotwords"));
    QVERIFY(plot && plot->isHidden() && unseen && unseen->isHidden());
    for (const char* tag :
        { "valid/hotword_recall", "valid/hotword_F1", "valid/unseen_hotword_F1" })
        snapshot.series[tag] = snapshot.series.at("valid/WER");
    page.setSnapshot(kPath, sharedSnapshot(std::move(snapshot)));
    QVERIFY(!plot->isHidden());
    QCOMPARE(plot->curves().size(), size_t { 2 });
    QVERIFY(!unseen->isHidden());
    QCOMPARE(unseen->curves().size(), size_t { 1 });
}

/// Where no phrase was spoken nothing is logged: the curve has no point there.
void TstMonitor::hotwordsThatWereNotSpoken_areNoPoint()
{
    MonitorPage page;
    page.resize(1200, 900);
    page.show();
    page.setRun(kPath);
    run::Snapshot snapshot = foldPayloads(hotwordRun());
    snapshot.series["valid/loss"].dropAfterStep(0);
    page.setSnapshot(kPath, sharedSnapshot(snapshot));
    PlotView* unseen = plotOf(page, "unseenHotwords");
    unseen->refresh();
    const auto points = unseen->points(QStringLiteral("valid/unseen_hotword_recall"));
    QCOMPARE(points.size(), size_t { 3 });
    for (const run::Point& point : points)
        QVERIFY(point.value > 0);
    QCOMPARE(
        plotOf(page, "loss")->curves().size(), size_t { 1 }); // a curve without a point is none
}

void TstMonitor::everyStep_isReadBackFromTheLossPlot()
{
    MonitorPage page;
    page.resize(1200, 900);
    page.setRun(kPath);
    page.show();
    page.setSnapshot(kPath, sharedSnapshot(foldRecording(kRecording)));
    PlotView* loss = plotOf(page, "loss");
    loss->refresh();
    std::vector<run::Scalar> logged;
    for (const RecordedEvent& recorded : readRecording(kRecording)) {
        const auto* scalar = std::get_if<run::Scalar>(&recorded.event.payload);
        if (scalar && scalar->tag == "train/loss")
            logged.push_back(*scalar);
    }
    const std::vector<run::Point> shown = loss->points(QStringLiteral("train/loss"));
    QCOMPARE(shown.size(), logged.size());
    QCOMPARE(logged.size(), size_t { 480 });
    for (size_t i = 0; i < logged.size(); ++i) {
        QCOMPARE(shown[i].step, logged[i].step);
        QVERIFY(shown[i].value == logged[i].value);
    }
}

void TstMonitor::skippedSteps_areAlertsWithUtterances()
{
    const std::vector<Alert> alerts = alertsOf(foldRecording(kRecording));
    QCOMPARE(alerts.size(), size_t { 12 });
    QVERIFY(
        alerts.back().title.startsWith(QStringLiteral("Step 26: loss not finite, step skipped")));
    QVERIFY(alerts.back().detail.contains(QStringLiteral("jackson-train-0229")));
}

void TstMonitor::doneRun_offersNoStop()
{
    MonitorPage page;
    page.setRun(kPath);
    page.setSnapshot(kPath, sharedSnapshot(foldRecording(kRecording)));
    QCOMPARE(textOf(page, "runState"), QStringLiteral("done"));
    QVERIFY(page.findChild<QPushButton*>(QStringLiteral("stop"))->isHidden());
    QCOMPARE(textOf(page, "remaining"), QStringLiteral("–"));
}

void TstMonitor::stopButton_asksToStop()
{
    MonitorPage page;
    page.setRun(kPath);
    page.setSnapshot(kPath, sharedSnapshot(foldRecording(kRecording, 700)));
    QSignalSpy asked(&page, &MonitorPage::stopRequested);
    page.findChild<QPushButton*>(QStringLiteral("stop"))->click();
    QCOMPARE(asked.count(), 1);
}

void TstMonitor::otherRunsSnapshot_isIgnored()
{
    MonitorPage page;
    page.setRun(kPath);
    page.setSnapshot(QStringLiteral("/runs/other"), sharedSnapshot(foldRecording(kRecording)));
    QVERIFY(plotOf(page, "loss")->curves().empty());
}

void TstMonitor::failedRun_showsErrorAndWhatToTry()
{
    MonitorPage page;
    page.setRun(kPath);
    page.setSnapshot(kPath,
        sharedSnapshot(failedRun("rank 1 on host 'a', step 117, train: killed by signal 9")));
    const QString shown = textOf(page, "runError");
    QVERIFY(shown.contains(QStringLiteral("rank 1")) && shown.contains(QStringLiteral("step 117")));
    QVERIFY(shown.contains(QStringLiteral("smaller batch")));
    page.show();
    const auto* label = page.findChild<QLabel*>(QStringLiteral("runError"));
    QVERIFY(label->isVisible());
    page.setSnapshot(kPath, sharedSnapshot(foldRecording(kRecording)));
    QVERIFY(!label->isVisible());
}

/// Of 44 sounds that are missing, say.
void TstMonitor::longError_isReadByScrolling()
{
    MonitorPage page;
    page.resize(960, 600);
    page.setRun(kPath);
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    std::string error = "these sounds are missing:";
    for (int i = 0; i < 40; ++i)
        error += "\n/data/audio/" + std::to_string(i) + ".wav";
    page.setSnapshot(kPath, sharedSnapshot(failedRun(error)));
    auto* label = page.findChild<QLabel*>(QStringLiteral("runError"));
    auto* box = page.findChild<ColumnScroll*>(QStringLiteral("runErrorBox"));
    QTRY_VERIFY(label->height() >= label->heightForWidth(label->width()));
    QTRY_VERIFY(box->verticalScrollBar()->maximum() > 0);
    QVERIFY(box->height() < page.height() / 2);
    QCOMPARE(box->verticalScrollBar()->maximum(), label->height() - box->viewport()->height());
    const auto* progress = page.findChild<QWidget*>(QStringLiteral("runProgress"));
    QVERIFY(!progress->visibleRegion().isEmpty());
    page.setSnapshot(kPath, sharedSnapshot(failedRun("one line")));
    QTRY_COMPARE(box->verticalScrollBar()->maximum(), 0);
    QTRY_COMPARE(box->height(), label->height());
}

/// As in a window of 900 by 600 pixels, between its docks.
void TstMonitor::smallPage_scrollsAndCutsNothing()
{
    MonitorPage page;
    page.setRun(kPath);
    page.setSnapshot(kPath, sharedSnapshot(foldRecording(kRecording)));
    page.resize(330, 340);
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    const QWidget* content = page.findChild<RunHeader*>()->parentWidget();
    auto* scroll = qobject_cast<QScrollArea*>(content->parentWidget()->parentWidget());
    const auto isWhole = [&](const char* name) {
        auto* widget = page.findChild<QWidget*>(QLatin1String(name));
        scroll->ensureWidgetVisible(widget);
        return widget->height() >= widget->sizeHint().height()
            && widget->visibleRegion().boundingRect() == widget->rect();
    };
    for (const char* name : { "epoch", "remaining", "bestWer", "testWer", "xAxis", "export" })
        QTRY_VERIFY2(isWhole(name), name);
    scroll->ensureVisible(0, content->height());
    QTRY_VERIFY(plotOf(page, "loss")->visibleRegion().boundingRect().height() > 120);
    page.resize(900, 700);
    QTRY_COMPARE(content->height(), page.height()); // nothing to scroll
}

void TstMonitor::unprovedPrecision_isAnAlert()
{
    run::Snapshot snapshot = foldRecording(kRecording, 700);
    run::fold(
        snapshot, 0, { snapshot.lastTime, run::DtypeCensus { "train", { { "float32", 1.0 } } } });
    const std::vector<Alert> alerts = alertsOf(snapshot);
    QCOMPARE(alerts.front().title,
        QStringLiteral("Asked for bf16, but only 0 % of matrix work in bfloat16"));
}

void TstMonitor::advice_fitsTheRunsPrecision()
{
    run::Snapshot snapshot;
    snapshot.error = "CUDA out of memory";
    for (const auto& [precision, isLowerLeft] :
        { std::pair("fp32", true), { "bf16", false }, { "fp16", false } }) {
        snapshot.started.precision = precision;
        const QString advice = whatToTry(snapshot);
        QVERIFY2(advice.contains(QStringLiteral("smaller batch size")), precision);
        QCOMPARE(advice.contains(QStringLiteral("bf16")), isLowerLeft);
    }
    snapshot.error = "the loss was not finite in 5 steps in a row";
    QVERIFY(!whatToTry(snapshot).contains(QStringLiteral("16"))); // the error says what is left
}

void TstMonitor::memoryOfAGpu_appearsWhereItIsRead()
{
    run::Snapshot snapshot = foldRecording(kRecording, 700);
    MonitorPage page;
    page.setRun(kPath);
    page.setSnapshot(kPath, sharedSnapshot(snapshot));
    QVERIFY(plotOf(page, "memory")->isHidden());
    QVERIFY(!peakMemoryBytes(snapshot));
    for (const auto& [tag, value] :
        { std::pair("memory/allocated_bytes", 1e9), { "memory/reserved_bytes", 4e9 },
            { "memory/peak_bytes", 3e9 }, { "memory/fragmentation", 0.75 } })
        run::fold(snapshot, 0, { snapshot.lastTime, run::Scalar { tag, 131, value } });
    page.setSnapshot(kPath, sharedSnapshot(snapshot));
    QVERIFY(!plotOf(page, "memory")->isHidden());
    QVERIFY(!plotOf(page, "fragmentation")->isHidden());
    QCOMPARE(peakMemoryBytes(snapshot), 3e9);
}

void TstMonitor::system_isAGroupWhereItIsLogged()
{
    run::Snapshot snapshot = foldRecording(kRecording, 700);
    MonitorPage page;
    page.setRun(kPath);
    page.setSnapshot(kPath, sharedSnapshot(snapshot));
    const QList<QToolButton*> buttons = page.board()->findChildren<QToolButton*>();
    const auto heading = std::find_if(buttons.begin(), buttons.end(),
        [](const QToolButton* button) { return button->text() == QStringLiteral("System"); });
    QVERIFY(heading != buttons.end());
    QVERIFY((*heading)->isHidden());
    for (const char* tag : { "system/cpu_percent", "system/ranks_cpu_percent",
             "system/ranks_resident_bytes", "system/available_bytes", "system/disk_free_bytes",
             "system/ranks_written_bytes_per_s" })
        run::fold(snapshot, -1, { snapshot.lastTime, run::Scalar { tag, 131, 12 } });
    page.setSnapshot(kPath, sharedSnapshot(snapshot));
    QVERIFY(!(*heading)->isHidden());
    for (const char* id :
        { "systemCpu", "systemRanksCpu", "systemMemory", "systemDisk", "systemWritten" })
        QVERIFY2(!plotOf(page, id)->isHidden(), id);
    QCOMPARE(plotOf(page, "systemMemory")->curves().size(), size_t { 2 });
    QVERIFY(plotOf(page, "systemGpu")->isHidden());
    page.clear();
    QVERIFY((*heading)->isHidden());
}

void TstMonitor::everyGpu_hasACurve()
{
    run::Snapshot snapshot = foldRecording(kRecording, 700);
    for (int gpu = 0; gpu < 12; ++gpu) {
        for (const char* what : { "_percent", "_memory_bytes", "_watts", "_celsius" })
            run::fold(snapshot, -1,
                { snapshot.lastTime,
                    run::Scalar { "system/gpu" + std::to_string(gpu) + what, 131, 40 } });
    }
    run::fold(snapshot, -1, { snapshot.lastTime, run::Scalar { "system/gpux_watts", 131, 40 } });
    MonitorPage page;
    page.setRun(kPath);
    page.setSnapshot(kPath, sharedSnapshot(snapshot));
    for (const char* id :
        { "systemGpu", "systemGpuMemory", "systemGpuPower", "systemGpuTemperature" })
        QCOMPARE(plotOf(page, id)->curves().size(), size_t { 12 });
    const std::vector<PlotCurve> curves = plotOf(page, "systemGpuPower")->curves();
    QCOMPARE(curves[2].label, QStringLiteral("cuda:2"));
    QCOMPARE(curves[10].label, QStringLiteral("cuda:10")); // by number, not by letter
    for (size_t i = 0; i < curves.size(); ++i) {
        for (size_t j = 0; j < i; ++j)
            QVERIFY(curves[i].color != curves[j].color || curves[i].dash != curves[j].dash);
    }
}

void TstMonitor::accuracyAndEncodersRate_areShown()
{
    run::Snapshot snapshot = foldRecording(kRecording, 700);
    MonitorPage page;
    page.setRun(kPath);
    page.setSnapshot(kPath, sharedSnapshot(snapshot));
    QVERIFY(plotOf(page, "accuracy")->isHidden());
    QCOMPARE(plotOf(page, "lr")->curves().size(), size_t { 1 });
    run::fold(snapshot, 0, { snapshot.lastTime, run::Scalar { "valid/ACC", 131, 91.5 } });
    run::fold(snapshot, 0, { snapshot.lastTime, run::Scalar { "train/lr_wav2vec", 131, 1e-5 } });
    page.setSnapshot(kPath, sharedSnapshot(snapshot));
    QVERIFY(!plotOf(page, "accuracy")->isHidden());
    QCOMPARE(plotOf(page, "lr")->curves().size(), size_t { 2 });
}

void TstMonitor::steppingIn_isMarkedAndAGap()
{
    run::Snapshot snapshot = foldRecording(kRecording, 700);
    const double time = snapshot.lastTime;
    const int64_t step = snapshot.step;
    const std::string after = " after step " + std::to_string(step);
    run::fold(snapshot, 0, { time, run::PhaseChanged { "pause", 1, step } });
    run::fold(snapshot, 0, { time + 90, run::PhaseChanged { "train", 1, step } });
    run::fold(
        snapshot, 0, { time + 91, run::Message { "info", "learning rate set to 0.01" + after } });
    run::fold(snapshot, -1, { time + 92, run::Restarting { 1, 3, "rank 1 failed", 1, {} } });
    run::fold(snapshot, 0, { time + 99, run::RunStarted { .attempt = 1, .resumedStep = step } });
    QStringList texts;
    for (const PlotMark& mark : monitorMarks(snapshot))
        texts << mark.text;
    QCOMPARE(texts,
        QStringList(
            { QStringLiteral("paused for 0:01:30"), QStringLiteral("learning rate set to 0.01"),
                QStringLiteral("restarted after: rank 1 failed") }));
    MonitorPage page;
    page.resize(1200, 900);
    page.show();
    page.setRun(kPath);
    page.setSnapshot(kPath, sharedSnapshot(snapshot));
    PlotView* loss = plotOf(page, "loss");
    QCOMPARE(loss->curves().front().gaps.size(), size_t { 2 });
    loss->refresh();
    loss->plot()->replot();
    loss->showCrosshair(static_cast<double>(step));
    QVERIFY(textOf(*loss, "readOut").contains(texts[0]));
}

void TstMonitor::overflow_isAnAlertAndLossScaleAppears()
{
    run::Snapshot snapshot = foldRecording(kRecording, 700);
    MonitorPage page;
    page.setRun(kPath);
    page.setSnapshot(kPath, sharedSnapshot(snapshot));
    QVERIFY(plotOf(page, "lossScale")->isHidden());
    run::fold(snapshot, 0, { snapshot.lastTime, run::LossScaleChanged { 131, 32768, true } });
    run::fold(snapshot, 0, { snapshot.lastTime, run::Scalar { "train/loss_scale", 131, 32768 } });
    page.setSnapshot(kPath, sharedSnapshot(snapshot));
    QVERIFY(!plotOf(page, "lossScale")->isHidden());
    QCOMPARE(alertsOf(snapshot).front().title,
        QStringLiteral("Step 131: fp16 overflow, loss scale now 32768"));
}

void TstMonitor::crosshair_isTheSameInAllPlots()
{
    MonitorPage page;
    page.resize(1300, 900);
    page.setRun(kPath);
    page.setSnapshot(kPath, sharedSnapshot(foldRecording(kRecording)));
    page.show();
    for (PlotView* plot : page.board()->plots())
        plot->refresh();
    QCustomPlot* loss = plotOf(page, "loss")->plot();
    QTest::mouseMove(loss, loss->axisRect()->center());
    QTRY_VERIFY(plotOf(page, "lr")
                    ->findChild<QLabel*>(QStringLiteral("readOut"))
                    ->text()
                    .contains(QStringLiteral("step")));
    const auto lineKey = [](PlotView* plot) {
        auto* line = qobject_cast<QCPItemStraightLine*>(plot->plot()->item(0));
        return line->visible() ? line->point1->key() : -1.0;
    };
    QVERIFY(lineKey(plotOf(page, "loss")) > 0);
    QCOMPARE(lineKey(plotOf(page, "lr")), lineKey(plotOf(page, "loss")));
    QCOMPARE(lineKey(plotOf(page, "errors")), lineKey(plotOf(page, "loss")));
}

void TstMonitor::zoom_isTheSameInAllPlots()
{
    MonitorPage page;
    page.setRun(kPath);
    page.setSnapshot(kPath, sharedSnapshot(foldRecording(kRecording)));
    page.show();
    plotOf(page, "loss")->refresh();
    plotOf(page, "loss")->plot()->xAxis->setRange(100, 200); // as a drag or the wheel does
    QCOMPARE(plotOf(page, "gradNorm")->plot()->xAxis->range().lower, 100.0);
    QCOMPARE(plotOf(page, "gradNorm")->plot()->xAxis->range().upper, 200.0);
}

void TstMonitor::export_writesCsvOfAllCurves()
{
    QTemporaryDir folder;
    MonitorPage page;
    page.setRun(kPath);
    page.setSnapshot(kPath, sharedSnapshot(foldRecording(kRecording)));
    const QString path = folder.filePath(QStringLiteral("curves.csv"));
    QVERIFY(page.board()->prepareExport(path)());
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray csv = file.readAll();
    size_t numPoints = 0;
    for (const RecordedEvent& recorded : readRecording(kRecording))
        numPoints += std::holds_alternative<run::Scalar>(recorded.event.payload) ? 1 : 0;
    QCOMPARE(static_cast<size_t>(csv.count('\n')), numPoints + 1);
    QVERIFY(csv.contains("\nloss,train/loss,26,1795273144.477,inf\n"));
}

void TstMonitor::alertModel_keepsTheModelContract()
{
    AlertModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setAlerts(alertsOf(foldRecording(kRecording)));
    QCOMPARE(model.rowCount(), 12);
    QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
    model.setAlerts(alertsOf(foldRecording(kRecording)));
    QCOMPARE(reset.count(), 0); // nothing new: selection and scroll position stay
    model.setAlerts({});
    QCOMPARE(model.rowCount(), 0);
}

void TstMonitor::manyAlerts_areCountedNotListed()
{
    run::Snapshot snapshot;
    for (int64_t step = 1; step <= 5000; ++step)
        run::fold(snapshot, 0, { 1.0, run::NonFinite { step, "gradient", {}, true } });
    const std::vector<Alert> alerts = alertsOf(snapshot);
    QCOMPARE(alerts.size(), size_t { 201 });
    QVERIFY(alerts.front().title.contains(QStringLiteral("5000")));
    QVERIFY(alerts.back().title.contains(QStringLiteral("4800")));
}

void TstMonitor::batchesInParts_offerTheChangeOfTheRecipeOnce()
{
    run::Snapshot snapshot = foldRecording(kRecording, 600);
    MonitorPage page;
    page.resize(1000, 700);
    page.setRun(kPath);
    page.show();
    page.setSnapshot(kPath, sharedSnapshot(snapshot));
    auto* offer = page.findChild<InfoBar*>();
    QVERIFY(offer->isHidden());
    run::BatchSplit split { .step = 12,
        .utterances = { "a", "b" },
        .seconds = 6.25,
        .parts = 2,
        .cause = "backward: CUDA out of memory.",
        .recipe = "/recipes/数字.yaml",
        .overrides = { "batch_size=4", "grad_accumulation_factor=2" } };
    run::fold(snapshot, 1, { snapshot.lastTime + 1, split });
    page.setSnapshot(kPath, sharedSnapshot(snapshot));
    QVERIFY(offer->isVisible());
    QVERIFY2(
        offer->text().contains(QStringLiteral("batch_size: 4 and grad_accumulation_factor: 2")),
        qPrintable(offer->text()));
    const std::vector<Alert> alerts = alertsOf(snapshot);
    QVERIFY(std::any_of(alerts.begin(), alerts.end(), [](const Alert& alert) {
        return alert.title
            == QStringLiteral("After step 12: 2 utterances of up to 6.3 s do not fit into memory, "
                              "computed in 2 parts");
    }));
    takeScreenshots(page, QStringLiteral("monitor-in-parts"));
    QSignalSpy wanted(&page, &MonitorPage::recipeChangeWanted);
    offer->findChild<QPushButton*>()->click();
    QCOMPARE(wanted.size(), 1);
    QCOMPARE(wanted[0][0].toString(), QStringLiteral("/recipes/数字.yaml"));
    QCOMPARE(wanted[0][1].toStringList(),
        QStringList(
            { QStringLiteral("batch_size=4"), QStringLiteral("grad_accumulation_factor=2") }));
    page.setSnapshot(kPath, sharedSnapshot(snapshot));
    QVERIFY(offer->isHidden()); // taken, or dismissed
    split.parts = 4;
    run::fold(snapshot, 1, { snapshot.lastTime + 1, split });
    page.setSnapshot(kPath, sharedSnapshot(snapshot));
    QVERIFY(offer->isVisible());
    page.setRun(QStringLiteral("/runs/another"));
    QVERIFY(offer->isHidden());
}

void TstMonitor::screenshots()
{
    MonitorPage page;
    page.resize(1280, 860);
    page.setRun(kPath);
    page.show();
    page.setSnapshot(kPath, sharedSnapshot(foldRecording(kRecording, 1900)));
    takeScreenshots(page, QStringLiteral("monitor"));
    page.setSnapshot(kPath,
        sharedSnapshot(failedRun("rank 1 on host 'ws-3', step 117, train: CUDA out of memory, 2.1 "
                                 "GiB asked for, 0.4 GiB free")));
    page.findChild<QComboBox*>(QStringLiteral("xAxis"))->setCurrentIndex(1);
    page.board()->toolBar()->setSmoothing(0.875);
    takeScreenshots(page, QStringLiteral("monitor-failed"));
}

EARWRIGHT_TEST(TstMonitor)
#include "tst_monitor.moc"
