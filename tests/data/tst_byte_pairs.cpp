#include "tests/data/byte_pair_cases.h"
#include "tests/registry.h"

#include "core/data/byte_pair_words.h"

#include <QTemporaryDir>

#include <optional>

using namespace earwright;
using namespace earwright::tests;
using data::BytePairs;
using Indices = std::vector<int64_t>;

namespace {

QString whyNoPairs(const Result<BytePairs>& pairs)
{
    return pairs ? QString() : QString::fromStdString(pairs.error().message);
}

/// Whether both have the same tokens and give the same of every text.
bool areAlike(const BytePairs& a, const BytePairs& b)
{
    bool areSame = a.tokens() == b.tokens();
    const auto cases = pairsOf("pairs.json");
    for (const auto& one : cases["encoded"])
        areSame = areSame && a.encode(one["text"]) == b.encode(one["text"]);
    for (int64_t index = 0; index < std::ssize(a.tokens()); ++index)
        areSame = areSame && a.isSpecial(index) == b.isSpecial(index);
    return areSame;
}

} // namespace

class TstBytePairs : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_dir.emplace(); }
    void texts_areCutIntoWords_data();
    void texts_areCutIntoWords();
    void texts_haveUpstreamsIndices();
    void indices_spellUpstreamsTexts();
    void everyText_isSpeltAgain();
    void vocabulary_knowsItsSpecialTokens();
    void vocabularyAndMerges_areTheSame();
    void specialTokens_areThoseThatAFileNames();
    void moreTokens_comeFromTheConfiguration();
    void spellings_areKeptWithIt();
    void otherKinds_areRefused_data();
    void otherKinds_areRefused();
    void brokenFolders_areRefused_data();
    void brokenFolders_areRefused();
    void tinyEn_givesUpstreamsIndices();

private:
    void write(const char* name, const std::string& text) const
    {
        QVERIFY(writeFileAtomically(m_dir->filePath(name).toStdString(), text));
    }
    /// vocab.json, merges.txt and added_tokens.json of the same tokenizer.
    void writeParts() const;
    Result<BytePairs> read() const { return BytePairs::read(m_dir->path().toStdString()); }

    std::optional<QTemporaryDir> m_dir; ///< of each test its own
};

void TstBytePairs::texts_areCutIntoWords_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QStringList>("words");
    QTest::newRow("words") << "the river" << QStringList { "the", " river" };
    QTest::newRow("contractions") << "it's we'LL" << QStringList { "it", "'s", " we", "'", "LL" };
    QTest::newRow("a blank before a quote") << " 's" << QStringList { " '", "s" };
    QTest::newRow("numbers") << "a12 ½" << QStringList { "a", "12", " ½" };
    QTest::newRow("blanks") << "a   b  " << QStringList { "a", "  ", " b", "  " };
    QTest::newRow("lines") << "a\n\nb" << QStringList { "a", "\n", "\n", "b" };
    QTest::newRow("a mark on a letter")
        << QString("e\u0301!") << QStringList { "e", QString("\u0301!") };
    QTest::newRow("nothing") << "" << QStringList {};
}

void TstBytePairs::texts_areCutIntoWords()
{
    QFETCH(QString, text);
    const std::string utf8 = text.toStdString();
    QStringList words;
    for (const std::string_view word : data::bytePairWords(utf8))
        words << QString::fromUtf8(word.data(), static_cast<qsizetype>(word.size()));
    QTEST(words, "words");
}

void TstBytePairs::texts_haveUpstreamsIndices()
{
    const BytePairs pairs = bytePairs();
    const auto cases = pairsOf("pairs.json");
    for (const auto& one : cases["encoded"]) {
        const std::string text = one["text"];
        QVERIFY2(pairs.encode(text) == one["ids"].get<Indices>(), text.c_str());
        QVERIFY(pairs.encode(text) == one["ids"].get<Indices>()); // now remembered
    }
}

void TstBytePairs::indices_spellUpstreamsTexts()
{
    const BytePairs pairs = bytePairs();
    const auto cases = pairsOf("pairs.json");
    for (const auto& one : cases["decoded"]) {
        const auto indices = one["ids"].get<Indices>();
        QCOMPARE(pairs.decode(indices, false), one["text"].get<std::string>());
        QCOMPARE(pairs.decode(indices), one["spoken"].get<std::string>());
    }
    QCOMPARE(pairs.decode({ -1, 100000 }), "");
}

void TstBytePairs::everyText_isSpeltAgain()
{
    const BytePairs pairs = bytePairs();
    for (const std::string text : { "The reader isn't here\t ", "北京 é", "\x01 ~", "Ġ" })
        QCOMPARE(pairs.decode(pairs.encode(text)), text);
}

void TstBytePairs::vocabulary_knowsItsSpecialTokens()
{
    const BytePairs pairs = bytePairs();
    const data::Vocabulary vocabulary = pairs.vocabulary();
    QCOMPARE(vocabulary.size(), 549);
    QCOMPARE(data::sizeText(vocabulary), "the tokenizer has 549 tokens");
    QVERIFY(vocabulary.eos == pairs.indexOf("<|endoftext|>"));
    QVERIFY(vocabulary.bos == pairs.indexOf("<|startoftranscript|>"));
    QVERIFY(vocabulary.special.contains(*pairs.indexOf("<|0.00|>")));
    QVERIFY(!pairs.isSpecial(*pairs.indexOf("<|0.00|>"))); // as transformers has it
    QVERIFY(!pairs.indexOf("no token"));
    QVERIFY(data::labelConflicts(vocabulary, { .blank = 0, .bos = 1 }).empty());
}

void TstBytePairs::writeParts() const
{
    const auto json = pairsOf("tokenizer.json");
    std::string merges = "#version: 0.2\n";
    for (const auto& merge : json["model"]["merges"])
        merges += merge[0].get<std::string>() + " " + merge[1].get<std::string>() + "\n";
    nlohmann::json added;
    nlohmann::json special = nlohmann::json::array();
    for (const auto& token : json["added_tokens"]) {
        added[token["content"].get<std::string>()] = token["id"];
        if (token["special"])
            special.push_back(token["content"]);
    }
    write("vocab.json", json["model"]["vocab"].dump());
    write("merges.txt", merges);
    write("added_tokens.json", added.dump());
    write("special_tokens_map.json",
        nlohmann::json { { "additional_special_tokens", special } }.dump());
}

void TstBytePairs::vocabularyAndMerges_areTheSame()
{
    writeParts();
    const auto pairs = read();
    QVERIFY2(pairs, qPrintable(whyNoPairs(pairs)));
    QVERIFY(areAlike(*pairs, bytePairs()));
    write("tokenizer.json", pairs->tokenizerJson());
    std::filesystem::remove(m_dir->filePath("vocab.json").toStdString());
    const auto again = read();
    QVERIFY2(again, qPrintable(whyNoPairs(again)));
    QVERIFY(areAlike(*again, bytePairs()));
}

void TstBytePairs::specialTokens_areThoseThatAFileNames()
{
    writeParts();
    std::filesystem::remove(m_dir->filePath("special_tokens_map.json").toStdString());
    write("tokenizer_config.json", R"({ "pad_token": { "content": "<|en|>" } })");
    const auto pairs = read();
    QVERIFY2(pairs, qPrintable(whyNoPairs(pairs)));
    QVERIFY(pairs->isSpecial(*pairs->indexOf("<|endoftext|>")));
    QVERIFY(pairs->isSpecial(*pairs->indexOf("<|en|>")));
    QVERIFY(!pairs->isSpecial(*pairs->indexOf("<|de|>")));
}

void TstBytePairs::moreTokens_comeFromTheConfiguration()
{
    write("tokenizer.json", bytePairs().tokenizerJson());
    write("tokenizer_config.json",
        R"({ "added_tokens_decoder": { "549": { "content": "<|more|>", "special": true } } })");
    const auto pairs = read();
    QVERIFY2(pairs, qPrintable(whyNoPairs(pairs)));
    QVERIFY(pairs->encode("a<|more|>").back() == 549);
    QVERIFY(pairs->isSpecial(549));
    write("tokenizer_config.json",
        R"({ "added_tokens_decoder": { "440": { "content": "<|other|>" } } })");
    QVERIFY2(whyNoPairs(read()).endsWith(
                 "tokenizer_config.json': token 440 is '<|other|>', in tokenizer.json '<|en|>'"),
        qPrintable(whyNoPairs(read())));
    write("tokenizer_config.json",
        R"({ "added_tokens_decoder": { "549": { "content": "<|more|>", "rstrip": true } } })");
    QVERIFY2(whyNoPairs(read()).contains("'rstrip' of the added token '<|more|>' is true"),
        qPrintable(whyNoPairs(read())));
}

void TstBytePairs::spellings_areKeptWithIt()
{
    QVERIFY(bytePairs().spellings().empty());
    QCOMPARE(bytePairs().fileText(), bytePairs().tokenizerJson());
    write("tokenizer.json", bytePairs().tokenizerJson());
    write("normalizer.json", R"({ "colour": "color", "naïve": "naive" })");
    const auto pairs = read();
    QVERIFY2(pairs, qPrintable(whyNoPairs(pairs)));
    const auto kept = BytePairs::parse(pairs->fileText());
    QVERIFY2(kept, qPrintable(whyNoPairs(kept)));
    QVERIFY(kept->spellings() == (data::Spellings { { "colour", "color" }, { "naïve", "naive" } }));
    QVERIFY(areAlike(*kept, bytePairs()));
    QVERIFY(BytePairs::parse(kept->tokenizerJson())->spellings().empty());
}

void TstBytePairs::otherKinds_areRefused_data()
{
    QTest::addColumn<QString>("path"); // in the JSON
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("message"); // begins so
    QTest::newRow("unigrams") << "/model/type"
                              << R"("Unigram")"
                              << "'model' is 'Unigram'; Earw";
    QTest::newRow("other words") << "/pre_tokenizer/type"
                                 << R"("Metaspace")"
                                 << "'pre_tokenizer' is 'Metaspace'";
    QTest::newRow("no words") << "/pre_tokenizer"
                              << "null"
                              << "it has no 'pre_tokenizer'";
    QTest::newRow("a normalizer") << "/normalizer"
                                  << R"({ "type": "NFC" })"
                                  << "it has a 'normalizer'";
    QTest::newRow("another decoder") << "/decoder"
                                     << R"({ "type": "WordPiece" })"
                                     << "'decoder' is 'WordPiece'";
    QTest::newRow("a first blank") << "/pre_tokenizer/add_prefix_space"
                                   << "true"
                                   << "'add_prefix_space' of its pre_tokenizer is true";
    QTest::newRow("no pattern") << "/pre_tokenizer/use_regex"
                                << "false"
                                << "'use_regex' of its pre_tokenizer is false";
    QTest::newRow("marks of words") << "/model/end_of_word_suffix"
                                    << R"("</w>")"
                                    << "'end_of_word_suffix' of its model is not empty";
    QTest::newRow("bytes") << "/model/byte_fallback"
                           << "true"
                           << "'byte_fallback' of its model is true";
    QTest::newRow("chance") << "/model/dropout"
                            << "0.1"
                            << "'dropout' of its model is not 0";
    QTest::newRow("no model") << "/model"
                              << "null"
                              << "it has no 'model'";
    QTest::newRow("no vocabulary") << "/model/vocab"
                                   << "{}"
                                   << "its model has no 'vocab'";
    QTest::newRow("a byte without a token") << "/model/vocab"
                                            << R"({ "a": 0 })"
                                            << "its vocabulary has no token 'Ā' for the byte 0";
    QTest::newRow("no merges") << "/model/merges"
                               << "null"
                               << "its model has no 'merges'";
    QTest::newRow("a merge of nothing") << "/model/merges"
                                        << R"(["Ā Ā"])"
                                        << "merge 1, 'Ā Ā', is no pair of its tokens that gives";
    QTest::newRow("an index twice") << "/added_tokens/0/id"
                                    << "3"
                                    << "token '<|endoftext|>' and index 3 are there twice";
    QTest::newRow("an index beyond all")
        << "/added_tokens/0/id"
        << "16777215"
        << "token '<|endoftext|>' has the index 16777215; a vocabulary has at most 1048576 tokens";
    QTest::newRow("no index") << "/added_tokens/0/id"
                              << "null"
                              << "token '<|endoftext|>' has no index";
    QTest::newRow("blanks taken away")
        << "/added_tokens/0/lstrip"
        << "true"
        << "'lstrip' of the added token '<|endoftext|>' is true, which Earwright does not follow";
}

void TstBytePairs::otherKinds_areRefused()
{
    QFETCH(QString, path);
    QFETCH(QString, value);
    QFETCH(QString, message);
    auto json = pairsOf("tokenizer.json");
    json[nlohmann::json::json_pointer(path.toStdString())]
        = nlohmann::json::parse(value.toStdString());
    const QString why = whyNoPairs(BytePairs::parse(json.dump()));
    QVERIFY2(why.startsWith(message), qPrintable(why));
}

void TstBytePairs::brokenFolders_areRefused_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("message"); // ends so
    QTest::newRow("nothing") << ""
                             << ""
                             << "': it has no tokenizer: fetch tokenizer.json, or vocab.json and "
                                "merges.txt, into it";
    QTest::newRow("no JSON") << "tokenizer.json"
                             << "{"
                             << "tokenizer.json': it is no JSON object";
    QTest::newRow("no merges") << "vocab.json"
                               << "{}"
                               << "No such file or directory";
    QTest::newRow("a list") << "vocab.json"
                            << "[]"
                            << "vocab.json': it is no JSON object";
}

void TstBytePairs::brokenFolders_areRefused()
{
    QFETCH(QString, file);
    QFETCH(QString, text);
    QFETCH(QString, message);
    if (!file.isEmpty())
        write(qPrintable(file), text.toStdString());
    const QString why = whyNoPairs(read());
    QVERIFY2(why.endsWith(message), qPrintable(why));
    QVERIFY2(why.contains(m_dir->path()), qPrintable(why));
}

void TstBytePairs::tinyEn_givesUpstreamsIndices()
{
    const std::filesystem::path folder = whisperTinyEn();
    if (folder.empty())
        QSKIP(kNoWhisper);
    const auto pairs = BytePairs::read(folder);
    QVERIFY2(pairs, qPrintable(whyNoPairs(pairs)));
    QCOMPARE(pairs->vocabulary().size(), 50363);
    const auto cases = pairsOf("whisper_tiny_en.json");
    for (const auto& one : cases["encoded"]) {
        const std::string text = one["text"];
        QVERIFY2(pairs->encode(text) == one["ids"].get<Indices>(), text.c_str());
    }
}

EARWRIGHT_TEST(TstBytePairs)
#include "tst_byte_pairs.moc"
