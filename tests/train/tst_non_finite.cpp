#include <QTemporaryDir>
#include <QTest>

#include "core/model/tensor_file.h"
#include "tests/registry.h"
#include "tests/train/rank_run.h"

#include <atomic>
#include <limits>

using namespace earwright;
using earwright::tests::RankRun;

/// Steps whose loss or gradients are not finite, in a whole run.
class TstNonFinite : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void stepsLeftOutOnRequest_doNotEndTheRun();
    void run_endsWithWhatWasNotFinite_data();
    void run_endsWithWhatWasNotFinite();
    void weightsThatAreNotFinite_replaceNoCheckpoint();
    void loss_isBlamedOnTheRankThatHasIt();
    void weightsThatNeverWereFinite_areBlamedOnTheFirstStep();

private:
    std::filesystem::path oneNoise() const;
    std::string testedRecipe() const;
    RankRun runOf(const std::vector<std::string>& overrides) const;
    std::string weights(double first, double others) const;

    QTemporaryDir m_folder;
    std::map<std::string, torch::Tensor> m_drawn;
};

void TstNonFinite::initTestCase()
{
    tests::writeNoises(m_folder.filePath("data").toStdString(), 16);
    const RankRun drawn = runOf({ "--optimizer_step_limit=1" });
    QCOMPARE(drawn.train(), QString());
    m_drawn = drawn.model();
}

RankRun TstNonFinite::runOf(const std::vector<std::string>& overrides) const
{
    const QString name = QString(QTest::currentTestFunction()) + " " + QTest::currentDataTag();
    return { .folder = m_folder.filePath(name).toStdString(),
        .data = m_folder.filePath("data").toStdString(),
        .recipe = EARWRIGHT_CASES_DIR "/train/non_finite.yaml",
        .overrides = overrides };
}

/// Those of the first layer and of all others; biases are 0. As an override.
std::string TstNonFinite::weights(double first, double others) const
{
    model::TensorFile file;
    double size = first; // names are sorted: ctc_lin, enc.linear, enc.linear_0
    for (const auto& [name, drawn] : m_drawn) {
        const bool isEncoder = name.starts_with("enc.");
        const bool isWeight = name.ends_with(".weight");
        file.tensors[name]
            = isWeight ? drawn.sign() * (isEncoder ? size : others) : torch::zeros_like(drawn);
        size = isEncoder && isWeight ? others : size;
    }
    const auto path = m_folder.filePath(QString("%1 %2.st").arg(first).arg(others)).toStdString();
    if (!model::writeTensorFile(path, file))
        qFatal("no weights");
    return "--init_param=" + path;
}

void TstNonFinite::stepsLeftOutOnRequest_doNotEndTheRun()
{
    const RankRun run = runOf({ weights(0, 1e30), "--skip_nonfinite_grads=True",
        "--nonfinite_patience=0", "--optimizer_step_limit=4" });
    QCOMPARE(run.train(), QString());
    const std::vector<run::NonFinite> steps = run.snapshot().nonFinite;
    QCOMPARE(steps.size(), size_t { 4 });
    for (const run::NonFinite& step : steps)
        QVERIFY(step.skipped && step.what == "gradient");
}

void TstNonFinite::run_endsWithWhatWasNotFinite_data()
{
    QTest::addColumn<double>("first");
    QTest::addColumn<double>("others");
    QTest::addColumn<std::string>("precision");
    QTest::addColumn<std::string>("skips");
    QTest::addColumn<QStringList>("words");
    QTest::newRow("loss") << 1.0 << 1e30 << std::string("fp32") << std::string("True")
                          << QStringList { "the loss was not finite", "at step 1 ",
                                 "lower the learning rate or max_grad_norm (5), or" };
    QTest::newRow("gradients") << 0.0 << 1e30 << std::string("fp32") << std::string("False")
                               << QStringList { "the gradients were not finite", "at step 1 ",
                                      "skip_nonfinite_grads: True" };
    // 65536 is halved to below 1 by the 17th.
    QTest::newRow("fp16") << 0.0 << 6e4 << std::string("fp16") << std::string("True")
                          << QStringList { "the gradients were not finite", "at step 17 ",
                                 "at a loss scale below 1 too", "precision: bf16" };
}

void TstNonFinite::run_endsWithWhatWasNotFinite()
{
    QFETCH(double, first);
    QFETCH(double, others);
    QFETCH(std::string, precision);
    QFETCH(std::string, skips);
    QFETCH(QStringList, words);
    RankRun run = runOf({ weights(first, others), "--skip_nonfinite_grads=" + skips,
        "--nonfinite_patience=0", "--optimizer_step_limit=40" });
    run.precision = precision;
    const QString error = run.train();
    for (const QString& part : words)
        QVERIFY2(error.contains(part), qPrintable(error));
}

/// Not even where the run goes on for some steps, or is asked to save.
void TstNonFinite::weightsThatAreNotFinite_replaceNoCheckpoint()
{
    RankRun run = runOf({ "--max_grad_norm=0", "--nonfinite_patience=4", "--ckpt_interval_steps=1",
        "--optimizer_step_limit=40" });
    std::atomic<int64_t> step { 0 };
    std::atomic<bool> isAsked { false };
    run.requests.at = [&step](const std::string&, int64_t at) { step = at; };
    run.requests.learningRate = [&]() -> std::optional<double> {
        if (step < 3 || isAsked.exchange(true))
            return {};
        return std::numeric_limits<float>::max();
    };
    QVERIFY2(run.train().contains("the loss was not finite in 5 steps"), qPrintable(run.train()));
    for (const auto& [name, weight] : run.model())
        QVERIFY2(weight.isfinite().all().item<bool>(), name.c_str());
    const run::Snapshot snapshot = run.snapshot();
    const std::string last = *train::lastCheckpoint(run::RunFolder { run.folder }.checkpoints());
    QCOMPARE(run.folder / snapshot.checkpoints.back().path, std::filesystem::path(last));
    QVERIFY(snapshot.checkpoints.back().step >= 3);
    const std::string told
        = "is not finite; a resume starts from " + snapshot.checkpoints.back().path;
    QVERIFY(std::any_of(snapshot.log.begin(), snapshot.log.end(),
        [&told](const auto& line) { return line.text.ends_with(told); }));
}

/// Silence is normalised to zeros, of which no weight makes more. The rank without the one noise
/// names no utterance of its own.
void TstNonFinite::loss_isBlamedOnTheRankThatHasIt()
{
    RankRun run = runOf({ weights(1, 1e30), "--nonfinite_patience=0", "--optimizer_step_limit=2" });
    run.data = oneNoise();
    run.ranks = 2;
    const QString error = run.train();
    QVERIFY2(error.contains("the loss was not finite"), qPrintable(error));
    QVERIFY2(!error.contains("'0'"), qPrintable(error));
    const std::vector<run::NonFinite> told = run.snapshot().nonFinite;
    QCOMPARE(told.size(), size_t(1));
    const std::vector<std::string>& named = told.front().utterances;
    QVERIFY(std::find(named.begin(), named.end(), "5") != named.end());
    QVERIFY(std::find(named.begin(), named.end(), "0") == named.end());
}

/// Where the run goes on to its end, on whichever rank the step had its first.
void TstNonFinite::weightsThatNeverWereFinite_areBlamedOnTheFirstStep()
{
    RankRun run = runOf({ weights(1, 1e30), "--nonfinite_patience=99", "--number_of_epochs=1" });
    run.recipe = testedRecipe();
    run.data = oneNoise();
    run.ranks = 2;
    const QString error = run.train();
    QVERIFY2(error.contains("there are no weights to test"), qPrintable(error));
    QVERIFY2(error.contains("; first was the loss of a batch with '4', '5', '6' and 1 more at "
                            "step 1"),
        qPrintable(error));
}

/// The noises, but all silent except the sixth.
std::filesystem::path TstNonFinite::oneNoise() const
{
    const std::filesystem::path data
        = m_folder.filePath(QString(QTest::currentTestFunction()) + " noise").toStdString();
    tests::writeNoises(data, 16);
    for (int i = 0; i < 16; ++i)
        if (i != 5
            && !tests::writeSound(data / (std::to_string(i) + ".wav"),
                std::vector<float>(2400, 0.0F), { .sampleRateHz = 8000 }))
            qFatal("no silence");
    return data;
}

std::string TstNonFinite::testedRecipe() const
{
    const std::string file = m_folder.filePath("tested.yaml").toStdString();
    const std::string text = *readFile(EARWRIGHT_CASES_DIR "/train/non_finite.yaml");
    if (!writeFileAtomically(file, text + "test_csv: !ref <data_folder>/train.csv\n"))
        qFatal("no recipe");
    return file;
}

EARWRIGHT_TEST(TstNonFinite)
#include "tst_non_finite.moc"
