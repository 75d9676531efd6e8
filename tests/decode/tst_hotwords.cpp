#include "core/decode/hotwords.h"

#include "core/base/file.h"
#include "core/decode/ctc_beam.h"

#include <QTemporaryDir>
#include <QTest>

using namespace kymo;
using decode::CtcVocabulary;
using decode::Hotword;
using decode::Hotwords;
using decode::HotwordState;

namespace {

const std::vector<std::string> kLetters { "<blank>", "a", "r", "t", "s", "d", "e", "c", "o", " " };

Hotwords listOf(const std::vector<Hotword>& phrases, const CtcVocabulary& vocabulary)
{
    Result<Hotwords> list = Hotwords::make(phrases, vocabulary);
    if (!list)
        qFatal("%s", list.error().message.c_str());
    return std::move(*list);
}

/// The state behind a text of a vocabulary of letters.
HotwordState behind(
    const Hotwords& list, const std::string& text, const std::vector<std::string>& labels)
{
    HotwordState state = list.start();
    for (const char letter : text) {
        const auto label = std::find(labels.begin(), labels.end(), std::string(1, letter));
        state = list.advance(state, static_cast<int32_t>(label - labels.begin()));
    }
    return state;
}

double finished(const Hotwords& list, const std::string& text)
{
    return list.finish(behind(list, text, kLetters)).earned;
}

double underWay(const Hotwords& list, const std::string& text)
{
    return list.bonus(behind(list, text, kLetters));
}

} // namespace

class TstHotwords : public QObject {
    Q_OBJECT

private:
    const CtcVocabulary m_letters { kLetters, 0 };
    QTemporaryDir m_dir;
    std::filesystem::path path(const char* name) const
    {
        return m_dir.filePath(name).toStdString();
    }

private Q_SLOTS:
    void phrase_isPaidLetterByLetter_andTakenBack()
    {
        const Hotwords list = listOf({ { "art", 2.0 } }, m_letters);
        QCOMPARE(underWay(list, ""), 0.0);
        QCOMPARE(underWay(list, "a"), 2.0);
        QCOMPARE(underWay(list, "art"), 6.0);
        QCOMPARE(underWay(list, "arts"), 0.0);
        QCOMPARE(underWay(list, "art "), 6.0);
        QCOMPARE(underWay(list, "art so"), 6.0);
        QCOMPARE(finished(list, "art"), 6.0);
        QCOMPARE(finished(list, "ar"), 0.0);
        QCOMPARE(finished(list, "art so art"), 12.0);
    }

    void phrase_isAWord_notAPartOfOne()
    {
        const Hotwords list = listOf({ { "art", 1.0 } }, m_letters);
        QCOMPARE(finished(list, "start"), 0.0);
        QCOMPARE(finished(list, "arts"), 0.0);
        QCOMPARE(finished(list, "so art"), 3.0);
        QCOMPARE(finished(list, "so  art "), 3.0);
    }

    void longerPhrase_beginsWithAShorterOne()
    {
        const Hotwords list = listOf({ { "art", 1.0 }, { "art deco", 1.0 } }, m_letters);
        QCOMPARE(underWay(list, "art "), 3.0 + 3.0); // "art", and "art" of "art deco"
        QCOMPARE(finished(list, "art so"), 3.0);
        QCOMPARE(finished(list, "art deco"), 3.0 + 7.0);
        QCOMPARE(finished(list, "art dec"), 3.0);
    }

    void phrase_beginsWhereAnotherBreaksOff()
    {
        const Hotwords list = listOf({ { "art deco", 1.0 }, { "dec art", 1.0 } }, m_letters);
        QCOMPARE(finished(list, "art dec art"), 6.0);
        QCOMPARE(finished(list, "art deco"), 7.0);
    }

    void withoutWords_phrasesAreHeardAnywhere()
    {
        const CtcVocabulary characters({ "<blank>", "北", "京", "上", "海" }, 0);
        const Hotwords list = listOf({ { "北京", 1.0 }, { "京上", 2.0 } }, characters);
        HotwordState state = list.start();
        for (const int32_t token : { 3, 1, 2, 3, 4 }) // 上北京上海
            state = list.advance(state, token);
        QCOMPARE(list.finish(state).earned, 2.0 + 4.0);
    }

    void sentencePieces_spellPhrases()
    {
        const CtcVocabulary pieces({ "<blank>", "▁ar", "t", "▁", "s", "art" }, 0);
        const Hotwords list = listOf({ { "art", 1.0 } }, pieces);
        const auto after = [&](const std::vector<int32_t>& tokens) {
            HotwordState state = list.start();
            for (const int32_t token : tokens)
                state = list.advance(state, token);
            return list.finish(state).earned;
        };
        QCOMPARE(after({ 1, 2 }), 3.0);
        QCOMPARE(after({ 3, 5 }), 3.0);
        QCOMPARE(after({ 1, 2, 4 }), 0.0);
        QCOMPARE(after({ 4, 5 }), 0.0);
        QCOMPARE(after({ 1, 2, 1, 2 }), 6.0);
    }

    void phraseWithoutOutput_isLeftOut()
    {
        const Hotwords list = listOf({ { "art", 1.0 }, { "zart", 1.0 } }, m_letters);
        QCOMPARE(list.leftOut(), (std::vector<std::string> { "zart" }));
        QCOMPARE(list.hint(), std::string());
        QCOMPARE(finished(list, "art"), 3.0);
    }

    void noPhraseIsLeft_isAnErrorThatNamesTheLetter()
    {
        const auto list = Hotwords::make({ { "zart", 1.0 } }, m_letters);
        QVERIFY(!list);
        QVERIFY(list.error().message.find("'zart'") != std::string::npos);
        QVERIFY(list.error().message.find("'z'") != std::string::npos);
        const CtcVocabulary noBlank({ "<blank>", "a" }, 0);
        QVERIFY(!Hotwords::make({ { "a a", 1.0 } }, noBlank));
        QVERIFY(!Hotwords::make({ { " ", 1.0 } }, m_letters));
        QVERIFY(Hotwords::make({}, m_letters));
    }

    void otherCase_isHintedAt()
    {
        const auto small = Hotwords::make({ { "ART", 1.0 } }, m_letters);
        QVERIFY(!small);
        QVERIFY(small.error().message.find("small letters") != std::string::npos);
        const CtcVocabulary capitals({ "<blank>", "A", "R", "T" }, 0);
        const Hotwords list = listOf({ { "art", 1.0 }, { "TAR", 1.0 } }, capitals);
        QVERIFY(list.hint().find("capital letters") != std::string::npos);
    }

    void file_hasAPhraseALine()
    {
        QVERIFY(writeFileAtomically(path("list"), "art  deco \n\nstar\t2.5\r\n"));
        const auto phrases = decode::readHotwords(path("list"), 1.5);
        QVERIFY2(phrases, phrases ? "" : phrases.error().message.c_str());
        QCOMPARE(phrases->size(), size_t { 2 });
        QCOMPARE((*phrases)[0].text, std::string("art deco"));
        QCOMPARE((*phrases)[0].weight, 1.5);
        QCOMPARE((*phrases)[1].text, std::string("star"));
        QCOMPARE((*phrases)[1].weight, 2.5);
    }

    void file_ofAnyEditorIsRead()
    {
        QVERIFY(writeFileAtomically(path("mark"), "\xef\xbb\xbfstar\t2\nart\t\r\nstar\n"));
        const auto phrases = decode::readHotwords(path("mark"), 1.5);
        QVERIFY2(phrases, phrases ? "" : phrases.error().message.c_str());
        QCOMPARE(phrases->size(), size_t { 2 }); // "star" once, as its last line has it
        QCOMPARE((*phrases)[0].text, std::string("star"));
        QCOMPARE((*phrases)[0].weight, 1.5);
        QCOMPARE((*phrases)[1].text, std::string("art"));
        QCOMPARE((*phrases)[1].weight, 1.5);
    }

    void badWeight_isNamedWithItsLine()
    {
        QVERIFY(writeFileAtomically(path("bad"), "art\nstar\tmuch\n"));
        const auto phrases = decode::readHotwords(path("bad"), 1.0);
        QVERIFY(!phrases);
        QVERIFY(phrases.error().message.find("bad:2: 'much' is no weight") != std::string::npos);
        QVERIFY(!decode::readHotwords(path("none"), 1.0));
    }

    void otherEncodings_areNamedWithTheLine()
    {
        QVERIFY(writeFileAtomically(path("gbk"), "art\n\xd6\xd0\xb9\xfa\n"));
        const auto phrases = decode::readHotwords(path("gbk"), 1.0);
        QVERIFY(!phrases);
        QVERIFY(phrases.error().message.find("gbk:2: ") != std::string::npos);
        QVERIFY(phrases.error().message.find("iconv -f GBK") != std::string::npos);
    }

    void search_hearsTheHotword_data()
    {
        QTest::addColumn<bool>("isPrefix");
        QTest::newRow("beams") << false;
        QTest::newRow("prefixes") << true;
    }

    /// Where the last word is the same, the beam that needs more of the phrase must not be dropped.
    void prunedHistories_keepPhrasesUnderWay()
    {
        const std::string text = "co do art";
        std::vector<float> frames;
        for (const char letter : text) {
            std::vector<float> row(kLetters.size(), -30.0F);
            const auto label = std::find(kLetters.begin(), kLetters.end(), std::string(1, letter));
            row[static_cast<size_t>(label - kLetters.begin())] = 0;
            frames.insert(frames.end(), row.begin(), row.end());
        }
        frames[4] = -6.5F; // the first letter may be an s
        const decode::LogProbs logProbs { .data = frames.data(),
            .frames = std::ssize(text),
            .stride = std::ssize(kLetters),
            .width = std::ssize(kLetters) };
        decode::CtcSearchSetting setting { .vocabulary = m_letters,
            .options = { .beamPruneLogp = -20, .tokenPruneMinLogp = -20 },
            .scorer = nullptr,
            .hotwords = nullptr };
        for (const auto search : { &decode::ctcBeamSearch, &decode::ctcPrefixBeamSearch }) {
            setting.hotwords = nullptr;
            QCOMPARE(search(setting, logProbs).at(0).text, text);
            // 7 letters outweigh 6.5 nats in the end, and not before.
            setting.hotwords
                = std::make_shared<Hotwords>(listOf({ { "so do art", 1.0 } }, m_letters));
            QCOMPARE(search(setting, logProbs).at(0).text, std::string("so do art"));
        }
    }

    /// "cat" a little more probable than "car": the hotword turns it, and not what has no part in
    /// it.
    void search_hearsTheHotword()
    {
        QFETCH(bool, isPrefix);
        const auto search = isPrefix ? decode::ctcPrefixBeamSearch : decode::ctcBeamSearch;
        std::vector<float> frames;
        const auto frame = [&](std::initializer_list<std::pair<int, float>> sure) {
            std::vector<float> row(kLetters.size(), -30.0F);
            for (const auto& [token, logProb] : sure)
                row[static_cast<size_t>(token)] = logProb;
            frames.insert(frames.end(), row.begin(), row.end());
        };
        frame({ { 7, -0.01F } }); // c
        frame({ { 1, -0.01F } }); // a
        frame({ { 3, -0.4F }, { 2, -1.1F } }); // t or r
        decode::CtcSearchSetting setting {
            .vocabulary = m_letters, .options = {}, .scorer = nullptr, .hotwords = nullptr
        };
        const decode::LogProbs logProbs { .data = frames.data(),
            .frames = 3,
            .stride = std::ssize(kLetters),
            .width = std::ssize(kLetters) };
        const double plain = search(setting, logProbs).at(0).rank;
        QCOMPARE(search(setting, logProbs).at(0).text, std::string("cat"));
        setting.hotwords = std::make_shared<Hotwords>(listOf({ { "car", 1.0 } }, m_letters));
        const auto found = search(setting, logProbs).at(0);
        QCOMPARE(found.text, std::string("car"));
        QVERIFY(std::abs(found.rank - found.score - 3.0) < 1e-4);
        setting.hotwords = std::make_shared<Hotwords>(listOf({ { "card", 1.0 } }, m_letters));
        QCOMPARE(search(setting, logProbs).at(0).text, std::string("cat"));
        QVERIFY(std::abs(search(setting, logProbs).at(0).rank - plain) < 1e-5);
    }
};

QTEST_GUILESS_MAIN(TstHotwords)
#include "tst_hotwords.moc"
