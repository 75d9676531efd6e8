#include <QTemporaryDir>
#include <QTest>

#include "core/data/encoder_recipe.h"
#include "core/data/text_column.h"
#include "core/train/recogniser.h"
#include "tests/registry.h"
#include "tests/train/rank_run.h"

using namespace earwright;
using earwright::tests::RankRun;

/// Runs of two ranks whose texts are cut into pieces or words.
class TstTokenizers : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void run_trainsResumesAndHears_data();
    void run_trainsResumesAndHears();
    void tooFewOutputs_areRefused();

private:
    std::string path(const std::string& name) const
    {
        return m_folder.filePath(QString::fromStdString(name)).toStdString();
    }
    RankRun runOf(const std::string& tokens, const std::vector<std::string>& overrides = {}) const;

    QTemporaryDir m_folder;
    std::vector<std::string> m_texts;
};

namespace {

const std::string kTokenizer
    = "tokenizer: !new:speechbrain.tokenizers.SentencePiece.SentencePiece\n"
      "    model_dir: /nowhere\n    vocab_size: 50\n    annotation_train: !ref <train_csv>\n"
      "    annotation_read: wrd\n    model_type: bpe\n";

QString contentOf(const std::filesystem::path& file)
{
    const Result<std::string> text = readFile(file);
    return text ? QString::fromStdString(*text) : QString();
}

} // namespace

/// Noises of a second, with real sentences.
void TstTokenizers::initTestCase()
{
    const auto lines = data::readLines(EARWRIGHT_CASES_DIR "/data/sentence_piece/text.txt");
    QVERIFY(lines);
    tests::writeNoises(path("data"), 1);
    std::string csv = "ID,duration,wav,spk_id,wrd\n";
    std::vector<float> noise(12000);
    std::mt19937 random(3);
    for (float& sample : noise)
        sample = std::normal_distribution<float>(0, 0.1F)(random);
    for (size_t i = 0; i < 16; ++i) {
        const std::string wav = path("data/" + std::to_string(i) + ".wav");
        QVERIFY(tests::writeSound(wav, noise, { .sampleRateHz = 8000 }));
        m_texts.push_back((*lines)[i]);
        csv += std::to_string(i) + ",1.5," + wav + ",s,\"" + m_texts.back() + "\"\n";
    }
    QVERIFY(writeFileAtomically(path("data/train.csv"), csv));
}

RankRun TstTokenizers::runOf(
    const std::string& tokens, const std::vector<std::string>& overrides) const
{
    const std::string name = QTest::currentDataTag() ? QTest::currentDataTag() : "run";
    const std::string recipe = path(name + ".yaml");
    const Result<std::string> text = readFile(EARWRIGHT_CASES_DIR "/train/tokens.yaml");
    if (!text || !writeFileAtomically(recipe, *text + tokens))
        qFatal("no recipe");
    return { .folder = path(name),
        .data = path("data"),
        .recipe = recipe,
        .overrides = overrides,
        .ranks = 2 };
}

void TstTokenizers::run_trainsResumesAndHears_data()
{
    QTest::addColumn<QString>("tokens");
    QTest::addColumn<QString>("file");
    const QString labels = "label_encoder: !new:speechbrain.dataio.encoder.CTCTextEncoder\n";
    QTest::newRow("bpe") << QString::fromStdString(kTokenizer) << "tokenizer.model";
    QTest::newRow("unigram by keys") << "token_type: unigram\n"
                                     << "tokenizer.model";
    QTest::newRow("words") << labels + "token_type: word\n"
                           << "label_encoder.txt";
}

void TstTokenizers::run_trainsResumesAndHears()
{
    QFETCH(QString, tokens);
    QFETCH(QString, file);
    const RankRun run = runOf(tokens.toStdString());
    QCOMPARE(run.train(), QString());
    const std::filesystem::path kept = run.folder / file.toStdString();
    const QString before = contentOf(kept);
    QVERIFY(!before.isEmpty());
    QVERIFY(contentOf(run.folder / "alignments/test.txt").contains("%WER "));

    std::string errors;
    const plan::Plan plan = run.plan(errors);
    const auto encoder = data::loadEncoder(*plan.recipe, run.folder);
    QVERIFY(encoder);
    for (const std::string& text : m_texts)
        QCOMPARE(encoder->decode(*encoder->encode(text)), text);

    // What the run has is taken: not made anew of texts that are others by now.
    const std::string csv = *readFile(path("data/train.csv"));
    const RankRun more = runOf(tokens.toStdString(), { "--number_of_epochs=2" });
    QVERIFY(writeFileAtomically(path("data/train.csv"), csv.substr(0, csv.rfind("\n15,") + 1)));
    const QString resumed = more.train();
    QVERIFY(writeFileAtomically(path("data/train.csv"), csv));
    QCOMPARE(resumed, QString());
    QCOMPARE(contentOf(kept), before);

    const auto utterances = data::readManifest(path("data/train.csv"), "");
    for (const int beams : { 1, 4 }) {
        train::DecodeSetting setting;
        if (beams > 1)
            setting.beamSize = beams;
        auto recogniser = train::Recogniser::load(plan, run.folder,
            *train::lastCheckpoint(run::RunFolder { run.folder }.checkpoints()), at::kCPU, setting);
        QVERIFY2(recogniser, recogniser ? "" : recogniser.error().message.c_str());
        const auto heard = recogniser->recognise(*utterances, 4);
        QVERIFY(heard && heard->size() == m_texts.size());
        for (const train::Heard& one : *heard)
            QVERIFY2(one.text().find("▁") == std::string::npos, one.text().c_str());
    }
}

void TstTokenizers::tooFewOutputs_areRefused()
{
    const QString ended = runOf(kTokenizer, { "--output_neurons=40" }).train();
    QVERIFY2(ended.contains("the output layer has 40 classes, but the tokenizer has 50 pieces: set "
                            "output_neurons to 50"),
        qPrintable(ended));
}

EARWRIGHT_TEST(TstTokenizers)
#include "tst_tokenizers.moc"
