#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <torch/utils.h>

#include "core/base/file.h"
#include "core/decode/language_model_scorer.h"
#include "core/decode/s2s_search.h"
#include "core/decode/transformer_decoder.h"
#include "core/model/language/rnn_lm.h"
#include "core/model/tensor_file.h"
#include "core/recipe/resolve.h"
#include "core/train/inspect_search.h"
#include "core/train/task/task.h"
#include "core/train/weights/kept_files.h"
#include "tests/registry.h"

using namespace earwright;
using namespace earwright::train;

namespace {

const std::string kLanguageModel
    = "lm_model: !new:speechbrain.lobes.models.RNNLM.RNNLM\n    output_neurons: 10\n"
      "    embedding_dim: 4\n    rnn_neurons: 8\n    dnn_neurons: 6\n    return_hidden: True\n"
      "lm_file: nowhere/lm.ckpt\n"
      "pretrainer: !new:speechbrain.utils.parameter_transfer.Pretrainer\n"
      "    loadables: {lm: !ref <lm_model>}\n    paths: {lm: !ref <lm_file>}\n"
      "lm_scorer: !new:speechbrain.decoders.scorer.RNNLMScorer\n"
      "    language_model: !ref <lm_model>\n    temperature: 0.5\n";

std::string searchOf(const std::string& key)
{
    return key
        + ": !new:speechbrain.decoders.S2STransformerBeamSearcher\n"
          "    modules: [!ref <Transformer>, !ref <seq_lin>]\n"
          "    bos_index: !ref <bos_index>\n    eos_index: !ref <eos_index>\n"
          "    min_decode_ratio: 0.0\n    max_decode_ratio: 0.5\n    beam_size: 4\n"
          "    using_eos_threshold: False\n"
          "    scorer: !new:speechbrain.decoders.scorer.ScorerBuilder\n"
          "        full_scorers: [!ref <lm_scorer>]\n        weights: {rnnlm: 2.0}\n";
}

/// tests/cases/train/equal/joint.yaml with a language model in a search.
recipe::NodePtr recipeWith(const std::string& searchKey, const std::vector<std::string>& overrides)
{
    QFile file(QStringLiteral(EARWRIGHT_CASES_DIR "/train/equal/joint.yaml"));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("no fixture");
    std::vector<std::string> words { "--data_folder=/nowhere" };
    words.insert(words.end(), overrides.begin(), overrides.end());
    const recipe::Resolved resolved
        = recipe::resolve(file.readAll().toStdString() + kLanguageModel + searchOf(searchKey),
            "joint.yaml", *recipe::parseOverrides(words));
    if (!resolved.root)
        qFatal("the fixture does not resolve");
    return resolved.root;
}

Result<std::unique_ptr<Task>> makeSearching(
    const std::string& searchKey, const std::vector<std::string>& overrides)
{
    torch::manual_seed(3);
    auto labels = data::TextEncoder::fromTexts({ "ABCDEF" }, { .blank = 0, .bos = 1, .eos = 2 });
    return makeTask(*recipeWith(searchKey, overrides),
        std::make_shared<const data::TextEncoder>(std::move(labels)), torch::kCPU, "reduction");
}

std::shared_ptr<model::RnnLm> randomModel(int64_t neurons)
{
    torch::manual_seed(8);
    catalog::RnnLmConfig config;
    config.outputNeurons = 10;
    config.embeddingDim = 4;
    config.rnnNeurons = neurons;
    config.dnnNeurons = 6;
    const auto model = std::make_shared<model::RnnLm>(config);
    const torch::NoGradGuard noGrad;
    for (const auto& parameter : model->named_parameters())
        if (parameter.key() == "out.w.weight")
            parameter->mul_(8);
    model->eval();
    return model;
}

data::Batch searchNoises()
{
    torch::manual_seed(11);
    data::Batch batch;
    batch.wavs_BT = torch::randn({ 2, 8000 }) * 0.1;
    batch.wavLens_B = torch::tensor({ 1.0F, 0.8F });
    return batch;
}

} // namespace

/// Language models in the searches of a joint recipe.
class TstSearchLanguageModels : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void model_scoresInTheTest();
    void modelThatCannotBeLoaded_isAnErrorBeforeTheTest_data();
    void modelThatCannotBeLoaded_isAnErrorBeforeTheTest();
    void modelOfAValidation_isNeededForIt();
    void model_isLoadedOnceAndWhenNeeded();
    void fileThatIsNotHere_isToldByTheRecipesCheck();
    void otherShape_isToldByTheCheck();
    void run_keepsTheWeights();
    void run_keepsNothingOfWhatIsMissing();

private:
    std::string saved(const model::RnnLm& model) const
    {
        model::TensorFile file;
        for (const auto& parameter : model.named_parameters())
            file.tensors[parameter.key()] = parameter->detach();
        const std::string path = m_folder.path().toStdString() + "/lm.ckpt";
        return model::writeTensorFile(path, file) ? path : "";
    }

    QTemporaryDir m_folder;
};

void TstSearchLanguageModels::model_scoresInTheTest()
{
    const auto lm = randomModel(8);
    const auto task = makeSearching("test_search", { "--lm_file=" + saved(*lm) });
    QVERIFY2(task, task ? "" : task.error().message.c_str());
    QVERIFY(bool((*task)->readyFor(Stage::Test)));
    for (const auto& [name, weight] : (*task)->modules().weights())
        QVERIFY(!name.starts_with("lm"));
    (*task)->modules().train(false);
    const torch::NoGradGuard noGrad;
    const data::Batch batch = searchNoises();
    const torch::Tensor features = (*task)->features(batch, Stage::Test);
    const auto texts = (*task)->recognise(batch, features, Stage::Test);

    const auto transformer
        = std::dynamic_pointer_cast<model::TransformerAsr>((*task)->modules().find("Transformer"));
    const torch::Tensor encoder_BTD
        = transformer->encode((*task)->modules().find("CNN")->forward(features), batch.wavLens_B);
    decode::TransformerDecoder decoder(transformer, (*task)->modules().find("seq_lin"));
    decode::S2SBeamOptions options { { .bosIndex = 1, .eosIndex = 2, .maxDecodeRatio = 0.5 }, 4, 1,
        false };
    const auto textsBy = [&](std::vector<decode::WeightedScorer> others) {
        std::vector<std::string> spelt;
        for (const auto& row : decode::beamS2S(
                 decoder, options, encoder_BTD, batch.wavLens_B, { {}, std::move(others) })
                                   .best()) {
            spelt.emplace_back();
            for (const int64_t token : row)
                spelt.back() += token > 2 && token < 9 ? std::string(1, char('A' + token - 3)) : "";
        }
        return spelt;
    };
    QCOMPARE(texts, textsBy({ { std::make_shared<decode::LanguageModelScorer>(lm, 0.5), 2.0 } }));
    QVERIFY(texts != textsBy({}));
}

void TstSearchLanguageModels::modelThatCannotBeLoaded_isAnErrorBeforeTheTest_data()
{
    QTest::addColumn<int>("neurons"); // of the model in the file; 0 = no file
    QTest::addColumn<std::string>("words");
    QTest::newRow("no file") << 0 << std::string("test_search: cannot read 'nowhere/lm.ckpt': ");
    QTest::newRow("of other shapes") << 5 << std::string("does not fit the language model: ");
}

void TstSearchLanguageModels::modelThatCannotBeLoaded_isAnErrorBeforeTheTest()
{
    QFETCH(int, neurons);
    QFETCH(std::string, words);
    std::vector<std::string> overrides;
    if (neurons > 0)
        overrides.push_back("--lm_file=" + saved(*randomModel(neurons)));
    const auto task = makeSearching("test_search", overrides);
    QVERIFY2(task, task ? "" : task.error().message.c_str());
    QVERIFY(bool((*task)->readyFor(Stage::Train)) && bool((*task)->readyFor(Stage::Valid)));
    const Status ready = (*task)->readyFor(Stage::Test);
    QVERIFY(!ready);
    QVERIFY2(ready.error().message.find(words) != std::string::npos, ready.error().message.c_str());
}

void TstSearchLanguageModels::modelOfAValidation_isNeededForIt()
{
    const auto readyWith = [](const std::vector<std::string>& overrides) -> Status {
        const auto task = makeSearching("valid_search", overrides);
        return task ? (*task)->readyFor(Stage::Valid) : Status(task.error());
    };
    QVERIFY(!readyWith({}));
    const Status misfit = readyWith({ "--lm_file=" + saved(*randomModel(5)) });
    QVERIFY(!misfit);
    QVERIFY2(misfit.error().message.find("'rnn.rnn.weight_hh_l0'") != std::string::npos,
        misfit.error().message.c_str());
    QVERIFY(bool(readyWith({ "--lm_file=" + saved(*randomModel(8)) })));
}

/// A check builds the task too, after it has read the files.
void TstSearchLanguageModels::model_isLoadedOnceAndWhenNeeded()
{
    const std::string file = saved(*randomModel(8));
    const auto task = makeSearching("test_search", { "--lm_file=" + file });
    QVERIFY2(task, task ? "" : task.error().message.c_str());
    QVERIFY(std::filesystem::exists(file));
    std::filesystem::rename(file, file + ".away");
    QVERIFY(!(*task)->readyFor(Stage::Test)); // not when it was made
    std::filesystem::rename(file + ".away", file);
    QVERIFY(bool((*task)->readyFor(Stage::Test)));
    QVERIFY(std::filesystem::remove(file));
    QVERIFY(bool((*task)->readyFor(Stage::Test)));
}

void TstSearchLanguageModels::fileThatIsNotHere_isToldByTheRecipesCheck()
{
    std::vector<recipe::Diagnostic> found;
    inspectSearches(*recipeWith("test_search", {}), found);
    QVERIFY(found.empty()); // rule missing-file has told it
}

void TstSearchLanguageModels::otherShape_isToldByTheCheck()
{
    const std::string file = "--lm_file=" + saved(*randomModel(5));
    for (const auto& [key, severity] : { std::pair { "test_search", recipe::Severity::Warning },
             std::pair { "valid_search", recipe::Severity::Error } }) {
        std::vector<recipe::Diagnostic> found;
        inspectSearches(*recipeWith(key, { file }), found);
        QCOMPARE(found.size(), size_t { 1 });
        QCOMPARE(found.front().severity, severity);
        QVERIFY(found.front().message.find("does not fit the language model") != std::string::npos);
    }
}

/// A capsule takes along what its recipe names in the run's folder.
void TstSearchLanguageModels::run_keepsTheWeights()
{
    const std::string weights = saved(*randomModel(8));
    const recipe::NodePtr recipe = recipeWith("test_search", { "--lm_file=" + weights });
    const QTemporaryDir run;
    const std::filesystem::path folder = run.path().toStdString();
    const auto kept = keepFiles(*recipe, folder);
    QVERIFY2(kept, kept ? "" : kept.error().message.c_str());
    QVERIFY(std::filesystem::remove(weights));
    const recipe::NodePtr moved = withKeptFiles(*recipe, folder);
    QCOMPARE(recipe::asString(*recipe::findPath(*moved, "pretrainer.paths.lm")),
        (folder / "language_model").string());
    std::vector<recipe::Diagnostic> found;
    inspectSearches(*moved, found);
    QVERIFY(found.empty());
}

void TstSearchLanguageModels::run_keepsNothingOfWhatIsMissing()
{
    const recipe::NodePtr recipe = recipeWith("test_search", {});
    const QTemporaryDir run;
    const std::filesystem::path folder = run.path().toStdString();
    const auto kept = keepFiles(*recipe, folder);
    QVERIFY2(kept, kept ? "" : kept.error().message.c_str());
    QVERIFY(std::filesystem::is_empty(folder));
}

EARWRIGHT_TEST(TstSearchLanguageModels)
#include "tst_search_language_models.moc"
