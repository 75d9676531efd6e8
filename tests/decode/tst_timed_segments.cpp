#include "core/decode/timed_segments.h"

#include "core/base/file.h"
#include "tests/registry.h"

#include <nlohmann/json.hpp>
#include <QTest>

using namespace earwright;

namespace {

const char* const kRecordedSegments = EARWRIGHT_CASES_DIR "/decode/timestamps/segments.json";

nlohmann::json asJson(const decode::WindowSegments& read)
{
    nlohmann::json segments = nlohmann::json::array();
    for (const decode::TimedTokens& segment : read.segments)
        segments.push_back({ segment.beginFrame, segment.endFrame, segment.tokens });
    return segments;
}

} // namespace

/// Against _retrieve_segment() of `transformers` (write_timestamps.py).
class TstTimedSegments final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void windows_areReadAsUpstream()
    {
        const Result<std::string> text = readFile(kRecordedSegments);
        QVERIFY2(text, text ? "" : text.error().message.c_str());
        const auto recorded = nlohmann::json::parse(*text);
        QVERIFY(recorded.at("windows").size() >= 9);
        for (const auto& window : recorded.at("windows")) {
            const decode::WindowSegments read = decode::segmentsOfWindow(
                { window.at("tokens"), window.at("first"), window.at("frames") },
                recorded.at("first_timestamp"));
            QCOMPARE(QString::fromStdString(asJson(read).dump()),
                QString::fromStdString(window.at("segments").dump()));
            QCOMPARE(read.frames, window.at("moved").get<int64_t>());
        }
    }

    void nothingWritten_isTheWholeWindow()
    {
        const decode::WindowSegments read = decode::segmentsOfWindow({ {}, 100, 50 }, 27);
        QCOMPARE(QString::fromStdString(asJson(read).dump()), QString("[[100,150,[]]]"));
        QCOMPARE(read.frames, int64_t(50));
    }
};

EARWRIGHT_TEST(TstTimedSegments)
#include "tst_timed_segments.moc"
