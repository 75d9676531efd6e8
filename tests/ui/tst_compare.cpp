#include "tests/registry.h"
#include "tests/ui/compared_runs.h"
#include "tests/ui/screenshot.h"
#include "ui/compare/compare_page.h"
#include "ui/compare/report.h"
#include "ui/widgets/plot_board.h"
#include "ui/widgets/qcp.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QMouseEvent>
#include <QStyleFactory>
#include <QTemporaryDir>

using namespace earwright;
using namespace earwright::ui;

/// The page of comparisons and its report; their figures are tst_compare_table's.
class TstCompare : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void names_areCutToWhatTellsThemApart();
    void curves_areOneARunAndSameColorsDiffer();
    void baseline_staysWhileRunsAreLive();
    void baselineBox_isUsedWhileRunsAreLive();
    void report_isWrittenInEachFormat();
    void reportOfMissingFolder_namesIt();
    void hotwords_havePlotsWhereARunHasSome();
    void baselineBox_tellsTheWholeName();
    void manyLongNames_leaveThePlotItsRoom();
    void hoveredRow_highlightsItsCurves();
    void screenshots();
};

void TstCompare::initTestCase()
{
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
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

void TstCompare::report_isWrittenInEachFormat()
{
    QTemporaryDir folder;
    for (const char* suffix : { "png", "pdf", "svg" }) {
        const QString path = folder.filePath(QStringLiteral("report.") + QLatin1String(suffix));
        QVERIFY(reportExport(path, bothRuns())());
        QVERIFY2(QFileInfo(path).size() > 20000, suffix);
    }
    const QImage image(folder.filePath(QStringLiteral("report.png")));
    bool hasCurve = false;
    for (int y = image.height() / 4; y < image.height() && !hasCurve; ++y) {
        for (int x = 0; x < image.width() && !hasCurve; ++x)
            hasCurve = image.pixelColor(x, y) == runColor(QStringLiteral("/runs/digits_bf16"));
    }
    QVERIFY(hasCurve);
    QVERIFY(!reportExport(folder.filePath(QStringLiteral("missing/report.png")), bothRuns())());
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
    QVERIFY(reportExport(path, runs)());
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
    QVERIFY(reportExport(path, runs)());
    QVERIFY(QImage(path).height() > height);
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

void TstCompare::hoveredRow_highlightsItsCurves()
{
    ComparePage page;
    page.setRuns(bothRuns());
    page.resize(1200, 900);
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    auto* table = page.findChild<QAbstractItemView*>(QStringLiteral("compareTable"));
    PlotView* plot = page.board()->plots().front();
    const auto alphaOfFirst = [plot] {
        plot->refresh();
        return plot->plot()->graph(0)->pen().color().alphaF();
    };
    const auto moveTo = [table](const QPointF& place) {
        QMouseEvent move(QEvent::MouseMove, place, table->viewport()->mapToGlobal(place),
            Qt::NoButton, Qt::NoButton, Qt::NoModifier);
        QApplication::sendEvent(table->viewport(), &move);
    };
    const auto before = alphaOfFirst();
    moveTo(table->visualRect(table->model()->index(1, 0)).center());
    QVERIFY(alphaOfFirst() < before);
    moveTo(table->visualRect(table->model()->index(0, 0)).center());
    QCOMPARE(alphaOfFirst(), before);
    moveTo(table->visualRect(table->model()->index(1, 0)).center());
    QVERIFY(alphaOfFirst() < before);
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(table->viewport(), &leave);
    QCOMPARE(alphaOfFirst(), before);
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
    QVERIFY(reportExport(screenshotFolder() + QStringLiteral("/report.png"), runs)());
    runs = hotwordRuns();
    page.setRuns(runs);
    takeScreenshots(page, QStringLiteral("compare-hotwords"));
    QVERIFY(reportExport(screenshotFolder() + QStringLiteral("/report-hotwords.png"), runs)());
}

EARWRIGHT_TEST(TstCompare)
#include "tst_compare.moc"
