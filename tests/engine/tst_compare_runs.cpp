#include "core/base/file.h"
#include "core/recipe/resolve.h"
#include "core/run/event_log.h"
#include "core/run/utterances.h"
#include "core/score/text_scores.h"
#include "tests/engine/program.h"
#include "tests/files.h"
#include "tests/registry.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <QTemporaryDir>

using namespace earwright;
using namespace earwright::tests;
using nlohmann::json;

namespace {

constexpr int kUtterances = 120;
constexpr const char* kReference = "turn the kitchen light on";

/// Of the wrong ones this has the most characters wrong, and one word like the others.
constexpr int kWrongest = 100;

/// Utterances of five words, of which the last `wrong` have one wrong. In no order that a column
/// gives: their IDs count down.
std::vector<run::Utterance> utterances(int wrong, const std::string& reference = kReference)
{
    std::vector<run::Utterance> rows;
    for (int i = 0; i < kUtterances; ++i) {
        const std::string id = "u" + std::to_string(kUtterances - 1 - i);
        const std::string heard = i < kUtterances - wrong ? reference
            : i == kWrongest                              ? "turn the strawberry light on"
                                                          : "turn the chicken light on";
        const score::TextScores scores
            = score::scoreTexts({ { id, reference, heard } }, score::WordSplit::WhiteSpace);
        rows.push_back({ .id = id,
            .speaker = i % 2 == 0 ? "bob" : "=ann",
            .seconds = 1.5 + i * 7 % kUtterances,
            .sound = "sounds/" + id + ".flac",
            .reference = reference,
            .hypothesis = heard,
            .byWord = score::summarise(scores.byWord),
            .byCharacter = score::summarise(scores.byCharacter) });
    }
    return rows;
}

plan::Plan smallPlan(const QString& recipe = "lr: 0.1\n", int seed = 1986)
{
    plan::Plan plan;
    plan.name = "lights";
    plan.recipeFile = "lights.yaml";
    plan.recipeText = recipe.toStdString();
    plan.setRecipe(recipe::resolve(plan.recipeText, plan.recipeFile, {}).root, {});
    plan.options.seed = seed;
    plan.devices = { "cpu" };
    return plan;
}

/// A finished run with a validation and a test, as training leaves it.
struct WrittenRun {
    std::vector<run::Utterance> test;
    std::string precision = "fp32";
    std::string device = "cpu";
    double lossOfStep8 = 1;
    std::string rate = "WER";
    QString recipe = "lr: 0.1\n";
    int seed = 1986;
    double secondsAStep = 0;
    double watts = 0; ///< 0 = unknown
    double gradientOfStep6 = 3;
};

/// A recipe with two settings, one of which names a folder.
QString seeded(int seed, double rate)
{
    return QString("seed: %1\noutput_folder: !ref results/<seed>\nlr: %2\n").arg(seed).arg(rate);
}

/// Of one GPU, every five seconds, as the supervisor does it.
void logPower(const run::RunFolder& folder, double watts, std::pair<double, double> times)
{
    const auto writer = run::EventWriter::open(folder.events(-1), -1);
    QVERIFY(writer);
    for (double time = times.first; time <= times.second; time += 5)
        (*writer)->write({ time, run::Scalar { "system/gpu0_watts", 0, watts } });
    (*writer)->flush();
}

void write(const QString& path, const WrittenRun& what)
{
    const auto folder = run::createRunFolder(path.toStdString(), smallPlan(what.recipe, what.seed));
    QVERIFY2(folder, folder ? "" : folder.error().message.c_str());
    const auto writer = run::EventWriter::open(folder->events(0), 0);
    QVERIFY(writer);
    double time = 1000;
    const auto log = [&](const run::Payload& payload) { (*writer)->write({ time, payload }); };
    log(run::RunStarted { .name = "lights",
        .precision = what.precision,
        .devices = { what.device },
        .numberOfEpochs = 1,
        .stepsPerEpoch = 10 });
    for (int64_t step = 1; step <= 10; ++step) {
        time += what.secondsAStep;
        log(run::Scalar { "train/loss", step, step == 8 ? what.lossOfStep8 : 2 });
        log(run::Scalar { "train/grad_norm", step, step == 6 ? what.gradientOfStep6 : 3 });
        log(run::Scalar { "train/it_per_s", step, what.precision == "bf16" ? 8.0 : 4.0 });
    }
    if (what.watts > 0)
        logPower(*folder, what.watts, { 1000, time });
    for (const char* split : { "valid", "test" }) {
        score::ErrorRate sums[2];
        for (const run::Utterance& row : what.test) {
            sums[0].add(*row.byWord);
            sums[1].add(*row.byCharacter);
        }
        const run::Evaluated evaluated { .split = split,
            .epoch = 1,
            .step = 10,
            .wer = sums[0].percent(),
            .cer = sums[1].percent(),
            .alignmentsFile = "alignments/" + std::string(split) + ".txt",
            .rate = what.rate };
        if (what.secondsAStep > 0)
            log(run::Scalar { split + ("/" + what.rate), 10, evaluated.percent() });
        std::filesystem::create_directories(folder->alignments());
        QVERIFY(writeFileAtomically(
            run::utterancesFile(*folder, evaluated), run::utterancesText(what.test)));
        log(evaluated);
    }
    log(run::Finished { "done", "" });
    (*writer)->flush();
}

} // namespace

/// What runs recognised, and how they differ, on the command line.
class TstCompareRuns : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void utterances_areATable();
    void utterances_areSorted_data();
    void utterances_areSorted();
    void utterances_areJson();
    void verdict_saysWhatIsBeyondChance();
    void numbers_areThereAsJson();
    void formats_holdTheSameTable_data();
    void formats_holdTheSameTable();
    void marksOfAFormat_areEscaped_data();
    void marksOfAFormat_areEscaped();
    void runs_areCalledByTheirFolders();
    void segmentsThatDifferAlike_areTold();
    void editsOfOtherUnits_areNotSubtracted();
    void firstRunWithoutTexts_isTold();
    void runsThatHeardOtherTexts_haveNoVerdict();
    void baseline_comesFirst();
    void timeAndEnergy_standBesideTheRates();
    void gradientsThatPartFirst_areTold();
    void runsOfOtherSeeds_areAveraged();
    void averages_areThereAsJson();
    void wrongWords_areTold_data();
    void wrongWords_areTold();
    void manyRuns_areNotAllNamed();

private:
    QString path(const QString& name) const { return m_folder.filePath(name); }
    Ended compared(const QStringList& more) const
    {
        return runEarwright(QStringList { "compare", "--runs-dir", m_folder.path() } + more);
    }

    QTemporaryDir m_folder;
    /// A folder of this name is a formula in a spreadsheet.
    const QString m_marks = QStringLiteral("=1+2|a_b<c*d&e%f$g#h{i}j~k^l\\m>n\"o,p`q[r");
};

void TstCompareRuns::initTestCase()
{
    QVERIFY2(QFile::exists(earwrightProgram()), "bin/earwright is not built");
    write(path("a-fp32"), { .test = utterances(5) });
    write(path("b-bf16"),
        { .test = utterances(60), .precision = "bf16", .device = "cuda:0", .lossOfStep8 = 1.5 });
    write(path("c-again"), { .test = utterances(5) });
    write(path("d-other"), { .test = utterances(0, "turn it off") });
    write(path("e-right"), { .test = utterances(0) });
    write(path("f-characters"), { .test = utterances(5), .rate = "CER" });
    write(path("g-gone"), { .test = utterances(5) });
    QVERIFY(QFile::remove(path("g-gone/alignments/test-utterances.tsv")));
    write(path(m_marks), { .test = utterances(60) });
    write(path("h-tf32"),
        { .test = utterances(6), .precision = "tf32", .secondsAStep = 6, .watts = 300 });
    write(path("i-timed"),
        { .test = utterances(12), .secondsAStep = 12, .watts = 150, .gradientOfStep6 = 4 });
    for (const int seed : { 1, 2, 3 })
        write(path(QString("s%1").arg(seed)),
            { .test = utterances(6 * seed), .recipe = seeded(seed, 0.5), .seed = seed });
    write(path("s4"), { .test = utterances(24), .recipe = seeded(4, 0.25), .seed = 4 });
}

void TstCompareRuns::utterances_areATable()
{
    const Ended ended = runEarwright({ "utterances", path("a-fp32") });
    QVERIFY2(ended.code == 0, qPrintable(ended.errors));
    const QStringList lines = ended.output.split('\n', Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), kUtterances + 1);
    QCOMPARE(lines[0],
        "id,speaker,seconds,WER,CER,tokens,substitutions,deletions,insertions,reference,"
        "hypothesis,missed_hotwords,sound,part");
    QCOMPARE(lines[1],
        "u119,bob,1.5,0.00,0.00,5,0,0,0,turn the kitchen light on,turn the kitchen light on,,"
        "sounds/u119.flac,");
    QVERIFY2(
        lines[kUtterances].startsWith("u0,'=ann,114.5,20.00,"), qPrintable(lines[kUtterances]));
}

void TstCompareRuns::utterances_areSorted_data()
{
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("first");
    QTest::newRow("seconds") << "seconds"
                             << "u102,'=ann,120.5,";
    QTest::newRow("wer") << "wer"
                         << "u59,";
    QTest::newRow("cer") << "cer"
                         << "u19,";
    QTest::newRow("edits") << "edits"
                           << "u59,";
    QTest::newRow("speaker") << "speaker"
                             << "u118,'=ann";
    QTest::newRow("id") << "id"
                        << "u0,";
}

void TstCompareRuns::utterances_areSorted()
{
    QFETCH(QString, key);
    QFETCH(QString, first);
    const Ended ended = runEarwright({ "utterances", "b-bf16", "--runs-dir", m_folder.path(),
        "--sort", key, "--split", "valid" });
    QVERIFY2(ended.code == 0, qPrintable(ended.errors));
    QVERIFY2(ended.output.section('\n', 1, 1).startsWith(first),
        qPrintable(ended.output.section('\n', 1, 1)));
}

void TstCompareRuns::utterances_areJson()
{
    const Ended ended
        = runEarwright({ "utterances", path("a-fp32"), "--epoch", "1", "--format", "json" });
    QVERIFY2(ended.code == 0, qPrintable(ended.errors));
    const json rows = json::parse(ended.output.toStdString(), nullptr, false);
    QCOMPARE(rows.size(), size_t(kUtterances));
    QCOMPARE(rows[0].value("substitutions", -1), 0);
    QCOMPARE(rows.back().value("speaker", ""), std::string("=ann"));
    QCOMPARE(rows.back().value("substitutions", -1), 1);
    QCOMPARE(rows.back().value("WER", -1.0), 20.0);
}

void TstCompareRuns::verdict_saysWhatIsBeyondChance()
{
    const Ended ended = compared({ "--runs", "a-fp32", "b-bf16", "c-again" });
    QVERIFY2(ended.code == 0, qPrintable(ended.errors));
    for (const char* said : { "test: b-bf16 is worse by ",
             " points of WER (p < 0.001, 120 utterances)", "; MAPSSWE p < 0.001 over ",
             "test, c-again: no difference beyond chance (p = 1.00, 120 utterances)\n",
             "a-fp32 and b-bf16 have different losses from step 8 on: 1 and 1.5; the same ones at "
             "the steps before\n",
             "a-fp32 and c-again have the same loss at all 10 steps that both logged\n",
             "speed of b-bf16: they ran on cpu and cuda:0: the ratio compares the machines too\n",
             "speed of c-again: of recorded steps, not measured side by side" })
        QVERIFY2(ended.output.contains(said), qPrintable(said + ("\nin\n" + ended.output)));
    QVERIFY(ended.output.section('\n', 2, 2).contains("+55")); // substitutions more
    QVERIFY(ended.output.section('\n', 2, 2).contains("8.00  2.00")); // it/s and their ratio
}

void TstCompareRuns::numbers_areThereAsJson()
{
    const Ended ended
        = compared({ "--runs", "a-fp32", "b-bf16", "--split", "valid", "--format", "json" });
    QVERIFY2(ended.code == 0, qPrintable(ended.errors));
    const json said = json::parse(ended.output.toStdString(), nullptr, false);
    QVERIFY(said.is_object());
    const json& verdict = said["evaluations"][1]["verdict"];
    QVERIFY(said["evaluations"][1].value("split", "") == "valid");
    QVERIFY(verdict.value("beyond_chance", false));
    QVERIFY(verdict.value("low", 0.0) > 0);
    QVERIFY(verdict.value("low", 0.0) < verdict.value("difference", 0.0));
    QCOMPARE(verdict.value("utterances", 0), kUtterances);
    QVERIFY(verdict["mapsswe"].value("segments", 0) > 0);
    QCOMPARE(said["runs"][1].value("first_different_loss_step", 0), 8);
    QCOMPARE(said["runs"][1].value("same_loss_steps", 0), 7);
    QVERIFY(!said["runs"][0].contains("same_loss_steps"));
    QCOMPARE(said["runs"][1].value("speed_ratio", 0.0), 2.0);
}

void TstCompareRuns::formats_holdTheSameTable_data()
{
    QTest::addColumn<QString>("format");
    QTest::addColumn<QString>("beginning");
    QTest::addColumn<bool>("hasVerdict");
    QTest::newRow("markdown") << "markdown"
                              << "| evaluation | run | epoch | WER % | " << true;
    QTest::newRow("csv") << "csv"
                         << "evaluation,run,epoch,WER %,difference," << false;
    QTest::newRow("latex") << "latex"
                           << "\\begin{tabular}{" << true;
}

void TstCompareRuns::formats_holdTheSameTable()
{
    QFETCH(QString, format);
    QFETCH(QString, beginning);
    QFETCH(bool, hasVerdict);
    const Ended ended = compared({ "--runs", "a-fp32", "b-bf16", "--format", format });
    QVERIFY2(ended.code == 0, qPrintable(ended.errors));
    QVERIFY2(ended.output.startsWith(beginning), qPrintable(ended.output));
    QVERIFY2(ended.output.contains("b-bf16"), qPrintable(ended.output));
    QCOMPARE(ended.output.contains("is worse by"), hasVerdict);
}

void TstCompareRuns::marksOfAFormat_areEscaped_data()
{
    QTest::addColumn<QString>("format");
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("times"); // in a row of the table, and in the sentences below
    QTest::newRow("markdown") << "markdown"
                              << R"(=1+2\|a\_b\<c\*d&e%f$g#h{i}j~k^l\\m>n"o,p\`q\[r)" << 4;
    QTest::newRow("latex") << "latex"
                           << R"(=1+2|a\_b\textless{}c*d\&e\%f\$g\#h\{i\}j\textasciitilde{})"
                              R"(k\textasciicircum{}l\textbackslash{}m\textgreater{}n"o,p`q[r)"
                           << 4;
    QTest::newRow("csv") << "csv"
                         << R"(test,"'=1+2|a_b<c*d&e%f$g#h{i}j~k^l\m>n""o,p`q[r",1,)" << 1;
}

void TstCompareRuns::marksOfAFormat_areEscaped()
{
    QFETCH(QString, format);
    QFETCH(QString, name);
    const Ended ended = compared({ "--runs", "a-fp32", m_marks, "--format", format });
    QVERIFY2(ended.code == 0, qPrintable(ended.errors));
    QTEST(int(ended.output.count(name)), "times");
}

void TstCompareRuns::runs_areCalledByTheirFolders()
{
    const Ended ended
        = compared({ "--runs", path("a-fp32") + "/", path("b-bf16/../c-again/."), "e-right" });
    QVERIFY2(ended.code == 0, qPrintable(ended.errors));
    for (const char* said :
        { "a-fp32 and c-again have the same loss", "a-fp32 and e-right have the same loss" })
        QVERIFY2(ended.output.contains(said), qPrintable(ended.output));
}

void TstCompareRuns::segmentsThatDifferAlike_areTold()
{
    const Ended ended = compared({ "--runs", "a-fp32", "e-right" });
    QVERIFY2(ended.code == 0, qPrintable(ended.errors));
    QVERIFY2(ended.output.contains("; MAPSSWE cannot tell: all 5 segments differ alike\n"),
        qPrintable(ended.output));
    const Ended same = compared({ "--runs", "a-fp32", "c-again" });
    QVERIFY2(!same.output.contains("cannot tell"), qPrintable(same.output));
}

void TstCompareRuns::editsOfOtherUnits_areNotSubtracted()
{
    const Ended ended = compared({ "--runs", "a-fp32", "f-characters", "--format", "csv" });
    QCOMPARE(ended.code, 1);
    QVERIFY2(ended.errors.contains("no verdict: a-fp32 is judged by its WER and f-characters by "
                                   "its CER"),
        qPrintable(ended.errors));
    const QStringList cells = ended.output.section('\n', 2, 2).split(',');
    QVERIFY2(cells.size() > 12 && cells[1] == "f-characters", qPrintable(ended.output));
    QCOMPARE(cells[6], "+0.00"); // of the CER, which both have
    for (const int place : { 4, 8, 10, 12 })
        QCOMPARE(cells[place], "");
}

void TstCompareRuns::firstRunWithoutTexts_isTold()
{
    const Ended ended = compared({ "--runs", "g-gone", "a-fp32" });
    QCOMPARE(ended.code, 1);
    QVERIFY2(ended.errors.contains(
                 "test, a-fp32: no verdict: the first run's texts could not be read: "),
        qPrintable(ended.errors));
    QVERIFY2(ended.errors.contains("alignments/test.txt"), qPrintable(ended.errors));
    QVERIFY(ended.output.contains("a-fp32"));
}

void TstCompareRuns::runsThatHeardOtherTexts_haveNoVerdict()
{
    const Ended ended = compared({ "--runs", "a-fp32", "d-other" });
    QCOMPARE(ended.code, 1);
    QVERIFY2(
        ended.errors.contains("test, d-other: no verdict: the references of 120 utterances "
                              "differ, first of 'u119': 'turn the kitchen light on' and 'turn it "
                              "off'"),
        qPrintable(ended.errors));
    QVERIFY(ended.output.contains("d-other"));
    QVERIFY(!ended.output.contains("difference beyond chance"));
}

void TstCompareRuns::baseline_comesFirst()
{
    for (const QStringList& names :
        { QStringList { "b-bf16", "a-fp32" }, QStringList { "b-bf16" } }) {
        const Ended ended
            = compared(QStringList { "--runs" } + names + QStringList { "--baseline", "a-fp32" });
        QVERIFY2(ended.code == 0, qPrintable(ended.errors));
        QVERIFY2(ended.output.contains("test: b-bf16 is worse by "), qPrintable(ended.output));
        QVERIFY(ended.output.section('\n', 1, 1).contains("a-fp32"));
    }
    const Ended alone = compared({ "--runs", "a-fp32", "--baseline", path("a-fp32/.") });
    QCOMPARE(alone.code, 1);
    QVERIFY2(alone.errors.contains("is the baseline: name a run to hold against it"),
        qPrintable(alone.errors));
}

/// 60 s at 300 W and 120 s at 150 W are 5 Wh each.
void TstCompareRuns::timeAndEnergy_standBesideTheRates()
{
    const Ended ended = compared({ "--runs", "a-fp32", "h-tf32", "i-timed", "--format", "csv" });
    QVERIFY2(ended.code == 0, qPrintable(ended.errors));
    const QStringList lines = ended.output.split('\n');
    QVERIFY2(lines[0].endsWith("it/s,ratio,to tf32,minutes,difference,Wh,difference,p,MAPSSWE p"),
        qPrintable(ended.output));
    QVERIFY2(lines[1].endsWith(",4.00,1.00,1.00,,,,,,"), qPrintable(ended.output));
    QVERIFY2(lines[2].contains(",4.00,1.00,1.00,1.00,,5.00,,"), qPrintable(ended.output));
    const Ended timed = compared({ "--runs", "h-tf32", "i-timed" });
    QVERIFY2(timed.output.contains(
                 "i-timed was never as good as h-tf32's best validation, 1.00 % WER\n"),
        qPrintable(timed.output));
    QVERIFY2(!timed.output.contains("to tf32"), qPrintable(timed.output)); // it is the ratio
    const Ended turned = compared({ "--runs", "i-timed", "h-tf32" });
    QVERIFY2(turned.output.contains("h-tf32 was as good as i-timed's best validation, 2.00 % WER, "
                                    "after 1.00 min and 5.0 Wh; i-timed after 2.00 min and 5.0 "
                                    "Wh\n"),
        qPrintable(turned.output));
}

void TstCompareRuns::gradientsThatPartFirst_areTold()
{
    const Ended ended = compared({ "--runs", "a-fp32", "i-timed", "s1" });
    QVERIFY2(ended.output.contains("a-fp32 and i-timed have the same loss at all 10 steps that "
                                   "both logged; their gradients differ in norm from step 6 on\n"),
        qPrintable(ended.output));
    const Ended others = compared({ "--runs", "b-bf16", "s1" });
    QVERIFY2(others.output.contains("; they took other batches: seed 1986 and 1\n"),
        qPrintable(others.output));
}

/// WERs of 1, 2 and 3 % have a mean of 2 and a standard deviation of 1.
void TstCompareRuns::runsOfOtherSeeds_areAveraged()
{
    const Ended ended = compared(
        { "--runs", "s1", "s2", "s3", "s4", "--group-by", "seed", "--format", "markdown" });
    QVERIFY2(ended.code == 0, qPrintable(ended.errors));
    const QStringList lines = ended.output.split('\n');
    QVERIFY2(
        lines[0].startsWith("| evaluation | first run | seed | runs | WER % | ± | difference "),
        qPrintable(lines[0]));
    QVERIFY2(
        lines[2].startsWith("| test | s1 | 1, 2, 3 | 3 | 2.00 | 1.00 |  | "), qPrintable(lines[2]));
    QVERIFY2(lines[3].startsWith("| test | s4 | 4 | 1 | 4.00 |  | +2.00 | "), qPrintable(lines[3]));
    for (const char* note : { "- s4 differs from s1 in lr besides seed\n",
             "- s4 is alone: no other run differs from it in seed only\n" })
        QVERIFY2(ended.output.contains(note), qPrintable(ended.output));
}

void TstCompareRuns::averages_areThereAsJson()
{
    const Ended ended
        = compared({ "--runs", "s4", "s1", "s3", "--group-by", "seed", "--format", "json" });
    QVERIFY2(ended.code == 0, qPrintable(ended.errors));
    const json said = json::parse(ended.output.toStdString(), nullptr, false);
    QVERIFY(said.is_object());
    QCOMPARE(said["groups"].size(), size_t(2));
    QCOMPARE(said["groups"][1]["runs"].dump(), std::string(R"(["s1","s3"])"));
    QCOMPARE(said["evaluations"][1].value("wer", 0.0), 2.0);
    QVERIFY(std::abs(said["evaluations"][1].value("wer_deviation", 0.0) - std::sqrt(2.0)) < 1e-9);
    QVERIFY(said["evaluations"][0]["wer_deviation"].is_null());
    QVERIFY(said["evaluations"][1]["watt_hours"].is_null());
}

void TstCompareRuns::wrongWords_areTold_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("said");
    const auto row = [](const char* name, const QStringList& words, int code, const char* said) {
        QTest::newRow(name) << words << code << said;
    };
    row("one run", { "compare", "--runs", "a" }, 2, "name two runs or more: --runs A B");
    row("neither", { "compare" }, 2, "or runs that are there: --runs A B");
    row("both", { "compare", "--runs", "a", "b", "--precisions", "fp32" }, 2,
        "unknown option --precisions");
    row("format", { "compare", "--runs", "a", "b", "--format", "pdf" }, 2,
        "--format is text, markdown, csv, latex or json, not 'pdf'");
    row("epoch", { "compare", "--runs", "a", "b", "--epoch", "x" }, 2,
        "--epoch is the number of an epoch, not 'x'");
    row("baseline of none", { "compare", "--runs", "--baseline", "a" }, 2,
        "name two runs or more: --runs A B");
    row("no such key", { "compare", "--runs", "s1", "s2", "--group-by", "sead", "--runs-dir", "$" },
        1, "the recipe of s1 has no key 'sead', and no run option is called so");
    row("no such run", { "compare", "--runs", "a", "b", "--runs-dir", "$" }, 1, "no run 'a' here");
    row("stop: a name misspelt", { "stop", "a-fp23", "--runs-dir", "$" }, 1,
        "; did you mean a-fp32?");
    row("utterances of none", { "utterances" }, 2, "name a run");
    row("sort", { "utterances", "a-fp32", "--sort", "loss" }, 2,
        "--sort is one of id, speaker, seconds, wer, cer, edits, not 'loss'");
    row("table", { "utterances", "a-fp32", "--format", "text" }, 2, "--format is csv or json");
    row("split", { "utterances", "$/a-fp32", "--split", "dev" }, 1,
        "there is no evaluation 'dev'; there are: test of epoch 1; valid of epoch 1");
}

void TstCompareRuns::wrongWords_areTold()
{
    QFETCH(QStringList, words);
    QFETCH(int, code);
    QFETCH(QString, said);
    words.replaceInStrings("$", m_folder.path());
    const Ended ended = runEarwright(words);
    QVERIFY2(ended.errors.contains(said), qPrintable(ended.errors));
    QCOMPARE(ended.code, code);
}

void TstCompareRuns::manyRuns_areNotAllNamed()
{
    QTemporaryDir folder;
    for (int i = 0; i < 8; ++i)
        QVERIFY(run::createRunFolder(
            folder.filePath(QString("run-%1").arg(i)).toStdString(), smallPlan()));
    const Ended ended = runEarwright({ "stop", "quite another", "--runs-dir", folder.path() });
    QCOMPARE(ended.code, 1);
    QVERIFY2(ended.errors.contains(" and 3 more"), qPrintable(ended.errors));
    QCOMPARE(ended.errors.count("run-"), 5);
}

EARWRIGHT_TEST(TstCompareRuns)
#include "tst_compare_runs.moc"
