#include <QTemporaryDir>
#include <QTest>

#include "core/model/tensor_file.h"
#include "core/train/inspect.h"
#include "tests/registry.h"
#include "tests/train/equal_recipes.h"
#include "tests/train/rank_run.h"

using namespace earwright;
using earwright::tests::RankRun;

namespace {

const std::string kPretrainedHub = EARWRIGHT_CASES_DIR "/model/hub/ctc";
const std::string kWeightsOfEncoder = "wav2vec2.model.";
constexpr int kStepsOfEpoch = 5;

std::string pretrainedRecipe()
{
    return *readFile(EARWRIGHT_CASES_DIR "/train/pretrained.yaml");
}

/// How many weights of the encoder are, bit for bit, those of its folder, and how many are not.
std::pair<int, int> keptAndChanged(const std::map<std::string, torch::Tensor>& model)
{
    const auto stored = model::readTensorFile(kPretrainedHub + "/model.safetensors");
    std::pair<int, int> counts { 0, 0 };
    for (const auto& [name, tensor] : model) {
        if (!name.starts_with(kWeightsOfEncoder))
            continue;
        const auto found
            = stored->tensors.find("wav2vec2." + name.substr(kWeightsOfEncoder.size()));
        if (found != stored->tensors.end())
            ++(torch::equal(found->second, tensor) ? counts.first : counts.second);
    }
    return counts;
}

} // namespace

/// CTC on a pretrained encoder, as upstream's train_with_wav2vec.py trains it. Epochs have five
/// steps.
class TstPretrainedCtc : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void frozenEncoder_staysAsItsFolderHasIt();
    void encoder_learnsAfterItsWarmUp();
    void frames_areAugmentedBehindTheEncoder();
    void frozenConvolutions_stay();
    void optimizers_haveTheirOwnClassAndSchedule();
    void run_isResumed_data();
    void run_isResumed();
    void otherScheduleOfTheEncoder_isTold();
    void learningRate_isSetForBoth();
    void twoRanks_train();
    void oneOptimizer_trainsAll();
    void inspection_showsTheEncoder();
    void unknownSource_saysWhatToFetch();
    void setting_isRefused_data();
    void setting_isRefused();

private:
    RankRun runOf(const QString& name, int steps, const std::vector<std::string>& overrides = {},
        const std::string& text = pretrainedRecipe()) const;
    train::Checkpoint lastOf(const RankRun& run) const;

    QTemporaryDir m_folder;
};

void TstPretrainedCtc::initTestCase()
{
    tests::writeNoises(m_folder.filePath("data").toStdString(), 19);
}

RankRun TstPretrainedCtc::runOf(const QString& name, int steps,
    const std::vector<std::string>& overrides, const std::string& text) const
{
    const std::string recipe = m_folder.filePath(name + ".yaml").toStdString();
    if (!writeFileAtomically(recipe, text))
        qFatal("no recipe");
    RankRun run { .folder = m_folder.filePath(name).toStdString(),
        .data = m_folder.filePath("data").toStdString(),
        .recipe = recipe,
        .overrides = { "--wav2vec2_hub=" + kPretrainedHub,
            "--optimizer_step_limit=" + std::to_string(steps) } };
    run.overrides.insert(run.overrides.end(), overrides.begin(), overrides.end());
    return run;
}

train::Checkpoint TstPretrainedCtc::lastOf(const RankRun& run) const
{
    const auto last = train::lastCheckpoint(run::RunFolder { run.folder }.checkpoints());
    auto saved = last ? train::loadCheckpoint(*last)
                      : Result<train::Checkpoint>(Error { "no checkpoint" });
    if (!saved)
        qFatal("%s", saved.error().message.c_str());
    return std::move(*saved);
}

void TstPretrainedCtc::frozenEncoder_staysAsItsFolderHasIt()
{
    const RankRun run = runOf("frozen", 4, { "--freeze_wav2vec=True" });
    QCOMPARE(run.train(), QString());
    const auto [kept, changed] = keptAndChanged(run.model());
    QVERIFY(kept > 20);
    QCOMPARE(changed, 0);
    for (const auto& [name, tensor] : lastOf(run).training)
        QVERIFY2(!name.starts_with("encoder."), name.c_str());
}

/// Its optimizer leaves the steps of `warmup_steps` out.
void TstPretrainedCtc::encoder_learnsAfterItsWarmUp()
{
    const RankRun before = runOf("in the warm-up", 2);
    QCOMPARE(before.train(), QString());
    QCOMPARE(keptAndChanged(before.model()).second, 0);

    const RankRun behind = runOf("behind the warm-up", 4);
    QCOMPARE(behind.train(), QString());
    QVERIFY(keptAndChanged(behind.model()).second > 20);
    const auto training = lastOf(behind).training;
    QCOMPARE(training.at("encoder.optimizer.0.step").item<double>(), 2.0);
    QCOMPARE(training.at("optimizer.0.step").item<double>(), 4.0);
}

/// AISHELL-1's script: where every frame is dropped, the encoder before them learns nothing.
void TstPretrainedCtc::frames_areAugmentedBehindTheEncoder()
{
    std::string text = pretrainedRecipe();
    const std::string decay = "    weight_decay: 0.01\n";
    text.replace(text.find(decay), decay.size(), "    weight_decay: 0.0\n");
    const RankRun whole = runOf("whole frames", 4, { "--warmup_steps=0" }, text);
    QCOMPARE(whole.train(), QString());
    QVERIFY(keptAndChanged(whole.model()).second > 20);
    text += "\nfea_augment: !new:speechbrain.augment.augmenter.Augmenter\n"
            "    augmentations:\n"
            "        - !new:speechbrain.augment.freq_domain.SpectrogramDrop\n"
            "            drop_length_low: 5000\n            drop_length_high: 5001\n"
            "            drop_count_low: 5000\n            drop_count_high: 5000\n"
            "            replace: zeros\n";
    const RankRun dropped = runOf("dropped frames", 4, { "--warmup_steps=0" }, text);
    QCOMPARE(dropped.train(), QString());
    const auto [kept, changed] = keptAndChanged(dropped.model());
    QVERIFY(kept > 20);
    QCOMPARE(changed, 0);
}

void TstPretrainedCtc::frozenConvolutions_stay()
{
    const RankRun run
        = runOf("convolutions", 4, { "--freeze_feature_extractor=True", "--warmup_steps=0" });
    QCOMPARE(run.train(), QString());
    const auto model = run.model();
    const auto stored = model::readTensorFile(kPretrainedHub + "/model.safetensors");
    const std::string convolution = "feature_extractor.conv_layers.1.conv.weight";
    const std::string projection = "feature_projection.projection.weight";
    QVERIFY(torch::equal(
        model.at(kWeightsOfEncoder + convolution), stored->tensors.at("wav2vec2." + convolution)));
    QVERIFY(!torch::equal(
        model.at(kWeightsOfEncoder + projection), stored->tensors.at("wav2vec2." + projection)));
}

/// After the first epoch NewBob has nothing to compare with.
void TstPretrainedCtc::optimizers_haveTheirOwnClassAndSchedule()
{
    const RankRun run = runOf("schedules", 2 * kStepsOfEpoch);
    QCOMPARE(run.train(), QString());
    const auto training = lastOf(run).training;
    QCOMPARE(training.at("lr").item<double>(), 0.8);
    QCOMPARE(training.at("encoder.lr").item<double>(), 0.0005);
    const run::Snapshot snapshot = run.snapshot();
    QCOMPARE(snapshot.series.at("train/lr").points().back().value, 1.0);
    QCOMPARE(snapshot.series.at("train/lr_wav2vec").points().back().value, 0.001);
    QVERIFY(training.contains("optimizer.0.square_avg"));
    QVERIFY(training.contains("encoder.optimizer.0.exp_avg"));
}

void TstPretrainedCtc::run_isResumed_data()
{
    QTest::addColumn<int>("stoppedAt");
    QTest::newRow("in the warm-up") << 1;
    QTest::newRow("in an epoch") << 8;
    QTest::newRow("between epochs") << 10;
}

void TstPretrainedCtc::run_isResumed()
{
    QFETCH(int, stoppedAt);
    const RankRun whole = runOf("whole", 13);
    if (!std::filesystem::exists(whole.folder))
        QCOMPARE(whole.train(), QString());
    const QString name = QString("stopped at %1").arg(stoppedAt);
    QCOMPARE(runOf(name, stoppedAt).train(), QString());
    const RankRun resumed = runOf(name, 13);
    QCOMPARE(resumed.train(), QString());
    const auto wanted = lastOf(whole);
    const auto found = lastOf(resumed);
    QVERIFY(!wanted.model.empty());
    for (const auto& [key, tensor] : wanted.model)
        QVERIFY2(torch::equal(tensor, found.model.at(key)), key.c_str());
    for (const auto& [key, tensor] : wanted.training)
        if (key.starts_with("encoder."))
            QVERIFY2(torch::equal(tensor, found.training.at(key)), key.c_str());
}

/// NewBob can tell what it would have said from the start.
void TstPretrainedCtc::otherScheduleOfTheEncoder_isTold()
{
    QCOMPARE(runOf("other schedule", 2 * kStepsOfEpoch).train(), QString());
    const RankRun resumed = runOf(
        "other schedule", 2 * kStepsOfEpoch + 1, { "--lr_annealing_wav2vec.annealing_factor=0.9" });
    QCOMPARE(resumed.train(), QString());
    const run::Snapshot snapshot = resumed.snapshot();
    QCOMPARE(snapshot.series.at("train/lr_wav2vec").points().back().value, 0.0009);
    QVERIFY(std::any_of(snapshot.log.begin(), snapshot.log.end(), [](const auto& line) {
        return line.text.starts_with("the learning rate of 'wav2vec2' is 0.0009")
            && line.text.find("in place of 0.0005") != std::string::npos;
    }));
}

/// In proportion: the one that is set by hand is that of the other layers.
void TstPretrainedCtc::learningRate_isSetForBoth()
{
    RankRun run = runOf("by hand", 4);
    auto isAsked = std::make_shared<bool>(false);
    run.requests.learningRate = [isAsked]() -> std::optional<double> {
        return std::exchange(*isAsked, true) ? std::nullopt : std::optional(0.1);
    };
    QCOMPARE(run.train(), QString());
    const auto training = lastOf(run).training;
    QVERIFY(qFuzzyCompare(training.at("lr").item<double>(), 0.1));
    QVERIFY(qFuzzyCompare(training.at("encoder.lr").item<double>(), 0.0001));
}

/// Layers that layerdrop leaves out have no gradient to wait for.
void TstPretrainedCtc::twoRanks_train()
{
    RankRun run = runOf("ranks", 6);
    run.ranks = 2;
    QCOMPARE(run.train(), QString());
    QVERIFY(keptAndChanged(run.model()).second > 20);
}

void TstPretrainedCtc::oneOptimizer_trainsAll()
{
    std::string text = train::with(pretrainedRecipe(),
        "wav2vec_opt_class: !name:torch.optim.AdamW\n"
        "    lr: !ref <lr_wav2vec>\n    weight_decay: 0.01\n",
        "");
    const RankRun run = runOf("one", 2, {}, text);
    QCOMPARE(run.train(), QString());
    QVERIFY(keptAndChanged(run.model()).second > 20);
}

void TstPretrainedCtc::inspection_showsTheEncoder()
{
    std::string errors;
    const plan::Plan plan = runOf("inspected", 2).plan(errors);
    QCOMPARE(errors, std::string());
    const auto inspected = train::inspect(plan, { .batch = train::BatchSize {} });
    QVERIFY2(inspected, inspected ? "" : inspected.error().message.c_str());
    QVERIFY(!inspected->error);
    QCOMPARE(inspected->layers.front().key, std::string("wav2vec2"));
    QCOMPARE(inspected->layers.front().input.size(), size_t(2)); // the wave
    QCOMPARE(inspected->layers[1].key, std::string("enc"));
    QCOMPARE(inspected->layers[1].input.back(), int64_t(16));
    QCOMPARE(inspected->optimizer, std::string("Adadelta and, of the pretrained encoder, AdamW"));
    QCOMPARE(inspected->groups.size(), size_t(2));
    QCOMPARE(inspected->groups[1].learningRate, 0.001);
}

void TstPretrainedCtc::unknownSource_saysWhatToFetch()
{
    RankRun run = runOf("unknown", 2);
    run.overrides.front() = "--wav2vec2_hub=nobody/nothing";
    const QString refusal = run.train();
    QVERIFY2(
        refusal.contains("'source' of 'wav2vec2': 'nobody/nothing' is no folder and not in the "
                         "Hub's cache of this machine. Fetch config.json, "),
        qPrintable(refusal));
}

void TstPretrainedCtc::setting_isRefused_data()
{
    QTest::addColumn<std::string>("what");
    QTest::addColumn<std::string>("instead");
    QTest::addColumn<QString>("refusal");
    QTest::newRow("features")
        << std::string("enc: !new")
        << std::string("compute_features: !new:speechbrain.lobes.features.Fbank\nenc: !new")
        << "'compute_features' works on features, and the pretrained encoder 'wav2vec2' is given "
           "the waves: leave out one of them";
    QTest::newRow("all layers") << std::string("    output_norm: True\n")
                                << std::string("    output_all_hiddens: True\n")
                                << "'output_all_hiddens' of 'wav2vec2' must be False";
    QTest::newRow("frozen by half")
        << std::string("    freeze: !ref <freeze_wav2vec>\n") << std::string("    freeze: True\n")
        << "'freeze_wav2vec' is False, and 'freeze' of 'wav2vec2' is True: write freeze: !ref "
           "<freeze_wav2vec>";
    QTest::newRow("groups") << std::string("lr: 1.0\n")
                            << std::string("lr: 1.0\noptim_param_groups: {enc: {lr: 0.1}}\n")
                            << "'optim_param_groups' divides the parameters of one optimizer";
    QTest::newRow("an argument") << std::string("    output_norm: True\n")
                                 << std::string("    device: cpu\n") << "device";
}

void TstPretrainedCtc::setting_isRefused()
{
    QFETCH(std::string, what);
    QFETCH(std::string, instead);
    QFETCH(QString, refusal);
    std::string errors;
    (void)runOf("refused", 2, {}, train::with(pretrainedRecipe(), what, instead)).plan(errors);
    QVERIFY2(QString::fromStdString(errors).contains(refusal), errors.c_str());
}

EARWRIGHT_TEST(TstPretrainedCtc)
#include "tst_pretrained_ctc.moc"
