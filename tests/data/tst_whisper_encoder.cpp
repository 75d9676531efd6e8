#include "tests/data/byte_pair_cases.h"
#include "tests/registry.h"

#include "core/data/encoder_recipe.h"
#include "core/data/token_check.h"
#include "core/recipe/parse.h"

#include <QTemporaryDir>

using namespace earwright;
using namespace earwright::tests;
using data::TextEncoder;

namespace {

template <class Value>
QString whyNothing(const Result<Value>& result)
{
    return result ? QString() : QString::fromStdString(result.error().message);
}

} // namespace

/// The encoder of a recipe for Whisper.
class TstWhisperEncoder : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void pairs_encodeTextsAsTheyAre();
    void savedPairs_readBack();
    void folder_isThatOfTheRecipesWhisper_data();
    void folder_isThatOfTheRecipesWhisper();
    void run_keepsItsTokenizer();
    void transcripts_areNormalizedAsTheRecipeTells_data();
    void transcripts_areNormalizedAsTheRecipeTells();
    void missingSpellings_areToldOnce();
    void otherTask_hasItsOwnEncoder();
    void missingFolder_isAnError();
    void folderWithoutATokenizer_isTold();

private:
    std::string path(const char* name) const { return m_dir.filePath(name).toStdString(); }
    /// Such a folder, with spellings where they are given.
    void makeFolder(const char* name, const std::string& spellings) const;
    std::string recipeText(const char* folder) const
    {
        return "task: whisper\nwhisper: !new:speechbrain.integrations.huggingface.whisper.Whisper\n"
               "    source: "
            + path(folder) + "\n    save_path: none\n    language: english\n";
    }

    QTemporaryDir m_dir;
};

void TstWhisperEncoder::makeFolder(const char* name, const std::string& spellings) const
{
    std::filesystem::create_directories(path(name));
    QVERIFY(writeFileAtomically(
        std::filesystem::path(path(name)) / "tokenizer.json", bytePairs().tokenizerJson()));
    if (!spellings.empty())
        QVERIFY(
            writeFileAtomically(std::filesystem::path(path(name)) / "normalizer.json", spellings));
}

void TstWhisperEncoder::initTestCase()
{
    makeFolder("hub", R"({ "colour": "color" })");
    makeFolder("plain", "");
}

void TstWhisperEncoder::pairs_encodeTextsAsTheyAre()
{
    const TextEncoder encoder = TextEncoder::fromBytePairs(bytePairs());
    QCOMPARE(encoder.size(), 549);
    QCOMPARE(encoder.blankIndex(), -1);
    QVERIFY(encoder.bytePairs());
    QVERIFY(!TextEncoder::fromTexts({ "a" }, 0).bytePairs());
    const std::string text = "The Colour, 2 of them";
    QVERIFY(*encoder.encode(text) == bytePairs().encode(text));
    QCOMPARE(encoder.decode(*encoder.encode(text)), text);
    QCOMPARE(encoder.decode({ 439, 545, *encoder.indexOf("Ġthe"), 438 }), " the");
    QCOMPARE(encoder.normalized(text), text);
    QCOMPARE(encoder.asWritten(text), text);
    QVERIFY(!encoder.hasUnknown(*encoder.encode("北京")));
    QVERIFY(!encoder.isOfWords());
    QCOMPARE(encoder.sizeText(), "the tokenizer has 549 tokens");
}

void TstWhisperEncoder::savedPairs_readBack()
{
    TextEncoder encoder = TextEncoder::fromBytePairs(bytePairs());
    encoder.addLabels({ "北京" }); // has it already
    QVERIFY(encoder.save(path("tokenizer.json")));
    const auto loaded = TextEncoder::load(path("tokenizer.json"));
    QVERIFY2(loaded, qPrintable(whyNothing(loaded)));
    QCOMPARE(loaded->fileText(), encoder.fileText());
    QVERIFY(loaded->labels() == encoder.labels());
    QVERIFY(*loaded->encode("the river") == *encoder.encode("the river"));
    std::filesystem::create_directories(path("broken"));
    QVERIFY(writeFileAtomically(path("broken/tokenizer.json"), "{}"));
    QVERIFY2(whyNothing(TextEncoder::load(path("broken/tokenizer.json")))
                 .contains("broken/tokenizer.json': it has no 'model'"),
        qPrintable(whyNothing(TextEncoder::load(path("broken/tokenizer.json")))));
}

void TstWhisperEncoder::folder_isThatOfTheRecipesWhisper_data()
{
    QTest::addColumn<QString>("before");
    QTest::newRow("plain") << "whisper: !new:";
    QTest::newRow("among modules") << "modules:\n  whisper: !new:";
    QTest::newRow("adapted") << "whisper: !new:speechbrain.nnet.adapters.AdaptedModel\n"
                                "  adapter_class: !name:speechbrain.nnet.adapters.LoRA\n"
                                "  model_to_adapt: !new:";
}

void TstWhisperEncoder::folder_isThatOfTheRecipesWhisper()
{
    QFETCH(QString, before);
    const std::string text = "task: whisper\n" + before.toStdString()
        + "speechbrain.integrations.huggingface.whisper.Whisper\n    source: " + path("plain")
        + "\n    save_path: none\n";
    const recipe::NodePtr recipe = recipe::parse(text, "recipe.yaml").root;
    const data::EncoderSource source = data::encoderSource(*recipe);
    QVERIFY(source.isBytePairs && !source.isPieces);
    QCOMPARE(source.file.string(), path("plain/tokenizer.json"));
    const auto made = data::makeEncoder(*recipe, { "a" });
    QVERIFY2(made, qPrintable(whyNothing(made)));
    QVERIFY(made->encoder.labels() == bytePairs().tokens());
    QCOMPARE(made->note, "the tokenizer is that of '" + path("plain") + "'");
    QVERIFY(!made->isMadeAnew);
    QVERIFY(data::checkTokens(*recipe, "recipe.yaml").empty());
}

/// All that transcribes, resumes or is sent elsewhere has it when the folder is gone.
void TstWhisperEncoder::run_keepsItsTokenizer()
{
    makeFolder("gone", R"({ "colour": "color" })");
    const recipe::NodePtr recipe
        = recipe::parse(recipeText("gone") + "normalized_transcripts: True\n", "recipe.yaml").root;
    const auto made = data::makeEncoder(*recipe, {});
    QVERIFY2(made, qPrintable(whyNothing(made)));
    const std::filesystem::path file = data::encoderFile(*recipe, path("run"));
    QCOMPARE(file.string(), path("run/tokenizer.json"));
    std::filesystem::create_directories(file.parent_path());
    QVERIFY(made->encoder.save(file));
    std::filesystem::remove_all(path("gone"));
    QCOMPARE(data::encoderFile(*recipe, path("run")).string(), file.string());
    const auto kept = data::loadEncoder(*recipe, path("run"));
    QVERIFY2(kept, qPrintable(whyNothing(kept)));
    QCOMPARE(kept->normalized("Colour"), "color");
    QVERIFY(*kept->encode("Two colours") == *made->encoder.encode("Two colours"));
}

void TstWhisperEncoder::transcripts_areNormalizedAsTheRecipeTells_data()
{
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("trained");
    QTest::addColumn<QString>("scored");
    const char* text = "Two Colour.";
    QTest::newRow("no key") << "" << text << text;
    QTest::newRow("true") << "normalized_transcripts: True\n"
                          << "2 color"
                          << "2 color";
    // Upstream's script asks whether the key is there when it scores.
    QTest::newRow("false") << "normalized_transcripts: False\n" << text << "2 color";
}

void TstWhisperEncoder::transcripts_areNormalizedAsTheRecipeTells()
{
    QFETCH(QString, key);
    QFETCH(QString, trained);
    QFETCH(QString, scored);
    const recipe::NodePtr recipe
        = recipe::parse(recipeText("hub") + key.toStdString(), "recipe.yaml").root;
    const auto made = data::makeEncoder(*recipe, {});
    QVERIFY2(made, qPrintable(whyNothing(made)));
    QCOMPARE(made->encoder.decode(*made->encoder.encode("Two Colour.")), trained.toStdString());
    QCOMPARE(made->encoder.asWritten("Two Colour."), std::string("Two Colour."));
    QCOMPARE(made->encoder.normalized("Two Colour."), scored.toStdString());
}

void TstWhisperEncoder::missingSpellings_areToldOnce()
{
    const std::string text = recipeText("plain") + "normalized_transcripts: True\n";
    const auto made = data::makeEncoder(*recipe::parse(text, "recipe.yaml").root, {});
    QVERIFY2(made, qPrintable(whyNothing(made)));
    QVERIFY2(made->note.ends_with("; without its normalizer.json normalized_transcripts leaves "
                                  "British spellings as they are"),
        made->note.c_str());
}

/// A CTC on Whisper's encoder has labels of its own texts.
void TstWhisperEncoder::otherTask_hasItsOwnEncoder()
{
    std::string text = recipeText("plain");
    text.replace(text.find("task: whisper"), 13, "task: ctc");
    const recipe::NodePtr recipe = recipe::parse(text, "recipe.yaml").root;
    QVERIFY(!data::encoderSource(*recipe).isBytePairs);
    QCOMPARE(data::encoderFile(*recipe, "run").string(), "run/label_encoder.txt");
}

void TstWhisperEncoder::missingFolder_isAnError()
{
    const recipe::NodePtr recipe = recipe::parse(recipeText("none"), "recipe.yaml").root;
    QVERIFY(data::encoderSource(*recipe).file.empty());
    const QString why = whyNothing(data::makeEncoder(*recipe, {}));
    QVERIFY2(why.contains("none"), qPrintable(why));
    QVERIFY(data::checkTokens(*recipe, "recipe.yaml").empty()); // told with other missing files
}

void TstWhisperEncoder::folderWithoutATokenizer_isTold()
{
    std::filesystem::create_directories(path("empty"));
    const auto found
        = data::checkTokens(*recipe::parse(recipeText("empty"), "recipe.yaml").root, "recipe.yaml");
    QCOMPARE(found.size(), size_t(1));
    QCOMPARE(found[0].rule, "tokenizer-file");
    QCOMPARE(found[0].span.begin.line, 3);
    QCOMPARE(found[0].message,
        "'" + path("empty")
            + "': it has no tokenizer: fetch tokenizer.json, or vocab.json and merges.txt, into "
              "it");
}

EARWRIGHT_TEST(TstWhisperEncoder)
#include "tst_whisper_encoder.moc"
