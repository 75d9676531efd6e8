#include "core/base/file.h"
#include "core/run/follower.h"
#include "core/run/history_file.h"
#include "tests/registry.h"
#include "tests/run/log_fixture.h"
#include "tests/run/snapshot_text.h"

#include <cmath>
#include <QTemporaryDir>
#include <QTest>

using namespace earwright;
using namespace earwright::run;

namespace {

const char* const kTags[] = { "train/loss", "train/it_per_s", "train/lr" };

std::string frames(const std::vector<Event>& events)
{
    return logBytes(events).substr(logBytes({}).size());
}

/// What rank 0 logs in steps [begin, end): a few of everything.
std::vector<Event> stepsOf(int64_t begin, int64_t end)
{
    std::vector<Event> events;
    for (int64_t step = begin; step < end; ++step) {
        const double time = 1000 + 0.125 * static_cast<double>(step);
        for (const char* tag : kTags)
            events.push_back({ time, Scalar { tag, step, std::sin(static_cast<double>(step)) } });
        if (step % 1000 == 0) {
            events.push_back({ time, Message { "info", "step " + std::to_string(step) } });
            events.push_back({ time,
                Message {
                    "info", "learning rate set to 0.5 after step " + std::to_string(step) } });
            events.push_back({ time, Scalar { "train/loss", step, std::nan("") } });
            events.push_back({ time, CheckpointSaved { "checkpoints/step", 1, step, true } });
            events.push_back({ time, Evaluated { "valid", 1, step, 0.5, 12.5, 1.0 / 3, "a.txt" } });
            events.push_back({ time, NonFinite { step, "loss", { "甲" }, true } });
            events.push_back({ time, LossScaleChanged { step, 1024, true } });
            events.push_back({ time, DtypeCensus { "train", { { "bfloat16", 0.9 } } } });
            events.push_back({ time, Restarting { 1, 2, "rank 1 failed", 1, { "cpu" } } });
            events.push_back({ time, BatchSplit { step, { "乙" }, 1.5, 2, "", "/r", { "a=1" } } });
        }
    }
    return events;
}

} // namespace

class TstHistory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_dir = std::make_unique<QTemporaryDir>();
        QVERIFY(m_dir->isValid());
        m_folder = { m_dir->path().toStdString() };
        writeBytes(log(0),
            logBytes({ { 1000,
                RunStarted { .name = "a",
                    .devices = { "cpu" },
                    .numberOfEpochs = 9,
                    .stepsPerEpoch = 9000 } } }));
        appendBytes(log(0), frames({ { 1000, PhaseChanged { "train", 1, 0 } } }));
        appendBytes(log(0), frames(stepsOf(0, kSteps)));
        writeBytes(log(1), logBytes({ { 1100.5, Message { "warning", "from rank 1" } } }));
        writeBytes(log(-1), logBytes({ { 999, Message { "info", "supervised" } } }));
        Follower follower(m_folder);
        QVERIFY(bool(follower.poll()));
        QVERIFY(std::filesystem::exists(historyPath(m_folder)));
    }

    void shortRun_getsNone()
    {
        const RunFolder small { m_folder.path / "small" };
        writeBytes(small.events(0) / eventFileName(0), logBytes(stepsOf(0, 100)));
        Follower follower(small);
        QVERIFY(bool(follower.poll()));
        QVERIFY(!std::filesystem::exists(historyPath(small)));
    }

    void reopened_readsOnlyWhatIsNewAndShowsTheSame()
    {
        const std::string fresh = frames(stepsOf(kSteps, kSteps + 50));
        appendBytes(log(0), fresh);
        Follower follower(m_folder);
        const auto changed = follower.poll();
        QVERIFY(changed && *changed);
        QCOMPARE(follower.logBytesRead(), uint64_t { fresh.size() });
        QCOMPARE(asText(follower.snapshot()), fromTheLog());
    }

    void reopenedWithNothingNew_readsNothing()
    {
        Follower follower(m_folder);
        const auto changed = follower.poll();
        QVERIFY(changed && *changed);
        QCOMPARE(follower.logBytesRead(), uint64_t { 0 });
        QCOMPARE(asText(follower.snapshot()), fromTheLog());
    }

    void resumedBehindIt_dropsWhatCameAfterTheCheckpoint()
    {
        writeBytes(log(0, 1),
            logBytes({ { 5000, RunStarted { .name = "a", .attempt = 1, .resumedStep = 700 } } }));
        appendBytes(log(0, 1), frames(stepsOf(701, 800)));
        writeBytes(log(2), logBytes({ { 5001, Message { "info", "a rank more" } } }));
        Follower follower(m_folder);
        QVERIFY(bool(follower.poll()));
        QVERIFY(follower.logBytesRead() < 100000);
        QCOMPARE(follower.snapshot().series.at("train/lr").points().back().step, int64_t { 799 });
        QCOMPARE(asText(follower.snapshot()), fromTheLog());
    }

    /// One window folded as the run went on, the other is opened at its end.
    void twoWindows_agree()
    {
        Follower early(m_folder);
        for (int64_t step = kSteps; step < kSteps + 20000; step += 2000) {
            appendBytes(log(0), frames(stepsOf(step, step + 2000)));
            QVERIFY(bool(early.poll()));
        }
        appendBytes(log(-1), frames({ { 9000, Finished { "failed", "rank 1 …", 1 } } }));
        QVERIFY(bool(early.poll()));
        Follower late(m_folder);
        QVERIFY(bool(late.poll()));
        QVERIFY(late.logBytesRead() < std::filesystem::file_size(log(0)) / 2);
        QVERIFY(asText(early.snapshot()) == asText(late.snapshot()));
        QVERIFY(late.snapshot().state == earwright::run::State::Failed);
    }

    void damagedAnywhere_isDeletedAndBuiltAnew()
    {
        const std::string sound = *readFile(historyPath(m_folder));
        const std::string expected = fromTheLog();
        for (const size_t at :
            { size_t { 0 }, size_t { 40 }, sound.size() / 2, sound.size() - 1 }) {
            std::string bytes = sound;
            bytes[at] = static_cast<char>(bytes[at] ^ 1);
            comesBackFrom(bytes, expected);
            comesBackFrom(sound.substr(0, at), expected);
        }
    }

    /// The loss is kept with the rest, and told once.
    void damagedLog_isKeptWithItsLoss()
    {
        std::filesystem::remove(historyPath(m_folder));
        std::string bytes = *readFile(log(0));
        bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
        writeBytes(log(0), bytes);
        const std::string expected = fromTheLog();
        QVERIFY(expected.find("log_damage") != std::string::npos);
        QCOMPARE(textOf(m_folder), expected);
        QVERIFY(std::filesystem::exists(historyPath(m_folder)));
        QVERIFY(textOf(m_folder) == expected);
    }

    void eventsOfAnotherRun_areNotMixedWithIt()
    {
        std::string bytes = *readFile(log(0));
        const std::string other = frames(stepsOf(0, 3));
        writeBytes(log(0), logBytes({}) + other);
        QCOMPARE(textOf(m_folder), fromTheLog());
        QVERIFY(!std::filesystem::exists(historyPath(m_folder)));
    }

    void anotherVersion_isBuiltAnew()
    {
        std::string bytes = *readFile(historyPath(m_folder));
        const Record header = readRecord(bytes);
        std::string text(header.data);
        const size_t at = text.find("\"version\":5");
        QVERIFY(at != std::string::npos);
        std::string changed;
        appendRecord(changed, text.replace(at, 11, "\"version\":0"));
        comesBackFrom(changed + bytes.substr(header.frameBytes), fromTheLog());
    }

    void leftOfAKilledWriter_isInNobodysWay()
    {
        std::filesystem::path temporary = historyPath(m_folder);
        temporary += ".tmp";
        writeBytes(temporary, std::string(100, 'x'));
        std::filesystem::remove(historyPath(m_folder));
        (void)textOf(m_folder);
        QVERIFY(std::filesystem::exists(historyPath(m_folder)));
        QVERIFY(!std::filesystem::exists(temporary));
    }

private:
    static constexpr int64_t kSteps = 30000;

    std::filesystem::path log(int64_t rank, int64_t attempt = 0) const
    {
        return m_folder.events(rank) / eventFileName(attempt);
    }
    static std::string textOf(const RunFolder& folder)
    {
        Follower follower(folder);
        return follower.poll() ? asText(follower.snapshot()) : std::string("cannot be read");
    }
    /// The same events in a folder that has no side file.
    std::string fromTheLog() const
    {
        const QTemporaryDir plain;
        const RunFolder copy { plain.path().toStdString() };
        std::filesystem::copy(m_folder.path / "events", copy.path / "events",
            std::filesystem::copy_options::recursive);
        return textOf(copy);
    }
    void comesBackFrom(const std::string& bytes, const std::string& expected) const
    {
        writeBytes(historyPath(m_folder), bytes);
        QVERIFY(textOf(m_folder) == expected);
        QVERIFY(bool(readHistory(m_folder)));
    }

    std::unique_ptr<QTemporaryDir> m_dir;
    RunFolder m_folder;
};

EARWRIGHT_TEST(TstHistory)
#include "tst_history.moc"
