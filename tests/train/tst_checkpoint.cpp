#include <QTemporaryDir>
#include <QTest>

#include "core/base/file.h"
#include "core/train/weights/checkpoint.h"
#include "core/train/weights/checkpoint_folder.h"
#include "tests/registry.h"
#include "tests/train/file_changes.h"

#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <limits>
#include <set>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace earwright::train;
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

double valueOf(const fs::path& path)
{
    const auto loaded = loadCheckpoint(path);
    return loaded ? loaded->model.at("enc.w")[0].item<double>() : -1;
}

/// Step 1, the best, and step 2; about to save `step` with tensors of value `step`.
struct Saving {
    QTemporaryDir folder;
    fs::path path = fs::canonical(folder.path().toStdString());

    Saving()
    {
        (void)saveCheckpoint(path, checkpointAt(1), true);
        (void)saveCheckpoint(path, checkpointAt(2), false);
    }
};

/// Whether the file system can exchange two names; NFS, Lustre and CIFS cannot.
bool g_canExchange = true;

/// The saves whose every moment is looked at.
void addSaves()
{
    QTest::addColumn<int64_t>("step");
    QTest::addColumn<bool>("best");
    QTest::addColumn<bool>("canExchange");
    QTest::newRow("new") << int64_t { 3 } << false << true;
    QTest::newRow("new and best") << int64_t { 3 } << true << true;
    QTest::newRow("same step again") << int64_t { 2 } << false << true;
    QTest::newRow("same step again, NFS") << int64_t { 2 } << true << false;
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

/// In glibc's place.
extern "C" int renameat2(
    int oldFolder, const char* oldName, int newFolder, const char* newName, unsigned flags) noexcept
{
    if (g_canExchange || (flags & RENAME_EXCHANGE) == 0)
        return static_cast<int>(
            syscall(SYS_renameat2, oldFolder, oldName, newFolder, newName, flags));
    errno = EINVAL;
    return -1;
}

class TstCheckpoint : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { g_canExchange = true; }
    void saved_comesBackWhole();
    void lossThatIsNotFinite_comesBackAsNone_data();
    void lossThatIsNotFinite_comesBackAsNone();
    void sameStepAgain_replacesTheOld_data();
    void sameStepAgain_replacesTheOld();
    void oneThatWasSetAside_isReadAndPutBack();
    void older_areRemovedButNotTheBest();
    void newest_areKeptAsManyAsAsked();
    void best_areKeptAndOfEqualsTheNewer();
    void unvalidated_areNoneOfTheBest();
    void repeatedSave_keepsItsValidation();
    void writtenByName_isNoCheckpointOfTheRun();
    void truncatedFile_isPassedOver();
    void changedByte_isRefusedByName();
    void newerVersion_isRefused();
    void damagedManifest_isRefusedInWords_data();
    void damagedManifest_isRefusedInWords();
    void fullDisk_keepsTheEarlierAndSaysWhy();
    void killedWhileSaving_alwaysLeavesAGoodOne();
    void killedBeforeEveryChange_leavesTheNewestCompleteOne_data();
    void killedBeforeEveryChange_leavesTheNewestCompleteOne();
    void killedInsideAWrite_leavesTheEarlier();
    void everyPart_isOnTheDiskBeforeTheNext_data();
    void everyPart_isOnTheDiskBeforeTheNext();
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
    const auto model = loadModel(path / "step-7");
    QVERIFY(bool(model));
    QVERIFY(torch::equal(model->at("enc.w"), loaded->model.at("enc.w")));
    fs::resize_file(path / "step-7" / "training.safetensors", 10);
    QVERIFY(!loadModel(path / "step-7"));
}

void TstCheckpoint::lossThatIsNotFinite_comesBackAsNone_data()
{
    QTest::addColumn<double>("loss");
    QTest::newRow("NaN") << std::numeric_limits<double>::quiet_NaN();
    QTest::newRow("infinite") << std::numeric_limits<double>::infinity();
}

void TstCheckpoint::lossThatIsNotFinite_comesBackAsNone()
{
    QFETCH(const double, loss);
    QTemporaryDir folder;
    const fs::path path = folder.path().toStdString();
    Checkpoint checkpoint = checkpointAt(7);
    checkpoint.progress.validLoss = loss;
    QVERIFY(saveCheckpoint(path, checkpoint, true));
    const auto loaded = loadCheckpoint(path / "step-7");
    QVERIFY2(bool(loaded), loaded ? "" : loaded.error().message.c_str());
    QVERIFY(std::isnan(loaded->progress.validLoss));
    QCOMPARE(loaded->progress.step, 7);
}

void TstCheckpoint::sameStepAgain_replacesTheOld_data()
{
    QTest::addColumn<bool>("canExchange");
    QTest::newRow("names can be exchanged") << true;
    QTest::newRow("NFS") << false;
}

void TstCheckpoint::sameStepAgain_replacesTheOld()
{
    QFETCH(bool, canExchange);
    QTemporaryDir folder;
    const fs::path path = folder.path().toStdString();
    g_canExchange = canExchange;
    QVERIFY(bool(saveCheckpoint(path, checkpointAt(7, 10), false)));
    const auto saved = saveCheckpoint(path, checkpointAt(7, 20), false);
    QVERIFY2(bool(saved), saved ? "" : saved.error().message.c_str());
    QCOMPARE(loadCheckpoint(path / "step-7")->model.at("enc.w").numel(), 20);
    const auto count = std::distance(fs::directory_iterator(path), fs::directory_iterator());
    QCOMPARE(count, std::ptrdiff_t { 1 });
}

/// What a save leaves that is killed where names cannot be exchanged.
void TstCheckpoint::oneThatWasSetAside_isReadAndPutBack()
{
    const Saving s;
    for (const char* name : { "step-1", "step-2" })
        fs::rename(s.path / name, s.path / (std::string(name) + ".old"));
    QCOMPARE(lastCheckpoint(s.path).value(), s.path / "step-2.old");
    QCOMPARE(bestCheckpoint(s.path).value(), s.path / "step-1.old");
    QVERIFY(bool(saveCheckpoint(s.path, checkpointAt(3), false)));
    QCOMPARE(completeCheckpoints(s.path),
        (std::vector<fs::path> { s.path / "step-3", s.path / "step-1" }));
    QCOMPARE(bestCheckpoint(s.path).value(), s.path / "step-1");
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

void TstCheckpoint::newest_areKeptAsManyAsAsked()
{
    QTemporaryDir folder;
    const fs::path path = folder.path().toStdString();
    for (int step = 1; step <= 6; ++step)
        QVERIFY(bool(saveCheckpoint(path, checkpointAt(step), step == 2, 3)));
    const std::vector<fs::path> newest { path / "step-6", path / "step-5", path / "step-4",
        path / "step-2" };
    QCOMPARE(completeCheckpoints(path), newest);
    QVERIFY(!fs::exists(path / "step-3"));
    fs::remove(path / "step-5/model.safetensors");
    QCOMPARE(completeCheckpoints(path).size(), size_t(3));
}

void TstCheckpoint::best_areKeptAndOfEqualsTheNewer()
{
    QTemporaryDir folder;
    const fs::path path = folder.path().toStdString();
    const double metrics[] = { 30, 12, 20, 12, 12, 40 };
    for (int step = 1; step <= 6; ++step) {
        Checkpoint checkpoint = checkpointAt(step);
        checkpoint.metric = metrics[step - 1];
        QVERIFY(bool(saveCheckpoint(path, checkpoint, step == 2 || step == 4 || step == 5, 2)));
    }
    const std::vector<fs::path> two { path / "step-5", path / "step-4" };
    QCOMPARE(bestCheckpoints(path, 2), two);
    QCOMPARE(bestCheckpoint(path).value(), path / "step-5");
    const std::vector<fs::path> all { path / "step-6", path / "step-5", path / "step-4" };
    QCOMPARE(completeCheckpoints(path), all);
    QCOMPARE(bestCheckpoints(path, 9), all);
    QCOMPARE(loadCheckpoint(path / "step-6")->metric, 40.0);
}

/// A stop saves in the middle of an epoch.
void TstCheckpoint::unvalidated_areNoneOfTheBest()
{
    QTemporaryDir folder;
    const fs::path path = folder.path().toStdString();
    Checkpoint validated = checkpointAt(1);
    validated.metric = 0;
    QVERIFY(bool(saveCheckpoint(path, validated, true, 3)));
    QVERIFY(bool(saveCheckpoint(path, checkpointAt(2), false, 3)));
    QCOMPARE(bestCheckpoints(path, 3), std::vector<fs::path> { path / "step-1" });
    QVERIFY(fs::exists(path / "step-2"));
}

void TstCheckpoint::repeatedSave_keepsItsValidation()
{
    QTemporaryDir folder;
    const fs::path path = folder.path().toStdString();
    Checkpoint checkpoint = checkpointAt(3);
    checkpoint.metric = 7.5;
    QVERIFY(bool(saveCheckpoint(path, checkpoint, true)));
    QVERIFY(bool(saveCheckpoint(path, checkpointAt(3), false)));
    QCOMPARE(loadCheckpoint(path / "step-3")->metric, 7.5);
    QVERIFY(bool(saveCheckpoint(path, checkpointAt(3, 10), false))); // other weights
    QCOMPARE(loadCheckpoint(path / "step-3")->metric, -1.0);
}

void TstCheckpoint::writtenByName_isNoCheckpointOfTheRun()
{
    QTemporaryDir folder;
    const fs::path path = folder.path().toStdString();
    QVERIFY(bool(saveCheckpoint(path, checkpointAt(1), true)));
    QVERIFY(writeCheckpoint(path / "avg-2", checkpointAt(5)));
    QVERIFY(writeCheckpoint(path / "avg-2", checkpointAt(6)));
    QCOMPARE(loadCheckpoint(path / "avg-2")->progress.step, 6);
    QCOMPARE(lastCheckpoint(path).value(), path / "step-1");
    QCOMPARE(bestCheckpoint(path).value(), path / "step-1");
    QVERIFY(bool(saveCheckpoint(path, checkpointAt(7), false)));
    QVERIFY(fs::exists(path / "avg-2"));
    QVERIFY(!fs::exists(path / "avg-2.partial"));
}

void TstCheckpoint::truncatedFile_isPassedOver()
{
    QTemporaryDir folder;
    const fs::path path = folder.path().toStdString();
    QVERIFY(bool(saveCheckpoint(path, checkpointAt(1), true)));
    QVERIFY(bool(saveCheckpoint(path, checkpointAt(2), false)));
    fs::resize_file(path / "step-2" / "model.safetensors", 100);
    QCOMPARE(lastCheckpoint(path).value(), path / "step-1");
    const NewestCheckpoint newest = newestCheckpoint(path);
    QCOMPARE(newest.passedOver.size(), size_t { 1 });
    const std::string& why = newest.passedOver.front().message;
    QVERIFY2(why.find("step-2/model.safetensors is not what was written") != std::string::npos,
        why.c_str());
    fs::remove(path / "step-2" / "manifest.json");
    QCOMPARE(newestCheckpoint(path).passedOver.size(), size_t { 1 });
    QCOMPARE(newestCheckpoint(path).path.value(), path / "step-1");
}

void TstCheckpoint::changedByte_isRefusedByName()
{
    QTemporaryDir folder;
    const fs::path path = folder.path().toStdString();
    QVERIFY(bool(saveCheckpoint(path, checkpointAt(1), true)));
    const fs::path file = path / "step-1" / "model.safetensors";
    std::string bytes = *earwright::readFile(file);
    bytes.back() = static_cast<char>(bytes.back() + 1);
    QVERIFY(bool(earwright::writeFileAtomically(file, bytes)));
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
    QVERIFY(bool(
        earwright::writeFileAtomically(path / "step-1" / "manifest.json", R"({"version": 99})")));
    const auto loaded = loadCheckpoint(path / "step-1");
    QVERIFY(!loaded);
    QVERIFY2(loaded.error().message.find("newer Earwright") != std::string::npos,
        loaded.error().message.c_str());
}

void TstCheckpoint::damagedManifest_isRefusedInWords_data()
{
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::newRow("version") << "\"version\": 1"
                             << "\"version\": \"x\"";
    QTest::newRow("files") << "\"files\""
                           << "\"fires\"";
    QTest::newRow("progress") << "\"progress\""
                              << "\"progression\"";
    QTest::newRow("deep") << "\"version\""
                          << "\"deep\": " + QString(100'000, '[') + QString(100'000, ']')
            + ", \"version\"";
    QTest::newRow("a part of it") << "\"epoch\""
                                  << "\"era\"";
    QTest::newRow("negative batches") << "\"batches_done\": 3"
                                      << "\"batches_done\": -3";
    QTest::newRow("batches of another type") << "\"batches_done\": 3"
                                             << "\"batches_done\": \"3\"";
    QTest::newRow("epoch 0") << "\"epoch\": 2"
                             << "\"epoch\": 0";
    QTest::newRow("metric of another type") << "\"metric\": -1.0"
                                            << "\"metric\": []";
    QTest::newRow("best elsewhere") << "\"best\": \"step-1\""
                                    << "\"best\": \"../../step-1\"";
}

void TstCheckpoint::damagedManifest_isRefusedInWords()
{
    QFETCH(QString, from);
    QFETCH(QString, to);
    QTemporaryDir folder;
    const fs::path path = folder.path().toStdString();
    QVERIFY(bool(saveCheckpoint(path, checkpointAt(1), true)));
    const fs::path manifest = path / "step-1" / "manifest.json";
    QString text = QString::fromStdString(*earwright::readFile(manifest));
    QVERIFY2(text.contains(from), qPrintable(text));
    QVERIFY(bool(earwright::writeFileAtomically(manifest, text.replace(from, to).toStdString())));
    const auto loaded = loadCheckpoint(path / "step-1");
    QVERIFY(!loaded);
    QVERIFY2(loaded.error().message.find("manifest.json is damaged: ") != std::string::npos,
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

void TstCheckpoint::killedBeforeEveryChange_leavesTheNewestCompleteOne_data()
{
    addSaves();
}

void TstCheckpoint::killedBeforeEveryChange_leavesTheNewestCompleteOne()
{
    QFETCH(const int64_t, step);
    QFETCH(const bool, best);
    QFETCH(const bool, canExchange);
    g_canExchange = canExchange;
    bool isOver = false;
    bool isSaved = false;
    for (size_t change = 0; !isOver; ++change) {
        const Saving s;
        Checkpoint fresh = checkpointAt(step);
        fresh.model["enc.w"] += 100;
        const auto traced = earwright::tests::traceChanges(
            s.path, [&] { (void)saveCheckpoint(s.path, fresh, best); }, change);
        if (!traced)
            QSKIP("this system permits no ptrace");
        isOver = !traced->wasKilled;
        QCOMPARE(traced->changes.size(), change);
        const auto last = lastCheckpoint(s.path);
        QVERIFY(last.has_value());
        const bool isNew = valueOf(*last) == static_cast<double>(step + 100);
        QVERIFY2(isNew || valueOf(*last) == 2, last->c_str());
        QVERIFY(isNew || !isSaved); // what was there at an earlier change is there later
        isSaved = isNew;
        const auto bestOne = bestCheckpoint(s.path);
        QVERIFY(bestOne.has_value());
        QVERIFY(valueOf(*bestOne) == (isNew && best ? static_cast<double>(step + 100) : 1));
        QVERIFY(bool(saveCheckpoint(s.path, checkpointAt(4), false))); // and goes on
        std::set<std::string> left;
        for (const fs::directory_entry& entry : fs::directory_iterator(s.path))
            left.insert(entry.path().filename());
        QCOMPARE(left, (std::set<std::string> { bestOne->filename(), "step-4" }));
    }
    QVERIFY(isSaved);
}

void TstCheckpoint::killedInsideAWrite_leavesTheEarlier()
{
    for (const rlim_t bytes : std::initializer_list<rlim_t> { 1, 9, 100, 1000, 4000 }) {
        const Saving s;
        const pid_t child = fork();
        if (child == 0) { // the kernel writes what fits, then ends the process
            std::signal(SIGXFSZ, SIG_DFL);
            const rlimit limit { bytes, bytes };
            setrlimit(RLIMIT_FSIZE, &limit);
            (void)saveCheckpoint(s.path, checkpointAt(3), true);
            _exit(0);
        }
        int status = 0;
        waitpid(child, &status, 0);
        QVERIFY(WIFSIGNALED(status) && WTERMSIG(status) == SIGXFSZ);
        QCOMPARE(lastCheckpoint(s.path).value(), s.path / "step-2");
        QCOMPARE(valueOf(s.path / "step-2"), 2);
    }
}

void TstCheckpoint::everyPart_isOnTheDiskBeforeTheNext_data()
{
    addSaves();
}

/// A power failure loses what was not synced: nothing gets its name, and nothing old goes, before
/// all that came before is on the disk.
void TstCheckpoint::everyPart_isOnTheDiskBeforeTheNext()
{
    QFETCH(const int64_t, step);
    QFETCH(const bool, best);
    QFETCH(const bool, canExchange);
    const Saving s;
    g_canExchange = canExchange;
    const auto traced = earwright::tests::traceChanges(
        s.path, [&] { (void)saveCheckpoint(s.path, checkpointAt(step), best); });
    if (!traced)
        QSKIP("this system permits no ptrace");
    using earwright::tests::FileChange;
    std::set<fs::path> unsynced;
    std::vector<std::string> names;
    bool isNamed = false;
    for (const FileChange& change : traced->changes) {
        const bool isOld = isNamed && change.kind == FileChange::Remove;
        if (change.kind == FileChange::Rename || isOld)
            QVERIFY2(unsynced.empty(), unsynced.empty() ? "" : unsynced.begin()->c_str());
        if (change.kind == FileChange::Write)
            unsynced.insert(change.path);
        if (change.kind == FileChange::Sync)
            unsynced.erase(change.path);
        if (change.kind == FileChange::Rename) {
            unsynced.insert(change.target.parent_path());
            names.push_back(change.target.filename());
            isNamed = names.back().starts_with("step-");
        }
        QVERIFY(isNamed || change.kind != FileChange::Remove); // pruned only behind the new one
    }
    QVERIFY(unsynced.empty());
    std::vector<std::string> wanted { "model.safetensors", "training.safetensors",
        "manifest.json" };
    if (!canExchange)
        wanted.push_back("step-" + std::to_string(step) + ".old");
    wanted.push_back("step-" + std::to_string(step));
    QCOMPARE(names, wanted);
}

EARWRIGHT_TEST(TstCheckpoint)
#include "tst_checkpoint.moc"
