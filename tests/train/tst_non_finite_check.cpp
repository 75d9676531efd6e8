#include "core/train/loop/non_finite_check.h"

#include <QTemporaryDir>
#include <QTest>

#include "tests/registry.h"
#include "tests/train/part_context.h"

#include <limits>

using namespace earwright;
using earwright::tests::PartContext;
using earwright::tests::Ranks;
using train::NonFiniteCheck;
using train::Reading;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Reading finite()
{
    return { .loss = 1, .utterances = { "whole" } };
}

Reading notFiniteAt(int64_t step)
{
    return { .step = step, .loss = kNan, .isLossFinite = false, .utterances = { "broken" } };
}

/// Checks the readings of a run in turn. "" or how it ended, and what was the first that was not
/// finite.
std::pair<std::string, std::string> ended(
    int64_t patience, bool skips, const std::vector<Reading>& readings)
{
    const QTemporaryDir folder;
    std::pair<std::string, std::string> end;
    const auto thrown = Ranks(1).run([&](distributed::Group& group) {
        PartContext part(group, folder.path().toStdString());
        part.plan.options.nonfinitePatience = patience;
        part.plan.options.skipNonfiniteGrads = skips;
        part.plan.options.maxGradNorm = 0;
        const train::TrainerContext context = part.context();
        NonFiniteCheck check(context);
        for (const Reading& reading : readings) {
            if (const Status status = check.check(reading); !status && end.first.empty())
                end.first = status.error().message;
        }
        end.second = check.first();
    });
    if (!thrown.front().empty())
        end.first = "thrown: " + thrown.front();
    return end;
}

} // namespace

class TstNonFiniteCheck final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void moreInARowThanThePatience_endTheRun()
    {
        const auto [error, first] = ended(1, false, { notFiniteAt(3), notFiniteAt(4) });
        QCOMPARE(QString::fromStdString(error),
            QString("the loss was not finite in 2 steps in a row, last at step 4 in a batch with "
                    "'broken': lower the learning rate, set max_grad_norm, or look at these "
                    "utterances"));
        QCOMPARE(
            QString::fromStdString(first), QString("the loss of a batch with 'broken' at step 3"));
    }

    void aFiniteStepBetween_countsAnew()
    {
        QCOMPARE(
            ended(1, false, { notFiniteAt(3), finite(), notFiniteAt(5) }).first, std::string());
    }

    void gradientsThatAreSkipped_countForNothing()
    {
        const Reading skipped { .step = 1, .loss = 1, .foundInf = true };
        QCOMPARE(ended(0, true, { skipped, skipped }), (std::pair<std::string, std::string>()));
        QVERIFY(!ended(0, false, { skipped }).first.empty());
    }

    void anOverflow_isAnsweredByTheScale()
    {
        const Reading scaled { .step = 1, .loss = 1, .foundInf = true, .lossScale = 2 };
        const Reading useless { .step = 2, .loss = 1, .foundInf = true, .lossScale = 0.5 };
        QCOMPARE(ended(0, false, { scaled }).first, std::string());
        QVERIFY(!ended(0, false, { scaled, useless }).first.empty());
    }

    void rowsOfOthers_areTheirsToName()
    {
        const Reading ofOthers { .step = 7, .loss = kNan, .isLossFinite = true };
        QCOMPARE(ended(0, false, { ofOthers }).first,
            std::string("thrown: the loss was not finite in 1 steps in a row, last at step 7"));
    }
};

EARWRIGHT_TEST(TstNonFiniteCheck)
#include "tst_non_finite_check.moc"
