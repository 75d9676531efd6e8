#include "tests/engine/program.h"
#include "tests/files.h"

#include <nlohmann/json.hpp>
#include <QTemporaryDir>

using namespace kymo::tests;
using nlohmann::json;

/// The commands that only read a recipe, as a script calls them: exit codes and what is printed.
class TstCheckCommands : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void command_exitsAndPrints_data();
    void command_exitsAndPrints();
    void sarif_isForTheFile();
    void explain_namesTheOverrideAsTyped();
    void resolved_resolvesToItself();

private:
    QString recipe(const QString& name) const { return m_folder.filePath(name); }
    void writeRecipe(const QString& name, const QByteArray& text) const;

    QTemporaryDir m_folder;
};

void TstCheckCommands::writeRecipe(const QString& name, const QByteArray& text) const
{
    writeFile(recipe(name), text);
}

void TstCheckCommands::initTestCase()
{
    writeRecipe("good.yaml",
        "seed: 7\nlr: 0.1\nenc: !new:speechbrain.nnet.linear.Linear\n"
        "    input_size: 4\n    n_neurons: 3\nmodules:\n    enc: !ref <enc>\n"
        "opt_class: !name:torch.optim.Adam\n    lr: !ref <lr>\n");
    writeRecipe("layer_left_out.yaml",
        "seed: 7\nenc: !new:speechbrain.nnet.linear.Linear\n    input_size: 4\n    n_neurons: 3\n"
        "ctc_lin: !new:speechbrain.nnet.linear.Linear\n    input_size: 3\n    n_neurons: 2\n"
        "modules:\n    enc: !ref <enc>\nopt_class: !name:torch.optim.Adam\n");
    writeRecipe("broken.yaml", "a: [1\n");
}

void TstCheckCommands::command_exitsAndPrints_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("said");
    const QString good = recipe("good.yaml");
    const QString left = recipe("layer_left_out.yaml");
    QTest::newRow("check: a layer left out")
        << QStringList { "check", left } << 1 << left + ":5:1: error: 'ctc_lin'";
    QTest::newRow("check: a shipped recipe") << QStringList { "check",
        KYMO_SOURCE_DIR "/configs/fsdd/ctc_conv.yaml", "--no-files", "--data_folder=data" }
                                             << 0 << "";
    QTest::newRow("train: an option cut short")
        << QStringList { "train", good, "--run", recipe("run") } << 1
        << "the recipe has no key 'run'; check the spelling, or add the key to the recipe; did you "
           "mean the option --run-dir?";
    QTest::newRow("train: an option misspelt") << QStringList { "train", good,
        "--rum-dir=" + recipe("run") } << 1 << "did you mean the option --run-dir?";
    QTest::newRow("check: does not parse")
        << QStringList { "check", recipe("broken.yaml") } << 1 << "broken.yaml:1:4: error:";
    QTest::newRow("check: no such file")
        << QStringList { "check", recipe("none.yaml") } << 1 << "none.yaml";
    QTest::newRow("check: unknown format")
        << QStringList { "check", good, "--format", "xml" } << 2 << "sarif";
    QTest::newRow("resolve: an override") << QStringList { "resolve", good, "lr=0.5" } << 0
                                          << "opt_class: !name:torch.optim.Adam\n"
                                             "  lr: 0.5\n";
    const QStringList shipped { KYMO_SOURCE_DIR "/configs/fsdd/ctc_conv.yaml", "--no-files",
        "--data_folder=data" };
    QTest::newRow("check: a key to add")
        << QStringList { "check" } + shipped + QStringList { "--hotword=x.txt" } << 1
        << "ctc_conv.yaml: error: '--hotword=x.txt': the recipe has no key 'hotword', though it "
           "may have one; ++hotword=… adds it [unknown-override]\n\n";
    QTest::newRow("check: a key added")
        << QStringList { "check" } + shipped + QStringList { "++hotword=x.txt" } << 0 << "";
    QTest::newRow("check: an added option that is wrong")
        << QStringList { "check" } + shipped + QStringList { "--replica_check_interval=x" } << 1
        << "ctc_conv.yaml: error: 'replica_check_interval'";
    QTest::newRow("explain: a key added") << QStringList { "explain", good, "hotword",
        "++hotword=x.txt" } << 0 << "override, ++hotword=x.txt\n  read by   train::Trainer";
    QTest::newRow("plan: help") << QStringList { "plan", "--help" } << 0 << "\n  --runs-dir DIR ";
    QTest::newRow("explain: no such key")
        << QStringList { "explain", good, "sed" } << 1 << "did you mean 'seed'?";
    QTest::newRow("no such command") << QStringList { "chekc" } << 2 << "chekc";
}

void TstCheckCommands::command_exitsAndPrints()
{
    QFETCH(QStringList, arguments);
    QFETCH(int, code);
    QFETCH(QString, said);
    const Ended ended = runKymo(arguments);
    QVERIFY2((ended.output + ended.errors).contains(said),
        qPrintable(ended.output + "--\n" + ended.errors));
    QCOMPARE(ended.code, code);
}

/// SARIF 2.1.0: runs[0].results, each with its rule and place.
void TstCheckCommands::sarif_isForTheFile()
{
    const Ended ended = runKymo({ "check", recipe("layer_left_out.yaml"), "--format", "sarif" });
    QCOMPARE(ended.code, 1);
    const json log = json::parse(ended.output.toStdString());
    QCOMPARE(log.at("version").get<std::string>(), std::string("2.1.0"));
    const json& results = log.at("runs").at(0).at("results");
    const auto coverage = std::find_if(results.begin(), results.end(), [](const json& result) {
        return result.at("ruleId").get<std::string>().starts_with("coverage");
    });
    QVERIFY2(coverage != results.end(), qPrintable(ended.output));
    const json& place = coverage->at("locations").at(0).at("physicalLocation");
    QCOMPARE(place.at("region").at("startLine").get<int>(), 5);
    QVERIFY(QString::fromStdString(place.at("artifactLocation").at("uri").get<std::string>())
                .endsWith("layer_left_out.yaml"));
}

void TstCheckCommands::explain_namesTheOverrideAsTyped()
{
    const Ended ended = runKymo({ "explain", recipe("good.yaml"), "find_unused_parameters",
        "--find_unused_parameters=true", "--format", "json" });
    QCOMPARE(ended.code, 0);
    const json setting = json::parse(ended.output.toStdString()).at("settings").at(0);
    QCOMPARE(setting.at("key").get<std::string>(), std::string("find_unused_parameters"));
    QCOMPARE(setting.at("place").get<std::string>(), std::string("--find_unused_parameters=true"));
    QCOMPARE(setting.at("consumer").get<std::string>(), std::string("c10d::Reducer"));
}

void TstCheckCommands::resolved_resolvesToItself()
{
    const Ended once = runKymo({ "resolve", recipe("good.yaml") });
    QCOMPARE(once.code, 0);
    writeRecipe("resolved.yaml", once.output.toUtf8());
    const Ended twice = runKymo({ "resolve", recipe("resolved.yaml") });
    QCOMPARE(twice.code, 0);
    QCOMPARE(twice.output, once.output);
}

QTEST_GUILESS_MAIN(TstCheckCommands)
#include "tst_check_commands.moc"
