#include "core/base/file.h"
#include "core/recipe/resolve.h"
#include "core/settings/search_setting.h"
#include "core/settings/tree.h"
#include "tests/registry.h"

#include <algorithm>
#include <QTemporaryDir>
#include <QTest>

using namespace earwright;

namespace {

const std::string kModels = R"(
Transformer: !new:speechbrain.lobes.models.transformer.TransformerASR.TransformerASR
    tgt_vocab: 10
    input_size: 4
seq_lin: !new:speechbrain.nnet.linear.Linear
    input_size: 4
    n_neurons: 10
ctc_lin: !new:speechbrain.nnet.linear.Linear
    input_size: 4
    n_neurons: 10
modules: {Transformer: !ref <Transformer>, seq_lin: !ref <seq_lin>, ctc_lin: !ref <ctc_lin>}
lm_model: !new:speechbrain.lobes.models.transformer.TransformerLM.TransformerLM
    vocab: 10
rnn_model: !new:speechbrain.lobes.models.RNNLM.RNNLM
    output_neurons: 10
    return_hidden: True
lm_file: lm.ckpt
pretrainer: !new:speechbrain.utils.parameter_transfer.Pretrainer
    collect_in: save
    loadables: {lm: !ref <lm_model>, rnn: !ref <rnn_model>}
    paths: {lm: !ref <lm_file>, rnn: !ref <lm_file>}
tlm: !new:speechbrain.decoders.TransformerLMScorer
    language_model: !ref <lm_model>
    temperature: 1.15
rlm: !new:speechbrain.decoders.scorer.RNNLMScorer
    language_model: !ref <rnn_model>
coverage: !new:speechbrain.decoders.scorer.CoverageScorer
    vocab_size: 10
    threshold: 0.3
kenlm: !new:speechbrain.decoders.scorer.KenLMScorer
    lm_path: !ref <lm_file>
    vocab_size: 10
    token_list: [a, b, c, d, e, f, g, h, i, j]
ctc: !new:speechbrain.decoders.scorer.CTCScorer
    ctc_fc: !ref <ctc_lin>
    blank_index: 0
    eos_index: 2
)";

std::string searchText(const std::string& key, const std::string& scorers)
{
    return key + R"(: !new:speechbrain.decoders.S2STransformerBeamSearcher
    modules: [!ref <Transformer>, !ref <seq_lin>, !ref <ctc_lin>]
    bos_index: 1
    eos_index: 2
    min_decode_ratio: 0
    max_decode_ratio: 1
    beam_size: 4
    scorer: !new:speechbrain.decoders.scorer.ScorerBuilder
)" + scorers;
}

struct Read {
    settings::SearchSetting setting;
    std::vector<recipe::Diagnostic> found;
};

Read readSearchOf(const std::string& key, const std::string& scorers,
    const std::vector<std::string>& overrides = {})
{
    const auto root = recipe::resolve(
        kModels + searchText(key, scorers), "r.yaml", *recipe::parseOverrides(overrides))
                          .root;
    Read read;
    read.setting = settings::readSearch(*root, *settings::findEntry(*root, key), read.found);
    return read;
}

const std::string kAll
    = "        full_scorers: [!ref <tlm>, !ref <rlm>, !ref <coverage>, !ref <ctc>]\n"
      "        partial_scorers: [!ref <kenlm>]\n        scorer_beam_scale: 1.5\n"
      "        weights: {transformerlm: 0.6, rnnlm: 0.5, coverage: 0.2, "
      "ctc: 0.4, kenlm: 0.1}\n";
const std::string kModel = "        full_scorers: [!ref <tlm>]\n"
                           "        weights: {transformerlm: 0.6}\n";

} // namespace

/// Searches with their scorers.
class TstSearchSettings final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void scorers_areRead();
    void whispersSearch_isRead_data();
    void whispersSearch_isRead();
    void fileThatNoneNames_isAWarningBeforeATest_data();
    void fileThatNoneNames_isAWarningBeforeATest();
    void files_areNotLookedAt();
    void searchesOfARecipe_areThoseItHas();
    void scorerOfNoWeight_needsNoFile();
    void whatCannotScore_isRefused_data();
    void whatCannotScore_isRefused();

private:
    std::string fileOf(const char* text) const
    {
        const std::string path = m_folder.path().toStdString() + "/lm.ckpt";
        return writeFileAtomically(path, text) ? path : "";
    }

    QTemporaryDir m_folder;
};

void TstSearchSettings::scorers_areRead()
{
    const std::string file = fileOf("weights");
    const auto [setting, found] = readSearchOf("test_search", kAll, { "--lm_file=" + file });
    QVERIFY2(found.empty(), found.empty() ? "" : found.front().message.c_str());
    QVERIFY(setting.problem.empty());
    QCOMPARE(setting.languageModels.size(), size_t { 2 });
    QCOMPARE(setting.languageModels[0].weights.string(), file);
    QCOMPARE(setting.languageModels[0].weight, 0.6);
    QCOMPARE(setting.languageModels[0].temperature, 1.15);
    QCOMPARE(setting.languageModels[1].weight, 0.5);
    QCOMPARE(setting.languageModels[1].temperature, 1.0);
    QVERIFY(setting.ngram && setting.ngram->isPartial);
    QCOMPARE(setting.ngram->tokens.size(), size_t { 10 });
    QCOMPARE(setting.ngram->weight, 0.1);
    QCOMPARE(setting.options.coverageWeight, 0.2);
    QCOMPARE(setting.options.coverageThreshold, 0.3);
    QCOMPARE(setting.options.ctcWeight, 0.4);
    QVERIFY(!setting.options.isCtcPartial);
    QCOMPARE(setting.options.scorerBeamScale, 1.5);
}

void TstSearchSettings::whispersSearch_isRead_data()
{
    using Tokens = std::vector<int64_t>;
    QTest::addColumn<std::string>("arguments");
    QTest::addColumn<Tokens>("suppressed");
    QTest::addColumn<Tokens>("prefix");
    QTest::addColumn<std::string>("prompt");
    QTest::addColumn<std::string>("refusal");
    const auto row
        = [](const char* name, const char* arguments, Tokens suppressed, const char* refusal = "") {
              QTest::newRow(name) << std::string(arguments) << std::move(suppressed) << Tokens()
                                  << std::string() << std::string(refusal);
          };
    row("usual", "", { -1 });
    row("a list", "    suppress_tokens: [3, -1]\n", { 3, -1 });
    row("a text", "    suppress_tokens: '3, 4'\n", { 3, 4 });
    row("null", "    suppress_tokens: null\n", {});
    row("no text", "    suppress_tokens: ''\n", {});
    row("words", "    suppress_tokens: [a]\n", {},
        "'suppress_tokens' of a search must be tokens, whole numbers, not a list");
    row("scorer of CTC",
        "    scorer: !new:speechbrain.decoders.scorer.ScorerBuilder\n"
        "        full_scorers: [!ref <ctc>]\n        weights: {ctc: 0.4}\n",
        { -1 }, "CTCScorer has nothing to score by");
    QTest::newRow("told") << std::string("    prefix: [5, 6]\n    prompt: ' before '\n")
                          << Tokens { -1 } << Tokens { 5, 6 } << std::string("before")
                          << std::string();
}

void TstSearchSettings::whispersSearch_isRead()
{
    using Tokens = std::vector<int64_t>;
    QFETCH(std::string, arguments);
    QFETCH(Tokens, suppressed);
    QFETCH(Tokens, prefix);
    QFETCH(std::string, prompt);
    QFETCH(std::string, refusal);
    const std::string text = kModels
        + "whisper: !new:speechbrain.integrations.huggingface.whisper.Whisper\n    source: a\n"
          "    save_path: b\n"
          "test_search: !new:speechbrain.decoders.S2SWhisperBeamSearcher\n"
          "    module: [!ref <whisper>]\n    min_decode_ratio: 0\n    max_decode_ratio: 1\n"
          "    beam_size: 4\n    temperature: 2\n"
        + arguments;
    const auto root = recipe::resolve(text, "r.yaml", {}).root;
    std::vector<recipe::Diagnostic> found;
    const settings::SearchSetting setting
        = settings::readSearch(*root, *settings::findEntry(*root, "test_search"), found);
    QCOMPARE(found.empty(), refusal.empty());
    QVERIFY(found.empty() || std::any_of(found.begin(), found.end(), [&](const auto& one) {
        return one.message.find(refusal) != std::string::npos;
    }));
    QVERIFY(setting.whisper && !setting.isGreedy);
    QCOMPARE(setting.whisper->suppressTokens, suppressed);
    QCOMPARE(setting.whisper->prefix.tokens, prefix);
    QCOMPARE(setting.whisper->prompt.text, prompt);
    QCOMPARE(setting.options.beamSize, int64_t { 4 });
    QCOMPARE(setting.options.scoreTemperature, 2.0);
    QCOMPARE(setting.options.temperature, 1.0);
}

void TstSearchSettings::fileThatNoneNames_isAWarningBeforeATest_data()
{
    QTest::addColumn<std::string>("key");
    QTest::addColumn<bool>("isError");
    QTest::newRow("test") << std::string("test_search") << false;
    QTest::newRow("validation") << std::string("valid_search") << true;
}

void TstSearchSettings::fileThatNoneNames_isAWarningBeforeATest()
{
    QFETCH(std::string, key);
    QFETCH(bool, isError);
    const auto [setting, found] = readSearchOf(key, kModel, { "--pretrainer.paths.lm=null" });
    QCOMPARE(found.size(), size_t { 1 });
    QCOMPARE(recipe::hasErrors(found), isError);
    const std::string words
        = "'paths' of 'pretrainer' has no 'lm', the file that 'lm_model' is loaded from";
    QCOMPARE(setting.problem, words);
    QCOMPARE(found.front().message, isError ? words : settings::untestable(words));
}

/// A run keeps a copy, and a resume does not ask for the original.
void TstSearchSettings::files_areNotLookedAt()
{
    const auto [setting, found] = readSearchOf("valid_search", kAll, { "--lm_file=not/here" });
    QVERIFY2(found.empty(), found.empty() ? "" : found.front().message.c_str());
    QVERIFY(setting.problem.empty());
    QCOMPARE(setting.languageModels[1].weights.string(), std::string("not/here"));
    QCOMPARE(setting.languageModels[1].key, std::string("pretrainer.paths.rnn"));
    QCOMPARE(setting.ngram->file.string(), std::string("not/here"));
    QVERIFY(setting.ngram->place);
}

/// Null is none.
void TstSearchSettings::searchesOfARecipe_areThoseItHas()
{
    const std::string scorers = "        full_scorers: [!ref <ctc>]\n        weights: {ctc: 0.4}\n";
    const std::string text = kModels + "valid_search: null\n" + searchText("test_search", scorers);
    const auto root = recipe::resolve(text, "r.yaml", {}).root;
    const settings::DecodeSettings decode = settings::decodeSettings(*root);
    QCOMPARE(decode.searches.size(), size_t { 1 });
    QCOMPARE(decode.searches[0].entry->key->text, std::string("test_search"));
    QCOMPARE(decode.searches[0].setting.options.beamSize, int64_t { 4 });
    QVERIFY(decode.searches[0].found.empty());
    QVERIFY(
        settings::decodeSettings(*recipe::resolve(kModels, "r.yaml", {}).root).searches.empty());
}

void TstSearchSettings::scorerOfNoWeight_needsNoFile()
{
    const std::string none
        = "        full_scorers: [!ref <tlm>]\n        weights: {transformerlm: 0}\n";
    const auto [setting, found] = readSearchOf("valid_search", none);
    QVERIFY(found.empty() && setting.problem.empty() && setting.languageModels.empty());
}

void TstSearchSettings::whatCannotScore_isRefused_data()
{
    QTest::addColumn<std::string>("scorers");
    QTest::addColumn<std::string>("overriding");
    QTest::addColumn<std::string>("words");
    const auto row
        = [](const char* name, const char* scorers, const char* overriding, const char* words) {
              QTest::newRow(name) << std::string(scorers) << std::string(overriding)
                                  << std::string(words);
          };
    const char* model = kModel.c_str();
    row("as partial",
        "        partial_scorers: [!ref <tlm>]\n        weights: {transformerlm: 0.6}\n", "",
        "take TransformerLMScorer out of 'partial_scorers'");
    row("other tokens", model, "--lm_model.vocab=12",
        "'vocab' of TransformerLM is 12, but the decoder scores 10 tokens");
    row("a state that is kept", kAll.c_str(), "--rnn_model.return_hidden=False",
        "'return_hidden' of RNNLM must be True");
    row("begins with padding", model, "--test_search.bos_index=0",
        "'bos_index' of the search must be another token");
    row("another class",
        "        full_scorers:\n"
        "            - !new:speechbrain.decoders.scorer.TransformerLMScorer\n"
        "                language_model: !ref <rnn_model>\n"
        "        weights: {transformerlm: 0.6}\n",
        "", "'language_model' of TransformerLMScorer must be");
    row("tokens that are not listed", kAll.c_str(), "--kenlm.token_list=[a, b]",
        "'token_list' of KenLMScorer has 2 tokens");
    row("CTC alone",
        "        full_scorers: [!ref <coverage>, !ref <ctc>]\n"
        "        weights: {coverage: 0.5, ctc: 1}\n",
        "", "coverage has no attention to look at: set its weight to 0");
}

void TstSearchSettings::whatCannotScore_isRefused()
{
    QFETCH(std::string, scorers);
    QFETCH(std::string, overriding);
    QFETCH(std::string, words);
    std::vector<std::string> overrides { "--lm_file=" + fileOf("weights") };
    if (!overriding.empty())
        overrides.push_back(overriding);
    const auto [setting, found] = readSearchOf("test_search", scorers, overrides);
    const bool isTold = std::any_of(found.begin(), found.end(), [&](const recipe::Diagnostic& one) {
        return one.severity == recipe::Severity::Error && one.rule == "search"
            && one.message.find(words) != std::string::npos;
    });
    QVERIFY2(isTold, found.empty() ? "nothing is told" : found.front().message.c_str());
}

EARWRIGHT_TEST(TstSearchSettings)
#include "tst_search_settings.moc"
