#include "tests/data/piece_texts.h"
#include "tests/registry.h"

#include "core/base/file.h"
#include "core/data/encoder_recipe.h"
#include "core/data/sentence_piece.h"
#include "core/run/event_codec.h"

#include <nlohmann/json.hpp>
#include <QTemporaryDir>
#include <QTest>

using namespace earwright;
using namespace earwright::tests;
using catalog::SentencePieceConfig;
using data::SentencePiece;
using data::TextEncoder;

namespace {

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

QString whyNoEncoder(const Result<TextEncoder>& encoder)
{
    return encoder ? QString() : QString::fromStdString(encoder.error().message);
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
    void phrases_areFoundInTextsWithAndWithoutBlanks_data();
    void phrases_areFoundInTextsWithAndWithoutBlanks();
    void savedModel_readsBack();

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
    QCOMPARE(message,
        "no tokenizer of 9000 pieces (bpe) can be trained on 60 texts: they give 412 at most; set "
        "the number of pieces to that or less");
    QVERIFY(!SentencePiece::train({}, bpe()));
}

void TstSentencePiece::foreignBytes_areNoModel()
{
    QVERIFY(!SentencePiece::parse(""));
    QVERIFY(!SentencePiece::parse("'<blank>' => 0\n"));
    QVERIFY(writeFileAtomically(path("broken.model"), "no model"));
    const QString message = whyNoEncoder(TextEncoder::load(path("broken.model")));
    QVERIFY2(message.contains("broken.model': it is no SentencePiece model"), qPrintable(message));
    QVERIFY(!TextEncoder::load(path("none.model")));
}

void TstSentencePiece::encoder_keepsTheModelsIndices()
{
    const SentencePiece model = trained(bpe());
    const auto encoder = TextEncoder::fromPieces(model, {});
    QVERIFY2(encoder, qPrintable(whyNoEncoder(encoder)));
    QCOMPARE(encoder->size(), 60);
    QCOMPARE(encoder->blankIndex(), 0);
    QVERIFY(encoder->labels() == model.pieces());
    QVERIFY(encoder->searchLabels() == model.pieces());
    QVERIFY(*encoder->encode("the river") == model.encode("the river"));
    std::vector<int64_t> tokens = model.encode("the river");
    tokens.push_back(60); // an output without a piece
    QCOMPARE(encoder->decode(tokens), "the river");
    QCOMPARE(encoder->sizeText(), "the tokenizer has 60 pieces");
    for (size_t i = 0; i < model.pieces().size(); ++i)
        QVERIFY(encoder->indexOf(model.pieces()[i]) == static_cast<int64_t>(i));
    QVERIFY(!encoder->indexOf("no piece"));
}

void TstSentencePiece::specialIndices_areNoPieceOfATextOrAreRefused_data()
{
    QTest::addColumn<qlonglong>("blank");
    QTest::addColumn<qlonglong>("bos");
    QTest::addColumn<QString>("message");
    QTest::newRow("all are unk") << 0LL << 0LL << "";
    QTest::newRow("blank is a piece") << 5LL << 0LL << ""; // upstream trains so, check warns
    QTest::newRow("bos is a piece") << 0LL << 1LL
                                    << "bos_index is 1, which is the tokenizer's piece '▁a'; "
                                       "train the tokenizer with that index as its bos_id";
    QTest::newRow("beyond the last")
        << 60LL << 0LL
        << "blank_index is 60, but the tokenizer has 60 pieces; set it to 0, the tokenizer's "
           "piece '<unk>'";
    QTest::newRow("negative") << -1LL << 0LL
                              << "blank_index is -1, but the tokenizer has 60 pieces; set "
                                 "it to 0, the tokenizer's piece '<unk>'";
}

void TstSentencePiece::specialIndices_areNoPieceOfATextOrAreRefused()
{
    QFETCH(qlonglong, blank);
    QFETCH(qlonglong, bos);
    QFETCH(QString, message);
    QCOMPARE(whyNoEncoder(TextEncoder::fromPieces(trained(bpe()), { .blank = blank, .bos = bos })),
        message);
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
    QVERIFY2(encoder, qPrintable(whyNoEncoder(encoder)));
    std::vector<int64_t> tokens = *encoder->encode("the z");
    QCOMPARE(tokens.back(), 3);
    tokens = *encoder->encode("the river");
    tokens.insert(tokens.begin(), 1);
    tokens.push_back(2);
    QCOMPARE(encoder->decode(tokens), "the river"); // <s> and </s> spell nothing
}

void TstSentencePiece::phrases_areFoundInTextsWithAndWithoutBlanks_data()
{
    QTest::addColumn<QString>("type");
    QTest::addColumn<int>("size");
    QTest::addColumn<int>("cuts");
    QTest::newRow("char") << "char" << 0 << 1; // "▁" is a piece of its own
    QTest::newRow("unigram") << "unigram" << 15 << 2;
    QTest::newRow("bpe") << "bpe" << 24 << 2;
}

void TstSentencePiece::phrases_areFoundInTextsWithAndWithoutBlanks()
{
    QFETCH(QString, type);
    QFETCH(int, size);
    SentencePieceConfig config;
    config.modelType = type.toStdString();
    config.vocabSize = size;
    const std::vector<std::string> texts { "我去北京", "北京在北", "他 去 北京", "我在北京", "北京",
        "go to 上海" };
    const auto model = SentencePiece::train(texts, config);
    QVERIFY2(model, model ? "" : model.error().message.c_str());
    const auto encoder = TextEncoder::fromPieces(*SentencePiece::parse(*model), {});
    QVERIFY2(encoder, qPrintable(whyNoEncoder(encoder)));
    const TextEncoder::Cuts phrase = *encoder->encodePhrase("北京");
    QFETCH(int, cuts);
    QCOMPARE(static_cast<int>(phrase.size()), cuts);
    for (const char* text : { "我去北京", "北京在北", "他 去 北京" }) {
        const std::vector<int64_t> tokens = *encoder->encode(text);
        QVERIFY2(std::ranges::any_of(phrase,
                     [&](const auto& cut) {
                         return !cut.empty()
                             && std::search(tokens.begin(), tokens.end(), cut.begin(), cut.end())
                             != tokens.end();
                     }),
            text);
    }
    QVERIFY(*encoder->encodePhrase("go") == TextEncoder::Cuts { *encoder->encode("go") });
}

void TstSentencePiece::savedModel_readsBack()
{
    const auto encoder = TextEncoder::fromPieces(trained(bpe()), {});
    QVERIFY(encoder->save(path("tokenizer.model")));
    const auto loaded = TextEncoder::load(path("tokenizer.model"), {});
    QVERIFY2(loaded, qPrintable(whyNoEncoder(loaded)));
    QVERIFY(loaded->labels() == encoder->labels());
    QCOMPARE(loaded->fileText(), encoder->fileText());
    QVERIFY(!TextEncoder::load(path("tokenizer.model"), { .blank = 700 }));
}

EARWRIGHT_TEST(TstSentencePiece)
#include "tst_sentence_piece.moc"
