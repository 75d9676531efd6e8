#include <QRegularExpression>
#include <QSet>
#include <QTemporaryDir>

#include "tests/engine/program.h"
#include "tests/engine/speech.h"
#include "tests/registry.h"

using namespace earwright::tests;

/// Ranks whose memory is limited, as processes.
class TstMemory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void oneRankShortOfMemory_holdsUpNobody();
    void oneUtterance_endsTheRunWithItsName();

private:
    QString limited(double mb) const { return m_folder.filePath(QString("limit %1").arg(mb)); }
    Ended train(const QString& run, double limitMb) const;

    QTemporaryDir m_folder;
};

namespace {

constexpr double kLongestS = 4; ///< of an utterance: five such fit into the first limit

} // namespace

void TstMemory::initTestCase()
{
    const RealData data = realData(m_folder.path());
    if (data.folder.isEmpty())
        QSKIP(kNoRealData);
    writeSet(m_folder.filePath("speech"), smallSet(data.folder, 30, kLongestS));
}

/// Of a batch of five rank 0 has three utterances and rank 1 two.
Ended TstMemory::train(const QString& run, double limitMb) const
{
    return runEarwright({ "train", EARWRIGHT_CASES_DIR "/train/equal/conformer.yaml",
        "--data_folder=" + m_folder.filePath("speech"), "--run-dir", run, "--devices", "cpu:2",
        "--number_of_epochs=1", "--optimizer_step_limit=6", "--batch_size=5",
        "--ctc_lin.n_neurons=40", "--replica_check_interval=1",
        "--cpu_memory_limit_mb=" + QString::number(limitMb) });
}

void TstMemory::oneRankShortOfMemory_holdsUpNobody()
{
    const QString plenty = m_folder.filePath("plenty");
    const Ended whole = train(plenty, 0);
    QVERIFY2(whole.code == 0, qPrintable(whole.errors));
    const auto expected = lossesOf(plenty);
    QSet<int64_t> shortOfMemory;
    for (double mb = 24; mb > 1 && shortOfMemory.isEmpty(); mb *= 0.9) {
        const Ended ended = train(limited(mb), mb);
        QVERIFY2(ended.code == 0, qPrintable(ended.errors));
        for (const earwright::run::LogLine& line : snapshotOf(limited(mb)).log) {
            if (line.text.find("do not fit into memory") != std::string::npos)
                shortOfMemory.insert(line.rank);
        }
        const auto found = lossesOf(limited(mb));
        QCOMPARE(found.size(), expected.size());
        for (const auto& [step, loss] : found)
            QVERIFY2(std::abs(loss - expected.at(step)) <= 0.01 * std::abs(expected.at(step)),
                qPrintable(QString("%1 MB, step %2").arg(mb).arg(step)));
    }
    QCOMPARE(shortOfMemory, QSet<int64_t> { 0 });
}

void TstMemory::oneUtterance_endsTheRunWithItsName()
{
    Ended ended;
    for (double mb = 4; mb > 0.1 && ended.code != 3; mb /= 2)
        ended = train(limited(mb), mb);
    QCOMPARE(ended.code, 3);
    const QRegularExpression named("utterance '[^']+' of \\d+\\.\\d+ s(, padded to \\d+\\.\\d+ s)? "
                                   "does not fit into memory by itself");
    QVERIFY2(ended.errors.contains(named), qPrintable(ended.errors));
}

EARWRIGHT_TEST(TstMemory)
#include "tst_memory.moc"
