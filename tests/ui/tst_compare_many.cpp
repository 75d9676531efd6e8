#include "core/run/run_folder.h"
#include "tests/files.h"
#include "tests/registry.h"
#include "tests/ui/recorded_run.h"
#include "ui/compare/compare_curves.h"
#include "ui/compare/compare_model.h"
#include "ui/compare/compare_page.h"
#include "ui/compare/speed_bars.h"
#include "ui/widgets/figure_table.h"
#include "ui/widgets/plot_board.h"
#include "ui/widgets/plot_tool_bar.h"

#include <QItemSelectionModel>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>

using namespace earwright;
using namespace earwright::ui;

namespace {

constexpr int64_t kSteps = 50;

/// A run whose loss stays what it is.
std::shared_ptr<const run::Snapshot> steadyRun(double loss, double speed = 1)
{
    run::Snapshot snapshot;
    for (int64_t step = 1; step <= kSteps; ++step) {
        const auto time = static_cast<double>(1000 + step);
        run::fold(snapshot, 0, { time, run::Scalar { "train/loss", step, loss } });
        run::fold(snapshot, 0, { time, run::Scalar { "train/it_per_s", step, speed } });
    }
    return sharedSnapshot(std::move(snapshot));
}

/// Run i has loss i + 1 and makes i + 1 steps a second.
std::vector<CompareRun> steadyRuns(int count, bool areRead = true)
{
    std::vector<CompareRun> runs;
    for (int i = 0; i < count; ++i) {
        const QString name = QStringLiteral("seed=%1").arg(i);
        runs.push_back({ QStringLiteral("/runs/") + name, name, Qt::blue,
            areRead ? steadyRun(i + 1, i + 1) : nullptr });
    }
    return runs;
}

QStringList labelsOf(const std::vector<PlotCurve>& curves)
{
    QStringList labels;
    for (const PlotCurve& curve : curves)
        labels << curve.label;
    return labels;
}

std::shared_ptr<run::Series> line(const std::vector<std::pair<int64_t, double>>& points)
{
    auto series = std::make_shared<run::Series>();
    for (const auto& [step, value] : points)
        series->append({ step, 0, value });
    return series;
}

std::vector<PlotCurve> curvesOf(const std::vector<std::shared_ptr<run::Series>>& lines)
{
    std::vector<PlotCurve> curves;
    for (const auto& series : lines) {
        PlotCurve curve;
        curve.name = QString::number(curves.size());
        curve.series = series;
        curves.push_back(curve);
    }
    return curves;
}

/// Of the last point before a step.
double at(const run::Series& series, int64_t step)
{
    return series.points().at(series.lowerBoundStep(step) - 1).value;
}

} // namespace

/// More runs than curves can be told apart.
class TstCompareMany : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void band_reachesFromTheLeastToTheGreatest();
    void band_leavesOutWhatIsNotThere();
    void band_followsTheAxis();
    void changedCurve_changesTheBand();
    void manyRuns_areABandWithItsExtremesNamed();
    void selectedRun_hasItsOwnCurve();
    void snapshotsOfManyRuns_areTakenTogether();
    void export_hasThePointsOfEveryRun();
    void bars_areTheFastestAndTheSlowest();
    void overrides_nameTheRuns();
    void overrides_areReadFromTheRunFolders();
};

void TstCompareMany::band_reachesFromTheLeastToTheGreatest()
{
    const auto lines = CurveBand().of(
        curvesOf({ line({ { 0, 1 }, { 1000, 1 } }), line({ { 0, 2 }, { 1000, 2 } }),
            line({ { 0, 0 }, { 1000, 9 } }), line({ { 0, 4 }, { 1000, 4 } }) }),
        XAxis::Step);
    QVERIFY(at(*lines.least, 90) < 0.9);
    QCOMPARE(at(*lines.greatest, 90), 4.0);
    QVERIFY(at(*lines.greatest, 990) > 8.8);
    QCOMPARE(at(*lines.median, 90), 1.5); // of 0.8, 1, 2 and 4
    QCOMPARE(at(*lines.median, 990), 3.0); // of 1, 2, 4 and 8.9
}

void TstCompareMany::band_leavesOutWhatIsNotThere()
{
    const double nan = std::nan("");
    const auto lines
        = CurveBand().of(curvesOf({ line({ { 0, 1 }, { 1000, 1 } }), line({ { 0, 7 }, { 500, 7 } }),
                             line({ { 0, nan }, { 500, nan }, { 1000, nan } }) }),
            XAxis::Step);
    QCOMPARE(at(*lines.greatest, 400), 7.0);
    QCOMPARE(at(*lines.greatest, 600), 1.0); // the second has ended
    QCOMPARE(at(*lines.median, 400), 4.0);
    for (const run::Point& point : lines.median->points())
        QVERIFY(std::isfinite(point.value));
}

void TstCompareMany::band_followsTheAxis()
{
    std::vector<PlotCurve> curves = curvesOf({ line({ { 0, 1 }, { 1000, 1 } }) });
    curves[0].origin.stepsPerEpoch = 100;
    const auto lines = CurveBand().of(curves, XAxis::Epoch);
    const double first = keyOf(lines.median->points().front(), XAxis::Epoch, lines.origin);
    const double last = keyOf(lines.median->points().back(), XAxis::Epoch, lines.origin);
    QVERIFY2(first > 0 && first < 0.1, qPrintable(QString::number(first)));
    QVERIFY2(last > 9.8 && last <= 10.1, qPrintable(QString::number(last)));
}

void TstCompareMany::changedCurve_changesTheBand()
{
    CurveBand band;
    std::vector<PlotCurve> curves
        = curvesOf({ line({ { 0, 1 }, { 1000, 1 } }), line({ { 0, 2 }, { 1000, 2 } }) });
    QCOMPARE(at(*band.of(curves, XAxis::Step).greatest, 500), 2.0);
    curves[1].series = line({ { 0, 5 }, { 1000, 5 } });
    QCOMPARE(at(*band.of(curves, XAxis::Step).greatest, 500), 5.0);
    curves.erase(curves.begin() + 1);
    QCOMPARE(at(*band.of(curves, XAxis::Step).greatest, 500), 1.0);
}

void TstCompareMany::manyRuns_areABandWithItsExtremesNamed()
{
    DrawnCurves drawn;
    const auto few = drawn.of(steadyRuns(12), XAxis::Step, {});
    QCOMPARE(few.front().size(), size_t { 12 });
    const std::vector<PlotCurve> curves
        = drawn.of(steadyRuns(40), XAxis::Step, { QStringLiteral("/runs/seed=7") }).front();
    QCOMPARE(labelsOf(curves),
        QStringList({ QStringLiteral("40 runs, least to greatest"), QStringLiteral("their median"),
            QStringLiteral("seed=0 (ends least)"), QStringLiteral("seed=7"),
            QStringLiteral("seed=39 (ends greatest)") }));
    QVERIFY(curves[0].floor);
    QCOMPARE(at(*curves[0].series, 20), 40.0);
    QCOMPARE(at(*curves[0].floor, 20), 1.0);
    QCOMPARE(at(*curves[1].series, 20), 20.5);
}

void TstCompareMany::selectedRun_hasItsOwnCurve()
{
    ComparePage page;
    page.setRuns(steadyRuns(20));
    const auto labels = [&page] { return labelsOf(page.board()->plots().front()->curves()); };
    QVERIFY(!labels().contains(QStringLiteral("seed=5")));
    page.findChild<FigureTable*>(QStringLiteral("compareTable"))->selectRow(5);
    QVERIFY2(
        labels().contains(QStringLiteral("seed=5")), qPrintable(labels().join(QLatin1Char(' '))));
    page.findChild<PlotToolBar*>()->setXAxis(XAxis::RelativeTime);
    Q_EMIT page.findChild<PlotToolBar*>()->xAxisChosen(XAxis::RelativeTime);
    const std::vector<PlotCurve> curves = page.board()->plots().front()->curves();
    const auto end = [](const PlotCurve& curve) {
        return keyOf(curve.series->points().back(), XAxis::RelativeTime, curve.origin);
    };
    QVERIFY(std::abs(end(curves.front()) - end(curves.back())) < 1);
}

/// Each alone would rebuild the whole of it.
void TstCompareMany::snapshotsOfManyRuns_areTakenTogether()
{
    constexpr int kRuns = 300;
    ComparePage page;
    page.setRuns(steadyRuns(kRuns, false));
    QSignalSpy changes(page.model(), &QAbstractItemModel::dataChanged);
    for (const CompareRun& run : steadyRuns(kRuns))
        page.setSnapshot(run.path, run.snapshot);
    page.setSnapshot(QStringLiteral("/runs/another"), steadyRun(1));
    QVERIFY(!page.isUpToDate());
    QTRY_VERIFY(page.isUpToDate());
    QVERIFY2(changes.size() <= kRuns / 20, qPrintable(QString::number(changes.size())));
    const QModelIndex last = page.model()->index(kRuns - 1, 0);
    QCOMPARE(last.data(CompareModel::PathRole).toString(), QStringLiteral("/runs/seed=299"));
    QTRY_COMPARE(labelsOf(page.board()->plots().front()->curves()).value(0),
        QStringLiteral("300 runs, least to greatest"));
    changes.clear();
    page.setSnapshot(QStringLiteral("/runs/seed=17"), steadyRun(1000));
    QTRY_VERIFY(page.isUpToDate());
    QCOMPARE(changes.size(), 1);
    QCOMPARE(changes[0][0].toModelIndex().row(), 17);
    QCOMPARE(changes[0][1].toModelIndex().row(), 17);
}

void TstCompareMany::export_hasThePointsOfEveryRun()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("points.csv"));
    ComparePage page;
    page.setRuns(steadyRuns(20));
    QVERIFY(page.preparePointsExport(path)());
    QCOMPARE(bytesOf(path).count("trainLoss,/runs/seed="), static_cast<qsizetype>(20 * kSteps));
}

void TstCompareMany::bars_areTheFastestAndTheSlowest()
{
    const std::vector<CompareRun> runs = steadyRuns(100);
    const std::vector<CompareRun> shown = runsWithBars(runs, runs[50].path);
    QStringList names;
    for (const CompareRun& run : shown)
        names << run.name.section(QLatin1Char('='), 1);
    QCOMPARE(names.join(QLatin1Char(' ')), QStringLiteral("99 98 97 96 95 94 50 4 3 2 1 0"));
    QCOMPARE(runsWithBars(steadyRuns(12), {}).size(), size_t { 12 });
}

void TstCompareMany::overrides_nameTheRuns()
{
    const auto named = [](const QStringList& names, std::vector<std::vector<std::string>> of) {
        std::vector<CompareRun> runs;
        OverridesByPath overrides;
        for (size_t i = 0; i < of.size(); ++i) {
            const QString path = QString::number(i);
            runs.push_back({ path, names[static_cast<qsizetype>(i)], Qt::blue, nullptr });
            overrides.insert(path, of[i]);
        }
        nameByDifferences(runs, names, overrides);
        QStringList found;
        for (const CompareRun& run : runs)
            found << run.name;
        return found.join(QLatin1Char('|'));
    };
    const QStringList timed { QStringLiteral("demo-20261121-154555"),
        QStringLiteral("demo-20261121-160102") };
    QCOMPARE(named(timed, { { "seed=13", "lr=1", "epochs=3" }, { "seed=14", "lr=1" } }),
        QStringLiteral("demo · seed=13, epochs=3|demo · seed=14"));
    QCOMPARE(named(timed, { { "seed=13" }, {} }), QStringLiteral("demo · seed=13|demo"));
    QCOMPARE(named(timed, { { "seed=13" }, { "seed=13" } }), timed.join(QLatin1Char('|')));
}

void TstCompareMany::overrides_areReadFromTheRunFolders()
{
    QTemporaryDir root;
    std::vector<CompareRun> runs;
    for (const char* seed : { "--seed=13", "--seed=14" }) {
        plan::Plan plan;
        plan.name = "demo";
        plan.recipeFile = "demo.yaml";
        plan.overrides = { seed, "--lr=1" };
        plan.devices = { "cpu" };
        const QString path = root.filePath(QLatin1String(seed));
        QVERIFY(run::createRunFolder(path.toStdString(), plan));
        runs.push_back({ path, QStringLiteral("demo"), Qt::blue, steadyRun(1) });
    }
    ComparePage page;
    page.setRuns(runs);
    QTRY_COMPARE(page.model()->index(1, 0).data().toString(), QStringLiteral("demo · seed=14"));
    QCOMPARE(page.model()->index(0, 1).data().toString(), QStringLiteral("seed=13"));
    page.setRuns(runs); // what was read is known
    QCOMPARE(page.model()->index(1, 0).data().toString(), QStringLiteral("demo · seed=14"));
}

EARWRIGHT_TEST(TstCompareMany)
#include "tst_compare_many.moc"
