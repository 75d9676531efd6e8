#include <QTemporaryDir>
#include <QTest>

#include "core/model/tensor_file.h"
#include "tests/train/rank_run.h"

using namespace kymo;
using kymo::tests::RankRun;

/// Steps whose loss or gradients are not finite, in a whole run.
class TstNonFinite : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void stepsLeftOutOnRequest_doNotEndTheRun();
    void run_endsWithWhatWasNotFinite_data();
    void run_endsWithWhatWasNotFinite();

private:
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
        .recipe = KYMO_CASES_DIR "/train/non_finite.yaml",
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
                                 "set max_grad_norm" };
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

QTEST_GUILESS_MAIN(TstNonFinite)
#include "tst_non_finite.moc"
