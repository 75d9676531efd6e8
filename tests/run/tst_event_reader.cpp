#include "core/base/file.h"
#include "core/run/event_log.h"
#include "tests/registry.h"
#include "tests/run/log_fixture.h"

#include <algorithm>
#include <cmath>
#include <QTemporaryDir>
#include <QTest>

using namespace earwright;
using namespace earwright::run;

namespace {

std::vector<Event> threeEvents()
{
    return {
        { 1000.5, RunStarted { .name = "digits", .devices = { "cpu" } } },
        { 1001.0, Scalar { "train/loss", 1, 0.1 } },
        { 1002.0, Message { "info", "hello" } },
    };
}

std::string replaced(std::string bytes, const std::string& what, const std::string& by)
{
    const size_t at = bytes.find(what);
    return at == std::string::npos ? bytes : bytes.replace(at, what.size(), by);
}

} // namespace

class TstEventReader : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_dir = std::make_unique<QTemporaryDir>();
        QVERIFY(m_dir->isValid());
        m_folder = m_dir->path().toStdString();
    }

    void missingFolder_isEmpty()
    {
        EventReader reader(m_folder / "none");
        const auto events = reader.readNew();
        QVERIFY(bool(events));
        QVERIFY(events->empty());
    }

    void scalars_keepEveryBit()
    {
        const double values[]
            = { 0.1, 1e-300, -1e300, 123456789.123456789, std::nan(""), HUGE_VAL, -HUGE_VAL };
        std::vector<Event> events;
        for (const double value : values)
            events.push_back({ 1, Scalar { "x", 1, value } });
        writeBytes(file(0), logBytes(events));
        const auto back = EventReader(m_folder).readNew();
        QVERIFY(bool(back));
        QCOMPARE(back->size(), std::size(values));
        for (size_t i = 0; i < back->size(); ++i) {
            const double value = std::get<Scalar>((*back)[i].payload).value;
            QVERIFY(value == values[i] || (std::isnan(value) && std::isnan(values[i])));
        }
    }

    void tornTail_waitsForItsRest()
    {
        const std::string bytes = logBytes(threeEvents());
        const size_t last
            = bytes.size() - logBytes({ threeEvents()[2] }).size() + logBytes({}).size();
        for (size_t cut = last; cut < bytes.size(); ++cut) {
            const std::filesystem::path path = file(static_cast<int64_t>(cut));
            writeBytes(path, std::string_view(bytes).substr(0, cut));
            EventReader reader(m_folder);
            auto events = reader.readNew();
            QVERIFY(bool(events));
            QCOMPARE(events->size(), size_t { 2 });
            QVERIFY(reader.readNew()->empty());
            appendBytes(path, std::string_view(bytes).substr(cut));
            events = reader.readNew();
            QVERIFY(bool(events));
            QCOMPARE(asText(*events), asText({ threeEvents()[2] }));
            std::filesystem::remove(path);
        }
    }

    void tornAnywhere_givesEveryCompleteRecord()
    {
        const std::vector<Event> events = threeEvents();
        const std::string bytes = logBytes(events);
        for (size_t cut = 0; cut <= bytes.size(); ++cut) {
            writeBytes(file(0), std::string_view(bytes).substr(0, cut));
            std::vector<Event> complete;
            while (complete.size() < events.size()
                && logBytes({ events.begin(),
                                events.begin() + static_cast<std::ptrdiff_t>(complete.size()) + 1 })
                        .size()
                    <= cut)
                complete.push_back(events[complete.size()]);
            const auto read = EventReader(m_folder).readNew();
            QVERIFY2(bool(read), read ? "" : read.error().message.c_str());
            QCOMPARE(asText(*read), asText(complete));
        }
    }

    /// Whatever byte it is of: of the header, a length, a checksum or the data.
    void anyByteFlipped_losesItsRecordAlone()
    {
        const std::vector<Event> events = threeEvents();
        const std::string sound = logBytes(events);
        std::vector<size_t> ends { logBytes({}).size() }; // of the header, then of each event
        for (const Event& event : events)
            ends.push_back(ends.back() + logBytes({ event }).size() - ends.front());
        for (size_t at = 0; at < sound.size(); ++at) {
            const auto hit = static_cast<size_t>(
                std::upper_bound(ends.begin(), ends.end(), at) - ends.begin());
            const size_t begin = hit == 0 ? 0 : ends[hit - 1];
            const bool isLast = hit == events.size();
            for (const char flip : { '\x01', '\x80', '\xff' }) {
                std::string bytes = sound;
                bytes[at] = static_cast<char>(bytes[at] ^ flip);
                writeBytes(file(0), bytes);
                std::vector<Event> expected = events;
                const LogDamage damage { placeOf(0), int64_t(begin),
                    isLast ? -1 : int64_t(ends[hit]), false };
                const double time = hit < 2 ? events[0].wallTime : events[hit - 2].wallTime;
                if (hit > 0)
                    expected[hit - 1] = { time, damage };
                else
                    expected.insert(expected.begin(), { time, damage });
                if (hit == 1)
                    expected[0].wallTime = events[1].wallTime; // there is none before
                const auto read = EventReader(m_folder).readNew();
                QVERIFY2(bool(read), read ? "" : read.error().message.c_str());
                QCOMPARE(QString::fromStdString(asText(*read)),
                    QString::fromStdString(asText(expected)));
            }
        }
    }

    void bytesLostOrAdded_loseNoSoundRecord()
    {
        const std::vector<Event> events = threeEvents();
        const std::string sound = logBytes(events);
        const size_t middle = logBytes({ events[0] }).size(); // where the second event begins
        for (const size_t cut : { size_t { 1 }, size_t { 13 }, size_t { 20 } }) {
            std::string bytes = sound;
            writeBytes(file(0), bytes.erase(middle + 3, cut));
            const auto read = EventReader(m_folder).readNew();
            QVERIFY(bool(read));
            QCOMPARE(read->size(), size_t { 3 });
            QCOMPARE(asText({ (*read)[0], (*read)[2] }), asText({ events[0], events[2] }));
        }
        for (const std::string& foreign :
            { std::string(5, '\0'), std::string(3 << 20, '\0'), std::string(3 << 20, 'x') }) {
            std::string bytes = sound;
            writeBytes(file(0), bytes.insert(middle, foreign));
            const auto read = EventReader(m_folder).readNew();
            QVERIFY(bool(read));
            QCOMPARE(read->size(), size_t { 4 });
            const auto& damage = std::get<LogDamage>((*read)[1].payload);
            QCOMPARE(damage.begin, int64_t(middle));
            QCOMPARE(damage.end, int64_t(middle + foreign.size()));
            QCOMPARE(asText({ (*read)[0], (*read)[2], (*read)[3] }), asText(events));
        }
    }

    void recordThatSaysNothing_isTold()
    {
        std::string bytes = logBytes({ threeEvents()[0] });
        const auto begin = int64_t(bytes.size());
        appendRecord(bytes, "no event");
        const auto end = int64_t(bytes.size());
        appendRecord(bytes, encodeEvent(threeEvents()[1]));
        writeBytes(file(0), bytes);
        const auto read = EventReader(m_folder).readNew();
        QVERIFY(bool(read));
        QCOMPARE(asText(*read),
            asText({ threeEvents()[0], { 1000.5, LogDamage { placeOf(0), begin, end, false } },
                threeEvents()[1] }));
    }

    /// Of a file that is still written: told at once, and again with its end.
    void damageAtTheEnd_isPassedWhenMoreComes()
    {
        std::string bytes = logBytes({ threeEvents()[0], threeEvents()[1] });
        const auto begin = int64_t(logBytes({ threeEvents()[0] }).size());
        const auto end = int64_t(bytes.size());
        bytes.back() = static_cast<char>(bytes.back() ^ 1);
        writeBytes(file(0), bytes);
        EventReader reader(m_folder);
        const auto first = reader.readNew();
        QVERIFY(bool(first));
        QCOMPARE(asText(*first),
            asText({ threeEvents()[0], { 1000.5, LogDamage { placeOf(0), begin, -1, false } } }));
        QVERIFY(reader.readNew()->empty());
        std::string frame;
        appendRecord(frame, encodeEvent(threeEvents()[2]));
        appendBytes(file(0), std::string_view(frame).substr(0, 20));
        QVERIFY(reader.readNew()->empty());
        appendBytes(file(0), std::string_view(frame).substr(20));
        const auto then = reader.readNew();
        QVERIFY(bool(then));
        QCOMPARE(asText(*then),
            asText({ { 1000.5, LogDamage { placeOf(0), begin, end, false } }, threeEvents()[2] }));
        QVERIFY(reader.readNew()->empty());
    }

    /// While a file may still be written its torn end says nothing; a later attempt's file, or the
    /// end of the run, makes it a loss.
    void tornEnd_isToldWhenNobodyWritesItAnyMore()
    {
        const std::string bytes = logBytes({ threeEvents()[0], threeEvents()[1] });
        const size_t begin = logBytes({ threeEvents()[0] }).size();
        for (size_t cut = begin + 1; cut < bytes.size(); ++cut) {
            std::filesystem::remove(file(1));
            writeBytes(file(0), std::string_view(bytes).substr(0, cut));
            const Event loss { 1000.5, LogDamage { placeOf(0), int64_t(begin), -1, true } };
            EventReader ended(m_folder);
            QCOMPARE(asText(*ended.readNew()), asText({ threeEvents()[0] }));
            QCOMPARE(asText({ *ended.takeTornTail() }), asText({ loss }));
            QVERIFY(!ended.takeTornTail());
            EventReader reader(m_folder);
            QCOMPARE(asText(*reader.readNew()), asText({ threeEvents()[0] }));
            writeBytes(file(1), logBytes({ threeEvents()[2] }));
            QCOMPARE(asText(*reader.readNew()), asText({ loss, threeEvents()[2] }));
            QVERIFY(reader.readNew()->empty());
        }
    }

    void thousandsOfDamagedRecords_areReadInOnePass()
    {
        std::string bytes = logBytes({});
        for (int64_t step = 0; step < 20000; ++step) {
            appendRecord(bytes, encodeEvent({ 1, Scalar { "x", step, 0 } }));
            if (step % 2 == 1)
                bytes.back() = static_cast<char>(bytes.back() ^ 1);
        }
        writeBytes(file(0), bytes);
        EventReader reader(m_folder);
        const auto read = reader.readNew();
        QVERIFY(bool(read));
        QCOMPARE(read->size(), size_t { 20000 });
    }

    void unknownKind_isSkipped()
    {
        std::string bytes = logBytes({});
        appendRecord(bytes,
            replaced(encodeEvent(threeEvents()[2]), "earwright/message", "earwright/massage"));
        appendRecord(bytes,
            replaced(encodeEvent(threeEvents()[2]), "earwright/message", "text/summary-text"));
        appendRecord(bytes, encodeEvent(threeEvents()[1]));
        writeBytes(file(0), bytes);
        const auto events = EventReader(m_folder).readNew();
        QVERIFY(bool(events));
        QCOMPARE(asText(*events), asText({ threeEvents()[1] }));
    }

    void newerVersion_isRefusedInWords()
    {
        std::string bytes;
        appendRecord(
            bytes, replaced(encodeHeader(1), "earwright.event_log:1", "earwright.event_log:9"));
        appendRecord(bytes, encodeEvent(threeEvents()[1]));
        writeBytes(file(0), bytes);
        const auto problem = EventReader(m_folder).readNew();
        QVERIFY(!problem);
        QVERIFY(
            QString::fromStdString(problem.error().message)
                .contains(
                    "written by a newer Earwright (event format 9, this program reads up to 1)"));
    }

    void attempts_areReadInOrder()
    {
        for (const int64_t attempt : { 10000, 2, 0 })
            writeBytes(file(attempt), logBytes({ { 1, Scalar { "x", attempt, 0 } } }));
        EventReader reader(m_folder);
        const auto events = reader.readNew();
        QVERIFY(bool(events));
        QCOMPARE(events->size(), size_t { 3 });
        QCOMPARE(payloadStep((*events)[0].payload), int64_t { 0 });
        QCOMPARE(payloadStep((*events)[2].payload), int64_t { 10000 });
        writeBytes(file(10001), logBytes(threeEvents()));
        QCOMPARE(reader.readNew()->size(), size_t { 3 });
    }

    void chunks_giveTheSameAsOneCall()
    {
        std::vector<Event> events;
        for (int64_t step = 0; step < 60000; ++step)
            events.push_back(
                { double(step), Scalar { "train/loss", step, 1.0 / double(step + 1) } });
        events.push_back(
            { 0, Message { "info", std::string(3 << 20, 'x') } }); // a frame above the chunk
        events.push_back({ 0, Message { "info", "end" } });
        writeBytes(file(0), logBytes(events));
        EventReader reader(m_folder);
        std::vector<Event> joined;
        int calls = 0;
        for (auto part = reader.readNew(1 << 20); !part->empty();
             part = reader.readNew(1 << 20), ++calls)
            joined.insert(joined.end(), part->begin(), part->end());
        QVERIFY(calls > 2);
        QVERIFY(asText(joined) == asText(events));
        QVERIFY(asText(*EventReader(m_folder).readNew()) == asText(events));
    }

    /// Files of version 1 must open for ever.
    void goldenFile_opens()
    {
        const std::filesystem::path cases = std::filesystem::path(EARWRIGHT_CASES_DIR) / "run";
        const auto golden = readFile(cases / "golden_v1.tfevents");
        const auto expected = readFile(cases / "golden_v1.expected");
        QVERIFY(golden && expected);
        writeBytes(file(0), *golden);
        const auto events = EventReader(m_folder).readNew();
        QVERIFY2(bool(events), events ? "" : events.error().message.c_str());
        QCOMPARE(QString::fromStdString(asText(*events)), QString::fromStdString(*expected));
    }

private:
    std::filesystem::path file(int64_t attempt) const { return m_folder / eventFileName(attempt); }
    /// As damage names it.
    std::string placeOf(int64_t attempt) const
    {
        return "events/" + m_folder.filename().string() + "/" + eventFileName(attempt);
    }

    std::unique_ptr<QTemporaryDir> m_dir;
    std::filesystem::path m_folder;
};

EARWRIGHT_TEST(TstEventReader)
#include "tst_event_reader.moc"
