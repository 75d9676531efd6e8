#include <QTemporaryDir>
#include <QTest>

#include "core/base/file.h"
#include "core/train/checkpoint.h"

#include <csignal>
#include <sys/resource.h>
#include <sys/wait.h>

using namespace kymo::train;
namespace fs = std::filesystem;

namespace {

Checkpoint checkpointAt(int64_t step, int64_t size = 1000)
{
    const auto value = static_cast<double>(step);
    return { .progress
        = { .epoch = 2, .batchesDone = 3, .step = step, .bestMetric = 12.5, .schedule = "{}" },
        .model = { { "enc.w", torch::full({ size }, value) } },
        .training = { { "lr", torch::tensor({ value }, torch::kFloat64) } } };
}

/// Every file written meanwhile may have at most so many bytes, as on a disk that fills up.
class DiskLimit {
public:
    explicit DiskLimit(rlim_t bytes)
    {
        std::signal(SIGXFSZ, SIG_IGN);
        getrlimit(RLIMIT_FSIZE, &m_before);
        const rlimit limit { bytes, m_before.rlim_max };
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~DiskLimit() { setrlimit(RLIMIT_FSIZE, &m_before); }

private:
    rlimit m_before {};
};

} // namespace

class TstCheckpoint : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void saved_comesBackWhole();
    void sameStepAgain_replacesTheOld();
    void older_areRemovedButNotTheBest();
    void truncatedFile_isPassedOver();
    void changedByte_isRefusedByName();
    void newerVersion_isRefused();
    void fullDisk_keepsTheEarlierAndSaysWhy();
    void killedWhileSaving_alwaysLeavesAGoodOne();
};

void TstCheckpoint::saved_comesBackWhole()
{
    QTemporaryDir folder;
    const fs::path path = folder.path().toStdString();
    const auto name = saveCheckpoint(path, checkpointAt(7), true);
    QVERIFY2(bool(name), name ? "" : name.error().message.c_str());
    QCOMPARE(lastCheckpoint(path).value(), path / "step-7");
    QCOMPARE(bestCheckpoint(path).value(), path / "step-7");
    const auto loaded = loadCheckpoint(path / "step-7");
    QVERIFY(bool(loaded));
    QVERIFY(torch::equal(loaded->model.at("enc.w"), torch::full({ 1000 }, 7.0)));
    QCOMPARE(loaded->training.at("lr").item<double>(), 7.0);
    QCOMPARE(loaded->progress.epoch, 2);
    QCOMPARE(loaded->progress.batchesDone, 3);
    QCOMPARE(loaded->progress.bestMetric, 12.5);
}

void TstCheckpoint::sameStepAgain_replacesTheOld()
{
    QTemporaryDir folder;
    const fs::path path = folder.path().toStdString();
    QVERIFY(bool(saveCheckpoint(path, checkpointAt(7, 10), false)));
    QVERIFY(bool(saveCheckpoint(path, checkpointAt(7, 20), false)));
    QCOMPARE(loadCheckpoint(path / "step-7")->model.at("enc.w").numel(), 20);
    QVERIFY(!fs::exists(path / "step-7.partial"));
}

void TstCheckpoint::older_areRemovedButNotTheBest()
{
    QTemporaryDir folder;
    const fs::path path = folder.path().toStdString();
    QVERIFY(bool(saveCheckpoint(path, checkpointAt(1), true)));
    QVERIFY(bool(saveCheckpoint(path, checkpointAt(2), false)));
    QVERIFY(bool(saveCheckpoint(path, checkpointAt(3), false)));
    QVERIFY(fs::exists(path / "step-1"));
    QVERIFY(!fs::exists(path / "step-2"));
    QVERIFY(fs::exists(path / "step-3"));
}

void TstCheckpoint::truncatedFile_isPassedOver()
{
    QTemporaryDir folder;
    const fs::path path = folder.path().toStdString();
    QVERIFY(bool(saveCheckpoint(path, checkpointAt(1), true)));
    QVERIFY(bool(saveCheckpoint(path, checkpointAt(2), false)));
    fs::resize_file(path / "step-2" / "model.safetensors", 100);
    QCOMPARE(lastCheckpoint(path).value(), path / "step-1");
}

void TstCheckpoint::changedByte_isRefusedByName()
{
    QTemporaryDir folder;
    const fs::path path = folder.path().toStdString();
    QVERIFY(bool(saveCheckpoint(path, checkpointAt(1), true)));
    const fs::path file = path / "step-1" / "model.safetensors";
    std::string bytes = *kymo::readFile(file);
    bytes.back() = static_cast<char>(bytes.back() + 1);
    QVERIFY(bool(kymo::writeFileAtomically(file, bytes)));
    const auto loaded = loadCheckpoint(path / "step-1");
    QVERIFY(!loaded);
    QVERIFY2(loaded.error().message.find("model.safetensors") != std::string::npos,
        loaded.error().message.c_str());
}

void TstCheckpoint::newerVersion_isRefused()
{
    QTemporaryDir folder;
    const fs::path path = folder.path().toStdString();
    QVERIFY(bool(saveCheckpoint(path, checkpointAt(1), true)));
    QVERIFY(
        bool(kymo::writeFileAtomically(path / "step-1" / "manifest.json", R"({"version": 99})")));
    const auto loaded = loadCheckpoint(path / "step-1");
    QVERIFY(!loaded);
    QVERIFY2(loaded.error().message.find("newer Kymo") != std::string::npos,
        loaded.error().message.c_str());
}

void TstCheckpoint::fullDisk_keepsTheEarlierAndSaysWhy()
{
    QTemporaryDir folder;
    const fs::path path = folder.path().toStdString();
    QVERIFY(bool(saveCheckpoint(path, checkpointAt(1), true)));
    for (const rlim_t limit : { rlim_t(0), rlim_t(100), rlim_t(4096) }) {
        const DiskLimit full(limit);
        const auto saved = saveCheckpoint(path, checkpointAt(2, 100000), true);
        QVERIFY(!saved);
        QVERIFY2(saved.error().message.find("step-2 was not saved") != std::string::npos,
            saved.error().message.c_str());
    }
    QCOMPARE(lastCheckpoint(path).value(), path / "step-1");
    QVERIFY(bool(loadCheckpoint(path / "step-1")));
    QVERIFY(!fs::exists(path / "step-2.partial"));
}

void TstCheckpoint::killedWhileSaving_alwaysLeavesAGoodOne()
{
    QTemporaryDir folder;
    const fs::path path = folder.path().toStdString();
    QVERIFY(bool(saveCheckpoint(path, checkpointAt(1, 50000), true)));
    for (int round = 0; round < 20; ++round) {
        const pid_t child = fork();
        if (child == 0) {
            for (int64_t step = 2;; ++step)
                (void)saveCheckpoint(path, checkpointAt(step % 5 + 1, 50000), step % 2 == 0);
        }
        usleep(static_cast<useconds_t>(
            1500 * round + 500)); // the moment of the kill, not a wait for something
        kill(child, SIGKILL);
        waitpid(child, nullptr, 0);
        const auto last = lastCheckpoint(path);
        QVERIFY(last.has_value());
        const auto loaded = loadCheckpoint(*last);
        QVERIFY2(bool(loaded), loaded ? "" : loaded.error().message.c_str());
        QCOMPARE(loaded->model.at("enc.w")[0].item<double>(),
            static_cast<double>(loaded->progress.step));
    }
}

QTEST_GUILESS_MAIN(TstCheckpoint)
#include "tst_checkpoint.moc"
