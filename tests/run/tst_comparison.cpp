#include "core/base/file.h"
#include "core/run/comparison.h"
#include "tests/registry.h"

#include <cmath>
#include <QTemporaryDir>
#include <QTest>

using namespace earwright;
using namespace earwright::run;

namespace {

/// Losses by step.
using Losses = std::vector<std::pair<int64_t, double>>;

Snapshot withPoints(const std::string& tag, const Losses& points)
{
    Snapshot snapshot;
    for (const auto& [step, value] : points)
        fold(snapshot, 0, { 1000, Scalar { tag, step, value } });
    return snapshot;
}

CurveDifference between(const Losses& first, const Losses& second)
{
    return curveDifference(
        withPoints("train/loss", first), withPoints("train/loss", second), "train/loss");
}

/// 30 steps at one speed, one a second from `begin` on, beside other work on the machine.
Snapshot trainedFrom(double begin, double speed, double load = -1)
{
    Snapshot snapshot;
    for (int step = 1; step <= 30; ++step)
        fold(snapshot, 0, { begin + step, Scalar { "train/it_per_s", step, speed } });
    for (int i = 0; load >= 0 && i < 40; ++i) // validating took the last ten
        fold(snapshot, -1,
            { begin + i, Scalar { "system/cpu_percent", i, i <= 30 ? load : 100.0 } });
    return snapshot;
}

} // namespace

class TstComparison : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void losses_areComparedStepByStep()
    {
        const CurveDifference found = between({ { 1, 3.0 }, { 2, 2.5 }, { 3, 2.25 }, { 4, 2.0 } },
            { { 1, 3.0 }, { 3, 2.25 }, { 4, std::nextafter(2.0, 3.0) }, { 5, 9.0 } });
        QCOMPARE(found.sameSteps, 2);
        QCOMPARE(found.step, 4);
        QCOMPARE(found.first, 2.0);
        QVERIFY(found.second > 2.0);
    }

    void sameLosses_haveNoFirstDifference()
    {
        const double nan = std::nan("");
        const CurveDifference found
            = between({ { 1, 3.0 }, { 2, nan } }, { { 1, 3.0 }, { 2, nan }, { 3, 1.0 } });
        QCOMPARE(found.step, 0);
        QCOMPARE(found.sameSteps, 2);
        QCOMPARE(between({ { 1, 3.0 } }, { { 2, 4.0 } }).sameSteps, 0);
        QCOMPARE(curveDifference({}, {}, "train/loss").step, 0);
    }

    /// By the time that steps took, without the first five.
    void speed_isOfTheStepsBehindTheStart()
    {
        const Snapshot snapshot
            = withPoints("train/it_per_s", { { 1, 0.01 }, { 5, 0.01 }, { 6, 2.0 }, { 7, 4.0 } });
        QCOMPARE(trainingSpeed(snapshot), 2 / 0.75);
        QCOMPARE(trainingSpeed(withPoints("train/it_per_s", { { 3, 2.0 } })), -1.0);
        QCOMPARE(trainingSpeed({}), -1.0);
    }

    /// Of the second's steps only those count that are in the same seconds as the first's.
    void ratio_isOfStepsSideBySide()
    {
        const Snapshot first = trainedFrom(1000, 2.0);
        Snapshot second = trainedFrom(1005, 3.0);
        for (int step = 31; step <= 60; ++step) // alone on the machine
            fold(second, 0, { 1200.0 + step, Scalar { "train/it_per_s", step, 9.0 } });
        const SpeedRatio found = speedRatio(first, second, true);
        QVERIFY(found.isSideBySide());
        QCOMPARE(found.value, 1.5);
        QCOMPARE(found.secondSteps, 20); // 1011 to 1030
        QCOMPARE(found.firstSteps, 20);
        const SpeedRatio apart = speedRatio(first, second, false);
        QVERIFY(!apart.isSideBySide());
        QCOMPARE(apart.value, trainingSpeed(second) / 2.0);
    }

    void ratioOfOtherTimes_isOfAllSteps()
    {
        const SpeedRatio later
            = speedRatio(trainedFrom(1000, 2.0), trainedFrom(1006, 3.0), true); // 19 in both
        QVERIFY(!later.isSideBySide());
        QCOMPARE(later.value, 1.5);
        QCOMPARE(speedRatio({}, trainedFrom(1000, 2.0), true).value, -1.0);
        QCOMPARE(speedRatio(trainedFrom(1000, 2.0), {}, true).value, -1.0);
    }

    void load_isThatOfTheTraining()
    {
        QCOMPARE(machineLoad(trainedFrom(1000, 2.0, 35)).value(), 35.0);
        QVERIFY(!machineLoad(trainedFrom(1000, 2.0)));
        QVERIFY(!machineLoad({}));
    }

    void host_isThatOfTheVersions()
    {
        const QTemporaryDir dir;
        const RunFolder folder { dir.path().toStdString() };
        QCOMPARE(hostOf(folder), std::string());
        QVERIFY(writeFileAtomically(folder.path / "versions.json", R"({"host": "lab-3"})"));
        QCOMPARE(hostOf(folder), std::string("lab-3"));
        QVERIFY(writeFileAtomically(folder.path / "versions.json", "{"));
        QCOMPARE(hostOf(folder), std::string());
    }
};

EARWRIGHT_TEST(TstComparison)
#include "tst_comparison.moc"
