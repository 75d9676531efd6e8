#include <QTest>

#include "core/train/join_segments.h"
#include "tests/registry.h"

using namespace earwright;
using train::Heard;
using train::joinSegments;
using train::SegmentPlaces;

/// What was heard in the segments of a long sound.
class TstJoinSegments : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void texts_areJoined_data();
    void texts_areJoined();
    void frames_areOfTheWholeSound_data();
    void frames_areOfTheWholeSound();
    void list_hasTheBestSums();
    void segmentWithoutText_isNamed();
    void oneSegment_isTheSound();

private:
    static Heard heard(const std::string& text)
    {
        return { .hypotheses = { { .text = text, .words = {} } } };
    }
    /// Each of two seconds, of 100 frames a second.
    static SegmentPlaces places(size_t count, int64_t topk = 1)
    {
        SegmentPlaces made { .sampleRateHz = 16000, .frameSamples = 160, .topk = topk };
        for (size_t i = 0; i < count; ++i)
            made.parts.push_back({ static_cast<int64_t>(i) * 32000, 32000 });
        return made;
    }
};

void TstJoinSegments::texts_areJoined_data()
{
    QTest::addColumn<QStringList>("texts");
    QTest::addColumn<QString>("joined");
    QTest::newRow("words") << QStringList { "ONE TWO", "THREE", "FOUR" } << "ONE TWO THREE FOUR";
    QTest::newRow("nothing heard") << QStringList { "", "ONE", "", "TWO", "" } << "ONE TWO";
    QTest::newRow("silence") << QStringList { "", "" } << "";
    QTest::newRow("ideographs") << QStringList { "你好", "世界" } << "你好世界";
    QTest::newRow("kana") << QStringList { "ありがとう", "ございます" } << "ありがとうございます";
    QTest::newRow("Thai") << QStringList { "สวัสดี", "ครับ" } << "สวัสดีครับ";
    QTest::newRow("Adlam") << QStringList { "𞤀𞤣𞤤𞤢𞤥", "𞤆𞤵𞤤𞤢𞤪" }
                           << "𞤀𞤣𞤤𞤢𞤥 𞤆𞤵𞤤𞤢𞤪";
    QTest::newRow("hangul") << QStringList { "안녕", "세상" } << "안녕 세상";
    QTest::newRow("mixed") << QStringList { "打开 menu", "请", "go" } << "打开 menu 请 go";
}

void TstJoinSegments::texts_areJoined()
{
    QFETCH(QStringList, texts);
    QFETCH(QString, joined);
    std::vector<Heard> all;
    for (const QString& text : texts)
        all.push_back(heard(text.toStdString()));
    const Heard whole = joinSegments(all, places(all.size()));
    QCOMPARE(QString::fromStdString(whole.text()), joined);
    QCOMPARE(std::ssize(whole.segments), texts.size());
    for (size_t i = 0; i < all.size(); ++i) {
        QCOMPARE(whole.segments[i].text, all[i].text());
        QCOMPARE(whole.segments[i].beginSeconds, 2.0 * static_cast<double>(i));
        QCOMPARE(whole.segments[i].endSeconds, 2.0 * static_cast<double>(i + 1));
    }
}

void TstJoinSegments::frames_areOfTheWholeSound_data()
{
    QTest::addColumn<double>("secondsPerFrame");
    QTest::addColumn<int>("offset"); // of the third
    QTest::newRow("known") << 0.01 << 400;
    QTest::newRow("counted") << 0.0 << 402;
}

/// Where a frame's length is known, by the segment's place; padding makes one more of each.
void TstJoinSegments::frames_areOfTheWholeSound()
{
    QFETCH(double, secondsPerFrame);
    QFETCH(int, offset);
    std::vector<Heard> all(3, heard("A"));
    for (Heard& one : all) {
        one.hypotheses.front().words = { { "A", 3, 7 } };
        one.secondsPerFrame = secondsPerFrame;
        one.numFrames = 201;
    }
    const Heard whole = joinSegments(all, places(3));
    QCOMPARE(whole.secondsPerFrame, secondsPerFrame);
    const auto& words = whole.hypotheses.front().words;
    QCOMPARE(words.size(), size_t(3));
    QCOMPARE(words[0].begin, 3);
    QCOMPARE(words[2].begin, offset + 3);
    QCOMPARE(words[2].end, offset + 7);
}

/// A text that two pairs make counts once.
void TstJoinSegments::list_hasTheBestSums()
{
    const auto listed = [](const std::vector<std::pair<std::string, double>>& texts) {
        Heard one { .hypotheses = {} };
        for (const auto& [text, rank] : texts)
            one.hypotheses.push_back(
                { .text = text, .score = 2 * rank, .rank = rank, .words = {} });
        return one;
    };
    const std::vector<Heard> all { listed({ { "A", -1 }, { "A B", -2 }, { "C", -8 } }),
        listed({ { "B D", -1 }, { "D", -1.5 }, { "E", -3 } }) };
    const Heard whole = joinSegments(all, places(2, 4));
    std::vector<std::string> texts;
    std::vector<double> ranks;
    for (const decode::CtcHypothesis& one : whole.hypotheses) {
        texts.push_back(one.text);
        ranks.push_back(one.rank);
        QCOMPARE(one.score, 2 * one.rank);
    }
    QCOMPARE(texts, (std::vector<std::string> { "A B D", "A D", "A B B D", "A E" }));
    QCOMPARE(ranks, (std::vector<double> { -2, -2.5, -3, -4 }));
}

void TstJoinSegments::segmentWithoutText_isNamed()
{
    std::vector<Heard> all { heard("A"), { .problem = "utterance 'u' is too short" }, heard("C") };
    const Heard whole = joinSegments(all, places(3));
    QCOMPARE(
        whole.problem, std::string("utterance 'u' is too short (in its segment from 2 s to 4 s)"));
}

void TstJoinSegments::oneSegment_isTheSound()
{
    const Heard whole = joinSegments({ heard("A") }, places(1));
    QCOMPARE(whole.text(), std::string("A"));
    QVERIFY(whole.segments.empty());
}

EARWRIGHT_TEST(TstJoinSegments)
#include "tst_join_segments.moc"
