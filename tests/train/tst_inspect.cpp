#include <QDirIterator>
#include <QTest>

#include "core/base/file.h"
#include "core/catalog/shape.h"
#include "core/plan/checked.h"
#include "core/train/inspect.h"
#include "core/train/memory/memory_meter.h"
#include "tests/registry.h"

using namespace earwright;
using namespace earwright::train;

namespace {

const BatchSize kBatch { .rows = 6, .seconds = 3 };
const BatchSize kNoForecast {}; ///< which takes eight steps of up to 4 s of sound

/// The plan of a recipe; its data are not looked at.
plan::Plan planOf(const QString& path)
{
    const Result<std::string> text = readFile(path.toStdString());
    check::Request request;
    request.text = text ? *text : "";
    request.fileName = path.toStdString();
    request.devices = "cpu";
    request.checkFiles = false;
    std::vector<std::string> words = { "--data_folder=/nowhere" };
    if (request.text.find("\ninit_param:") != std::string::npos) // starts from another's weights
        words.insert(words.end(), { "--init_param=/nowhere/model.safetensors", "--hotword=北京" });
    if (request.text.find("\ncmvn_file:") != std::string::npos)
        words.emplace_back("--cmvn_file=null");
    const auto overrides = recipe::parseOverrides(words);
    if (overrides)
        request.overrides = *overrides;
    const plan::Checked checked = plan::checkRecipe(request, check::Machine());
    for (const recipe::Diagnostic& diagnostic : checked.diagnostics)
        qInfo("%s", recipe::formatDiagnostic(diagnostic, "").c_str());
    return checked.plan.value_or(plan::Plan());
}

QString shippedRecipe()
{
    return QStringLiteral(EARWRIGHT_SOURCE_DIR "/configs/fsdd/ctc_conv.yaml");
}

} // namespace

class TstInspect : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void layers_haveTheirShapesAndParameters();
    void frozenLayers_areNotCountedAsTrained();
    void layersInsideOthers_areInTheSum();
    void vectorsWithoutWeightDecay_areTheFirstOfTwoGroups();
    void wrongInputSize_isAnErrorAtItsLine();
    void check_refusesWhatCannotBeBuilt_data();
    void check_refusesWhatCannotBeBuilt();
    void withoutManifest_thereIsNoForecast();
    void forecast_agreesWithAMeasuredStep_data();
    void forecast_agreesWithAMeasuredStep();
    void shapeRules_sayWhatTheLayersGive_data() { forecast_agreesWithAMeasuredStep_data(); }
    void shapeRules_sayWhatTheLayersGive();
    void meter_seesThePeak();
    void threePoints_giveAParabola();
};

void TstInspect::layers_haveTheirShapesAndParameters()
{
    const Result<Inspected> inspected = inspect(planOf(shippedRecipe()), { .batch = kBatch });
    QVERIFY2(inspected, inspected ? "" : inspected.error().message.c_str());
    QVERIFY(!inspected->error);
    QStringList keys;
    for (const InspectedLayer& layer : inspected->layers)
        keys << QString::fromStdString(layer.key);
    QCOMPARE(
        keys, QStringList({ "compute_features", "normalize", "enc", "ctc_lin", "log_softmax" }));
    for (size_t i = 1; i < inspected->layers.size(); ++i)
        QVERIFY(inspected->layers[i].input == inspected->layers[i - 1].output);
    const InspectedLayer& linear = inspected->layers[3];
    QCOMPARE(
        linear.parameterCount, linear.input.back() * linear.output.back() + linear.output.back());
    QCOMPARE(linear.trainedCount, linear.parameterCount);
    QCOMPARE(linear.device, std::string("cpu"));
    QVERIFY(linear.place.starts_with("ctc_conv.yaml:"));
    QCOMPARE(inspected->optimizer, std::string("AdamW"));
    const MemoryForecast& memory = inspected->memory.front();
    QCOMPARE(memory.gradientBytes, 4 * inspected->groups.front().parameterCount);
    QVERIFY(memory.optimizerBytes >= 2 * memory.gradientBytes); // two moments and the step counts
    QCOMPARE(memory.measuredActivationBytes, -1);
}

void TstInspect::frozenLayers_areNotCountedAsTrained()
{
    plan::Plan plan = planOf(shippedRecipe());
    plan.options.freezeParam = "ctc_lin";
    const Result<Inspected> inspected = inspect(plan, { .batch = kNoForecast });
    QVERIFY2(inspected, inspected ? "" : inspected.error().message.c_str());
    const InspectedLayer& linear = inspected->layers[3];
    QVERIFY(linear.parameterCount > 0);
    QCOMPARE(linear.trainedCount, int64_t { 0 });
    QCOMPARE(inspected->groups.front().parameterCount, inspected->layers[2].parameterCount);
    plan.options.freezeParam = "ctc_line";
    QVERIFY(!inspect(plan, { .batch = kNoForecast }));
}

void TstInspect::layersInsideOthers_areInTheSum()
{
    const Result<Inspected> inspected
        = inspect(planOf(QStringLiteral(EARWRIGHT_CASES_DIR "/train/equal/seaco_paraformer.yaml")),
            { .batch = kNoForecast });
    QVERIFY2(inspected, inspected ? "" : inspected.error().message.c_str());
    int64_t listed = 0;
    for (const InspectedLayer& layer : inspected->layers)
        listed += layer.trainedCount;
    QCOMPARE(listed, inspected->groups.front().parameterCount);
}

void TstInspect::vectorsWithoutWeightDecay_areTheFirstOfTwoGroups()
{
    plan::Plan plan = planOf(shippedRecipe());
    plan.options.removeVectorWeightDecay = true;
    const Result<Inspected> inspected = inspect(plan, { .batch = kNoForecast });
    QVERIFY2(inspected, inspected ? "" : inspected.error().message.c_str());
    QCOMPARE(inspected->groups.size(), size_t { 2 });
    QCOMPARE(inspected->groups[0].weightDecay, 0.0);
    QVERIFY(inspected->groups[1].weightDecay > 0);
    QVERIFY(inspected->groups[0].parameterCount < inspected->groups[1].parameterCount);
}

void TstInspect::wrongInputSize_isAnErrorAtItsLine()
{
    const plan::Plan plan = planOf(EARWRIGHT_CASES_DIR "/train/inspect_wrong_size.yaml");
    QVERIFY(plan.recipe); // the check does not see it
    const Result<Inspected> inspected = inspect(plan, { .batch = kBatch });
    QVERIFY(inspected && inspected->error);
    QCOMPARE(inspected->error->rule, std::string("shape-mismatch"));
    QVERIFY2(inspected->error->message.starts_with(
                 "'enc' (Linear) cannot take an input of shape [2, 20, 19, 4]: "),
        inspected->error->message.c_str());
    const auto lines = QString::fromStdString(plan.recipeText).split('\n');
    QCOMPARE(lines[inspected->error->span.begin.line - 1], QString("    input_size: 33"));
}

void TstInspect::check_refusesWhatCannotBeBuilt_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QStringList>("edits"); // what is there, what it becomes, …
    QTest::addColumn<bool>("isFine");
    const QString paraformer = EARWRIGHT_CASES_DIR "/train/equal/paraformer.yaml";
    const auto edit = [](const QString& path, const QStringList& edits, bool isFine) {
        QTest::newRow(qPrintable(edits.join(" -> "))) << path << edits << isFine;
    };
    const auto list = [&](const QString& path, const QString& line, bool isFine) {
        edit(path, { "\nmodules:\n", "\nmodules:\n    " + line + "\n" }, isFine);
    };
    list(shippedRecipe(), "foo: null", true);
    for (const char* augmentation : { "wav_augment", "fea_augment", "time_drop" })
        list(shippedRecipe(), QString("%1: !ref <%1>").arg(augmentation), true);
    list(shippedRecipe(), "all: !ref <model>", true);
    list(shippedRecipe(), "foo: 5", false);
    list(shippedRecipe(), "foo: [!ref <enc>, !ref <ctc_lin>]", false);
    list(shippedRecipe(), "foo: {enc: !ref <enc>}", false);
    list(shippedRecipe(), "foo: !ref <ctc_cost>", false);
    list(shippedRecipe(), "foo: !ref <label_encoder>", false);
    edit(shippedRecipe(), { "\nmodules:\n", "\nmodules: [!ref <enc>, !ref <ctc_lin>]\nothers:\n" },
        false);
    edit(shippedRecipe(),
        { "\nenc: !new", "\nencoder: !new", "<enc>", "<encoder>", "    enc: ", "    encoder: " },
        false);
    edit(shippedRecipe(), { "\nenc: !new", "\nencoder: !new", "<enc>", "<encoder>" }, true);
    edit(paraformer,
        { "    norm_type: sentence\n", "", "normalize: !new:speechbrain.processing.features.",
            "normalize: null #", "\nmodules:\n", "\nmodules:\n    normalize: !ref <normalize>\n" },
        true);
    edit(shippedRecipe(),
        { "    enc: !ref <enc>\n    ctc_lin: !ref <ctc_lin>\n", "    model: !ref <model>\n" },
        true);
    edit(shippedRecipe(),
        { "\nctc_lin: !new", "\nout_layer: !new", "<ctc_lin>", "<out_layer>",
            "input_size: !ref <channels>\n    n_neurons", "input_size: 33\n    n_neurons" },
        false);
    edit(shippedRecipe(), { "\nopt_class: !name", "\nopt_class: null\nAdam: !name" }, true);
    edit(paraformer,
        { "\nmodules:\n",
            "\nctc_weight: 0.3\nmodules:\n    ctc: !new:funasr.models.ctc.ctc.CTC\n"
            "        odim: 10\n        encoder_output_size: 16\n" },
        true);
    for (const auto& [weight, isFine] : { std::pair { "0.0", true }, { "0.3", false } })
        edit(paraformer,
            { "\nmodules:\n",
                QString("\nctc: null\nctc_weight: %1\nmodules:\n    ctc: !ref <ctc>\n")
                    .arg(weight) },
            isFine);
}

/// And nothing else: errors of the check and of the set-up of a run go together.
void TstInspect::check_refusesWhatCannotBeBuilt()
{
    QFETCH(QString, path);
    QFETCH(QStringList, edits);
    QFETCH(bool, isFine);
    QString text = QString::fromStdString(readFile(path.toStdString()).value());
    for (qsizetype i = 0; i < edits.size(); i += 2) {
        QVERIFY2(text.contains(edits[i]), qPrintable(edits[i]));
        text.replace(edits[i], edits[i + 1]);
    }
    check::Request request;
    request.text = text.toStdString();
    request.devices = "cpu";
    request.checkFiles = false;
    request.overrides = *recipe::parseOverrides({ "--data_folder=/nowhere" });
    const check::Findings findings = check::check(request, check::Machine());
    std::string told;
    for (const recipe::Diagnostic& diagnostic : findings.diagnostics)
        told += recipe::formatDiagnostic(diagnostic, "");
    QVERIFY2(recipe::hasErrors(findings.diagnostics) != isFine, told.c_str());
    QVERIFY2(!isFine || told.find("[unused-module]") == std::string::npos, told.c_str());
    plan::Plan plan;
    plan.setRecipe(findings.recipe, findings.options);
    plan.devices = findings.devices;
    const auto inspected = inspect(plan, { .batch = kNoForecast });
    QVERIFY2((inspected && !inspected->error) == isFine,
        inspected ? "" : inspected.error().message.c_str());
}

void TstInspect::withoutManifest_thereIsNoForecast()
{
    plan::Plan plan = planOf(shippedRecipe());
    std::erase_if(plan.recipe->entries,
        [](const recipe::Entry& entry) { return entry.key->text.starts_with("train_"); });
    const Result<Inspected> inspected = inspect(plan, {});
    QVERIFY2(inspected, inspected ? "" : inspected.error().message.c_str());
    QVERIFY(inspected->memory.empty());
    QCOMPARE(inspected->layers.size(), size_t(5));
}

void TstInspect::forecast_agreesWithAMeasuredStep_data()
{
    QTest::addColumn<QString>("path");
    for (const char* folder : { "/configs", "/tests/bench/recipes" }) {
        QDirIterator files(QString(EARWRIGHT_SOURCE_DIR) + folder, { "*.yaml" }, QDir::Files,
            QDirIterator::Subdirectories);
        while (files.hasNext()) {
            const QString path = files.next();
            if (path.contains(QStringLiteral("/configs/whisper/"))) // asks for a folder of the Hub
                continue;
            QTest::newRow(qPrintable(path.section('/', -2))) << path;
        }
    }
}

void TstInspect::forecast_agreesWithAMeasuredStep()
{
    QFETCH(QString, path);
    const plan::Plan plan = planOf(path);
    QVERIFY(plan.recipe);
    const Result<Inspected> inspected = inspect(plan, { .batch = kBatch, .measure = true });
    QVERIFY2(inspected, inspected ? "" : inspected.error().message.c_str());
    for (const MemoryForecast& memory : inspected->memory) {
        const auto exact = double(memory.totalBytes() - memory.activationBytes);
        const double measured = exact + double(memory.measuredActivationBytes);
        const double ratio = double(memory.totalBytes()) / measured;
        qInfo("%s: forecast / measured = %.3f", memory.precisions.c_str(), ratio);
        QVERIFY(memory.measuredActivationBytes > 0);
        QVERIFY(ratio > 0.9 && ratio < 1.1);
    }
}

void TstInspect::shapeRules_sayWhatTheLayersGive()
{
    QFETCH(QString, path);
    const plan::Plan plan = planOf(path);
    if (plan.options.task != "ctc")
        QSKIP("its layers are no chain: what each is given is not what the one before gives");
    const Result<Inspected> inspected = inspect(plan, { .batch = kNoForecast });
    QVERIFY2(inspected, inspected ? "" : inspected.error().message.c_str());
    catalog::FrameShape frame;
    for (const InspectedLayer& layer : inspected->layers) {
        const catalog::FrameRule rule
            = catalog::frameRule(recipe::find(*plan.recipe, layer.key), frame);
        QVERIFY2(rule.taken == 0 || rule.taken == rule.arriving, layer.key.c_str());
        QVERIFY2(rule.given == catalog::FrameShape(layer.output.begin() + 2, layer.output.end()),
            layer.key.c_str());
        frame = rule.given;
    }
}

void TstInspect::meter_seesThePeak()
{
    MemoryMeter meter;
    torch::Tensor kept = torch::zeros({ 1 << 20 });
    meter.restart();
    torch::zeros({ 3 << 20 }); // gone at once
    const torch::Tensor more = torch::zeros({ 1 << 20 });
    QCOMPARE(meter.peakBytes(), int64_t(3) << 22);
}

void TstInspect::threePoints_giveAParabola()
{
    const auto value = [](double t) { return 7 - 2 * t + 0.5 * t * t; };
    QCOMPARE(extrapolate({ { 1, value(1) }, { 2, value(2) }, { 4, value(4) } }, 11), value(11));
}

EARWRIGHT_TEST(TstInspect)
#include "tst_inspect.moc"
