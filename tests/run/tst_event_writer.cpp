#include "core/base/file.h"
#include "core/run/event_log.h"
#include "tests/registry.h"
#include "tests/run/log_fixture.h"
#include "tests/train/file_changes.h"

#include <algorithm>
#include <chrono>
#include <QTemporaryDir>
#include <QTest>
#include <thread>

using namespace earwright;
using namespace earwright::run;

class TstEventWriter : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_dir = std::make_unique<QTemporaryDir>();
        QVERIFY(m_dir->isValid());
        m_folder = m_dir->path().toStdString() + "/events/rank0";
    }

    void flush_showsEveryEventToAReader()
    {
        auto writer = EventWriter::open(m_folder, 0);
        QVERIFY(bool(writer));
        EventReader reader(m_folder);
        for (int64_t step = 1; step <= 3; ++step) {
            (*writer)->write({ 0, Scalar { "train/loss", step, 0.5 } });
            (*writer)->flush();
            const auto events = reader.readNew();
            QVERIFY(bool(events));
            QCOMPARE(events->size(), size_t { 1 });
            QCOMPARE(payloadStep((*events)[0].payload), step);
            QVERIFY((*events)[0].wallTime > 1.5e9);
        }
        QCOMPARE((*writer)->error(), std::string());
    }

    /// Else a checkpoint might outlive a power failure that the events before it do not.
    void sync_isDoneWhenTheDiskHasThem()
    {
#ifdef __SANITIZE_THREAD__
        QSKIP("under ThreadSanitizer a process that was forked starts no thread");
#endif
        const auto traced = earwright::tests::traceChanges(m_folder, [this] {
            auto writer = EventWriter::open(m_folder, 0);
            (*writer)->write({ 1, Message { "info", "x" } });
            (*writer)->sync();
        });
        if (!traced)
            QSKIP("this system permits no ptrace");
        using earwright::tests::FileChange;
        QVERIFY(std::any_of(traced->changes.begin(), traced->changes.end(), [](const auto& change) {
            return change.kind == FileChange::Sync
                && change.path.filename() == "events.out.tfevents.0000";
        }));
    }

    void eventsWithoutFlush_arriveByThemselves()
    {
        auto writer = EventWriter::open(m_folder, 0);
        QVERIFY(bool(writer));
        (*writer)->write({ 1, Message { "info", "x" } });
        QTRY_COMPARE_WITH_TIMEOUT(EventReader(m_folder).readNew()->size(), size_t { 1 }, 60000);
    }

    void end_writesWhatIsLeft()
    {
        {
            auto writer = EventWriter::open(m_folder, 3);
            QVERIFY(bool(writer));
            for (int i = 0; i < 1000; ++i)
                (*writer)->write({ 1, Message { "info", std::to_string(i) } });
        }
        QCOMPARE(EventReader(m_folder).readNew()->size(), size_t { 1000 });
        QVERIFY(std::filesystem::exists(m_folder / "events.out.tfevents.0003"));
    }

    void manyThreads_loseNothingAndKeepTheirOrder()
    {
        constexpr int kThreads = 4;
        constexpr int64_t kEvents = 5000;
        {
            auto writer = EventWriter::open(m_folder, 0);
            QVERIFY(bool(writer));
            std::vector<std::thread> threads;
            for (int t = 0; t < kThreads; ++t) {
                threads.emplace_back([&, t] {
                    for (int64_t step = 0; step < kEvents; ++step) {
                        (*writer)->write({ 0, Scalar { std::to_string(t), step, 0 } });
                        if (step % 1000 == 0)
                            (*writer)->flush();
                    }
                });
            }
            for (std::thread& thread : threads)
                thread.join();
        }
        const auto events = EventReader(m_folder).readNew();
        QVERIFY(bool(events));
        int64_t next[kThreads] = {};
        for (const Event& event : *events) {
            const auto& scalar = std::get<Scalar>(event.payload);
            QCOMPARE(scalar.step, next[std::stoi(scalar.tag)]++);
        }
        for (const int64_t count : next)
            QCOMPARE(count, kEvents);
    }

    void sameAttemptAgain_goesOnBehindTheTornTail()
    {
        const std::filesystem::path path = m_folder / eventFileName(0);
        const std::string bytes
            = logBytes({ { 1, Message { "info", "first" } }, { 2, Message { "info", "torn" } } });
        writeBytes(path, std::string_view(bytes).substr(0, bytes.size() - 3));
        {
            auto writer = EventWriter::open(m_folder, 0);
            QVERIFY(bool(writer));
            (*writer)->write({ 3, Message { "info", "second" } });
        }
        const auto events = EventReader(m_folder).readNew();
        QVERIFY(bool(events));
        QCOMPARE(asText(*events),
            asText({ { 1, Message { "info", "first" } }, { 3, Message { "info", "second" } } }));
    }

    void damagedFile_isWrittenBehindItsDamage()
    {
        const std::filesystem::path path = m_folder / eventFileName(0);
        const Event first { 1, Message { "info", "first" } };
        const Event second { 2, Message { "info", "second" } };
        const Event third { 3, Message { "info", "third" } };
        const std::string sound = logBytes({ first, second });
        for (size_t at = 0; at < sound.size(); ++at) {
            std::string bytes = sound;
            bytes[at] = static_cast<char>(bytes[at] ^ 0xff);
            writeBytes(path, bytes + "torn");
            {
                auto writer = EventWriter::open(m_folder, 0);
                QVERIFY(bool(writer));
                (*writer)->write(third);
            }
            const auto events = EventReader(m_folder).readNew();
            QVERIFY(bool(events));
            QVERIFY2(events->size() == 3 || events->size() == 4, std::to_string(at).c_str());
            QCOMPARE(asText({ events->back() }), asText({ third }));
        }
    }

    /// TensorBoard drops what an earlier attempt logged from a step on where the file says so:
    /// event.step of a SessionLog with status START (1).
    void resumedRun_tellsTensorBoardWhereItGoesOn()
    {
        const auto framesOf = [this](const RunStarted& started) {
            {
                auto writer = EventWriter::open(m_folder, started.attempt);
                (*writer)->write({ 1, started });
                (*writer)->write({ 2, Scalar { "train/loss", started.resumedStep + 1, 0.5 } });
            }
            const auto bytes = readFile(m_folder / eventFileName(started.attempt));
            std::vector<std::string> frames;
            std::string_view rest = *bytes;
            while (!rest.empty()) {
                const Record record = readRecord(rest);
                frames.emplace_back(record.data);
                rest.remove_prefix(record.frameBytes);
            }
            return frames;
        };
        QCOMPARE(framesOf({ .name = "a" }).size(), size_t { 3 }); // header, start, point
        const auto resumed = framesOf({ .name = "a", .attempt = 1, .resumedStep = 16 });
        QCOMPARE(resumed.size(), size_t { 4 });
        QCOMPARE(QByteArray::fromStdString(resumed[1]).toHex(' '), // 3a session_log { 08 status }
            QByteArray("09 00 00 00 00 00 00 f0 3f 10 11 3a 02 08 01"));
        const auto fromNothing = framesOf({ .name = "a", .attempt = 2, .resumedStep = 0 });
        QCOMPARE(QByteArray::fromStdString(fromNothing[1]).toHex(' '),
            QByteArray("09 00 00 00 00 00 00 f0 3f 10 01 3a 02 08 01"));
        const auto events = EventReader(m_folder).readNew();
        QVERIFY(bool(events));
        QCOMPARE(events->size(), size_t { 6 });
    }

    void tornAnywhere_goesOnBehindTheCompleteRecords()
    {
        const std::filesystem::path path = m_folder / eventFileName(0);
        const Event first { 1, Message { "info", "first" } };
        const Event second { 2, Message { "info", "second" } };
        const std::string bytes = logBytes({ first });
        for (size_t cut = 0; cut <= bytes.size(); ++cut) {
            writeBytes(path, std::string_view(bytes).substr(0, cut));
            {
                auto writer = EventWriter::open(m_folder, 0);
                QVERIFY(bool(writer));
                (*writer)->write(second);
            }
            const auto events = EventReader(m_folder).readNew();
            QVERIFY(bool(events));
            QCOMPARE(asText(*events),
                cut == bytes.size() ? asText({ first, second }) : asText({ second }));
        }
    }

    void fullDisk_isReportedAndStopsNobody()
    {
        if (!std::filesystem::exists("/dev/full"))
            QSKIP("this system has no /dev/full");
        std::filesystem::create_directories(m_folder);
        std::filesystem::create_symlink("/dev/full", m_folder / eventFileName(0));
        auto writer = EventWriter::open(m_folder, 0);
        QVERIFY(bool(writer));
        for (int i = 0; i < 1000; ++i)
            (*writer)->write({ 1, Message { "info", "x" } });
        (*writer)->flush();
        const QString error = QString::fromStdString((*writer)->error());
        QVERIFY2(error.contains("No space left on device"), qPrintable(error));
        QVERIFY2(!error.contains("lost"), qPrintable(error));
        for (int i = 0; i < 70; ++i)
            (*writer)->write({ 1, Message { "info", std::string(1 << 20, 'x') } });
        (*writer)->flush();
        (*writer)->write({ 1, Message { "info", "one too many" } });
        (*writer)->flush();
        QVERIFY(QString::fromStdString((*writer)->error()).contains("events are lost"));
    }

    void folderThatCannotBe_isAnError()
    {
        writeBytes(m_folder.parent_path(), "a file");
        const auto writer = EventWriter::open(m_folder, 0);
        QVERIFY(!writer);
        QVERIFY(QString::fromStdString(writer.error().message)
                    .startsWith("cannot create the folder '"));
    }

private:
    std::unique_ptr<QTemporaryDir> m_dir;
    std::filesystem::path m_folder;
};

EARWRIGHT_TEST(TstEventWriter)
#include "tst_event_writer.moc"
