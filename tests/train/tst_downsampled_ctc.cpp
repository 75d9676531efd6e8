#include <QTemporaryDir>
#include <QTest>

#include "core/train/task/augment.h"
#include "core/train/task/ctc_output.h"
#include "tests/registry.h"
#include "tests/train/equal_recipes.h"
#include "tests/train/rank_run.h"

using namespace earwright;
using earwright::tests::RankRun;

namespace {

const std::string kSmallHub = EARWRIGHT_CASES_DIR "/model/hub/ctc";
const std::string kFilter = "downsampler.downsampler.conv.weight";

/// CTC on a pretrained encoder that is given waves of half the samples, as upstream's recipes in
/// LibriSpeech/ASR/CTC/hparams/downsampled have it.
std::string downsampledRecipe()
{
    const std::string text = *readFile(EARWRIGHT_CASES_DIR "/train/pretrained.yaml");
    return train::with(text, "modules:\n",
        "downsampler: !new:speechbrain.lobes.downsampling.Conv1DDownsampler\n"
        "    downsampling_factor: 2\n    kernel_size: 5\n"
        "speed: !new:speechbrain.augment.time_domain.SpeedPerturb\n"
        "    orig_freq: 8000\n    speeds: [90]\n"
        "drop: !new:speechbrain.augment.time_domain.DropChunk\n"
        "    drop_length_low: 10\n    drop_length_high: 20\n"
        "wav_augment: !new:speechbrain.augment.augmenter.Augmenter\n"
        "    concat_original: True\n    min_augmentations: 2\n    max_augmentations: 2\n"
        "    augmentations: [!ref <speed>, !ref <drop>]\n"
        "modules:\n    downsampler: !ref <downsampler>\n");
}

} // namespace

/// What upstream's scripts of CTC on a pretrained encoder do with `downsampler` and `upsampling`.
class TstDownsampledCtc final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void filter_learnsThroughTheEncoder_data();
    void filter_learnsThroughTheEncoder();
    void frozenEncoder_isToldToStopTheGradient();
    void speeds_areDrawnBehindIt();
    void upsampling_cutsTheOutputs();
    void tooFewClasses_areToldWithTheOutputs();
    void setting_isRefused_data();
    void setting_isRefused();

private:
    RankRun runOf(const QString& name, int steps, const std::vector<std::string>& overrides = {},
        const std::string& text = downsampledRecipe()) const;
    std::vector<int64_t> shapeOfOutputs(const std::string& text, const std::string& change) const;

    QTemporaryDir m_folder;
};

void TstDownsampledCtc::initTestCase()
{
    tests::writeNoises(m_folder.filePath("data").toStdString(), 19);
}

RankRun TstDownsampledCtc::runOf(const QString& name, int steps,
    const std::vector<std::string>& overrides, const std::string& text) const
{
    const std::string recipe = m_folder.filePath(name + ".yaml").toStdString();
    if (!writeFileAtomically(recipe, text))
        qFatal("no recipe");
    RankRun run { .folder = m_folder.filePath(name).toStdString(),
        .data = m_folder.filePath("data").toStdString(),
        .recipe = recipe,
        .overrides
        = { "--wav2vec2_hub=" + kSmallHub, "--optimizer_step_limit=" + std::to_string(steps) } };
    run.overrides.insert(run.overrides.end(), overrides.begin(), overrides.end());
    return run;
}

/// For two noises of 0.5 s at 8 kHz.
std::vector<int64_t> TstDownsampledCtc::shapeOfOutputs(
    const std::string& text, const std::string& change) const
{
    std::string errors;
    const plan::Plan plan
        = runOf("shape " + QString::fromStdString(change), 1, { change }, text).plan(errors);
    if (!errors.empty())
        qFatal("%s", errors.c_str());
    auto task = train::makeTask(*plan.recipe,
        std::make_shared<const data::TextEncoder>(
            data::TextEncoder::fromTexts({ "ABCDEF" }, { .blank = 0 })),
        torch::kCPU, "reduction");
    if (!task)
        qFatal("%s", task.error().message.c_str());
    (*task)->modules().train(false);
    const torch::NoGradGuard noGrad;
    data::Batch batch;
    batch.wavs_BT = torch::randn({ 2, 4000 });
    batch.wavLens_B = torch::ones({ 2 });
    const torch::Tensor features = (*task)->features(batch, train::Stage::Valid);
    return dynamic_cast<train::CtcOutput&>(**task).ctcLogProbs(batch, features).sizes().vec();
}

void TstDownsampledCtc::filter_learnsThroughTheEncoder_data()
{
    QTest::addColumn<std::string>("freeze");
    QTest::addColumn<bool>("isLearnt");
    QTest::newRow("frozen encoder") << std::string("True") << false;
    QTest::newRow("encoder that learns") << std::string("False") << true;
}

/// Behind augmentations that make other lengths. No gradient passes a frozen encoder, upstream
/// neither.
void TstDownsampledCtc::filter_learnsThroughTheEncoder()
{
    QFETCH(std::string, freeze);
    QFETCH(bool, isLearnt);
    const QString name = QTest::currentDataTag();
    const RankRun one = runOf(name + " 1", 1, { "--freeze_wav2vec=" + freeze });
    const RankRun four = runOf(name + " 4", 4, { "--freeze_wav2vec=" + freeze });
    QCOMPARE(one.train(), QString());
    QCOMPARE(four.train(), QString());
    QCOMPARE(!torch::equal(one.model().at(kFilter), four.model().at(kFilter)), isLearnt);
}

void TstDownsampledCtc::frozenEncoder_isToldToStopTheGradient()
{
    for (const bool isFrozen : { true, false }) {
        check::Request request;
        request.text = train::with(downsampledRecipe(), "freeze_wav2vec: False",
            std::string("freeze_wav2vec: ") + (isFrozen ? "True" : "False"));
        request.checkFiles = false;
        request.overrides
            = *recipe::parseOverrides({ "--wav2vec2_hub=" + kSmallHub, "--data_folder=/nowhere" });
        const auto found = check::check(request, check::Machine()).diagnostics;
        const bool isTold = std::any_of(found.begin(), found.end(), [](const auto& one) {
            return one.message.starts_with("'downsampler' keeps the filter that it begins with");
        });
        QCOMPARE(isTold, isFrozen);
    }
}

/// Upstream changes the speed of what was downsampled.
void TstDownsampledCtc::speeds_areDrawnBehindIt()
{
    const std::string text = train::with(downsampledRecipe(), "    concat_original: True\n", "");
    std::string errors;
    const plan::Plan drawn = runOf("speeds", 1, {}, text).plan(errors);
    QCOMPARE(errors, std::string());
    QVERIFY(train::speedsOf(*drawn.recipe).empty());
    const std::string without = train::with(text, "    downsampler: !ref <downsampler>\n", "");
    const plan::Plan read = runOf("no speeds", 1, { "--downsampler=null" }, without).plan(errors);
    QCOMPARE(errors, std::string());
    QVERIFY(train::speedsOf(*read.recipe) == std::vector<double> { 0.9 });
}

void TstDownsampledCtc::upsampling_cutsTheOutputs()
{
    const std::string text = train::with(
        downsampledRecipe(), "    n_neurons: !ref <output_neurons>\n", "    n_neurons: 16\n");
    QCOMPARE(runOf("upsampled", 2, { "++upsampling=True" }, text).train(), QString());
    const std::vector<int64_t> whole = shapeOfOutputs(text, "--output_neurons=16");
    const std::vector<int64_t> cut = shapeOfOutputs(text, "++upsampling=True");
    QCOMPARE(whole.back(), int64_t(16));
    QVERIFY(whole.at(1) > 4);
    QCOMPARE(cut, (std::vector<int64_t> { whole.at(0), 2 * whole.at(1), 8 }));
}

/// Both sizes, so that neither advice leads to another error.
void TstDownsampledCtc::tooFewClasses_areToldWithTheOutputs()
{
    const std::string text = train::with(
        downsampledRecipe(), "    n_neurons: !ref <output_neurons>\n", "    n_neurons: 8\n");
    const QString error
        = runOf("few", 2, { "++upsampling=True", "--output_neurons=4" }, text).train();
    QVERIFY2(error.contains("set output_neurons to 7 and n_neurons of 'ctc_lin' to 14"),
        qPrintable(error));
}

void TstDownsampledCtc::setting_isRefused_data()
{
    QTest::addColumn<std::string>("what");
    QTest::addColumn<std::string>("instead");
    QTest::addColumn<QString>("refusal");
    const auto row
        = [](const char* name, const char* what, const char* instead, const char* refusal) {
              QTest::newRow(name) << std::string(what) << std::string(instead) << QString(refusal);
          };
    row("not listed", "    downsampler: !ref <downsampler>\n", "",
        "'downsampler' is not in 'modules', and SpeechBrain's scripts run it from there alone");
    row("features", "Conv1DDownsampler\n    downsampling_factor: 2\n    kernel_size: 5\n",
        "ConcatDownsampler\n    downsampling_factor: 2\n",
        "'downsampler' is given waves, and ConcatDownsampler takes features");
    row("no multiple", "    n_neurons: !ref <output_neurons>\n",
        "    n_neurons: 12\nupsampling: True\n",
        "'n_neurons' of 'ctc_lin' must be a multiple of 'output_neurons' with 'upsampling', and 12 "
        "is none of 8");
}

void TstDownsampledCtc::setting_isRefused()
{
    QFETCH(std::string, what);
    QFETCH(std::string, instead);
    QFETCH(QString, refusal);
    std::string errors;
    (void)runOf("refused", 2, {}, train::with(downsampledRecipe(), what, instead)).plan(errors);
    QVERIFY2(QString::fromStdString(errors).contains(refusal), errors.c_str());
}

EARWRIGHT_TEST(TstDownsampledCtc)
#include "tst_downsampled_ctc.moc"
