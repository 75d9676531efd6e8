#include "core/train/unused_parameters.h"

#include "tests/registry.h"
#include "tests/train/rank_run.h"

#include <QTemporaryDir>
#include <QTest>

using namespace earwright;
using tests::RankRun;

namespace {

const char* const kConformer = EARWRIGHT_CASES_DIR "/train/equal/conformer.yaml";
const QStringList kFinerFrames { "predictor.upsample_cnn.weight", "predictor.upsample_cnn.bias",
    "predictor.blstm.weight_ih_l0", "predictor.blstm.weight_hh_l0", "predictor.blstm.bias_ih_l0",
    "predictor.blstm.bias_hh_l0", "predictor.blstm.weight_ih_l0_reverse",
    "predictor.blstm.weight_hh_l0_reverse", "predictor.blstm.bias_ih_l0_reverse",
    "predictor.blstm.bias_hh_l0_reverse", "predictor.cif_output2.weight",
    "predictor.cif_output2.bias" };
const QStringList kOutput { "decoder.output_layer.weight", "decoder.output_layer.bias" };

/// The lines "  name (bytes)".
QStringList namesIn(const QString& text)
{
    QStringList names;
    for (const QString& line : text.split('\n')) {
        if (line.startsWith("  ") && line.contains(" (") && line.endsWith(')'))
            names << line.trimmed().section(' ', 0, 0);
    }
    names.sort();
    return names;
}

QStringList sorted(QStringList names)
{
    names.sort();
    return names;
}

} // namespace

/// What a training says of parameters that its first batch does not use, and that it trains where
/// nobody waits for them.
class TstUnusedParameters : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void seaco_isToldExactly_data();
    void seaco_isToldExactly();
    void droppedLayers_areNoUnusedParameters_data();
    void droppedLayers_areNoUnusedParameters();
    void droppedLayersInAStaticGraph_areRefused();

private:
    std::string path(const QString& name) const { return m_folder.filePath(name).toStdString(); }
    RankRun run(const std::string& recipe, std::vector<std::string> overrides, int ranks) const
    {
        return { .folder = path(QTest::currentDataTag()),
            .data = path("data"),
            .recipe = recipe,
            .overrides = std::move(overrides),
            .ranks = ranks };
    }
    /// equal/conformer.yaml, whose encoder leaves out every other layer.
    std::string dropping(const QString& optimizer) const
    {
        const auto text = readFile(kConformer);
        QString recipe = QString::fromStdString(text ? *text : "");
        recipe.replace("    num_encoder_layers", "    layerdrop_prob: 0.5\n    num_encoder_layers");
        recipe.replace("torch.optim.SGD\n    lr: 0.05\n    momentum: 0.9", optimizer);
        const std::string file = path("dropping.yaml");
        std::ofstream(file) << recipe.toStdString();
        return file;
    }

    QTemporaryDir m_folder;
};

void TstUnusedParameters::initTestCase()
{
    tests::writeNoises(path("data"), 12);
}

void TstUnusedParameters::seaco_isToldExactly_data()
{
    QTest::addColumn<int>("ranks");
    QTest::addColumn<bool>("trainDecoder");
    QTest::addColumn<bool>("flag");
    QTest::addColumn<QString>("level"); // "": the run is refused
    for (const bool trainDecoder : { false, true }) {
        const auto row = [&](const char* name, int ranks, bool flag, const char* level) {
            QTest::addRow("%s, %s", name, trainDecoder ? "both losses" : "its own loss")
                << ranks << trainDecoder << flag << level;
        };
        row("one rank", 1, false, "warning");
        row("one rank with the flag", 1, true, "info");
        row("two ranks", 2, false, "");
        row("two ranks with the flag", 2, true, "info");
    }
}

void TstUnusedParameters::seaco_isToldExactly()
{
    QFETCH(int, ranks);
    QFETCH(bool, trainDecoder);
    QFETCH(bool, flag);
    QFETCH(QString, level);
    const RankRun training = run(EARWRIGHT_CASES_DIR "/engine/funasr/seaco_paraformer.yaml",
        { "--freeze_param=null", "--cmvn_file=null", "--optimizer_step_limit=3", "--batch_size=4",
            std::string("--train_decoder=") + (trainDecoder ? "True" : "False"),
            std::string("--find_unused_parameters=") + (flag ? "True" : "False") },
        ranks);
    QString told = training.train();
    QString how;
    for (const run::LogLine& line : training.snapshot().log) {
        if (line.text.find("get no gradient") == std::string::npos)
            continue;
        QCOMPARE(how, QString()); // once, by rank 0
        told = QString::fromStdString(line.text);
        how = QString::fromStdString(line.level);
    }
    QCOMPARE(how, level);
    const QStringList expected = trainDecoder ? kFinerFrames : kFinerFrames + kOutput;
    QVERIFY2(told.startsWith(QString("%1 of ").arg(expected.size())), qPrintable(told));
    QCOMPARE(namesIn(told), sorted(expected));
    const QString frozen = trainDecoder
        ? "predictor.blstm,predictor.cif_output2,predictor.upsample_cnn\n"
        : "decoder.output_layer,predictor.blstm,predictor.cif_output2,predictor.upsample_cnn\n";
    QVERIFY2(told.contains("freeze_param: " + frozen), qPrintable(told));
    QCOMPARE(training.model().empty(), level.isEmpty());
}

void TstUnusedParameters::droppedLayers_areNoUnusedParameters_data()
{
    QTest::addColumn<int>("ranks");
    QTest::addColumn<QString>("optimizer");
    for (const int ranks : { 1, 2 }) {
        for (const char* optimizer : { "torch.optim.SGD", "torch.optim.AdamW" })
            QTest::addRow("%d, %s", ranks, optimizer)
                << ranks << QString(optimizer) + "\n    lr: 0.01";
    }
}

void TstUnusedParameters::droppedLayers_areNoUnusedParameters()
{
    QFETCH(int, ranks);
    QFETCH(QString, optimizer);
    const RankRun training = run(dropping(optimizer),
        { "--batch_size=2", "--optimizer_step_limit=12", "--replica_check_interval=1" }, ranks);
    QCOMPARE(training.train(), QString());
    for (const run::LogLine& line : training.snapshot().log)
        QVERIFY2(line.text.find("gradient") == std::string::npos, line.text.c_str());
}

void TstUnusedParameters::droppedLayersInAStaticGraph_areRefused()
{
    const RankRun training { .folder = path("static"),
        .data = path("data"),
        .recipe = dropping("torch.optim.SGD\n    lr: 0.01"),
        .overrides = { "--static_graph=True" } };
    const QString error = training.train();
    QVERIFY2(error.contains("leaves layers out"), qPrintable(error));
}

EARWRIGHT_TEST(TstUnusedParameters)
#include "tst_unused_parameters.moc"
