#include <QTemporaryDir>
#include <QTest>

#include "tests/registry.h"
#include "tests/train/rank_run.h"

using namespace earwright;
using earwright::tests::RankRun;

namespace {

constexpr double kTolerance = 1e-9;
/// Batches of 8, 8 and 3: the last has fewer rows than four ranks, and as micro-batches of 2 it is
/// an incomplete window whose last part is half as large.
constexpr int kUtterances = 19;

/// The parameter or statistic that differs most, with its relative difference.
std::pair<double, std::string> difference(const std::map<std::string, torch::Tensor>& expected,
    const std::map<std::string, torch::Tensor>& found)
{
    std::pair<double, std::string> most { 0, "" };
    for (const auto& [name, tensor] : expected) {
        const torch::Tensor wanted = tensor.to(torch::kFloat64);
        const auto other = found.find(name);
        const double apart = other == found.end()
            ? INFINITY
            : ((other->second.to(torch::kFloat64) - wanted).norm() / wanted.norm().clamp_min(1e-12))
                  .item<double>();
        if (!(apart <= most.first))
            most = { apart, name };
    }
    return most;
}

} // namespace

/// However a batch is cut into parts, over ranks and in time, the step is the same.
class TstEqualGradients : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void parts_giveTheParametersOfOneBatch_data();
    void parts_giveTheParametersOfOneBatch();
    void microBatches_ofBatchNormAreExemptAndToldOf();
    void withoutSyncBatchnorm_ranksDifferFromOne();
    void lossWeighting_changesWhatIsLearnt();

private:
    RankRun runOf(const QString& name, const std::string& recipe,
        std::vector<std::string> overrides, int ranks) const;

    QTemporaryDir m_folder;
};

void TstEqualGradients::initTestCase()
{
    // Weights, features and losses follow LibTorch's default type.
    c10::set_default_dtype(caffe2::TypeMeta::Make<double>());
    tests::writeNoises(m_folder.filePath("data").toStdString(), kUtterances);
    for (const char* recipe : { "bayesian", "conformer", "dropping", "crdnn", "joint", "lstm",
             "paraformer", "seaco_paraformer" }) {
        const RankRun run
            = runOf(QString("initial ") + recipe, recipe, { "--optimizer_step_limit=1" }, 1);
        QCOMPARE(run.train(), QString());
        QCOMPARE(run.model().begin()->second.scalar_type(), torch::kFloat64);
    }
}

void TstEqualGradients::cleanupTestCase()
{
    c10::set_default_dtype(caffe2::TypeMeta::Make<float>());
}

/// All begin with the same weights: threads share one generator and would draw others.
RankRun TstEqualGradients::runOf(const QString& name, const std::string& recipe,
    std::vector<std::string> overrides, int ranks) const
{
    const std::filesystem::path initial
        = m_folder.filePath("initial " + QString::fromStdString(recipe)).toStdString();
    if (const auto weights = train::lastCheckpoint(run::RunFolder { initial }.checkpoints()))
        overrides.push_back("--init_param=" + (*weights / "model.safetensors").string());
    return { .folder = m_folder.filePath(name).toStdString(),
        .data = m_folder.filePath("data").toStdString(),
        .recipe = std::string(EARWRIGHT_CASES_DIR "/train/equal/") + recipe + ".yaml",
        .overrides = std::move(overrides),
        .ranks = ranks };
}

void TstEqualGradients::parts_giveTheParametersOfOneBatch_data()
{
    QTest::addColumn<std::string>("recipe");
    QTest::addColumn<std::string>("setting");
    QTest::addColumn<bool>("accumulates");
    QTest::newRow("conformer") << std::string("conformer") << std::string() << true;
    QTest::newRow("lstm behind a CNN") << std::string("lstm") << std::string() << true;
    QTest::newRow("crdnn") << std::string("crdnn") << std::string() << false;
    QTest::newRow("crdnn, batch norm_type")
        << std::string("crdnn") << std::string("--normalize.norm_type=batch") << false;
    for (const char* reduction : { "sum", "batchmean" })
        QTest::newRow(reduction) << std::string("conformer")
                                 << std::string("--ctc_cost.reduction=") + reduction << true;
    // Accumulated batches leave out layers of their own.
    QTest::newRow("left out layers")
        << std::string("dropping") << std::string("--replica_check_interval=1") << false;
    QTest::newRow("paraformer") << std::string("paraformer") << std::string() << true;
    QTest::newRow("paraformer by utterances")
        << std::string("paraformer") << std::string("--length_normalized_loss=False") << true;
    // Accumulated batches have hotwords of their own.
    QTest::newRow("seaco") << std::string("seaco_paraformer") << std::string() << false;
    QTest::newRow("seaco by utterances")
        << std::string("seaco_paraformer") << std::string("--loss_weighting=utterances") << false;
    QTest::newRow("weighted by tokens")
        << std::string("conformer") << std::string("--loss_weighting=tokens") << true;
    QTest::newRow("weighted by utterances")
        << std::string("conformer") << std::string("--loss_weighting=utterances") << true;
    // Accumulated batches draw weights of their own.
    QTest::newRow("drawn weights") << std::string("bayesian") << std::string() << false;
    QTest::newRow("joint") << std::string("joint") << std::string() << true;
    QTest::newRow("joint, a sum and a mean")
        << std::string("joint") << std::string("--seq_cost.reduction=mean") << true;
    QTest::newRow("joint, weighted by tokens")
        << std::string("joint") << std::string("--loss_weighting=tokens") << true;
}

void TstEqualGradients::parts_giveTheParametersOfOneBatch()
{
    QFETCH(std::string, recipe);
    QFETCH(std::string, setting);
    QFETCH(bool, accumulates);
    const std::vector<std::string> common
        = setting.empty() ? std::vector<std::string>() : std::vector<std::string> { setting };
    const QString name = QTest::currentDataTag();
    const RankRun whole = runOf(name + " whole", recipe, common, 1);
    QCOMPARE(whole.train(), QString());
    const auto expected = whole.model();
    QVERIFY(!expected.empty());
    const auto started = difference(
        runOf("initial " + QString::fromStdString(recipe), recipe, {}, 1).model(), expected);
    QVERIFY2(started.first > 1e-3, "nothing was learnt");

    const auto compare = [&](const QString& what, std::vector<std::string> more, int ranks) {
        more.insert(more.end(), common.begin(), common.end());
        const RankRun parts = runOf(name + what, recipe, more, ranks);
        QCOMPARE(parts.train(), QString());
        const auto apart = difference(expected, parts.model());
        QVERIFY2(apart.first <= kTolerance,
            qPrintable(QString("%1: %2 differs by %3")
                           .arg(what, QString::fromStdString(apart.second))
                           .arg(apart.first)));
    };
    compare(" of 2 ranks", {}, 2);
    compare(" of 4 ranks", {}, 4);
    if (accumulates) {
        compare(" of 4 micro-batches", { "--batch_size=2", "--grad_accumulation_factor=4" }, 1);
        compare(" of 2 ranks with 2 micro-batches",
            { "--batch_size=4", "--grad_accumulation_factor=2" }, 2);
    }
}

void TstEqualGradients::microBatches_ofBatchNormAreExemptAndToldOf()
{
    const auto told = [](const RankRun& run) {
        for (const run::LogLine& line : run.snapshot().log) {
            if (line.text.find("one micro-batch at a time") != std::string::npos)
                return line.text;
        }
        return std::string();
    };
    const std::vector<std::string> overrides { "--batch_size=2", "--grad_accumulation_factor=4",
        "--optimizer_step_limit=2" };
    const RankRun crdnn = runOf("told", "crdnn", overrides, 1);
    QCOMPARE(crdnn.train(), QString());
    QVERIFY2(told(crdnn).starts_with("'normalize'"), told(crdnn).c_str());
    const RankRun whole = runOf("told of whole", "crdnn", { "--optimizer_step_limit=2" }, 1);
    QCOMPARE(whole.train(), QString());
    QVERIFY(difference(whole.model(), crdnn.model()).first > 1e-6);
    const RankRun conformer = runOf("not told", "conformer", overrides, 1);
    QCOMPARE(conformer.train(), QString());
    QCOMPARE(told(conformer), std::string());
}

void TstEqualGradients::withoutSyncBatchnorm_ranksDifferFromOne()
{
    const RankRun whole = runOf("one", "crdnn", { "--optimizer_step_limit=4" }, 1);
    const RankRun apart = runOf("apart", "crdnn",
        { "--optimizer_step_limit=4", "--sync_batchnorm=False", "--replica_check_interval=1" }, 2);
    QCOMPARE(whole.train(), QString());
    QCOMPARE(apart.train(), QString());
    QVERIFY(difference(whole.model(), apart.model()).first > 1e-6);
}

void TstEqualGradients::lossWeighting_changesWhatIsLearnt()
{
    const RankRun utterances = runOf("u", "conformer", { "--loss_weighting=utterances" }, 1);
    const RankRun tokens = runOf("t", "conformer", { "--loss_weighting=tokens" }, 1);
    QCOMPARE(utterances.train(), QString());
    QCOMPARE(tokens.train(), QString());
    QVERIFY(difference(utterances.model(), tokens.model()).first > 1e-6);
}

EARWRIGHT_TEST(TstEqualGradients)
#include "tst_equal_gradients.moc"
