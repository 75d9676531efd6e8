#include "core/decode/hotwords.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/decode/ctc_beam.h"
#include "tests/registry.h"

#include <QTemporaryDir>
#include <QTest>

using namespace earwright;
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

/// Mandarin as SentencePiece cuts it: the first piece of a sentence has the mark, and words.
const std::vector<std::string> kPieces { "<blank>", "▁今天", "我", "去", "北京", "北", "京", "▁",
    "▁AI", "芯", "片", "AI", "▁北京", "▁a", "rt", "大" };
/// The same letters without words.
const std::vector<std::string> kCharacters { "<blank>", "中", "国", "A", "I" };

/// The state behind tokens, each by its label; blanks between them.
HotwordState behindPieces(
    const Hotwords& list, const std::string& text, const std::vector<std::string>& labels = kPieces)
{
    HotwordState state = list.start();
    for (const std::string& piece : split(text, ' ')) {
        const auto label = std::find(labels.begin(), labels.end(), piece);
        if (label != labels.end())
            state = list.advance(state, static_cast<int32_t>(label - labels.begin()));
    }
    return state;
}

/// Frames that are all but sure of these tokens.
std::vector<float> framesOf(const std::vector<int32_t>& tokens, size_t width)
{
    std::vector<float> frames(tokens.size() * width, -30.0F);
    for (size_t i = 0; i < tokens.size(); ++i)
        frames[i * width + static_cast<size_t>(tokens[i])] = -0.01F;
    return frames;
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

    void ideographs_needNoBlankBesideThem()
    {
        const Hotwords list = listOf({ { "北京", 2.0 } }, CtcVocabulary(kPieces, 0));
        const auto earned
            = [&](const char* text) { return list.finish(behindPieces(list, text)).earned; };
        QCOMPARE(earned("▁今天 我 去 北京"), 4.0);
        QCOMPARE(earned("▁今天 北 京 去"), 4.0);
        QCOMPARE(earned("北京 去"), 4.0);
        QCOMPARE(earned("▁北京 去"), 4.0); // no more for the sentence's mark, and no less
        QCOMPARE(earned("▁ 北京 ▁ 北京"), 8.0);
        QCOMPARE(earned("▁今天 北 ▁ 京"), 4.0);
        QCOMPARE(earned("▁今天 京 北"), 0.0);
        QCOMPARE(list.bonus(list.start()), 0.0);
    }

    void ideographs_arePaidOneByOne_andTakenBack()
    {
        const Hotwords list
            = listOf({ { "北京", 1.0 }, { "京大", 1.0 } }, CtcVocabulary(kPieces, 0));
        const auto bonus = [&](const char* text) { return list.bonus(behindPieces(list, text)); };
        QCOMPARE(bonus("▁今天"), 0.0);
        QCOMPARE(bonus("▁今天 北"), 1.0);
        QCOMPARE(bonus("北"), 1.0);
        QCOMPARE(bonus("北 ▁"), 1.0); // a blank beside an ideograph is none
        QCOMPARE(bonus("▁今天 北 去"), 0.0);
        QCOMPARE(bonus("▁今天 北 京"), 2.0); // complete, whatever follows
        QCOMPARE(bonus("▁今天 北 京 去"), 2.0);
        QCOMPARE(bonus("▁今天 北 京 大"), 4.0);
        QCOMPARE(bonus("▁今天 京"), 1.0);
        QCOMPARE(bonus("▁今天 京 去"), 0.0);
        QCOMPARE(list.finish(behindPieces(list, "▁今天 北")).earned, 0.0);
    }

    void wordsAmongIdeographs_keepTheirBoundaries()
    {
        const Hotwords list = listOf(
            { { "AI芯片", 1.0 }, { "art", 1.0 }, { "AI", 5.0 } }, CtcVocabulary(kPieces, 0));
        const auto earned
            = [&](const char* text) { return list.finish(behindPieces(list, text)).earned; };
        QCOMPARE(earned("▁AI 芯 片 去"), 10.0 + 4.0);
        QCOMPARE(earned("我 AI 芯 片"), 10.0 + 4.0);
        QCOMPARE(earned("我 ▁AI ▁ 芯 片 片"), 10.0 + 4.0);
        QCOMPARE(earned("rt AI 芯 片"), 0.0); // "rtAI" is another word
        QCOMPARE(earned("▁AI rt 芯 片"), 0.0);
        QCOMPARE(earned("我 ▁a rt 去"), 3.0);
        QCOMPARE(earned("▁a rt AI"), 0.0);
        QCOMPARE(list.bonus(behindPieces(list, "▁AI 芯")), 10.0 + 3.0);
        QCOMPARE(list.bonus(behindPieces(list, "▁AI 芯 去")), 10.0);
    }

    void blanksBetweenIdeographs_doNotMatter()
    {
        const Hotwords apart = listOf({ { "中 国", 1.0 } }, CtcVocabulary(kCharacters, 0));
        QVERIFY(apart.leftOut().empty());
        QCOMPARE(apart.finish(behindPieces(apart, "A 中 国", kCharacters)).earned, 2.0);
        const Hotwords wide = listOf({ { "　中　国　", 1.0 } }, CtcVocabulary(kCharacters, 0));
        QCOMPARE(wide.finish(behindPieces(wide, "中 国 A", kCharacters)).earned, 2.0);
        const Hotwords words
            = listOf({ { "北 京", 5.0 }, { "北京", 1.0 } }, CtcVocabulary(kPieces, 0));
        QCOMPARE(words.finish(behindPieces(words, "▁今天 北 京")).earned, 2.0); // once
        QVERIFY(!Hotwords::make({ { "A I", 1.0 } }, CtcVocabulary(kCharacters, 0)));
        const Hotwords written = listOf(
            { { "中 国", 1.0 } }, CtcVocabulary::ofCharacters({ "<blank>", "中", "国", " " }, 0));
        HotwordState state = written.start();
        for (const int32_t token : { 1, 3, 2 })
            state = written.advance(state, token);
        QCOMPARE(written.finish(state).earned, 2.0); // there the blank is a letter
    }

    void phraseWithoutOutput_isLeftOut()
    {
        const Hotwords list = listOf({ { "art", 1.0 }, { "zart", 1.0 } }, m_letters);
        QCOMPARE(list.leftOut(), (std::vector<std::string> { "zart" }));
        QCOMPARE(list.hint(), std::string());
        QCOMPARE(finished(list, "art"), 3.0);
    }

    void wordThatIsNoLabel_isLeftOut()
    {
        const CtcVocabulary words({ "<blank>", "▁art", "▁start", "▁cd" }, 0);
        const Hotwords list = listOf(
            { { "art", 1.0 }, { "start art", 1.0 }, { "tart", 1.0 }, { "cd r", 1.0 } }, words);
        QCOMPARE(list.leftOut(), (std::vector<std::string> { "tart", "cd r" }));
        const auto none = Hotwords::make({ { "tart", 1.0 } }, words);
        QVERIFY(!none);
        QVERIFY(none.error().message.find("the word 'tart'") != std::string::npos);
    }

    /// As Mandarin with a blank between all characters, or between words.
    void wordsThatMeetAtIdeographs_spellAHotword()
    {
        const CtcVocabulary words({ "<blank>", "▁北", "▁京", "▁AI", "▁芯片", "▁open", "▁menu" }, 0);
        const Hotwords list = listOf({ { "北京", 1.0 }, { "AI芯片", 1.0 }, { "芯", 1.0 },
                                         { "北京 芯片", 1.0 }, { "openmenu", 1.0 } },
            words);
        QCOMPARE(list.leftOut(), (std::vector<std::string> { "芯", "openmenu" }));
        const HotwordState state = list.advance(list.advance(list.start(), 1), 2);
        QCOMPARE(list.finish(state).earned, 2.0);
        const CtcVocabulary characters
            = CtcVocabulary::ofCharacters({ "<blank>", "北", "京" }, 0); // as with an n-gram
        QVERIFY(listOf({ { "北京", 1.0 } }, characters).leftOut().empty());
        const auto other = Hotwords::make({ { "open Menu", 1.0 } }, words);
        QVERIFY(!other);
        QVERIFY2(other.error().message.find("writes lower case") != std::string::npos,
            other.error().message.c_str());
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
        QVERIFY(small.error().message.find("writes lower case") != std::string::npos);
        const CtcVocabulary capitals({ "<blank>", "A", "R", "T" }, 0);
        const Hotwords list = listOf({ { "art", 1.0 }, { "TAR", 1.0 } }, capitals);
        QVERIFY(list.hint().find("writes upper case") != std::string::npos);
    }

    void weightBehindABlank_isHintedAt()
    {
        const auto heavy = Hotwords::make({ { "art 20", 1.0 } }, m_letters);
        QVERIFY(!heavy);
        QVERIFY2(heavy.error().message.ends_with("; a weight stands behind a tab"),
            heavy.error().message.c_str());
        QCOMPARE(listOf({ { "art", 1.0 }, { "zz 20", 1.0 } }, m_letters).hint(), std::string());
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

    void fullWidthBlanks_areBlanks()
    {
        QVERIFY(writeFileAtomically(path("wide"), "中国　\n　北京　大学\t2\n北京 大学\t3\n　\n"));
        const auto phrases = decode::readHotwords(path("wide"), 1.0);
        QVERIFY2(phrases, phrases ? "" : phrases.error().message.c_str());
        QCOMPARE(phrases->size(), size_t { 2 });
        QCOMPARE((*phrases)[0].text, std::string("中国"));
        QCOMPARE((*phrases)[1].text, std::string("北京 大学"));
        QCOMPARE((*phrases)[1].weight, 3.0);
    }

    void hugeWeight_isRefused()
    {
        QVERIFY(writeFileAtomically(path("huge"), "art\t-10000\nstar\t1e308\n"));
        const auto phrases = decode::readHotwords(path("huge"), 1.0);
        QVERIFY(!phrases);
        QVERIFY(phrases.error().message.find("huge:2: '1e308' is no weight") != std::string::npos);
        QVERIFY(phrases.error().message.find("from -10000 to 10000") != std::string::npos);
        QVERIFY(writeFileAtomically(path("most"), "art\t-10000\nstar\t1e4\n"));
        QVERIFY(decode::readHotwords(path("most"), 1e4));
        const auto usual = decode::readHotwords(path("most"), -1e308);
        QVERIFY(!usual);
        QVERIFY(usual.error().message.find("'-1e+308' is no weight") != std::string::npos);
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

    /// 今天去北 and 京, or the likelier 大: the hotword turns it, and puts nothing at the
    /// beginning.
    void searches_hearMandarinHotwords()
    {
        const CtcVocabulary pieces(kPieces, 0);
        std::vector<float> frames = framesOf({ 1, 3, 5, 15 }, kPieces.size());
        frames[3 * kPieces.size() + 6] = -1.5F;
        const decode::LogProbs logProbs { .data = frames.data(),
            .frames = 4,
            .stride = std::ssize(kPieces),
            .width = std::ssize(kPieces) };
        decode::CtcSearchSetting setting {
            .vocabulary = pieces, .options = {}, .scorer = nullptr, .hotwords = nullptr
        };
        for (const auto search : { &decode::ctcBeamSearch, &decode::ctcPrefixBeamSearch }) {
            setting.hotwords = nullptr;
            QCOMPARE(search(setting, logProbs).at(0).text, std::string("今天去北大"));
            for (const double weight : { 1.0, 10.0 }) {
                setting.hotwords
                    = std::make_shared<Hotwords>(listOf({ { "北京", weight } }, pieces));
                const auto found = search(setting, logProbs).at(0);
                QCOMPARE(found.text, std::string("今天去北京"));
                QVERIFY(std::abs(found.rank - found.score - 2 * weight) < 1e-4);
            }
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

EARWRIGHT_TEST(TstHotwords)
#include "tst_hotwords.moc"
