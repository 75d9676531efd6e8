#include "tests/registry.h"
#include "tests/train/whisper_run.h"

#include <QTest>

using namespace earwright;
using earwright::tests::RankRun;
using earwright::tests::whisperRecipe;

namespace {

/// Of another vocabulary than Whisper's; a training needs no weights of it.
const std::string kOtherModel
    = "lm_model: !new:speechbrain.lobes.models.RNNLM.RNNLM\n    output_neurons: 10\n"
      "    embedding_dim: 4\n    rnn_neurons: 8\n    dnn_neurons: 6\n    return_hidden: True\n"
      "pretrainer: !new:speechbrain.utils.parameter_transfer.Pretrainer\n"
      "    loadables: {lm: !ref <lm_model>}\n    paths: {lm: nowhere/lm.ckpt}\n"
      "lm_scorer: !new:speechbrain.decoders.scorer.RNNLMScorer\n"
      "    language_model: !ref <lm_model>\n";

std::string scoringRecipe()
{
    const std::string searching = train::with(whisperRecipe("whisper"), "    beam_size: 2\n",
        "    beam_size: 2\n    scorer: !new:speechbrain.decoders.scorer.ScorerBuilder\n"
        "        full_scorers: [!ref <lm_scorer>]\n        weights: {rnnlm: 0.1}\n");
    return train::with(searching, "\ntest_search: ", "\n" + kOtherModel + "test_search: ");
}

/// What a check with a look at the files warns of in the recipe, a line each.
QString warningsOf(const RankRun& run)
{
    check::Request request;
    request.text = *readFile(run.recipe);
    request.fileName = run.recipe;
    request.devices = "cpu";
    std::vector<std::string> words = run.overrides;
    words.push_back("--data_folder=" + run.data.string());
    request.overrides = *recipe::parseOverrides(words);
    QString found;
    for (const recipe::Diagnostic& one : plan::checkRecipe(request, check::Machine()).diagnostics)
        if (one.severity == recipe::Severity::Warning && !one.rule.starts_with("data-"))
            found += QString::fromStdString(one.message) + "\n";
    return found;
}

} // namespace

/// What of a recipe of Whisper's is refused or warned of by its folder.
class TstWhisperChecks final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void layerdrop_isWarnedOfWhereItIsTrained_data();
    void layerdrop_isWarnedOfWhereItIsTrained();
    void otherLanguage_isNotScoredAsEnglish_data();
    void otherLanguage_isNotScoredAsEnglish();
    void scorerOfAnotherVocabulary_isRefused();

private:
    RankRun runOf(const QString& name, const std::vector<std::string>& overrides = {},
        const std::string& text = whisperRecipe("whisper")) const
    {
        return tests::whisperRun(m_folder, name, 1, overrides, text);
    }

    QTemporaryDir m_folder;
};

void TstWhisperChecks::initTestCase()
{
    const std::filesystem::path hub = m_folder.filePath("hub").toStdString();
    tests::writeNoises(m_folder.filePath("data").toStdString(), 5);
    tests::makeWhisperFolder(hub);
    const std::string config = train::with(*readFile(hub / "config.json"), "\"dropout\": 0.0",
        "\"dropout\": 0.0, \"encoder_layerdrop\": 0.1, \"decoder_layerdrop\": 0.2");
    QVERIFY(writeFileAtomically(hub / "config.json", config));
}

void TstWhisperChecks::layerdrop_isWarnedOfWhereItIsTrained_data()
{
    QTest::addColumn<std::string>("override");
    QTest::addColumn<bool>("ofEncoder");
    QTest::addColumn<bool>("ofDecoder");
    QTest::newRow("all") << std::string("--freeze_encoder=False") << true << true;
    QTest::newRow("a frozen encoder") << std::string("--freeze_encoder=True") << false << true;
    QTest::newRow("all is frozen") << std::string("--whisper.freeze=True") << false << false;
}

void TstWhisperChecks::layerdrop_isWarnedOfWhereItIsTrained()
{
    QFETCH(std::string, override);
    QFETCH(bool, ofEncoder);
    QFETCH(bool, ofDecoder);
    const QString warnings = warningsOf(runOf("layerdrop", { override }));
    QVERIFY2(warnings.contains("'whisper' has encoder_layerdrop 0.1: each step leaves layers out")
            == ofEncoder,
        qPrintable(warnings));
    QVERIFY2(warnings.contains("'whisper' has decoder_layerdrop 0.2: each step leaves layers out")
            == ofDecoder,
        qPrintable(warnings));
}

void TstWhisperChecks::otherLanguage_isNotScoredAsEnglish_data()
{
    QTest::addColumn<std::string>("language");
    QTest::addColumn<bool>("isWarned");
    QTest::newRow("its name") << std::string("german") << true;
    QTest::newRow("its letters") << std::string("de") << true;
    QTest::newRow("English") << std::string("English") << false;
    QTest::newRow("English by letters") << std::string("en") << false;
}

void TstWhisperChecks::otherLanguage_isNotScoredAsEnglish()
{
    QFETCH(std::string, language);
    QFETCH(bool, isWarned);
    const QString warnings = warningsOf(runOf("language", { "--whisper.language=" + language }));
    const QString expected = QString::fromStdString(
        "and 'language' of 'whisper' is '" + language + "': leave 'normalized_transcripts' out");
    QVERIFY2(warnings.contains(expected) == isWarned, qPrintable(warnings));
}

/// No recipe says how many tokens Whisper has: the start of a run compares.
void TstWhisperChecks::scorerOfAnotherVocabulary_isRefused()
{
    const QString refusal = runOf("scorer", {}, scoringRecipe()).train();
    QVERIFY2(refusal.endsWith("the language model of a scorer scores 10 tokens, but Whisper has "
                              "265: both must be the same tokens"),
        qPrintable(refusal));
}

EARWRIGHT_TEST(TstWhisperChecks)
#include "tst_whisper_checks.moc"
