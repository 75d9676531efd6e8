#include "core/base/file.h"
#include "core/data/python_literal.h"
#include "core/data/text_encoder.h"
#include "tests/registry.h"

#include <QTemporaryDir>
#include <QTest>

using namespace earwright;
using data::TextEncoder;

namespace {

std::string write(const QTemporaryDir& dir, const std::string& text)
{
    const std::string path = dir.filePath("label_encoder.txt").toStdString();
    return writeFileAtomically(path, text) ? path : std::string();
}

} // namespace

class TstTextEncoder : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void texts_giveCharactersInOrderOfAppearance()
    {
        const TextEncoder encoder = TextEncoder::fromTexts({ "hello world", "it's", "你好" }, 0);
        QCOMPARE(encoder.size(), 15);
        QCOMPARE(encoder.labels().front(), "<blank>");
        QVERIFY(*encoder.encode("hello") == (std::vector<int64_t> { 1, 2, 3, 3, 4 }));
        QCOMPARE(encoder.decode({ 13, 14 }), "你好");
    }

    void blankIndex_leavesItsPlaceFree()
    {
        QVERIFY(TextEncoder::fromTexts({ "ab" }, 1).labels()
            == (std::vector<std::string> { "a", "<blank>", "b" }));
        const TextEncoder last = TextEncoder::fromTexts({ "ab" }, 9);
        QVERIFY(last.labels() == (std::vector<std::string> { "a", "b", "<blank>" }));
        QCOMPARE(last.blankIndex(), 2);
    }

    void specialLabels_takeTheirIndices()
    {
        QTemporaryDir dir;
        const TextEncoder encoder
            = TextEncoder::fromTexts({ "ab" }, { .blank = 0, .bos = 1, .eos = 2 });
        QVERIFY(encoder.labels()
            == (std::vector<std::string> { "<blank>", "<bos>", "<eos>", "a", "b" }));
        QVERIFY(*encoder.encode("ba") == (std::vector<int64_t> { 4, 3 }));
        QCOMPARE(encoder.decode({ 1, 3, 4, 2 }), "ab"); // <bos> and <eos> spell nothing
        QCOMPARE(encoder.fileText(),
            std::string("'<blank>' => 0\n'<bos>' => 1\n'<eos>' => 2\n'a' => 3\n'b' => 4\n"
                        "================\n'starting_index' => 0\n'bos_label' => '<bos>'\n"
                        "'eos_label' => '<eos>'\n'blank_label' => '<blank>'\n"));
        const auto loaded = TextEncoder::load(write(dir, encoder.fileText()));
        QVERIFY2(loaded, loaded ? "" : loaded.error().message.c_str());
        QCOMPARE(loaded->fileText(), encoder.fileText());
        QCOMPARE(loaded->decode({ 1, 3, 4, 2 }), "ab");
    }

    /// k2's lexicon spells "ab a" as a b <eow> a <eow>.
    void endedWords_haveABlankBehindEach()
    {
        QTemporaryDir dir;
        const TextEncoder encoder = TextEncoder::fromTexts(
            { "ab  a" }, { .blank = 0, .addUnk = true, .endsWords = true });
        QVERIFY(
            encoder.labels() == (std::vector<std::string> { "<blank>", "<unk>", "a", "b", " " }));
        QVERIFY(*encoder.encode("b a") == (std::vector<int64_t> { 3, 4, 2, 4 }));
        QVERIFY(encoder.encode("")->empty());
        QCOMPARE(encoder.decode({ 3, 4, 2, 4 }), "b a");
        QCOMPARE(encoder.decode({ 3, 4, 2 }), "b a");
        auto loaded = TextEncoder::load(write(dir, encoder.fileText()));
        QVERIFY2(loaded, loaded ? "" : loaded.error().message.c_str());
        QCOMPARE(loaded->fileText(), encoder.fileText());
        QVERIFY(*loaded->encode("b a") == (std::vector<int64_t> { 3, 4, 2, 4 }));
        loaded->endWords();
        QCOMPARE(loaded->fileText(), encoder.fileText());
    }

    void tokenList_isReadAsLabels()
    {
        QTemporaryDir dir;
        const std::string json = dir.filePath("tokens.json").toStdString();
        const std::string lines = dir.filePath("tokens.txt").toStdString();
        QVERIFY(writeFileAtomically(json, R"(["<blank>", "<s>", "</s>", "我", "们", "<unk>"])"));
        QVERIFY(writeFileAtomically(lines, "<blank>\n<s>\n</s>\n我\n们\n<unk>\n"));
        for (const std::string& file : { json, lines }) {
            const auto list = TextEncoder::load(file);
            QVERIFY2(list, list ? "" : list.error().message.c_str());
            QCOMPARE(list->blankIndex(), 0);
            QVERIFY(*list->encode("们我x") == (std::vector<int64_t> { 4, 3, 5 }));
            QCOMPARE(list->decode({ 1, 3, 4, 2 }), "我们"); // <s> and </s> spell nothing
            QVERIFY(list->indexOf("</s>") == 2 && list->indexOf("们") == 4);
            QVERIFY(!list->indexOf("x"));
            const auto kept = TextEncoder::load(write(dir, list->fileText()));
            QVERIFY2(kept, kept ? "" : kept.error().message.c_str());
            QVERIFY(kept->labels() == list->labels());
            QVERIFY(kept->vocabulary().bos == 1 && kept->vocabulary().eos == 2);
            QVERIFY(kept->vocabulary().unknown == 5);
        }
        QVERIFY(writeFileAtomically(json, R"(["a"])"));
        const auto blankless = TextEncoder::load(json);
        QVERIFY(!blankless);
        QCOMPARE(blankless.error().message,
            "token list '" + json + "': there is no blank label '<blank>'; CTC needs one");
    }

    void tokenListWithItsSegDict_cutsWords()
    {
        const QTemporaryDir dir;
        const std::string list = dir.filePath("tokens.json").toStdString();
        QVERIFY(writeFileAtomically(
            list, R"(["<blank>", "<s>", "</s>", "hel@@", "lo", "今", "<unk>"])"));
        QVERIFY(
            writeFileAtomically(dir.filePath("seg_dict").toStdString(), "hello hel@@ lo\n今 今\n"));
        const auto encoder = TextEncoder::load(list);
        QVERIFY2(encoder, encoder ? "" : encoder.error().message.c_str());
        const std::string kept = dir.filePath("label_encoder.txt").toStdString();
        QVERIFY(encoder->save(kept));
        for (const std::string& file : { list, kept }) {
            const auto read = TextEncoder::load(file);
            QVERIFY2(read, read ? "" : read.error().message.c_str());
            QVERIFY(*read->encode("今 Hello 天") == (std::vector<int64_t> { 5, 3, 4, 6 }));
            QCOMPARE(read->decode({ 3, 4, 3, 4, 5 }), "hello hello今");
            QCOMPARE(read->size(), 7);
        }
    }

    void segDictOfAListWithoutUnknown_namesTheWord()
    {
        QTemporaryDir dir;
        const std::string list = dir.filePath("tokens.json").toStdString();
        QVERIFY(writeFileAtomically(list, R"(["<blank>", "<s>", "</s>", "hel@@", "lo", "今"])"));
        QVERIFY(writeFileAtomically(
            dir.filePath("seg_dict").toStdString(), "hello\thel@@ lo\n今\t今\n"));
        auto encoder = TextEncoder::load(list);
        QVERIFY2(encoder, encoder ? "" : encoder.error().message.c_str());
        QVERIFY(*encoder->encode("今 Hello") == (std::vector<int64_t> { 5, 3, 4 }));
        encoder->addLabels({ "今 坏猫" });
        QCOMPARE(encoder->size(), 6);
        const auto tokens = encoder->encode("今 坏猫");
        QVERIFY(!tokens);
        QVERIFY2(tokens.error().message.find("坏猫") != std::string::npos,
            tokens.error().message.c_str());
        QCOMPARE(encoder->asWritten("今 Hello"), "今 hello");
        QCOMPARE(TextEncoder::fromTexts({ "Ab" }, 0).asWritten("Ab"), "Ab");
    }

    void segDictThatIsNoUtf8_isAnErrorWithItsLine()
    {
        const QTemporaryDir dir;
        const std::string list = dir.filePath("tokens.json").toStdString();
        const std::string words = dir.filePath("seg_dict").toStdString();
        QVERIFY(writeFileAtomically(list, R"(["<blank>", "<s>", "</s>", "今", "<unk>"])"));
        QVERIFY(writeFileAtomically(words, "今 今\n\xbd\xf1 今\n"));
        const auto encoder = TextEncoder::load(list);
        QVERIFY(!encoder);
        QVERIFY2(encoder.error().message.starts_with("'" + words + "', line 2: not UTF-8"),
            encoder.error().message.c_str());
    }

    void specialLabelsOfOneIndex_areOneLabel()
    {
        const TextEncoder encoder
            = TextEncoder::fromTexts({ "ab" }, { .blank = 0, .bos = 1, .eos = 1 });
        QVERIFY(encoder.labels() == (std::vector<std::string> { "<blank>", "<bos>", "a", "b" }));
    }

    void words_areLabelsAndUnknownOnesAreOne()
    {
        QTemporaryDir dir;
        const TextEncoder encoder
            = TextEncoder::fromWords({ "two  one two", "three" }, { .blank = 0, .bos = 1 });
        QVERIFY(encoder.labels()
            == (std::vector<std::string> { "<blank>", "<bos>", "<unk>", "two", "one", "three" }));
        QVERIFY(encoder.searchLabels()[3] == "▁two");
        QVERIFY(*encoder.encode("one four") == (std::vector<int64_t> { 4, 2 }));
        QCOMPARE(encoder.decode({ 1, 4, 3 }), "one two");
        QVERIFY(encoder.encode("")->empty());
        const auto loaded = TextEncoder::load(write(dir, encoder.fileText()));
        QVERIFY2(loaded, loaded ? "" : loaded.error().message.c_str());
        QCOMPARE(loaded->fileText(), encoder.fileText());
        QVERIFY(*loaded->encode("one four") == (std::vector<int64_t> { 4, 2 }));
        QCOMPARE(loaded->decode({ 1, 4, 3 }), "one two");
    }

    void unknownCharacters_areOneLabelWhereAsked()
    {
        QTemporaryDir dir;
        const TextEncoder encoder
            = TextEncoder::fromTexts({ "ab" }, { .blank = 0, .addUnk = true });
        QVERIFY(encoder.labels() == (std::vector<std::string> { "<blank>", "<unk>", "a", "b" }));
        QVERIFY(*encoder.encode("aüb") == (std::vector<int64_t> { 2, 1, 3 }));
        QCOMPARE(encoder.decode({ 2, 1, 3 }), "a⁇b");
        const auto loaded = TextEncoder::load(write(dir, encoder.fileText()));
        QVERIFY2(loaded, loaded ? "" : loaded.error().message.c_str());
        QCOMPARE(loaded->fileText(), encoder.fileText());
        QVERIFY(*loaded->encode("aüb") == (std::vector<int64_t> { 2, 1, 3 }));
    }

    void unknownCharacter_isNamed()
    {
        const auto tokens = TextEncoder::fromTexts({ "ab" }, 0).encode("aüb");
        QVERIFY(!tokens);
        QCOMPARE(tokens.error().message, "the character 'ü' is not in the label encoder");
    }

    void savedFile_isUpstreamsTextAndReadsBack()
    {
        QTemporaryDir dir;
        const std::string path = dir.filePath("标 签.txt").toStdString();
        const TextEncoder encoder = TextEncoder::fromTexts({ "it's \"\\\t" }, 0);
        QVERIFY(encoder.save(path));
        QCOMPARE(*readFile(path),
            std::string("'<blank>' => 0\n'i' => 1\n't' => 2\n\"'\" => 3\n's' => 4\n' ' => 5\n"
                        "'\"' => 6\n'\\\\' => 7\n'\\t' => 8\n================\n"
                        "'starting_index' => 0\n'blank_label' => '<blank>'\n"));
        const auto loaded = TextEncoder::load(path);
        QVERIFY2(loaded, loaded ? "" : loaded.error().message.c_str());
        QVERIFY(loaded->labels() == encoder.labels());
        QCOMPARE(loaded->fileText(), encoder.fileText());
    }

    void badFile_isAnErrorWithItsLine_data()
    {
        QTest::addColumn<std::string>("text");
        QTest::addColumn<QString>("message");
        QTest::newRow("no literal")
            << std::string("'<blank>' => 0\nb => 1\n") << "line 2: expected a label in quotes";
        QTest::newRow("open quote")
            << std::string("'<blank> => 0\n") << "line 1: expected a label in quotes";
        QTest::newRow("no arrow") << std::string("'<blank>': 0\n") << "line 1: expected ' => '";
        QTest::newRow("no index") << std::string("'<blank>' => 0\n'a' => x\n")
                                  << "line 2: 'x' is no index";
        QTest::newRow("negative") << std::string("'<blank>' => -1\n") << "line 1: '-1' is no index";
        QTest::newRow("label twice") << std::string("'<blank>' => 0\n'a' => 1\n'a' => 2\n")
                                     << "line 3: the label 'a' is there twice";
        QTest::newRow("index twice") << std::string("'<blank>' => 0\n'a' => 1\n'b' => 1\n")
                                     << "line 3: the index 1 is there twice";
        QTest::newRow("hole") << std::string("'<blank>' => 0\n'a' => 7\n") << "'a' has 7";
        QTest::newRow("no blank") << std::string("'a' => 0\n") << "no blank label '<blank>'";
        QTest::newRow("empty") << std::string() << "no blank label";
        QTest::newRow("Latin-1") << std::string("'<blank>' => 0\n'\xe9' => 1\n")
                                 << "line 2: not UTF-8; if it is GBK";
    }

    void badFile_isAnErrorWithItsLine()
    {
        QFETCH(std::string, text);
        QFETCH(QString, message);
        QTemporaryDir dir;
        const auto loaded = TextEncoder::load(write(dir, text));
        QVERIFY(!loaded);
        const QString actual = QString::fromStdString(loaded.error().message);
        QVERIFY2(
            actual.contains(message) && actual.contains("label_encoder.txt"), qPrintable(actual));
    }

    void pythonRepr_isPythons()
    {
        QCOMPARE(data::pythonRepr("a'b\"c"), "'a\\'b\"c'");
        QCOMPARE(data::pythonRepr("\n\r\x01\x7f"), "'\\n\\r\\x01\\x7f'");
        QCOMPARE(data::pythonRepr("\u00a0\u3000é你😀"), "'\\xa0\\u3000é你😀'");
        QCOMPARE(data::parsePythonString("'\\u4f60\\x41\\'' => 3")->value, "你A'");
        QVERIFY(!data::parsePythonString("'\\x4'"));
        QVERIFY(!data::parsePythonString("'\\ud800'"));
        QVERIFY(!data::parsePythonString("'abc"));
    }
};

EARWRIGHT_TEST(TstTextEncoder)
#include "tst_text_encoder.moc"
