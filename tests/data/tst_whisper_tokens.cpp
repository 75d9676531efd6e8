#include "tests/data/byte_pair_cases.h"
#include "tests/registry.h"

#include "core/data/whisper_tokens.h"

using namespace earwright;
using namespace earwright::tests;
using data::WhisperTokens;
using Indices = std::vector<int64_t>;

namespace {

/// Those of a published model of many languages.
WhisperTokens ofManyLanguages()
{
    return { .endOfText = 50257,
        .startOfTranscript = 50258,
        .translate = 50358,
        .transcribe = 50359,
        .startOfLm = 50360,
        .startOfPrev = 50361,
        .noTimestamps = 50363,
        .firstTimestamp = 50364,
        .languages = { { "en", 50259 }, { "de", 50261 }, { "es", 50262 } } };
}

WhisperTokens ofTheFixture()
{
    return *data::whisperTokens(bytePairs());
}

template <class Value>
QString whyNone(const Result<Value>& result)
{
    return result ? QString() : QString::fromStdString(result.error().message);
}

} // namespace

class TstWhisperTokens : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void vocabulary_givesTheTokens()
    {
        const WhisperTokens tokens = ofTheFixture();
        QCOMPARE(tokens.endOfText, 438);
        QCOMPARE(tokens.startOfTranscript, 439);
        QCOMPARE(tokens.noTimestamps, 545);
        QCOMPARE(tokens.firstTimestamp, 546);
        QCOMPARE(tokens.languages.size(), size_t(100));
        QCOMPARE(tokens.languages.at("yue"), 539);
    }

    void foreignVocabulary_isRefused()
    {
        auto json = pairsOf("tokenizer.json");
        json["added_tokens"].clear();
        const auto pairs = data::BytePairs::parse(json.dump());
        QCOMPARE(whyNone(data::whisperTokens(*pairs)),
            "the tokenizer has no token <|endoftext|>, so it is none of Whisper: take that of a "
            "Whisper's folder");
    }

    void languages_haveNamesAndCodes()
    {
        QCOMPARE(*data::whisperLanguage("english"), "en");
        QCOMPARE(*data::whisperLanguage("English"), "en");
        QCOMPARE(*data::whisperLanguage("de"), "de");
        QCOMPARE(*data::whisperLanguage("castilian"), "es");
        QCOMPARE(*data::whisperLanguage("haitian creole"), "ht");
        QVERIFY(whyNone(data::whisperLanguage("klingon"))
                    .startsWith("Whisper knows no language 'klingon'; it knows english (en), "));
    }

    void prefix_isUpstreams_data()
    {
        QTest::addColumn<QString>("language");
        QTest::addColumn<QString>("task");
        QTest::addColumn<QString>("prefix"); // or the error's beginning
        QTest::newRow("none is English") << ""
                                         << "transcribe"
                                         << "50258 50259 50359 50363";
        QTest::newRow("German") << "german"
                                << "transcribe"
                                << "50258 50261 50359 50363";
        QTest::newRow("translated") << "es"
                                    << "translate"
                                    << "50258 50262 50358 50363";
        QTest::newRow("another task") << "en"
                                      << "guess"
                                      << "Whisper has no task 'guess'";
        QTest::newRow("a later language") << "cantonese"
                                          << "transcribe"
                                          << "this Whisper has no token for 'cantonese', <|yue|>";
        QTest::newRow("no language") << "xx"
                                     << "transcribe"
                                     << "Whisper knows no language 'xx'";
    }

    void prefix_isUpstreams()
    {
        QFETCH(QString, language);
        QFETCH(QString, task);
        QFETCH(QString, prefix);
        data::WhisperPrompt prompt { .task = task.toStdString(), .isMultilingual = true };
        if (!language.isEmpty())
            prompt.language = language.toStdString();
        const auto tokens = data::prefixTokens(ofManyLanguages(), prompt);
        QString shown = whyNone(tokens);
        if (tokens)
            for (const int64_t token : *tokens)
                shown += (shown.isEmpty() ? "" : " ") + QString::number(token);
        QVERIFY2(shown.startsWith(prefix), qPrintable(shown));
        QVERIFY(!tokens || shown == prefix);
    }

    /// Whose usual language it may be all the same.
    void missingEnglish_isNamed()
    {
        WhisperTokens tokens = ofManyLanguages();
        tokens.languages.erase("en");
        const QString why = whyNone(data::prefixTokens(tokens, { .isMultilingual = true }));
        QVERIFY2(why.startsWith("this Whisper has no token for 'en', <|en|>"), qPrintable(why));
    }

    /// The language of such a model is never said.
    void prefixOfEnglishAlone_isShort()
    {
        QVERIFY(*data::prefixTokens(ofTheFixture(), { .language = "english" })
            == (Indices { 439, 545 }));
    }

    void suppressed_areWhatIsAskedAndTheBeginnings()
    {
        const data::BytePairs pairs = bytePairs();
        const WhisperTokens tokens = ofTheFixture();
        QVERIFY(data::suppressedTokens(pairs, tokens, {}).empty());
        QVERIFY(data::suppressedTokens(pairs, tokens, { 7, 5, 7 })
            == (Indices { 5, 7, 439, 540, 541, 542, 543 }));
        Indices all = data::nonSpeechTokens(pairs);
        all.insert(all.end(), { 439, 540, 541, 542, 543 });
        QVERIFY(data::suppressedTokens(pairs, tokens, { -1 }) == all);
        QVERIFY(data::blankTokens(pairs, tokens) == (Indices { 220, 438 }));
    }

    /// Of its 90 tokens OpenAI's list has five special ones besides.
    void tinyEn_suppressesUpstreamsTokens()
    {
        const std::filesystem::path folder = whisperTinyEn();
        if (folder.empty())
            QSKIP(kNoWhisper);
        const auto pairs = data::readWhisperPairs(folder);
        QVERIFY2(pairs, qPrintable(whyNone(pairs)));
        const WhisperTokens tokens = *data::whisperTokens(*pairs);
        QVERIFY(*data::prefixTokens(tokens, {}) == (Indices { 50257, 50362 }));
        QVERIFY(data::nonSpeechTokens(*pairs)
            == pairsOf("whisper_tiny_en.json")["non_speech"].get<Indices>());
    }
};

EARWRIGHT_TEST(TstWhisperTokens)
#include "tst_whisper_tokens.moc"
