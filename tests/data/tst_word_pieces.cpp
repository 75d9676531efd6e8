#include "tests/registry.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/data/encoder_recipe.h"
#include "core/data/token_check.h"
#include "core/data/word_pieces.h"
#include "core/recipe/parse.h"

#include <nlohmann/json.hpp>
#include <QTemporaryDir>
#include <QTest>

#include <optional>

using namespace earwright;
using data::TextEncoder;
using data::WordPieces;
using Indices = std::vector<int64_t>;

namespace {

/// A vocabulary of BERT's kind, and what transformers makes of texts with it
/// (write_word_pieces.py).
const std::filesystem::path kWordPieces = EARWRIGHT_CASES_DIR "/data/word_pieces";

std::string contentOf(const char* file)
{
    const Result<std::string> text = readFile(kWordPieces / file);
    if (!text)
        qFatal("%s", text.error().message.c_str());
    return *text;
}

template <class Value>
QString whyNoPieces(const Result<Value>& result)
{
    return result ? QString() : QString::fromStdString(result.error().message);
}

} // namespace

class TstWordPieces : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void texts_haveUpstreamsIndices();
    void tokenizerJson_isReadAgain();
    void folder_isReadByTheRulesOfItsConfiguration();
    void indices_spellTheText();
    void brokenFolders_areRefused_data();
    void brokenFolders_areRefused();
    void recipe_trainsOnThePieces();
    void run_keepsItsTokenizer();
    void wrongBlank_isRefused();
    void missingFolder_saysWhatToFetch();

private:
    void write(const char* name, const std::string& text) const
    {
        QVERIFY(writeFileAtomically(path(name), text));
    }
    std::string path(const char* name) const { return m_dir->filePath(name).toStdString(); }
    WordPieces read() const;
    recipe::NodePtr recipeOf(const std::string& folder, const std::string& more = "") const
    {
        return recipe::parse("task: ctc\ntokenizer: !apply:transformers.BertTokenizer."
                             "from_pretrained\n    pretrained_model_name_or_path: "
                + folder + "\n" + more,
            "recipe.yaml")
            .root;
    }

    std::optional<QTemporaryDir> m_dir; ///< of each test its own
};

void TstWordPieces::init()
{
    m_dir.emplace();
    write("vocab.txt", contentOf("vocab.txt"));
}

WordPieces TstWordPieces::read() const
{
    Result<WordPieces> pieces = WordPieces::read(m_dir->path().toStdString());
    if (!pieces)
        qFatal("%s", pieces.error().message.c_str());
    return *pieces;
}

void TstWordPieces::texts_haveUpstreamsIndices()
{
    for (const auto& group : nlohmann::json::parse(contentOf("pieces.json"))) {
        write("tokenizer_config.json", group["rules"].dump());
        const WordPieces pieces = read();
        const Result<WordPieces> again = WordPieces::parse(pieces.fileText());
        QVERIFY2(again, qPrintable(whyNoPieces(again)));
        for (const auto& one : group["texts"]) {
            const std::string text = one["text"];
            const auto expected = one["ids"].get<Indices>();
            const std::string told = group["rules"].dump() + " " + one["text"].dump();
            QVERIFY2(pieces.encode(text) == expected, told.c_str());
            QVERIFY2(again->encode(text) == expected, told.c_str());
        }
    }
}

void TstWordPieces::tokenizerJson_isReadAgain()
{
    const WordPieces pieces = read();
    QVERIFY(WordPieces::isOne(pieces.fileText()));
    QVERIFY(!WordPieces::isOne("{}"));
    QVERIFY(!WordPieces::isOne("no JSON"));
    const Result<WordPieces> again = WordPieces::parse(pieces.fileText());
    QVERIFY2(again, qPrintable(whyNoPieces(again)));
    QVERIFY(again->tokens() == pieces.tokens());
    QCOMPARE(again->fileText(), pieces.fileText());
}

/// As transformers does: a tokenizer.json gives the vocabulary alone.
void TstWordPieces::folder_isReadByTheRulesOfItsConfiguration()
{
    write("tokenizer_config.json", R"({ "do_lower_case": false })");
    const Indices kept = read().encode("HELLO Hello");
    write("tokenizer.json", read().fileText());
    write("vocab.txt", "nothing of this is read\n");
    QVERIFY(read().encode("HELLO Hello") == kept);
    std::filesystem::remove(path("tokenizer_config.json"));
    QVERIFY(read().encode("HELLO Hello") != kept);
    QVERIFY(read().encode("HELLO") == read().encode("hello"));
}

void TstWordPieces::indices_spellTheText()
{
    const WordPieces pieces = read();
    const auto spelt = [&](const char* text) { return pieces.decode(pieces.encode(text)); };
    QCOMPARE(spelt("你好，世界"), "你好，世界");
    QCOMPARE(spelt("unaffable"), "unaffable");
    QCOMPARE(spelt("日本"), "⁇⁇");
    QCOMPARE(pieces.decode({ -1, 100000 }), "");
    const int64_t end = *pieces.indexOf("[SEP]");
    QCOMPARE(pieces.decode({ *pieces.indexOf("你"), end, *pieces.indexOf("好") }), "你");
    QCOMPARE(pieces.spellings()[static_cast<size_t>(end)], "");
    QCOMPARE(pieces.spellings()[static_cast<size_t>(*pieces.indexOf("##able"))], "able");
    QCOMPARE(pieces.spellings()[static_cast<size_t>(*pieces.indexOf("##"))], "##");
}

void TstWordPieces::brokenFolders_areRefused_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("why");
    const QByteArray special = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n";
    QTest::newRow("twice") << "vocab.txt" << special + "a\na\n"
                           << "vocab.txt': line 6: the token 'a' is there twice; take the "
                              "vocab.txt that came with the model";
    QTest::newRow("no end") << "vocab.txt" << QByteArray("[PAD]\n[UNK]\n[CLS]\na\n")
                            << "vocab.txt': it has no token [SEP], which BERT's tokenizer needs";
    QTest::newRow("no UTF-8") << "vocab.txt" << special + "\xff\n"
                              << "vocab.txt': it is no UTF-8";
    QTest::newRow("another model")
        << "tokenizer.json" << QByteArray(R"({ "model": { "type": "BPE" } })")
        << "tokenizer.json': it holds no model of word pieces (its type is not WordPiece)";
    QTest::newRow("a hole") << "tokenizer.json"
                            << QByteArray(R"({ "model": { "type": "WordPiece", "vocab":
                                   { "[PAD]": 0, "[UNK]": 1, "[CLS]": 2, "[SEP]": 4 } } })")
                            << "tokenizer.json': the indices are not each of 0 to 3: '[SEP]' has 4";
    QTest::newRow("no switch") << "tokenizer_config.json"
                               << QByteArray(R"({ "do_lower_case": "yes" })")
                               << "tokenizer_config.json': do_lower_case must be true, false or "
                                  "null";
    QTest::newRow("no object") << "tokenizer_config.json" << QByteArray("[]")
                               << "tokenizer_config.json': it is no JSON object";
}

void TstWordPieces::brokenFolders_areRefused()
{
    QFETCH(QString, file);
    QFETCH(QByteArray, content);
    QFETCH(QString, why);
    write(qPrintable(file), content.toStdString());
    const QString told = whyNoPieces(WordPieces::read(m_dir->path().toStdString()));
    QVERIFY2(told.endsWith(why), qPrintable(told));
}

void TstWordPieces::recipe_trainsOnThePieces()
{
    const recipe::NodePtr recipe = recipeOf(path(""), "output_neurons: 200\n");
    const auto made = data::makeEncoder(*recipe, {});
    QVERIFY2(made, qPrintable(whyNoPieces(made)));
    const TextEncoder& encoder = made->encoder;
    QCOMPARE(encoder.blankIndex(), 0);
    QVERIFY(*encoder.encode("你 好") == read().encode("你好")); // as the script joins words
    QVERIFY(*encoder.encode("hel lo") == read().encode("hello"));
    QCOMPARE(encoder.decode(*encoder.encode("你 好")), "你好");
    QVERIFY(encoder.hasUnknown(*encoder.encode("日")));
    QVERIFY(!encoder.isOfWords());
    QVERIFY(encoder.hasWordPieces());
    QCOMPARE(encoder.asWritten("A b 你 好"), "Ab你好"); // what the script counts errors of
    QCOMPARE(encoder.searchLabels()[2], "");
    QVERIFY(data::checkTokens(*recipe, "recipe.yaml").empty());
    const auto few = data::checkTokens(*recipeOf(path(""), "output_neurons: 20\n"), "recipe.yaml");
    QCOMPARE(few.size(), size_t(1));
    QCOMPARE(few[0].rule, "label-count");
}

void TstWordPieces::run_keepsItsTokenizer()
{
    const recipe::NodePtr recipe = recipeOf(path(""));
    write("tokenizer_config.json", R"({ "do_lower_case": false })");
    const auto made = data::makeEncoder(*recipe, {});
    QVERIFY2(made, qPrintable(whyNoPieces(made)));
    QTemporaryDir run;
    const std::filesystem::path file = data::encoderFile(*recipe, run.path().toStdString());
    QCOMPARE(file.filename().string(), "tokenizer.json");
    QVERIFY(made->encoder.save(file));
    m_dir.reset(); // the folder
    const auto kept = data::loadEncoder(*recipe, run.path().toStdString());
    QVERIFY2(kept, qPrintable(whyNoPieces(kept)));
    QVERIFY(*kept->encode("Hello 你好") == *made->encoder.encode("Hello 你好"));
    QCOMPARE(kept->fileText(), made->encoder.fileText());
}

void TstWordPieces::wrongBlank_isRefused()
{
    const QString why = whyNoPieces(data::makeEncoder(*recipeOf(path(""), "blank_index: 5\n"), {}));
    QVERIFY2(why.startsWith("tokenizer: blank_index is 5, which is the tokenizer's token "),
        qPrintable(why));
}

void TstWordPieces::missingFolder_saysWhatToFetch()
{
    const recipe::NodePtr recipe = recipeOf("bert-of-nobody");
    QVERIFY(data::encoderSource(*recipe).file.empty());
    const std::string why
        = "tokenizer: 'bert-of-nobody' is no folder and not in the Hub's cache of this machine. "
          "Fetch vocab.txt (or tokenizer.json) and tokenizer_config.json from "
          "https://huggingface.co/bert-of-nobody into a folder, and write its path as "
          "pretrained_model_name_or_path";
    QCOMPARE(whyNoPieces(data::makeEncoder(*recipe, {})), QString::fromStdString(why));
    const auto found = data::checkTokens(*recipe, "recipe.yaml");
    QCOMPARE(found.size(), size_t(1));
    QCOMPARE(found[0].rule, "tokenizer-file");
    QCOMPARE(found[0].message, why);
    QCOMPARE(found[0].span.begin.line, 3);
}

EARWRIGHT_TEST(TstWordPieces)
#include "tst_word_pieces.moc"
