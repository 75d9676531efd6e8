#include <QTemporaryDir>
#include <QTest>

#include "tests/registry.h"
#include "tests/train/asked.h"
#include "tests/train/rank_run.h"

using namespace earwright;
using earwright::tests::Asked;
using earwright::tests::RankRun;

namespace {

std::vector<std::pair<int64_t, double>> scalesOf(const RankRun& run)
{
    std::vector<std::pair<int64_t, double>> scales;
    const run::Snapshot snapshot = run.snapshot();
    const auto found = snapshot.series.find("train/loss_scale");
    if (found != snapshot.series.end()) {
        for (const run::Point& point : found->second.points())
            scales.emplace_back(point.step, point.value);
    }
    return scales;
}

/// Of the last checkpoint: the names that differ from those of another, or are missing.
std::vector<std::string> differences(const RankRun& expected, const RankRun& found)
{
    const auto load = [](const RankRun& run) {
        return *train::loadCheckpoint(
            *train::lastCheckpoint(run::RunFolder { run.folder }.checkpoints()));
    };
    const train::Checkpoint a = load(expected);
    const train::Checkpoint b = load(found);
    std::vector<std::string> names;
    for (const auto& [mine, other] :
        { std::pair { &a.model, &b.model }, std::pair { &a.training, &b.training } }) {
        for (const auto& [name, tensor] : *mine) {
            const auto same = other->find(name);
            const bool isShared = name.starts_with("generator."); // by the threads of both ranks
            if (!isShared && (same == other->end() || !same->second.equal(tensor)))
                names.push_back(name);
        }
    }
    return names;
}

} // namespace

/// fp16's loss scale in a whole run of two ranks, on the CPU.
class TstLossScale : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void resumedRun_goesOnWithTheScaleOfAnUninterruptedOne();

private:
    RankRun runOf(const QString& name) const;

    QTemporaryDir m_folder;
    std::filesystem::path m_weights;
};

void TstLossScale::initTestCase()
{
    tests::writeNoises(m_folder.filePath("data").toStdString(), 19);
    // All begin with the same weights: threads share one generator and would draw others.
    RankRun initial = runOf("initial");
    initial.overrides = { "--optimizer_step_limit=1" };
    initial.ranks = 1;
    initial.precision = "fp32";
    QCOMPARE(initial.train(), QString());
    m_weights = *train::lastCheckpoint(run::RunFolder { initial.folder }.checkpoints())
        / "model.safetensors";
}

RankRun TstLossScale::runOf(const QString& name) const
{
    // A sum over many frames: the first steps overflow.
    RankRun run { .folder = m_folder.filePath(name).toStdString(),
        .data = m_folder.filePath("data").toStdString(),
        .recipe = EARWRIGHT_CASES_DIR "/train/equal/conformer.yaml",
        .overrides = { "--batch_size=4", "--optimizer_step_limit=12", "--ctc_cost.reduction=sum",
            "--opt_class.lr=0.0001" },
        .ranks = 2,
        .precision = "fp16" };
    if (!m_weights.empty())
        run.overrides.push_back("--init_param=" + m_weights.string());
    return run;
}

void TstLossScale::resumedRun_goesOnWithTheScaleOfAnUninterruptedOne()
{
    const RankRun whole = runOf("whole");
    QCOMPARE(whole.train(), QString());
    const auto scales = scalesOf(whole);
    QCOMPARE(scales.size(), size_t(12));
    QStringList seen;
    for (const auto& [step, scale] : scales)
        seen << QString::number(scale);
    QVERIFY2(scales.front().second < 65536 && scales[10].second == scales.back().second,
        qPrintable("the scale was to back off in the first steps, and training to recover from it: "
            + seen.join(' ')));

    Asked asked("stop", "train", 7); // in the second epoch, which begins with step 6
    RankRun parts = runOf("parts");
    parts.requests = asked.requests();
    train::Outcome outcome = train::Outcome::Done;
    QCOMPARE(parts.train(&outcome), QString());
    QCOMPARE(outcome, train::Outcome::Stopped);
    QCOMPARE(parts.snapshot().step, 7);
    QVERIFY(!differences(whole, parts).empty());
    parts.requests = tests::noRequests();
    QCOMPARE(parts.train(&outcome), QString());
    QCOMPARE(scalesOf(parts), scales);
    QCOMPARE(differences(whole, parts), std::vector<std::string>());
}

EARWRIGHT_TEST(TstLossScale)
#include "tst_loss_scale.moc"
