#include "core/run/crc32c.h"
#include "core/run/event_codec.h"
#include "core/run/record.h"
#include "tests/registry.h"

#include <QTest>

using namespace earwright::run;

class TstRecord : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Vectors of RFC 3720, B.4, and the usual check value.
    void crc32c_matchesPublishedVectors()
    {
        QCOMPARE(crc32c("123456789"), 0xe3069283u);
        QCOMPARE(crc32c(std::string(32, '\0')), 0x8a9136aau);
        QCOMPARE(crc32c(std::string(32, '\xff')), 0x62a8ab43u);
        std::string ascending;
        for (char c = 0; c < 32; ++c)
            ascending.push_back(c);
        QCOMPARE(crc32c(ascending), 0x46dd794eu);
    }

    /// The first 12 bytes of every event file that TensorFlow writes: a record of 24 bytes.
    void lengthOf24_isFramedAsTensorFlowDoes()
    {
        std::string frame;
        appendRecord(frame, std::string(24, 'x'));
        QCOMPARE(frame.size(), size_t { 12 + 24 + 4 });
        QCOMPARE(QByteArray(frame.data(), 12).toHex(), QByteArray("1800000000000000a37f4b22"));
    }

    void record_comesBack()
    {
        std::string bytes;
        appendRecord(bytes, "one");
        const size_t first = bytes.size();
        appendRecord(bytes, "");
        const Record record = readRecord(bytes);
        QVERIFY(record.kind == Record::Kind::Complete);
        QCOMPARE(std::string(record.data), std::string("one"));
        QCOMPARE(record.frameBytes, first);
        QVERIFY(readRecord(std::string_view(bytes).substr(first)).kind == Record::Kind::Complete);
    }

    void everyFlippedByte_isNoticed()
    {
        std::string bytes;
        appendRecord(bytes, "some data");
        for (size_t i = 0; i < bytes.size(); ++i) {
            std::string damaged = bytes;
            damaged[i] = static_cast<char>(damaged[i] ^ 0x40);
            const Record::Kind kind = readRecord(damaged).kind;
            QVERIFY(kind == (i < 12 ? Record::Kind::BadLength : Record::Kind::BadData));
        }
    }

    void lengthBeyondReason_isDamage()
    {
        std::string bytes("\0\0\0\0\1\0\0\0", 8); // 4 GiB
        const uint32_t checksum = maskedCrc32c(bytes);
        for (int i = 0; i < 4; ++i)
            bytes.push_back(static_cast<char>(checksum >> (8 * i)));
        QVERIFY(readRecord(bytes).kind == Record::Kind::BadLength);
    }

    void fileNames_sortByAttempt()
    {
        QCOMPARE(eventFileName(3), std::string("events.out.tfevents.0003"));
        QCOMPARE(eventFileName(12345), std::string("events.out.tfevents.12345"));
    }

    /// TensorBoard's wire format by hand: 09 wall_time, 10 step, 2a summary { 0a value { 0a tag, 15
    /// simple_value, c1 3e exact } }.
    void scalar_hasTensorBoardsFieldNumbers()
    {
        const std::string bytes = encodeEvent({ 1.0, Scalar { "a", 5, 0.5 } });
        QCOMPARE(QByteArray(bytes.data(), static_cast<qsizetype>(bytes.size())).toHex(' '),
            QByteArray("09 00 00 00 00 00 00 f0 3f 10 05 2a 14 0a 12 0a 01 61 15 00 00 00 3f "
                       "c1 3e 00 00 00 00 00 00 e0 3f"));
    }
};

EARWRIGHT_TEST(TstRecord)
#include "tst_record.moc"
