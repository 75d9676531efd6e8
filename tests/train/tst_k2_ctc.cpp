#include <QTemporaryDir>
#include <QTest>

#include "core/data/text_encoder.h"
#include "tests/registry.h"
#include "tests/train/equal_recipes.h"
#include "tests/train/rank_run.h"

using namespace earwright;
using earwright::tests::RankRun;

namespace {

const std::string kHub = EARWRIGHT_CASES_DIR "/model/hub/ctc";
const std::string kOtherLoss
    = "speechbrain.nnet.losses.ctc_loss\n    blank_index: !ref <blank_index>\n";

/// As upstream's LibriSpeech/ASR/CTC/hparams/train_hf_wav2vec_k2.yaml, smaller: it has no label
/// encoder.
std::string k2Recipe()
{
    std::string text = *readFile(EARWRIGHT_CASES_DIR "/train/pretrained.yaml");
    text = train::with(text, "label_encoder: !new:speechbrain.dataio.encoder.CTCTextEncoder\n", "");
    text = train::with(text, "blank_index: 0\n",
        "lang_dir: lang\nvocab_file: words.txt\nsil_prob: 0.\nadd_word_boundary: True\n"
        "test_search_beam: 32\nac_scale: 1.5\ncompose_HL_with_G: False\n"
        "decoding_method: 1best\nlm_dir: lm\nG_arpa: 3.arpa\n");
    text = train::with(text, "output_neurons: 8\n", "output_neurons: 9\n"); // <unk> and ' '
    return train::with(text, kOtherLoss,
        "speechbrain.integrations.k2_fsa.losses.ctc_k2\n    reduction: mean\n    beam_size: 10\n");
}

} // namespace

/// CTC by k2, of which LibTorch's is taken.
class TstK2Ctc final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void labels_endEachWord();
    void difference_isTold_data();
    void difference_isTold();
    void setting_isRefused_data();
    void setting_isRefused();

private:
    RankRun runOf(const QString& name, const std::string& text = k2Recipe()) const;
    QStringList messagesOf(const std::string& text) const;

    QTemporaryDir m_folder;
};

void TstK2Ctc::initTestCase()
{
    tests::writeNoises(m_folder.filePath("data").toStdString(), 19);
}

RankRun TstK2Ctc::runOf(const QString& name, const std::string& text) const
{
    const std::string recipe = m_folder.filePath(name + ".yaml").toStdString();
    if (!writeFileAtomically(recipe, text))
        qFatal("no recipe");
    return { .folder = m_folder.filePath(name).toStdString(),
        .data = m_folder.filePath("data").toStdString(),
        .recipe = recipe,
        .overrides = { "--wav2vec2_hub=" + kHub, "--optimizer_step_limit=2" } };
}

QStringList TstK2Ctc::messagesOf(const std::string& text) const
{
    check::Request request;
    request.text = text;
    request.fileName = "k2.yaml";
    request.checkFiles = false;
    request.overrides
        = *recipe::parseOverrides({ "--wav2vec2_hub=" + kHub, "--data_folder=/nowhere" });
    QStringList messages;
    for (const recipe::Diagnostic& one : check::check(request, check::Machine()).diagnostics)
        messages << QString::fromStdString(one.message);
    return messages;
}

void TstK2Ctc::labels_endEachWord()
{
    const RankRun run = runOf("trained");
    QCOMPARE(run.train(), QString());
    const auto encoder = data::TextEncoder::load(run.folder / "label_encoder.txt");
    QVERIFY2(encoder, encoder ? "" : encoder.error().message.c_str());
    QVERIFY(encoder->indexOf("<unk>"));
    const auto end = encoder->indexOf(" ");
    QVERIFY(end);
    const std::string letter
        = encoder->labels().back() == " " ? encoder->labels()[2] : encoder->labels().back();
    const auto tokens = encoder->encode(letter + " " + letter);
    QVERIFY(tokens);
    QCOMPARE(tokens->size(), size_t(4));
    QCOMPARE(tokens->back(), *end);
    QCOMPARE(encoder->decode(*tokens), letter + " " + letter);
}

void TstK2Ctc::difference_isTold_data()
{
    QTest::addColumn<std::string>("what");
    QTest::addColumn<std::string>("instead");
    QTest::addColumn<QString>("message");
    const auto row
        = [](const char* name, const char* what, const char* instead, const char* message) {
              QTest::newRow(name) << std::string(what) << std::string(instead) << QString(message);
          };
    row("loss", "lang_dir", "lang_dir", "LibTorch's CTC is computed in place of k2's");
    row("search", "lang_dir", "lang_dir",
        "texts are those of the best path, of whatever words, where k2 searches");
    row("scale", "lang_dir", "lang_dir",
        "the loss of validation and test is that of the log probabilities themselves");
    row("beams", "lang_dir", "test_beam_search: {beam_size: 9}\nlang_dir",
        "texts are those of the best path, in the test of 'test_beam_search'");
    row("n-gram", "compose_HL_with_G: False", "compose_HL_with_G: True",
        "'compose_HL_with_G' lets 'G_arpa' score in SpeechBrain's test and does nothing here: "
        "write test_beam_search: with kenlm_model_path: lm/3.arpa");
    row("n-gram of no folder", "compose_HL_with_G: False\ndecoding_method: 1best\nlm_dir: lm\n",
        "compose_HL_with_G: True\n",
        "write test_beam_search: with kenlm_model_path: the file that 'G_arpa' names");
    row("rescoring", "1best", "whole-lattice-rescoring",
        "'decoding_method' lets 'G_rescoring_arpa' score");
    row("beam of k2", "lang_dir", "lang_dir", "'test_search_beam' is read by SpeechBrain");
}

void TstK2Ctc::difference_isTold()
{
    QFETCH(std::string, what);
    QFETCH(std::string, instead);
    QFETCH(QString, message);
    const QStringList messages = messagesOf(train::with(k2Recipe(), what, instead));
    QVERIFY2(!messages.filter(message).isEmpty(), qPrintable(messages.join('\n')));
}

void TstK2Ctc::setting_isRefused_data()
{
    QTest::addColumn<std::string>("what");
    QTest::addColumn<std::string>("instead");
    QTest::addColumn<QString>("refusal");
    const auto row
        = [](const char* name, const char* what, const char* instead, const char* refusal) {
              QTest::newRow(name) << std::string(what) << std::string(instead) << QString(refusal);
          };
    row("silence", "sil_prob: 0.\n", "sil_prob: 0.5\n", "'sil_prob' must be 0");
    row("no ends of words", "add_word_boundary: True", "add_word_boundary: False",
        "'add_word_boundary' must be True");
    row("other decoding", "1best", "nbest", "'decoding_method' must be 1best, onebest or");
    row("pieces", "lang_dir", "token_type: char\nlang_dir",
        "'token_type' cuts texts, and the labels of k2's loss are the characters of its lexicon");
    row("loss of each row", "reduction: mean", "reduction: none", "reduction");
}

void TstK2Ctc::setting_isRefused()
{
    QFETCH(std::string, what);
    QFETCH(std::string, instead);
    QFETCH(QString, refusal);
    std::string errors;
    (void)runOf("refused", train::with(k2Recipe(), what, instead)).plan(errors);
    QVERIFY2(QString::fromStdString(errors).contains(refusal), errors.c_str());
}

EARWRIGHT_TEST(TstK2Ctc)
#include "tst_k2_ctc.moc"
