#include "core/decode/ngram.h"

#include "core/base/file.h"
#include "core/decode/ctc_beam.h"
#include "tests/registry.h"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>

using namespace earwright;
using decode::NgramModel;
using decode::NgramScorer;
using decode::NgramState;
using decode::TextHash;

namespace {

const std::filesystem::path kTiny = EARWRIGHT_CASES_DIR "/decode/tiny.arpa";

/// log10 of "<s> ab cad </s>" and the like.
double sentence(const NgramModel& model, const std::vector<std::string>& words)
{
    NgramState state = model.start(true);
    double sum = 0;
    for (const std::string& word : words) {
        NgramState next;
        sum += static_cast<double>(model.score(state, word, next));
        state = next;
    }
    return sum;
}

} // namespace

class TstNgram : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_dir;
    std::filesystem::path path(const char* name) const
    {
        return m_dir.filePath(name).toStdString();
    }

private Q_SLOTS:
    void words_areScoredByTheLongestKnownHistory()
    {
        const auto model = NgramModel::open(kTiny);
        QVERIFY2(model, model ? "" : model.error().message.c_str());
        QCOMPARE((*model)->order(), 2);
        QVERIFY(std::abs(sentence(**model, { "ab", "cad", "</s>" }) - (-0.3 - 0.5 - 0.9)) < 1e-5);
        // "de ab": no such pair, so the back-off of "de" and the word by itself
        QVERIFY(std::abs(sentence(**model, { "ab", "de", "ab" }) - (-0.3 - 0.3 - 1.3 - 0.25 - 0.9))
            < 1e-5);
    }

    void vocabulary_hasWordsAndTheirBeginnings()
    {
        const auto model = NgramModel::open(kTiny);
        QVERIFY(model);
        QVERIFY((*model)->hasWord(TextHash::of("cad")));
        QVERIFY(!(*model)->hasWord(TextHash::of("ca")));
        QVERIFY((*model)->hasPrefix(TextHash::of("ca")));
        QVERIFY(!(*model)->hasPrefix(TextHash::of("cb")));
        QVERIFY(!(*model)->hasWord(TextHash::of("<unk>")));
        QCOMPARE((*model)->wordCount(), size_t { 7 });
    }

    void binaryForm_saysTheSame()
    {
        const std::filesystem::path binary = path("tiny.bin");
        const Status written = decode::writeBinaryNgram(kTiny, binary);
        QVERIFY2(written, written ? "" : written.error().message.c_str());
        QVERIFY(!std::filesystem::exists(binary.string() + ".tmp"));
        const auto text = NgramModel::open(kTiny);
        const auto model = NgramModel::open(binary);
        QVERIFY2(model, model ? "" : model.error().message.c_str());
        for (const std::vector<std::string>& words :
            std::vector<std::vector<std::string>> { { "ab", "cad" }, { "zz", "a", "de", "</s>" } })
            QCOMPARE(sentence(**model, words), sentence(**text, words));
        QVERIFY((*model)->hasPrefix(TextHash::of("ca")));
        QCOMPARE((*model)->wordCount(), (*text)->wordCount());
    }

    /// As OpenSLR has LibriSpeech's.
    void compressedFile_saysTheSame()
    {
        const auto text = NgramModel::open(kTiny);
        const auto model = NgramModel::open(kTiny.string() + ".gz");
        QVERIFY2(model, model ? "" : model.error().message.c_str());
        QCOMPARE(
            sentence(**model, { "ab", "cad", "</s>" }), sentence(**text, { "ab", "cad", "</s>" }));
        QCOMPARE((*model)->wordCount(), (*text)->wordCount());
    }

    void cutCompressedFile_isNamedWithTheReason()
    {
        const auto whole = readFile(kTiny.string() + ".gz");
        QVERIFY(whole);
        QVERIFY(writeFileAtomically(path("cut.arpa.gz"), whole->substr(0, whole->size() / 2)));
        const auto model = NgramModel::open(path("cut.arpa.gz"));
        QVERIFY(!model);
        QVERIFY2(model.error().message.find("cut.arpa.gz") != std::string::npos
                && model.error().message.find('\n') == std::string::npos,
            model.error().message.c_str());
    }

    void missingFile_isNamed()
    {
        const auto model = NgramModel::open(path("none.arpa"));
        QVERIFY(!model);
        QVERIFY(model.error().message.find("none.arpa") != std::string::npos);
        QVERIFY(!NgramModel::open(m_dir.path().toStdString()));
    }

    void brokenFile_isNamedWithTheReason()
    {
        for (const char* text :
            { "", "no model at all\n", "\\data\\\nngram 1=3\n\n\\1-grams:\n-1\ta\n" }) {
            QVERIFY(writeFileAtomically(path("broken.arpa"), text));
            const auto model = NgramModel::open(path("broken.arpa"));
            QVERIFY(!model);
            QVERIFY(model.error().message.find("broken.arpa") != std::string::npos);
            QVERIFY(model.error().message.find('\n') == std::string::npos);
            QVERIFY2(model.error().message.find("): :") == std::string::npos
                    && model.error().message.find("threw") == std::string::npos,
                model.error().message.c_str());
        }
    }

    void binaryOfABrokenFile_leavesNothing()
    {
        QVERIFY(writeFileAtomically(path("broken.arpa"), "no model at all\n"));
        QVERIFY(!decode::writeBinaryNgram(path("broken.arpa"), path("broken.bin")));
        QVERIFY(!std::filesystem::exists(path("broken.bin")));
        QVERIFY(!std::filesystem::exists(path("broken.bin.tmp")));
    }

    /// 天 and 田 sound alike; behind 今 the model knows one of them.
    void characters_canBeTheWords()
    {
        const auto model = NgramModel::open(EARWRIGHT_CASES_DIR "/decode/hanzi.arpa");
        QVERIFY2(model, model ? "" : model.error().message.c_str());
        const std::vector<std::string> labels { "<blank>", "今", "天", "田" };
        decode::CtcSearchSetting setting { .vocabulary
            = decode::CtcVocabulary::ofCharacters(labels, 0),
            .options = {},
            .scorer = nullptr,
            .hotwords = nullptr };
        const std::vector<float> frames { -9, -0.01F, -9, -9, -9, -9, -1.2F, -0.4F };
        const decode::LogProbs logProbs { frames.data(), 2, 4, 4 };
        QCOMPARE(decode::ctcBeamSearch(setting, logProbs).at(0).text, std::string("今田"));
        setting.scorer = std::make_shared<NgramScorer>(*model, decode::NgramWeights {});
        QCOMPARE(decode::ctcBeamSearch(setting, logProbs).at(0).text, std::string("今天"));
    }

    /// A vowel sign goes on with its consonant, and both are a word of the model.
    void lettersWithTheirMarks_canBeTheWords()
    {
        const auto model = NgramModel::open(EARWRIGHT_CASES_DIR "/decode/thai.arpa");
        QVERIFY2(model, model ? "" : model.error().message.c_str());
        QVERIFY((*model)->isOfCharacters());
        QCOMPARE((*model)->characterCount(), size_t { 4 });
        const std::vector<std::string> labels { "<blank>", "ก", "ิ", "น", "ม" };
        decode::CtcSearchSetting setting { .vocabulary
            = decode::CtcVocabulary::ofCharacters(labels, 0),
            .options = {},
            .scorer = nullptr,
            .hotwords = nullptr };
        const std::vector<float> frames { -9, -0.01F, -9, -9, -9, -9, -9, -0.01F, -9, -9, -9, -9,
            -9, -1.2F, -0.4F };
        const decode::LogProbs logProbs { frames.data(), 3, 5, 5 };
        QCOMPARE(decode::ctcBeamSearch(setting, logProbs).at(0).text, std::string("กิม"));
        setting.scorer = std::make_shared<NgramScorer>(*model, decode::NgramWeights {});
        QCOMPARE(decode::ctcBeamSearch(setting, logProbs).at(0).text, std::string("กิน"));
    }

    /// As a character between characters: the model's texts have none.
    void blank_isNoWord()
    {
        const auto model = NgramModel::open(EARWRIGHT_CASES_DIR "/decode/hanzi.arpa");
        QVERIFY(model);
        const NgramScorer scorer(*model, decode::NgramWeights {});
        NgramState behindBlank;
        NgramState behind;
        QCOMPARE(scorer.word(scorer.start(), " ", TextHash::of(" "), behindBlank), 0.0);
        QCOMPARE(scorer.word(behindBlank, "今", TextHash::of("今"), behind),
            scorer.word(scorer.start(), "今", TextHash::of("今"), behind));
        QCOMPARE(scorer.prefix(TextHash::of(" "), 1), 0.0);
        QCOMPARE((*model)->realWordCount(), size_t { 4 });
        QCOMPARE((*model)->characterCount(), size_t { 4 });
        QCOMPARE((*model)->wordsBeginningWith("今"), size_t { 1 });
        QCOMPARE((*model)->wordsBeginningWith("去"), size_t { 0 });
    }

    void unknownWords_andTheirBeginnings_costMore()
    {
        const auto model = NgramModel::open(kTiny);
        QVERIFY(model);
        const NgramScorer scorer(*model, { .alpha = 0.5, .beta = 1.5, .unknownOffset = -10 });
        NgramState next;
        const double known = scorer.word(scorer.start(), "ab", TextHash::of("ab"), next);
        QVERIFY(std::abs(known - (0.5 * -0.3 * std::log(10.0) + 1.5)) < 1e-5);
        const double unknown = scorer.word(scorer.start(), "zz", TextHash::of("zz"), next);
        QVERIFY(std::abs(unknown - (0.5 * (-1.2 - 0.4 - 10) * std::log(10.0) + 1.5)) < 1e-5);
        QCOMPARE(scorer.prefix(TextHash::of("ca"), 2), 0.0);
        QCOMPARE(scorer.prefix(TextHash::of("zz"), 2), -10.0);
        QCOMPARE(scorer.prefix(TextHash::of("zzzzzzzzz"), 9), -15.0);
    }
};

EARWRIGHT_TEST(TstNgram)
#include "tst_ngram.moc"
