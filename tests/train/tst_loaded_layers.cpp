#include "core/train/weights/loaded_layers.h"

#include "core/base/file.h"
#include "core/model/torch_file.h"
#include "core/recipe/resolve.h"
#include "core/settings/optimizer_settings.h"
#include "core/tasks/spec.h"
#include "core/train/optim/encoder_learning.h"
#include "core/train/task/ctc_output.h"
#include "core/train/weights/initial_weights.h"
#include "core/train/weights/load_weights.h"
#include "tests/registry.h"

#include <QTemporaryDir>
#include <QTest>
#include <torch/utils.h>

#include <set>

using namespace earwright;
using namespace earwright::tests;
using namespace earwright::train;

namespace {

const std::string kFiles = EARWRIGHT_CASES_DIR "/model/own_encoder";
using LoadedTensors = std::map<std::string, torch::Tensor>;

constexpr const char* kBestRq = "bestrq";
constexpr const char* kWav2Vec = "wav2vec";

recipe::NodePtr resolved(const std::string& name, const std::vector<std::string>& overrides)
{
    const auto text = readFile(EARWRIGHT_CASES_DIR "/train/own_encoder/" + name + ".yaml");
    if (!text)
        qFatal("%s", text.error().message.c_str());
    const recipe::Resolved given
        = recipe::resolve(*text, "t.yaml", *recipe::parseOverrides(overrides));
    if (!given.root || recipe::hasErrors(given.diagnostics))
        qFatal("the recipe does not resolve");
    return given.root;
}

/// Of the files that its pretrainer loads.
recipe::NodePtr ownRecipe(const std::string& name, std::vector<std::string> more = {})
{
    const std::string key = name == kBestRq ? "pt_model_path" : "wav2vec2_hub";
    more.insert(more.begin(), "--" + key + "=" + kFiles);
    return resolved(name, more);
}

/// In evaluation, with weights as drawn.
std::unique_ptr<Task> ownTask(const recipe::Node& recipe)
{
    torch::manual_seed(3);
    auto task = makeTask(recipe,
        std::make_shared<const data::TextEncoder>(
            data::TextEncoder::fromTexts({ "ABCDEF" }, { .blank = 0 })),
        torch::kCPU, "reduction");
    if (!task)
        qFatal("%s", task.error().message.c_str());
    (*task)->modules().train(false);
    return std::move(*task);
}

LoadedTensors fileOf(const std::string& name)
{
    Result<model::TensorFile> file = model::readWeights(kFiles + "/" + name);
    if (!file)
        qFatal("%s", file.error().message.c_str());
    return { file->tensors.begin(), file->tensors.end() };
}

QString problemOf(const recipe::Node& recipe)
{
    const auto read = readLoadedLayers(recipe, ownTask(recipe)->modules());
    return read ? QString("no error") : QString::fromStdString(read.error().message);
}

std::set<std::string> layersOf(const NamedParameters& parameters)
{
    std::set<std::string> layers;
    for (const auto& [name, tensor] : parameters)
        layers.insert(name.substr(0, name.find('.')));
    return layers;
}

torch::Tensor ctcOf(Task& task, const torch::Tensor& features, const torch::Tensor& lengths_B)
{
    const torch::NoGradGuard noGrad;
    data::Batch batch;
    batch.wavLens_B = lengths_B;
    return dynamic_cast<CtcOutput&>(task).ctcLogProbs(batch, features);
}

} // namespace

/// Layers that a recipe's Pretrainer loads, and the encoders that SpeechBrain pretrained itself.
class TstLoadedLayers final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyWeight_isUnderTheNameOfItsLayer_data();
    void everyWeight_isUnderTheNameOfItsLayer();
    void bestRq_givesUpstreamsFrames();
    void ownWav2Vec_givesUpstreamsFrames();
    void encoderOptimizer_hasWhatUpstreamGivesIt_data();
    void encoderOptimizer_hasWhatUpstreamGivesIt();
    void whatNoFileIsFor_isNotMissing();
    void nullFolder_loadsNothing();
    void whatCannotBeLoaded_isTold_data();
    void whatCannotBeLoaded_isTold();
    void initParam_winsOverThem();
};

void TstLoadedLayers::everyWeight_isUnderTheNameOfItsLayer_data()
{
    QTest::addColumn<std::string>("recipe");
    QTest::addColumn<std::vector<std::string>>("changes");
    QTest::addColumn<QStringList>("drawn");
    const QStringList behind { "back_end_ffn", "ctc_lin" };
    using Changes = std::vector<std::string>;
    QTest::newRow(kBestRq) << std::string(kBestRq) << Changes() << behind;
    // Its weights are pt_model.1.*, and those of CNN are CNN.*.
    QTest::newRow("encoder in the list alone")
        << std::string(kBestRq) << Changes { "--modules.enc=null" } << behind;
    QTest::newRow(kWav2Vec) << std::string(kWav2Vec) << Changes()
                            << QStringList { "ctc_lin", "enc" };
}

void TstLoadedLayers::everyWeight_isUnderTheNameOfItsLayer()
{
    QFETCH(std::string, recipe);
    QFETCH(std::vector<std::string>, changes);
    QFETCH(QStringList, drawn);
    const recipe::NodePtr root = ownRecipe(recipe, changes);
    const auto task = ownTask(*root);
    const auto read = readInitialWeights(std::vector<WeightSource>(), *root, task->modules());
    QVERIFY2(read, read ? "" : read.error().message.c_str());
    Unmatched unmatched;
    QVERIFY(loadWeights(*task, *read, "the files", &unmatched));
    QCOMPARE(QString::fromStdString(listAll({ .unexpected = unmatched.unexpected })), QString());
    QVERIFY(unmatched.misshapen.empty());
    std::set<QString> missing;
    for (const std::string& name : unmatched.missing)
        missing.insert(QString::fromStdString(name.substr(0, name.find('.'))));
    QCOMPARE(QStringList(missing.begin(), missing.end()), drawn);
}

/// The list of layers of its file is CNN and enc of `modules`, and the normalisation is loaded too.
void TstLoadedLayers::bestRq_givesUpstreamsFrames()
{
    const recipe::NodePtr root = ownRecipe(kBestRq);
    const auto task = ownTask(*root);
    auto read = readInitialWeights(std::vector<WeightSource>(), *root, task->modules());
    QVERIFY(read);
    const LoadedTensors statistics = fileOf("bestrq_normalize.ckpt");
    QVERIFY(torch::equal(read->at("normalize.glob_mean"), statistics.at("glob_mean")));
    Unmatched unmatched;
    QVERIFY(loadWeights(*task, *read, "the files", &unmatched));
    const LoadedTensors expected = fileOf("bestrq.safetensors");
    const torch::Tensor& lengths_B = expected.at("in.lengths");
    const torch::NoGradGuard noGrad;
    const ModuleSet& modules = task->modules();
    const torch::Tensor normalised
        = modules.find("normalize")->forward(expected.at("in.features"), lengths_B);
    const torch::Tensor frames
        = modules.find("enc")->forward(modules.find("CNN")->forward(normalised), lengths_B);
    QVERIFY(torch::allclose(frames, expected.at("out.frames"), 1e-4, 1e-5));
    // Behind the encoder come back_end_ffn and ctc_lin.
    const torch::Tensor behind
        = modules.find("ctc_lin")->forward(modules.find("back_end_ffn")->forward(frames));
    QVERIFY(
        torch::allclose(ctcOf(*task, normalised, lengths_B), behind.log_softmax(-1), 1e-4, 1e-5));
}

void TstLoadedLayers::ownWav2Vec_givesUpstreamsFrames()
{
    const recipe::NodePtr root = ownRecipe(kWav2Vec);
    const auto task = ownTask(*root);
    auto read = readInitialWeights(std::vector<WeightSource>(), *root, task->modules());
    QVERIFY(read);
    Unmatched unmatched;
    QVERIFY(loadWeights(*task, *read, "the files", &unmatched));
    const LoadedTensors expected = fileOf("wav2vec.safetensors");
    const ModuleSet& modules = task->modules();
    const torch::NoGradGuard noGrad;
    const torch::Tensor behind = modules.find("ctc_lin")->forward(
        modules.find("enc")->forward(expected.at("out.embeddings")));
    const torch::Tensor given = ctcOf(*task, expected.at("in.wav"), expected.at("in.lengths"));
    QVERIFY(torch::allclose(given, behind.log_softmax(-1), 1e-4, 1e-5));
}

void TstLoadedLayers::encoderOptimizer_hasWhatUpstreamGivesIt_data()
{
    QTest::addColumn<std::string>("recipe");
    QTest::addColumn<std::set<std::string>>("ofEncoder");
    QTest::addColumn<std::set<std::string>>("others");
    using Layers = std::set<std::string>;
    QTest::newRow(kBestRq) << std::string(kBestRq) << Layers { "CNN", "enc" }
                           << Layers { "back_end_ffn", "ctc_lin" };
    // Neither of the script's optimizers has the extractor.
    QTest::newRow(kWav2Vec) << std::string(kWav2Vec) << Layers { "encoder_wrapper" }
                            << Layers { "enc", "ctc_lin" };
}

void TstLoadedLayers::encoderOptimizer_hasWhatUpstreamGivesIt()
{
    QFETCH(std::string, recipe);
    QFETCH(std::set<std::string>, ofEncoder);
    QFETCH(std::set<std::string>, others);
    const recipe::NodePtr root = ownRecipe(recipe);
    const auto task = ownTask(*root);
    const settings::OptimizerSettings settings = settings::optimizerSettings(*root);
    QVERIFY(settings.ofEncoder);
    QCOMPARE(settings.ofEncoder->schedule != nullptr, recipe == kBestRq);
    const DividedParameters divided = divideParameters(task->modules(), settings);
    QCOMPARE(layersOf(divided.ofEncoder), ofEncoder);
    QCOMPARE(layersOf(divided.others), others);
}

void TstLoadedLayers::whatNoFileIsFor_isNotMissing()
{
    const recipe::NodePtr root = ownRecipe(kBestRq);
    const Unmatched left
        = ofLoadedLayers({ .missing = { "CNN.a", "enc.b", "back_end_ffn.c", "ctc_lin.d" } }, *root);
    QCOMPARE(left.missing, (std::vector<std::string> { "CNN.a", "enc.b" }));
}

/// As upstream's script.
void TstLoadedLayers::nullFolder_loadsNothing()
{
    QVERIFY(loadsLayers(*ownRecipe(kBestRq)));
    QVERIFY(!loadsLayers(*resolved(kBestRq, { "--pt_model_path=null" })));
}

void TstLoadedLayers::whatCannotBeLoaded_isTold_data()
{
    QTest::addColumn<std::string>("change");
    QTest::addColumn<QString>("message");
    const auto row = [](const char* name, const std::string& change, const std::string& message) {
        QTest::newRow(name) << change << QString::fromStdString(message);
    };
    const std::string other = kFiles + "/wav2vec_extractor.ckpt";
    row("another model", "--pretrainer.paths.encoder_wrapper=" + other,
        "'" + other + "' has none of the weights of 'encoder_wrapper'; is it of another model?");
    row("no path", "--pretrainer.paths.extractor=null",
        "'paths' of 'pretrainer' has no 'extractor', the file that it is loaded from");
    row("a hook", "--pretrainer.custom_hooks={extractor: 1}",
        "'custom_hooks' of 'pretrainer' has 'extractor', which Earwright loads from its file in "
        "any case: take it out there");
}

void TstLoadedLayers::whatCannotBeLoaded_isTold()
{
    QFETCH(std::string, change);
    QFETCH(QString, message);
    QCOMPARE(problemOf(*ownRecipe(kWav2Vec, { change })), message);
}

void TstLoadedLayers::initParam_winsOverThem()
{
    const recipe::NodePtr root = ownRecipe(kWav2Vec);
    const auto task = ownTask(*root);
    const auto loaded = readLoadedLayers(*root, task->modules());
    QVERIFY(loaded);
    const std::string name = "encoder_wrapper.latent_encoder.norm.norm.bias";
    const torch::Tensor other = loaded->at(name) + 1;
    const QTemporaryDir folder;
    const std::filesystem::path file = folder.filePath("own.safetensors").toStdString();
    QVERIFY(model::writeTensorFile(file, { { { name, other } }, {} }));
    const auto both
        = readInitialWeights(std::vector<WeightSource> { { file } }, *root, task->modules());
    QVERIFY(both);
    QVERIFY(torch::equal(both->at(name), other));
    QCOMPARE(both->size(), loaded->size());
}

EARWRIGHT_TEST(TstLoadedLayers)
#include "tst_loaded_layers.moc"
