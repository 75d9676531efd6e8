#include "core/base/file.h"
#include "core/run/event_log.h"
#include "tests/registry.h"
#include "tests/run/log_fixture.h"

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

    void damagedRecord_isToldOnceWithItsPlace()
    {
        std::string bytes = logBytes(threeEvents());
        const size_t offset = logBytes({ threeEvents()[0] }).size();
        bytes[offset + 14] = static_cast<char>(bytes[offset + 14] ^ 1);
        writeBytes(file(0), bytes);
        writeBytes(file(1), logBytes({ threeEvents()[1] }));
        EventReader reader(m_folder);
        const auto before = reader.readNew();
        QVERIFY(bool(before));
        QCOMPARE(asText(*before), asText({ threeEvents()[0] }));
        const auto problem = reader.readNew();
        QVERIFY(!problem);
        QCOMPARE(problem.error().message,
            "'" + file(0).string() + "', byte " + std::to_string(offset)
                + ": the checksum of the record is wrong: the file is damaged from here on");
        const auto after = reader.readNew(); // the next attempt is not lost
        QVERIFY(bool(after));
        QCOMPARE(asText(*after), asText({ threeEvents()[1] }));
        QVERIFY(reader.readNew()->empty());
    }

    void damagedLength_isTold()
    {
        std::string bytes = logBytes({});
        bytes[0] = static_cast<char>(bytes[0] ^ 1);
        writeBytes(file(0), bytes);
        const auto problem = EventReader(m_folder).readNew();
        QVERIFY(!problem);
        QVERIFY(QString::fromStdString(problem.error().message)
                    .contains("byte 0: the checksum of the record's length"));
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

    std::unique_ptr<QTemporaryDir> m_dir;
    std::filesystem::path m_folder;
};

EARWRIGHT_TEST(TstEventReader)
#include "tst_event_reader.moc"
