#include "tests/engine/program.h"
#include "tests/files.h"
#include "tests/registry.h"

#include <nlohmann/json.hpp>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <sys/stat.h>

using namespace earwright::tests;
using nlohmann::json;

namespace {

constexpr const char* kShipped = EARWRIGHT_SOURCE_DIR "/configs/fsdd/ctc_conv.yaml";
constexpr const char* kOfFunasr = EARWRIGHT_CASES_DIR "/check/foreign_seaco.yaml";
constexpr const char* kConvertFirst
    = "write it as a recipe first: earwright convert " EARWRIGHT_CASES_DIR
      "/check/foreign_seaco.yaml --out recipe.yaml";

/// "$" is the folder of the test.
constexpr struct {
    const char* name;
    const char* words[6];
    int code;
    const char* said;
} kCommands[] = {
    { "check: a layer left out", { "check", "$/layer_left_out.yaml" }, 1,
        "$/layer_left_out.yaml:5:1: error: 'ctc_lin'" },
    { "check: a shipped recipe", { "check", kShipped, "--no-files", "--data_folder=data" }, 0, "" },
    { "train: an option cut short", { "train", "$/good.yaml", "--run", "$/run" }, 1,
        "the recipe has no key 'run'; did you mean the option --run-dir?" },
    { "train: an option misspelt", { "train", "$/good.yaml", "--rum-dir=$/run" }, 1,
        "did you mean the option --run-dir?" },
    { "train: an option near a key", { "train", "$/good.yaml", "--device", "cpu" }, 1,
        "no key 'device'; did you mean the option --devices? [" },
    { "train: an option before a word that is one",
        { "train", "$/good.yaml", "--find_unused_parameters", "--devices", "cpu" }, 2,
        "'--find_unused_parameters' has no value; write --find_unused_parameters=value\n" },
    { "train: an option that is empty", { "train", "$/good.yaml", "--run-dir", "" }, 2,
        "--run-dir needs a value" },
    { "check: a flag misspelt", { "check", "$/good.yaml", "--no-flies" }, 2,
        "; did you mean --no-files?" },
    { "fp32,", { "compare", "--precisions", "fp32,", "$/good.yaml" }, 2, "has an empty place" },
    { "fp32, fp32", { "compare", "--precisions", "fp32, fp32", "$/good.yaml" }, 2,
        "has fp32 twice" },
    { "compare: one precision", { "compare", "--precision", "fp32,bf16", "$/good.yaml" }, 2,
        "write --precisions fp32,bf16" },
    { "average: an option misspelt", { "average", "--nmu" }, 2, "did you mean --num?" },
    { "runs --format xml", { "runs", "--format", "xml" }, 2, "--format is " },
    { "runs run --format json", { "runs", "run", "--format", "json" }, 2, "--format is " },
    { "runs: no folder", { "runs", "--runs-dir", "$/good.yaml" }, 3, "Not a directory" },
    { "stop: an option misspelt", { "stop", "run", "--run-dir=x" }, 2,
        "unknown option --run-dir=x" },
    { "pause: an option misspelt", { "pause", "run", "--run-dir=x" }, 2,
        "unknown option --run-dir=x" },
    { "runs: an option misspelt", { "runs", "run", "--run-dir=x" }, 2,
        "unknown option --run-dir=x" },
    { "resume: an option misspelt", { "resume", "run", "--run-dir=x" }, 2,
        "unknown option --run-dir=x" },
    { "check: does not parse", { "check", "$/broken.yaml" }, 1, "broken.yaml:1:4: error:" },
    { "check: no such file", { "check", "$/none.yaml" }, 1, "none.yaml" },
    { "check: unknown format", { "check", "$/good.yaml", "--format", "xml" }, 2, "sarif" },
    { "resolve: an override", { "resolve", "$/good.yaml", "lr=0.5" }, 0,
        "opt_class: !name:torch.optim.Adam\n  lr: 0.5\n" },
    { "check: a key to add",
        { "check", kShipped, "--no-files", "--data_folder=data", "--hotword=x.txt" }, 1,
        "ctc_conv.yaml: error: '--hotword=x.txt': the recipe has no key 'hotword', though it "
        "may have one; ++hotword=… adds it [unknown-override]\n\n" },
    { "check: a key added",
        { "check", kShipped, "--no-files", "--data_folder=data", "++hotword=x.txt" }, 0, "" },
    { "check: an added option that is wrong",
        { "check", kShipped, "--no-files", "--data_folder=data", "--replica_check_interval=x" }, 1,
        "ctc_conv.yaml: error: 'replica_check_interval'" },
    { "explain: a key added", { "explain", "$/good.yaml", "hotword", "++hotword=x.txt" }, 0,
        "override, ++hotword=x.txt\n  read by   train::Trainer" },
    { "plan: help", { "plan", "--help" }, 0, "\n  --runs-dir DIR " },
    { "explain: --hotword_wieght=3", { "explain", "$/good.yaml", "lr", "--hotword_wieght=3" }, 1,
        "[unknown-override]" },
    { "explain: ++opt_class.lrr=0.3", { "explain", "$/good.yaml", "lr", "++opt_class.lrr=0.3" }, 1,
        "[unknown-override]" },
    { "explain: without files",
        { "explain", "$/good.yaml", "--no-files", "--max_grad_norm=1", "max_grad_norm" }, 0,
        "max_grad_norm: 1.0" },
    { "train: an option twice",
        { "train", "$/good.yaml", "--eval_precision=bf16", "--eval_precision=fp16" }, 1,
        "leave one of them out [unknown-override]" },
    { "plan: a configuration of FunASR", { "plan", kOfFunasr }, 1, kConvertFirst },
    { "inspect: a configuration of FunASR", { "inspect", kOfFunasr }, 1, kConvertFirst },
    { "train: a configuration of FunASR", { "train", kOfFunasr }, 1, kConvertFirst },
    { "explain: no such key", { "explain", "$/good.yaml", "sed" }, 1, "did you mean 'seed'?" },
    { "no such command", { "chekc" }, 2, "unknown command 'chekc'; did you mean check?" },
};

} // namespace

/// The commands that only read a recipe, as a script calls them: exit codes and what is printed.
class TstCheckCommands : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void command_exitsAndPrints_data();
    void command_exitsAndPrints();
    void helpOnACommand_isWhatItsOptionPrints();
    void outputThatIsNotWritten_isAnError_data();
    void outputThatIsNotWritten_isAnError();
    void manifestWithoutUtterances_isToldOnce_data();
    void manifestWithoutUtterances_isToldOnce();
    void sarif_isForTheFile();
    void explain_namesTheOverrideAsTyped();
    void resolved_resolvesToItself();
    void recipeOfAPipe_isReadOnce();
    void convert_countsAReleasedModelsTokens();
    void convert_sparesItsSource_data();
    void convert_sparesItsSource();

private:
    QString recipe(const QString& name) const { return m_folder.filePath(name); }
    void writeRecipe(const QString& name, const QByteArray& text) const
    {
        writeFile(recipe(name), text);
    }

    QTemporaryDir m_folder;
};

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
    for (const auto& [name, words, code, said] : kCommands) {
        QStringList arguments;
        for (const char* word : words)
            if (word)
                arguments << QString(word).replace("$", m_folder.path());
        QTest::newRow(name) << arguments << code << QString(said).replace("$", m_folder.path());
    }
}

void TstCheckCommands::command_exitsAndPrints()
{
    QFETCH(QStringList, arguments);
    QFETCH(int, code);
    QFETCH(QString, said);
    const Ended ended = runEarwright(arguments);
    QVERIFY2((ended.output + ended.errors).contains(said),
        qPrintable(ended.output + "--\n" + ended.errors));
    QCOMPARE(ended.code, code);
}

void TstCheckCommands::outputThatIsNotWritten_isAnError_data()
{
    QTest::addColumn<QString>("redirection");
    QTest::addColumn<QString>("reason");
    QTest::newRow("full") << ">/dev/full"
                          << "No space left on device";
    QTest::newRow("closed") << ">&-"
                            << "Bad file descriptor";
}

void TstCheckCommands::outputThatIsNotWritten_isAnError()
{
    QFETCH(QString, redirection);
    QFETCH(QString, reason);
    QProcess shell;
    shell.start("sh",
        { "-c", "exec \"$0\" \"$@\" " + redirection, earwrightProgram(), "resolve",
            recipe("good.yaml") });
    QVERIFY(shell.waitForFinished());
    QCOMPARE(QString::fromUtf8(shell.readAllStandardError()),
        "earwright: cannot write to standard output: " + reason + "\n");
    QCOMPARE(shell.exitCode(), 3);
}

void TstCheckCommands::manifestWithoutUtterances_isToldOnce_data()
{
    QTest::addColumn<QByteArray>("manifest");
    QTest::addColumn<QString>("said");
    QTest::newRow("rows") << QByteArray("ID,duration,wav,spk_id,wrd\n")
                          << "dev.csv' lists no utterance [data-manifest]";
    QTest::newRow("column") << QByteArray("ID,duration,wav,spk_id\na,1,a.wav,s\n")
                            << "dev.csv' has no column 'wrd'";
    QTest::newRow("empty") << QByteArray() << "its first line is empty";
}

void TstCheckCommands::manifestWithoutUtterances_isToldOnce()
{
    QFETCH(QByteArray, manifest);
    QFETCH(QString, said);
    // Of the others is said that their sound is not there.
    for (const char* split : { "train.csv", "test.csv" })
        writeRecipe(split, "ID,duration,wav,spk_id,wrd\n" + QByteArray(split) + ",1,a.wav,,ONE\n");
    writeRecipe("dev.csv", manifest);
    const Ended ended = runEarwright({ "check", EARWRIGHT_SOURCE_DIR "/configs/fsdd/ctc_conv.yaml",
        "--data_folder=" + m_folder.path() });
    QCOMPARE(ended.code, 1);
    QVERIFY2(ended.errors.contains(said), qPrintable(ended.errors));
    const QRegularExpression ofDev("\\[(data-manifest|manifest-missing-column)\\]");
    QCOMPARE(ended.errors.count(ofDev), 1);
}

/// SARIF 2.1.0: runs[0].results, each with its rule and place.
void TstCheckCommands::sarif_isForTheFile()
{
    const Ended ended
        = runEarwright({ "check", recipe("layer_left_out.yaml"), "--format", "sarif" });
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
    const Ended ended = runEarwright({ "explain", recipe("good.yaml"), "find_unused_parameters",
        "--find_unused_parameters=true", "--format", "json" });
    QCOMPARE(ended.code, 0);
    const json setting = json::parse(ended.output.toStdString()).at("settings").at(0);
    QCOMPARE(setting.at("key").get<std::string>(), std::string("find_unused_parameters"));
    QCOMPARE(setting.at("place").get<std::string>(), std::string("--find_unused_parameters=true"));
    QCOMPARE(setting.at("consumer").get<std::string>(), std::string("c10d::Reducer"));
}

void TstCheckCommands::resolved_resolvesToItself()
{
    const Ended once = runEarwright({ "resolve", recipe("good.yaml") });
    QCOMPARE(once.code, 0);
    writeRecipe("resolved.yaml", once.output.toUtf8());
    const Ended twice = runEarwright({ "resolve", recipe("resolved.yaml") });
    QCOMPARE(twice.code, 0);
    QCOMPARE(twice.output, once.output);
}

void TstCheckCommands::helpOnACommand_isWhatItsOptionPrints()
{
    const Ended help = runEarwright({ "help", "train" });
    QCOMPARE(help.code, 0);
    QVERIFY2(help.output.contains("usage: earwright train RECIPE"), qPrintable(help.output));
    QCOMPARE(help.output, runEarwright({ "train", "--help" }).output);
    const Ended none = runEarwright({ "help", "trian" });
    QCOMPARE(none.code, 2);
    QVERIFY2(none.errors.contains("did you mean train?"), qPrintable(none.errors));
}

/// Findings are told without the lines they are in.
void TstCheckCommands::recipeOfAPipe_isReadOnce()
{
    QCOMPARE(::mkfifo(qPrintable(recipe("pipe.yaml")), 0600), 0);
    QProcess writer;
    writer.start(
        "sh", { "-c", R"(cat "$0" > "$1")", recipe("layer_left_out.yaml"), recipe("pipe.yaml") });
    const Ended ended = runEarwright({ "check", recipe("pipe.yaml") });
    QCOMPARE(ended.code, 1);
    QVERIFY2(ended.errors.contains("pipe.yaml:5:1: error: 'ctc_lin'"), qPrintable(ended.errors));
    QVERIFY(writer.waitForFinished());
}

void TstCheckCommands::convert_countsAReleasedModelsTokens()
{
    const Ended ended = runEarwright(
        { "convert", EARWRIGHT_CASES_DIR "/adapter/released/config.yaml", "++max_grad_norm=2" });
    QCOMPARE(ended.code, 0);
    QVERIFY2(ended.output.contains("\nvocab_size: 6\n"), qPrintable(ended.output));
    QVERIFY2(ended.output.contains("\nmax_grad_norm: 2\n"), qPrintable(ended.output));
    QVERIFY2(ended.errors.contains("no 'lm.pt' beside it"), qPrintable(ended.errors));
}

void TstCheckCommands::convert_sparesItsSource_data()
{
    QTest::addColumn<QString>("out");
    const QByteArray text = bytesOf(EARWRIGHT_CASES_DIR "/check/foreign_seaco.yaml");
    writeRecipe("seaco.yaml", text);
    QVERIFY(QFile::link("seaco.yaml", recipe("link.yaml")));
    for (const char* name : { "seaco.yaml", "./seaco.yaml", "link.yaml" })
        QTest::newRow(name) << recipe(name);
}

void TstCheckCommands::convert_sparesItsSource()
{
    QFETCH(QString, out);
    const QString source = recipe("seaco.yaml");
    const QByteArray before = bytesOf(source);
    const Ended ended = runEarwright({ "convert", source, "--out", out });
    QCOMPARE(ended.code, 2);
    QVERIFY2(ended.errors.contains("which is to be read"), qPrintable(ended.errors));
    QCOMPARE(bytesOf(source), before);
    QCOMPARE(bytesOf(out), before);
}

EARWRIGHT_TEST(TstCheckCommands)
#include "tst_check_commands.moc"
