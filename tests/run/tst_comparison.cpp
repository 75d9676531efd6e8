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

LossDifference between(const Losses& first, const Losses& second)
{
    return lossDifference(withPoints("train/loss", first), withPoints("train/loss", second));
}

} // namespace

class TstComparison : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void losses_areComparedStepByStep()
    {
        const LossDifference found = between({ { 1, 3.0 }, { 2, 2.5 }, { 3, 2.25 }, { 4, 2.0 } },
            { { 1, 3.0 }, { 3, 2.25 }, { 4, std::nextafter(2.0, 3.0) }, { 5, 9.0 } });
        QCOMPARE(found.sameSteps, 2);
        QCOMPARE(found.step, 4);
        QCOMPARE(found.first, 2.0);
        QVERIFY(found.second > 2.0);
    }

    void sameLosses_haveNoFirstDifference()
    {
        const double nan = std::nan("");
        const LossDifference found
            = between({ { 1, 3.0 }, { 2, nan } }, { { 1, 3.0 }, { 2, nan }, { 3, 1.0 } });
        QCOMPARE(found.step, 0);
        QCOMPARE(found.sameSteps, 2);
        QCOMPARE(between({ { 1, 3.0 } }, { { 2, 4.0 } }).sameSteps, 0);
        QCOMPARE(lossDifference({}, {}).step, 0);
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
