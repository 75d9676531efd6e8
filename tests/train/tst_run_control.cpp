#include "core/train/loop/run_control.h"

#include <QTemporaryDir>
#include <QTest>

#include "tests/registry.h"
#include "tests/train/part_context.h"

using namespace earwright;
using earwright::tests::PartContext;
using earwright::tests::Ranks;
using train::RunControl;
using train::Votes;

namespace {

/// Of an outside that asks every rank for everything.
train::Requests allRequests()
{
    return { .stop = [] { return true; },
        .checkpoint = [] { return true; },
        .pause = [] { return true; },
        .learningRate = [] { return std::optional(0.5); } };
}

/// "stop save pause 0.5", for comparisons.
std::string textOf(const Votes& votes)
{
    return std::string(votes.stop ? "stop " : "") + (votes.checkpoint ? "save " : "")
        + (votes.pause ? "pause " : "") + std::to_string(votes.learningRate).substr(0, 3);
}

/// What each rank has when `work` is done, "rank 0: …"; or what it threw.
std::vector<std::string> onRanks(int ranks, const QTemporaryDir& folder,
    const train::Requests& requests, const std::function<Votes(RunControl&)>& work)
{
    std::vector<std::string> ends(static_cast<size_t>(ranks));
    const auto thrown = Ranks(ranks).run([&](distributed::Group& group) {
        PartContext part(group, folder.path().toStdString(), requests);
        const train::TrainerContext context = part.context();
        RunControl control(context);
        ends[static_cast<size_t>(group.rank())] = textOf(work(control));
    });
    for (size_t rank = 0; rank < thrown.size(); ++rank)
        ends[rank] += thrown[rank];
    return ends;
}

} // namespace

class TstRunControl final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void otherRanks_voteForNothingThatIsDoneOnce()
    {
        const QTemporaryDir folder;
        const auto voted = onRanks(
            2, folder, allRequests(), [](RunControl& control) { return control.votes(); });
        QCOMPARE(voted, (std::vector<std::string> { "stop save pause 0.5", "stop 0.0" }));
    }

    void syncedRequests_areThoseOfRank0()
    {
        const QTemporaryDir folder;
        const auto agreed = onRanks(2, folder, allRequests(), [](RunControl& control) {
            control.syncRequests("requests", [&control] { return control.votes(); });
            return control.agreed();
        });
        QCOMPARE(
            agreed, (std::vector<std::string> { "stop save pause 0.5", "stop save pause 0.5" }));
    }

    void rank0_endsAPause()
    {
        const QTemporaryDir folder;
        const auto agreed = onRanks(2, folder, tests::noRequests(), [](RunControl& control) {
            control.agree({ .checkpoint = true, .pause = true, .learningRate = 0.5 });
            control.syncRequests("pause", [] { return Votes(); });
            return control.agreed();
        });
        QCOMPARE(agreed, (std::vector<std::string> { "save 0.5", "save 0.5" }));
    }

    void whatIsAgreedOn_staysUntilItIsDone()
    {
        const QTemporaryDir folder;
        const auto agreed = onRanks(1, folder, tests::noRequests(), [](RunControl& control) {
            control.agree({ .stop = true, .checkpoint = true, .pause = true });
            control.agree({});
            control.markSaved();
            return control.agreed();
        });
        QCOMPARE(agreed, (std::vector<std::string> { "stop pause 0.0" }));
    }

    void aLearningRateThatIsSet_isToBeSaved()
    {
        const QTemporaryDir folder;
        const auto agreed = onRanks(1, folder, tests::noRequests(), [](RunControl& control) {
            control.agree({ .learningRate = 0.5 });
            control.markLearningRateSet();
            return control.agreed();
        });
        QCOMPARE(agreed, (std::vector<std::string> { "save 0.0" }));
    }
};

EARWRIGHT_TEST(TstRunControl)
#include "tst_run_control.moc"
