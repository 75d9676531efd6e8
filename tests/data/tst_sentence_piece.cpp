#include "core/base/file.h"
#include "core/catalog/configs/tokenizer.h"
#include "core/data/encoder_recipe.h"
#include "core/data/sentence_piece.h"
#include "core/data/text_column.h"
#include "core/recipe/parse.h"
#include "core/run/event_codec.h"

#include <nlohmann/json.hpp>
#include <QTemporaryDir>
#include <QTest>

using namespace kymo;
using catalog::SentencePieceConfig;
using data::SentencePiece;
using data::TextEncoder;

// tests/cases/data/sentence_piece: a text and what the Python package makes of it, with the program
// that asked it.

namespace {

const std::string kCases = KYMO_CASES_DIR "/data/sentence_piece/";

std::vector<std::string> texts()
{
    const auto lines = data::readLines(kCases + "text.txt");
    if (!lines)
        qFatal("%s", lines.error().message.c_str());
    return *lines;
}

SentencePieceConfig configOf(const nlohmann::json& settings)
{
    SentencePieceConfig config;
    config.modelType = settings.at("model_type");
    config.vocabSize = settings.value("vocab_size", config.vocabSize);
    config.padId = settings.value("pad_id", config.padId);
    config.unkId = settings.value("unk_id", config.unkId);
    config.bosId = settings.value("bos_id", config.bosId);
    config.eosId = settings.value("eos_id", config.eosId);
    config.splitByWhitespace = settings.value("split_by_whitespace", config.splitByWhitespace);
    config.addDummyPrefix = settings.value("add_dummy_prefix", config.addDummyPrefix);
    config.maxSentencepieceLength
        = settings.value("max_sentencepiece_length", config.maxSentencepieceLength);
    if (settings.contains("user_defined_symbols"))
        config.userDefinedSymbols = settings["user_defined_symbols"];
    return config;
}

SentencePiece trained(const SentencePieceConfig& config)
{
    const auto bytes = SentencePiece::train(texts(), config);
    if (!bytes)
        qFatal("%s", bytes.error().message.c_str());
    return *SentencePiece::parse(*bytes);
}

SentencePieceConfig bpe()
{
    SentencePieceConfig config;
    config.modelType = "bpe";
    config.vocabSize = 60;
    return config;
}

QString why(const Result<TextEncoder>& encoder)
{
    return encoder ? QString() : QString::fromStdString(encoder.error().message);
}

QString why(const Result<data::MadeEncoder>& made)
{
    return made ? QString() : QString::fromStdString(made.error().message);
}

recipe::NodePtr recipeOf(const std::string& text)
{
    return recipe::parse("task: ctc\n" + text, "recipe.yaml").root;
}

} // namespace

class TstSentencePiece : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void model_isThePackages_data();
    void model_isThePackages();
    void events_areWrittenInTheSameProcess();
    void whatCannotBeTrained_isSaid();
    void foreignBytes_areNoModel();
    void encoder_keepsTheModelsIndices();
    void specialIndices_areNoPieceOfATextOrAreRefused_data();
    void specialIndices_areNoPieceOfATextOrAreRefused();
    void whatHasNoPiece_isNamed();
    void unknownBesideTheBlank_isAToken();
    void savedModel_readsBack();
    void recipe_saysWhatTextsAreCutInto_data();
    void recipe_saysWhatTextsAreCutInto();
    void trainedModel_isTakenFromItsFolder();
    void pretrainedModel_isTheOneThatIsNamed();
    void textsToLearnFrom_areTheRecipes();
    void impossibleRecipes_areRefused_data();
    void impossibleRecipes_areRefused();

private:
    std::string path(const char* name) const { return m_dir.filePath(name).toStdString(); }

    QTemporaryDir m_dir;
};

void TstSentencePiece::model_isThePackages_data()
{
    QTest::addColumn<QString>("name");
    for (const char* name :
        { "bpe", "unigram", "char", "indices", "symbols", "across_words", "short_pieces" })
        QTest::newRow(name) << name;
}

void TstSentencePiece::model_isThePackages()
{
    QFETCH(QString, name);
    const auto cases = nlohmann::json::parse(*readFile(kCases + "pieces.json"));
    const nlohmann::json& one = cases.at(name.toStdString());
    const SentencePiece model = trained(configOf(one["settings"]));
    QVERIFY(model.pieces() == one["pieces"].get<std::vector<std::string>>());
    for (const nlohmann::json& encoded : one["encoded"]) {
        const auto ids = encoded["ids"].get<std::vector<int64_t>>();
        QVERIFY(model.encode(encoded["text"].get<std::string>()) == ids);
        QCOMPARE(model.decode(ids), encoded["decoded"].get<std::string>());
    }
    for (const std::string& text : texts())
        QCOMPARE(model.decode(model.encode(text)), text);
}

/// The event log's protobuf and the one inside the library are of different versions.
void TstSentencePiece::events_areWrittenInTheSameProcess()
{
    const auto roundTrip = [] {
        std::vector<run::Event> events;
        const run::Event event { .payload = run::Message { "info", "two of them" } };
        return run::decodeMessage(run::encodeEvent(event), events) && events.size() == 1
            && std::get<run::Message>(events[0].payload).text == "two of them";
    };
    QVERIFY(roundTrip());
    const SentencePiece model = trained(bpe());
    QVERIFY(roundTrip());
    QCOMPARE(model.decode(model.encode("the river")), "the river");
}

void TstSentencePiece::whatCannotBeTrained_isSaid()
{
    SentencePieceConfig config = bpe();
    config.vocabSize = 9000;
    const auto tooLarge = SentencePiece::train(texts(), config);
    QVERIFY(!tooLarge);
    const QString message = QString::fromStdString(tooLarge.error().message);
    QVERIFY2(message.startsWith("no tokenizer of 9000 pieces (bpe) can be trained on 60 texts: ")
            && message.contains("<= "),
        qPrintable(message));
    QVERIFY(!SentencePiece::train({}, bpe()));
}

void TstSentencePiece::foreignBytes_areNoModel()
{
    QVERIFY(!SentencePiece::parse(""));
    QVERIFY(!SentencePiece::parse("'<blank>' => 0\n"));
    QVERIFY(writeFileAtomically(path("broken.model"), "no model"));
    const QString message = why(TextEncoder::load(path("broken.model")));
    QVERIFY2(message.contains("broken.model': it is no SentencePiece model"), qPrintable(message));
    QVERIFY(!TextEncoder::load(path("none.model")));
}

void TstSentencePiece::encoder_keepsTheModelsIndices()
{
    const SentencePiece model = trained(bpe());
    const auto encoder = TextEncoder::fromPieces(model, {});
    QVERIFY2(encoder, qPrintable(why(encoder)));
    QCOMPARE(encoder->size(), 60);
    QCOMPARE(encoder->blankIndex(), 0);
    QVERIFY(encoder->labels() == model.pieces());
    QVERIFY(encoder->searchLabels() == model.pieces());
    QVERIFY(*encoder->encode("the river") == model.encode("the river"));
    std::vector<int64_t> tokens = model.encode("the river");
    tokens.push_back(60); // an output without a piece
    QCOMPARE(encoder->decode(tokens), "the river");
    QCOMPARE(encoder->sizeText(), "the tokenizer has 60 pieces");
}

void TstSentencePiece::specialIndices_areNoPieceOfATextOrAreRefused_data()
{
    QTest::addColumn<qlonglong>("blank");
    QTest::addColumn<qlonglong>("bos");
    QTest::addColumn<QString>("message");
    QTest::newRow("all are unk") << 0LL << 0LL << "";
    QTest::newRow("blank is a piece") << 5LL << 0LL
                                      << "blank_index is 5, which is the tokenizer's piece 'the'; "
                                         "set unk_id or pad_id of the tokenizer to that index";
    QTest::newRow("bos is a piece") << 0LL << 1LL
                                    << "bos_index is 1, which is the tokenizer's piece '▁a'; set "
                                       "bos_id of the tokenizer to that index";
    QTest::newRow("beyond the last")
        << 60LL << 0LL << "blank_index is 60, but the tokenizer has 60 pieces";
    QTest::newRow("negative") << -1LL << 0LL
                              << "blank_index is -1, but the tokenizer has 60 pieces";
}

void TstSentencePiece::specialIndices_areNoPieceOfATextOrAreRefused()
{
    QFETCH(qlonglong, blank);
    QFETCH(qlonglong, bos);
    QFETCH(QString, message);
    QCOMPARE(why(TextEncoder::fromPieces(trained(bpe()), { .blank = blank, .bos = bos })), message);
}

void TstSentencePiece::whatHasNoPiece_isNamed()
{
    const auto tokens = TextEncoder::fromPieces(trained(bpe()), {})->encode("the zoo k");
    QVERIFY(!tokens);
    const QString message = QString::fromStdString(tokens.error().message);
    QVERIFY2(message.startsWith("the tokenizer has no piece for 'z', 'k', and its unk_id"),
        qPrintable(message));
}

void TstSentencePiece::unknownBesideTheBlank_isAToken()
{
    SentencePieceConfig config = bpe();
    config.padId = 0;
    config.bosId = 1;
    config.eosId = 2;
    config.unkId = 3;
    const auto encoder
        = TextEncoder::fromPieces(trained(config), { .blank = 0, .bos = 1, .eos = 2 });
    QVERIFY2(encoder, qPrintable(why(encoder)));
    std::vector<int64_t> tokens = *encoder->encode("the z");
    QCOMPARE(tokens.back(), 3);
    tokens = *encoder->encode("the river");
    tokens.insert(tokens.begin(), 1);
    tokens.push_back(2);
    QCOMPARE(encoder->decode(tokens), "the river"); // <s> and </s> spell nothing
}

void TstSentencePiece::savedModel_readsBack()
{
    const auto encoder = TextEncoder::fromPieces(trained(bpe()), {});
    QVERIFY(encoder->save(path("tokenizer.model")));
    const auto loaded = TextEncoder::load(path("tokenizer.model"), {});
    QVERIFY2(loaded, qPrintable(why(loaded)));
    QVERIFY(loaded->labels() == encoder->labels());
    QCOMPARE(loaded->fileText(), encoder->fileText());
    QVERIFY(!TextEncoder::load(path("tokenizer.model"), { .blank = 7 }));
}

void TstSentencePiece::recipe_saysWhatTextsAreCutInto_data()
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
}

void TstSentencePiece::recipe_saysWhatTextsAreCutInto()
{
    QFETCH(QString, text);
    QFETCH(int, size);
    QFETCH(QString, file);
    const recipe::NodePtr recipe = recipeOf(text.toStdString());
    const auto made = data::makeEncoder(*recipe, texts());
    QVERIFY2(made, qPrintable(why(made)));
    QCOMPARE(made->encoder.size(), size);
    const std::filesystem::path kept = data::encoderFile(*recipe, path(""));
    QCOMPARE(QString::fromStdString(kept.filename()), file);
    QCOMPARE(made->note.empty(), file == "label_encoder.txt");
    QVERIFY(made->encoder.save(kept));
    const auto loaded = data::loadEncoder(*recipe, path(""));
    QVERIFY2(loaded, qPrintable(why(loaded)));
    for (const std::string& one : texts())
        QCOMPARE(loaded->decode(*loaded->encode(one)), one);
    QCOMPARE(data::encoderWithoutTraining(*recipe, texts()).has_value(), made->note.empty());
    QVERIFY(!data::encoderWithoutTraining(*recipe, {}));
}

void TstSentencePiece::trainedModel_isTakenFromItsFolder()
{
    const SentencePiece model = trained(bpe());
    QVERIFY(writeFileAtomically(path("50_unigram.model"), model.modelBytes()));
    const recipe::NodePtr recipe
        = recipeOf("token_type: unigram\noutput_neurons: 50\nsave_folder: " + path("") + "\n");
    const auto made = data::makeEncoder(*recipe, { "nothing to learn" });
    QVERIFY2(made, qPrintable(why(made)));
    QVERIFY(made->encoder.labels() == model.pieces());
    QVERIFY2(made->note.ends_with("50_unigram.model'"), made->note.c_str());
    QVERIFY(data::encoderWithoutTraining(*recipe, {}));
}

/// A checkpoint's tokenizer has another ending.
void TstSentencePiece::pretrainedModel_isTheOneThatIsNamed()
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
        QVERIFY2(made, qPrintable(why(made)));
        QVERIFY(made->encoder.labels() == model.pieces());
        QVERIFY(data::encoderWithoutTraining(*recipe, {}));
        const std::filesystem::path kept = data::encoderFile(*recipe, path(""));
        QCOMPARE(kept.filename().string(), "tokenizer.model");
        QVERIFY(made->encoder.save(kept));
        QVERIFY(data::loadEncoder(*recipe, path("")));
    }
    const auto unnamed = data::makeEncoder(*recipeOf(object), {});
    QVERIFY(!unnamed);
    QVERIFY2(why(unnamed).startsWith("tokenizer: no model is named"), qPrintable(why(unnamed)));
    const auto missing = data::makeEncoder(*recipeOf(object + "    model_file: none.ckpt\n"), {});
    QVERIFY(!missing);
    QVERIFY2(why(missing).endsWith("the tokenizer's model must be a file here"),
        qPrintable(why(missing)));
}

void TstSentencePiece::textsToLearnFrom_areTheRecipes()
{
    std::string csv = "ID,said\n";
    nlohmann::json json;
    for (size_t i = 0; i < 9; ++i) {
        csv += std::to_string(i) + ",q w e r t y\n";
        json[std::to_string(i)] = { { "said", "a s d _ f" } };
    }
    QVERIFY(writeFileAtomically(path("said.csv"), csv));
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
}

void TstSentencePiece::impossibleRecipes_areRefused_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("message");
    QTest::newRow("pieces and labels")
        << "label_encoder: !new:speechbrain.dataio.encoder.CTCTextEncoder\ntoken_type: bpe\n"
        << "token_type 'bpe' contradicts label_encoder";
    QTest::newRow("no size") << "token_type: bpe\n"
                             << "no tokenizer of 0 pieces";
    QTest::newRow("blank") << "token_type: bpe\noutput_neurons: 50\nblank_index: 4\n"
                           << "blank_index is 4, which is the tokenizer's piece";
}

void TstSentencePiece::impossibleRecipes_areRefused()
{
    QFETCH(QString, text);
    QFETCH(QString, message);
    const auto made = data::makeEncoder(*recipeOf(text.toStdString()), texts());
    QVERIFY(!made);
    QVERIFY2(why(made).startsWith(message), qPrintable(why(made)));
}

QTEST_GUILESS_MAIN(TstSentencePiece)
#include "tst_sentence_piece.moc"
