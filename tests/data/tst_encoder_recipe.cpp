#include "tests/data/piece_texts.h"
#include "tests/registry.h"

#include "core/base/file.h"
#include "core/data/encoder_recipe.h"
#include "core/data/sentence_piece.h"
#include "core/recipe/parse.h"

#include <nlohmann/json.hpp>
#include <QTemporaryDir>
#include <QTest>

using namespace earwright;
using namespace earwright::tests;
using catalog::SentencePieceConfig;
using data::SentencePiece;
using data::TextEncoder;

namespace {

template <class Value>
QString whyNot(const Result<Value>& result)
{
    return result ? QString() : QString::fromStdString(result.error().message);
}

bool isThere(const Result<std::optional<TextEncoder>>& encoder)
{
    return encoder && encoder->has_value();
}

recipe::NodePtr recipeOf(const std::string& text)
{
    return recipe::parse("task: ctc\n" + text, "recipe.yaml").root;
}

} // namespace

/// What a recipe says of its tokens.
class TstEncoderRecipe : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void recipe_saysWhatTextsAreCutInto_data();
    void recipe_saysWhatTextsAreCutInto();
    void phones_areLabelsAsUpstreamsScriptMakesThem();
    void trainedModel_isTakenFromItsFolder();
    void pretrainedModel_isTheOneThatIsNamed();
    void modelAsLabelEncoderFile_isKeptAsOne();
    void labelsOfTheRunBefore_keepTheirNumbers_data();
    void labelsOfTheRunBefore_keepTheirNumbers();
    void tokensBesideWeightsOfFunASR_keepTheirNumbers();
    void noHotword_isALabelThatNoTextHas();
    void labelsOfTheRunBefore_areRefusedWhereTheyDoNotFit();
    void tokenizerOfTheRunBefore_isTaken();
    void whatIsNotCovered_isAPieceOfItsOwn();
    void addedUnknown_isAPieceToo_data();
    void addedUnknown_isAPieceToo();
    void textsToLearnFrom_areTheRecipes();
    void impossibleRecipes_areRefused_data();
    void impossibleRecipes_areRefused();

private:
    std::string path(const char* name) const { return m_dir.filePath(name).toStdString(); }

    QTemporaryDir m_dir;
};

void TstEncoderRecipe::recipe_saysWhatTextsAreCutInto_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("size");
    QTest::addColumn<QString>("file");
    const QString labels = "label_encoder: !new:speechbrain.dataio.encoder.CTCTextEncoder\n";
    const QString tokenizer = "tokenizer: !new:speechbrain.tokenizers.SentencePiece.SentencePiece\n"
                              "    model_dir: none\n    vocab_size: 50\n    model_type: bpe\n";
    const auto row = [](const char* name, const QString& text, int size, const char* file) {
        QTest::newRow(name) << text << size << file;
    };
    row("nothing said", "blank_index: 0\n", 26, "label_encoder.txt");
    row("labels", labels, 26, "label_encoder.txt");
    row("characters", labels + "token_type: char\n", 26, "label_encoder.txt");
    row("words", labels + "token_type: word\n", 52, "label_encoder.txt");
    row("words without labels", "token_type: word\n", 52, "label_encoder.txt");
    row("an object", tokenizer, 50, "tokenizer.model");
    row("an object beside labels", labels + tokenizer, 50, "tokenizer.model");
    row("keys", "token_type: unigram\noutput_neurons: 62\nsave_folder: none\n", 62,
        "tokenizer.model");
    row("keys, characters", "token_type: char\noutput_neurons: 62\n", 26, "tokenizer.model");
    row("keys, with a decoder",
        "task: ctc_attention\ntoken_type: unigram\noutput_neurons: 62\nbos_index: 1\neos_index: "
        "2\n",
        62, "tokenizer.model");
}

void TstEncoderRecipe::recipe_saysWhatTextsAreCutInto()
{
    QFETCH(QString, text);
    QFETCH(int, size);
    QFETCH(QString, file);
    const recipe::NodePtr recipe = recipeOf(text.toStdString());
    const auto made = data::makeEncoder(*recipe, texts());
    QVERIFY2(made, qPrintable(whyNot(made)));
    QCOMPARE(made->encoder.size(), size);
    const std::filesystem::path kept = data::encoderFile(*recipe, path(""));
    QCOMPARE(QString::fromStdString(kept.filename()), file);
    QCOMPARE(made->note.empty(), file == "label_encoder.txt");
    QVERIFY(made->encoder.save(kept));
    const auto loaded = data::loadEncoder(*recipe, path(""));
    QVERIFY2(loaded, qPrintable(whyNot(loaded)));
    for (const std::string& one : texts())
        QCOMPARE(loaded->decode(*loaded->encode(one)), one);
    const auto untrained = data::encoderWithoutTraining(*recipe, texts());
    QVERIFY2(untrained, qPrintable(whyNot(untrained)));
    QCOMPARE(untrained->has_value(), made->note.empty());
    const auto ofNone = data::encoderWithoutTraining(*recipe, {});
    QVERIFY(ofNone && !ofNone->has_value());
}

/// TIMIT's: 39 phones and the blank are 40 outputs. Upstream's file, which says nothing of words,
/// is read as one of phones.
void TstEncoderRecipe::phones_areLabelsAsUpstreamsScriptMakesThem()
{
    const recipe::NodePtr recipe = recipeOf("per_stats: 1\nblank_index: 0\n");
    const auto made = data::makeEncoder(*recipe, { "sil sh iy sil", "sil aa" });
    QVERIFY2(made, qPrintable(whyNot(made)));
    QVERIFY(made->encoder.labels()
        == (std::vector<std::string> { "<blank>", "sil", "sh", "iy", "aa" }));
    QVERIFY(made->note.find("phone error rate") != std::string::npos);
    QVERIFY(*made->encoder.encode("iy  aa") == (std::vector<int64_t> { 3, 4 }));
    QCOMPARE(made->encoder.decode({ 1, 2 }), std::string("sil sh"));
    QVERIFY(!made->encoder.encode("zz"));
    QCOMPARE(data::encoderFile(*recipe, "run").string(), std::string("run/label_encoder.txt"));
    QVERIFY(made->encoder.save(path("label_encoder.txt")));
    const auto loaded = data::loadEncoder(*recipe, path(""));
    QVERIFY2(loaded, qPrintable(whyNot(loaded)));
    QVERIFY(*loaded->encode("sh iy") == (std::vector<int64_t> { 2, 3 }));
    QVERIFY(writeFileAtomically(path("upstream.txt"),
        "'<blank>' => 0\n'sil' => 1\n'sh' => 2\n================\n'starting_index' => "
        "0\n'blank_label' => '<blank>'\n"));
    const auto given = data::makeEncoder(
        *recipeOf("per_stats: 1\nlabel_encoder_file: " + path("upstream.txt") + "\n"), {});
    QVERIFY2(given, qPrintable(whyNot(given)));
    QVERIFY(*given->encoder.encode("sh sil") == (std::vector<int64_t> { 2, 1 }));
    const auto words = data::makeEncoder(
        *recipeOf("per_stats: 1\ntoken_type: char\nlabel_encoder: 1\n"), { "sh" });
    QCOMPARE(words->encoder.size(), int64_t(3)); // that is an error of the check
}

void TstEncoderRecipe::trainedModel_isTakenFromItsFolder()
{
    const SentencePiece model = trained(bpe());
    QVERIFY(writeFileAtomically(path("50_unigram.model"), model.modelBytes()));
    const recipe::NodePtr recipe
        = recipeOf("token_type: unigram\noutput_neurons: 50\nsave_folder: " + path("") + "\n");
    const auto made = data::makeEncoder(*recipe, { "nothing to learn" });
    QVERIFY2(made, qPrintable(whyNot(made)));
    QVERIFY(made->encoder.labels() == model.pieces());
    QVERIFY2(made->note.ends_with("50_unigram.model'"), made->note.c_str());
    QVERIFY(isThere(data::encoderWithoutTraining(*recipe, {})));
}

/// A checkpoint's tokenizer has another ending.
void TstEncoderRecipe::pretrainedModel_isTheOneThatIsNamed()
{
    const SentencePiece model = trained(bpe());
    QVERIFY(writeFileAtomically(path("tokenizer.ckpt"), model.modelBytes()));
    const std::string object = "tokenizer: !new:sentencepiece.SentencePieceProcessor\n";
    const std::string argument = "    model_file: " + path("tokenizer.ckpt") + "\n";
    const std::string pretrainer
        = "pretrainer: !new:speechbrain.utils.parameter_transfer.Pretrainer\n    paths:\n"
          "        tokenizer: "
        + path("tokenizer.ckpt") + "\n";
    for (const std::string& text : { object + argument, object + pretrainer }) {
        const recipe::NodePtr recipe = recipeOf(text);
        const auto made = data::makeEncoder(*recipe, { "nothing to learn" });
        QVERIFY2(made, qPrintable(whyNot(made)));
        QVERIFY(made->encoder.labels() == model.pieces());
        QVERIFY(isThere(data::encoderWithoutTraining(*recipe, {})));
        const std::filesystem::path kept = data::encoderFile(*recipe, path(""));
        QCOMPARE(kept.filename().string(), "tokenizer.model");
        QVERIFY(made->encoder.save(kept));
        QVERIFY(data::loadEncoder(*recipe, path("")));
    }
    const auto unnamed = data::makeEncoder(*recipeOf(object), {});
    QVERIFY(!unnamed);
    QVERIFY2(
        whyNot(unnamed).startsWith("tokenizer: no model is named"), qPrintable(whyNot(unnamed)));
    const auto missing = data::makeEncoder(*recipeOf(object + "    model_file: none.ckpt\n"), {});
    QVERIFY(!missing);
    QVERIFY2(whyNot(missing).endsWith("the tokenizer's model must be a file here"),
        qPrintable(whyNot(missing)));
}

void TstEncoderRecipe::modelAsLabelEncoderFile_isKeptAsOne()
{
    const SentencePiece model = trained(bpe());
    QVERIFY(writeFileAtomically(path("pieces.model"), model.modelBytes()));
    const recipe::NodePtr recipe = recipeOf("label_encoder_file: " + path("pieces.model") + "\n");
    const auto made = data::makeEncoder(*recipe, { "nothing to learn" });
    QVERIFY2(made, qPrintable(whyNot(made)));
    QVERIFY(made->encoder.labels() == model.pieces());
    const std::filesystem::path kept = data::encoderFile(*recipe, path(""));
    QCOMPARE(kept.filename().string(), "tokenizer.model");
    QVERIFY(made->encoder.save(kept));
    std::filesystem::remove(path("pieces.model"));
    const auto loaded = data::loadEncoder(*recipe, path(""));
    QVERIFY2(loaded, qPrintable(whyNot(loaded)));
    QVERIFY(loaded->labels() == model.pieces());
    const auto missing = data::makeEncoder(*recipe, { "abc" });
    QVERIFY(!missing);
    QVERIFY2(whyNot(missing).startsWith("cannot read '"), qPrintable(whyNot(missing)));
}

void TstEncoderRecipe::labelsOfTheRunBefore_keepTheirNumbers_data()
{
    QTest::addColumn<QString>("given"); // below the folder of the run before
    QTest::newRow("run of Earwright") << "run";
    QTest::newRow("its checkpoint") << "run/checkpoints/step-20";
    QTest::newRow("its weights") << "run/checkpoints/step-20/model.safetensors";
    QTest::newRow("checkpoint of SpeechBrain") << "run/CKPT+2026-11-24+07-00-00+00";
}

/// The weights of a label are of its number: with "cab" in front "a" would take that of "c".
void TstEncoderRecipe::labelsOfTheRunBefore_keepTheirNumbers()
{
    QFETCH(QString, given);
    const TextEncoder before = TextEncoder::fromTexts({ "abc" }, 0);
    std::filesystem::create_directories(path("run/checkpoints/step-20"));
    QVERIFY(before.save(path("run/label_encoder.txt")));
    const std::string start = "init_param: " + path(qPrintable(given)) + "\n";
    const auto same = data::makeEncoder(*recipeOf(start), { "cab" });
    QVERIFY2(same, qPrintable(whyNot(same)));
    QVERIFY(same->encoder.labels() == before.labels());
    QVERIFY2(same->note.starts_with("labels have the numbers of '"), same->note.c_str());
    const auto more = data::makeEncoder(*recipeOf(start), { "dac" });
    QCOMPARE(*more->encoder.encode("abcd"), (std::vector<int64_t> { 1, 2, 3, 4 }));
    QVERIFY2(more->note.ends_with("1 of the training texts are new: d"), more->note.c_str());
    QVERIFY(more->encoder.save(path("labels.txt")));
    const auto again = TextEncoder::load(path("labels.txt"));
    QVERIFY(again && again->labels() == more->encoder.labels());
    const auto anew
        = data::makeEncoder(*recipeOf(start + "label_encoder_file: none.txt\n"), { "cab" });
    QCOMPARE(*anew->encoder.encode("cab"), (std::vector<int64_t> { 1, 2, 3 }));
}

void TstEncoderRecipe::tokensBesideWeightsOfFunASR_keepTheirNumbers()
{
    std::filesystem::create_directories(path("funasr"));
    QVERIFY(writeFileAtomically(
        path("funasr/tokens.json"), R"(["<blank>", "<s>", "</s>", "b", "a", "<unk>"])"));
    const auto made
        = data::makeEncoder(*recipeOf("init_param: " + path("funasr/model.pt") + "\n"), { "abc" });
    QVERIFY2(made, qPrintable(whyNot(made)));
    QCOMPARE(*made->encoder.encode("abc"), (std::vector<int64_t> { 4, 3, 5 }));
    QCOMPARE(made->encoder.size(), int64_t(6));
    QVERIFY2(made->note.starts_with("labels have the numbers of '"), made->note.c_str());
}

void TstEncoderRecipe::noHotword_isALabelThatNoTextHas()
{
    QVERIFY(writeFileAtomically(
        path("tokens.json"), R"(["<blank>", "<s>", "</s>", "b", "a", "c", "<unk>"])"));
    const auto made = [&](const char* text) {
        const std::string recipe = "task: seaco_paraformer\nseaco_id: 5\nblank_id: 0\nsos: 1\n"
                                   "eos: 2\nlabel_encoder_file: "
            + path("tokens.json") + "\n";
        return data::makeEncoder(*recipe::parse(recipe, "t.yaml").root, { "a", text });
    };
    QVERIFY2(made("abb"), qPrintable(whyNot(made("abb"))));
    const QString told = whyNot(made("acb"));
    QVERIFY2(
        told.startsWith("seaco_id 5 is 'c' of the training text 'acb': set it to that of a label"),
        qPrintable(told));
}

void TstEncoderRecipe::labelsOfTheRunBefore_areRefusedWhereTheyDoNotFit()
{
    const std::string start = "init_param: " + path("run") + "\n";
    std::filesystem::create_directories(path("run"));
    QVERIFY(TextEncoder::fromWords({ "ab c" }, {}).save(path("run/label_encoder.txt")));
    const auto words = data::makeEncoder(*recipeOf(start), { "ab c" });
    QVERIFY(!words);
    QVERIFY2(whyNot(words).contains("are words, the recipe's are not; with 'label_encoder_file'"),
        qPrintable(whyNot(words)));
    QCOMPARE(whyNot(data::encoderWithoutTraining(*recipeOf(start), { "ab c" })), whyNot(words));
    QVERIFY(data::encoderSource(*recipeOf(start)).isOfStart);
    QVERIFY(!data::encoderSource(*recipeOf(start + "label_encoder_file: none\n")).isOfStart);
    QVERIFY(TextEncoder::fromTexts({ "abc" }, 0).save(path("run/label_encoder.txt")));
    const auto elsewhere = data::makeEncoder(*recipeOf(start + "blank_index: 2\n"), { "abc" });
    QVERIFY(!elsewhere);
    QVERIFY2(
        whyNot(elsewhere).startsWith("init_param: label encoder '"), qPrintable(whyNot(elsewhere)));
}

void TstEncoderRecipe::tokenizerOfTheRunBefore_isTaken()
{
    const SentencePiece model = trained(bpe());
    std::filesystem::create_directories(path("run"));
    QVERIFY(writeFileAtomically(path("run/tokenizer.model"), model.modelBytes()));
    const recipe::NodePtr recipe
        = recipeOf("token_type: unigram\noutput_neurons: 50\ninit_param: " + path("run") + "\n");
    const auto made = data::makeEncoder(*recipe, { "nothing to learn" });
    QVERIFY2(made, qPrintable(whyNot(made)));
    QVERIFY(made->encoder.labels() == model.pieces());
    QVERIFY(data::encoderSource(*recipe).isOfStart);
}

/// Upstream's unk_id is its blank: a text with such a character could not be trained on.
void TstEncoderRecipe::whatIsNotCovered_isAPieceOfItsOwn()
{
    std::vector<std::string> many(99, "the cat sat");
    many.emplace_back("q");
    const auto made = data::makeEncoder(
        *recipeOf("token_type: char\noutput_neurons: 30\ncharacter_coverage: 0.98\n"), many);
    QVERIFY2(made, qPrintable(whyNot(made)));
    const auto tokens = made->encoder.encode("q");
    QVERIFY2(tokens, qPrintable(whyNot(tokens)));
    QVERIFY(made->encoder.hasUnknown(*tokens));
}

void TstEncoderRecipe::addedUnknown_isAPieceToo_data()
{
    QTest::addColumn<QString>("pieces");
    QTest::newRow("keys") << "token_type: char\noutput_neurons: 12\n";
    QTest::newRow("object")
        << "tokenizer: !new:speechbrain.tokenizers.SentencePiece.SentencePiece\n"
           "    model_dir: none\n    vocab_size: 12\n    model_type: char\n";
}

void TstEncoderRecipe::addedUnknown_isAPieceToo()
{
    QFETCH(QString, pieces);
    const std::vector<std::string> texts(9, "the cat sat");
    const std::string recipe = pieces.toStdString();
    const auto without = data::makeEncoder(*recipeOf(recipe), texts);
    QVERIFY2(without, qPrintable(whyNot(without)));
    QVERIFY(!without->encoder.encode("q"));
    const auto made = data::makeEncoder(*recipeOf("add_unk: True\n" + recipe), texts);
    QVERIFY2(made, qPrintable(whyNot(made)));
    const auto tokens = made->encoder.encode("q");
    QVERIFY2(tokens, qPrintable(whyNot(tokens)));
    QVERIFY(made->encoder.hasUnknown(*tokens));
}

void TstEncoderRecipe::textsToLearnFrom_areTheRecipes()
{
    std::string csv = "ID,said\n";
    nlohmann::json json;
    for (size_t i = 0; i < 9; ++i) {
        csv += std::to_string(i) + ",q w e r t y\n";
        json[std::to_string(i)] = { { "said", "a s d _ f" } };
    }
    QVERIFY(writeFileAtomically(path("said.csv"), csv));
    QVERIFY(writeFileAtomically(path("wrd.csv"), "ID,wrd\n1,u p u\n2,p u p\n"));
    QVERIFY(writeFileAtomically(path("said.json"), json.dump()));
    QVERIFY(writeFileAtomically(path("said.txt"), "z x c\n\nz x c v\n"));
    const auto pieces = [&](const std::string& more) {
        const auto made = data::makeEncoder(
            *recipeOf("tokenizer: !new:speechbrain.tokenizers.SentencePiece.SentencePiece\n"
                      "    model_dir: none\n    vocab_size: 9\n    model_type: char\n"
                + more),
            texts());
        return made ? made->encoder.labels() : std::vector<std::string> { made.error().message };
    };
    const auto from = [&](const char* file) {
        return "    annotation_train: " + path(file) + "\n    annotation_read: said\n";
    };
    using Pieces = std::vector<std::string>;
    QVERIFY(pieces(from("said.csv")) == (Pieces { "<unk>", "▁", "e", "q", "r", "t", "w", "y" }));
    QVERIFY(pieces(from("said.json") + "    char_format_input: True\n")
        == (Pieces { "<unk>", "▁", "a", "d", "f", "s" }));
    const std::string file = "    text_file: " + path("said.txt") + "\n";
    QVERIFY(pieces(file + from("said.csv")).size() == 6);
    QVERIFY(pieces(file + "    num_sequences: 1\n").size() == 6); // two of them, as upstream
    QVERIFY2(pieces("    annotation_train: said.csv\n    annotation_read: said\n")
                 .front()
                 .starts_with("cannot read 'said.csv'"),
        "the file is missing");
    QVERIFY(pieces("    annotation_train: " + path("said.csv") + "\n    annotation_read: wrd\n")
                .front()
                .ends_with("there is no column 'wrd'; it has ID, said"));
    QVERIFY(pieces("    annotation_train: " + path("wrd.csv") + "\n")
        == (Pieces { "<unk>", "▁", "p", "u" }));
}

void TstEncoderRecipe::impossibleRecipes_areRefused_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("message");
    QTest::newRow("pieces and labels")
        << "label_encoder: !new:speechbrain.dataio.encoder.CTCTextEncoder\ntoken_type: bpe\n"
        << "token_type 'bpe' contradicts label_encoder";
    QTest::newRow("no size") << "token_type: bpe\n"
                             << "no tokenizer of 0 pieces";
    QTest::newRow("blank") << "token_type: bpe\noutput_neurons: 50\nblank_index: 50\n"
                           << "blank_index is 50, but the tokenizer has 50 pieces";
}

void TstEncoderRecipe::impossibleRecipes_areRefused()
{
    QFETCH(QString, text);
    QFETCH(QString, message);
    const auto made = data::makeEncoder(*recipeOf(text.toStdString()), texts());
    QVERIFY(!made);
    QVERIFY2(whyNot(made).startsWith(message), qPrintable(whyNot(made)));
}

EARWRIGHT_TEST(TstEncoderRecipe)
#include "tst_encoder_recipe.moc"
