#include <QTemporaryDir>
#include <QTest>

#include "tests/registry.h"
#include "tests/train/rank_run.h"

using namespace earwright;
using earwright::tests::RankRun;

/// What is found before the first step.
class TstDryRun : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void statisticsThatNoEpochLearns_areMissed();

private:
    QTemporaryDir m_folder;
};

void TstDryRun::statisticsThatNoEpochLearns_areMissed()
{
    tests::writeNoises(m_folder.filePath("data").toStdString(), 8);
    RankRun run { .folder = m_folder.filePath("without statistics").toStdString(),
        .data = m_folder.filePath("data").toStdString(),
        .recipe = EARWRIGHT_CASES_DIR "/train/non_finite.yaml",
        .overrides = { "--optimizer_step_limit=1" } };
    QCOMPARE(run.train(), QString());
    const auto weights = *train::lastCheckpoint(run::RunFolder { run.folder }.checkpoints());
    run.folder = m_folder.filePath("run").toStdString();
    run.overrides = { "--normalize.update_until_epoch=1", "--normalize.norm_type=global",
        "--optimizer_step_limit=1", "--init_param=" + (weights / "model.safetensors").string() };
    const QString error = run.train();
    for (const char* part : { "norm_type: global", "update_until_epoch, here 1. Set it to 2" })
        QVERIFY2(error.contains(part), qPrintable(error));
    QCOMPARE(run.snapshot().phase, std::string("prepare"));
    run.overrides[0] = "--normalize.update_until_epoch=2";
    QCOMPARE(run.train(), QString());
}

EARWRIGHT_TEST(TstDryRun)
#include "tst_dry_run.moc"
