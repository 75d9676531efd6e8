#include "core/base/file.h"
#include "core/recipe/resolve.h"
#include "core/run/event_log.h"
#include "core/run/utterances.h"
#include "core/score/text_scores.h"
#include "tests/engine/refusals.h"
#include "tests/files.h"
#include "tests/registry.h"

#include <nlohmann/json.hpp>
#include <QTemporaryDir>

using namespace earwright;
using namespace earwright::tests;
using nlohmann::json;

namespace {

run::Utterance spoken(const std::string& id, const std::string& speaker, double seconds,
    const std::string& reference, const std::string& heard)
{
    const score::TextScores scores
        = score::scoreTexts({ { id, reference, heard } }, score::WordSplit::WhiteSpace);
    return { .id = id,
        .speaker = speaker,
        .seconds = seconds,
        .reference = reference,
        .hypothesis = heard,
        .byWord = score::summarise(scores.byWord),
        .byCharacter = score::summarise(scores.byCharacter) };
}

/// A finished run with a test.
void writeRun(const QString& path)
{
    plan::Plan plan;
    plan.name = "lights";
    plan.recipeFile = "lights.yaml";
    plan.recipeText = "lr: 0.1\n";
    plan.setRecipe(recipe::resolve(plan.recipeText, plan.recipeFile, {}).root, {});
    plan.devices = { "cpu" };
    const auto folder = run::createRunFolder(path.toStdString(), plan);
    QVERIFY2(folder, folder ? "" : folder.error().message.c_str());
    const run::Evaluated evaluated {
        .split = "test", .epoch = 1, .step = 10, .alignmentsFile = "alignments/test.txt"
    };
    std::filesystem::create_directories(folder->alignments());
    QVERIFY(writeFileAtomically(run::utterancesFile(*folder, evaluated),
        run::utterancesText({ spoken("u1", "ann", 1, "light on", "light of"),
            spoken("u2", "bob", 2.5, "lamp on", "lamp of"),
            spoken("u3", "ann", 3, "all is well", "all is well") })));
    const auto writer = run::EventWriter::open(folder->events(0), 0);
    QVERIFY(writer);
    (*writer)->write({ 1000, run::RunStarted { .name = "lights", .devices = { "cpu" } } });
    (*writer)->write({ 1001, evaluated });
    (*writer)->write({ 1002, run::Finished { "done", "" } });
    (*writer)->flush();
}

} // namespace

/// Tables of errors, manifests and corrections on the command line.
class TstUtteranceCommands : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void confusions_areCounted();
    void errors_areGrouped_data();
    void errors_areGrouped();
    void manifest_isATable();
    void corrections_makeANewManifest();
    void corrections_areOfTheNamedColumn();
    void wrongWords_areTold_data();
    void wrongWords_areTold() { verifyRefusal(); }

private:
    QString path(const QString& name) const { return m_folder.filePath(name); }

    QTemporaryDir m_folder;
};

void TstUtteranceCommands::initTestCase()
{
    QVERIFY2(QFile::exists(earwrightProgram()), "bin/earwright is not built");
    writeRun(path("run"));
    writeFile(path("train.csv"),
        "ID,duration,wav,spk_id,wrd\nu1,1.5,a.wav,ann,light on\nu2,2,b.wav,bob,light on\n");
}

void TstUtteranceCommands::confusions_areCounted()
{
    const Ended csv
        = runEarwright({ "utterances", path("run"), "--confusions", "--format", "csv" });
    QVERIFY2(csv.code == 0, qPrintable(csv.errors));
    QCOMPARE(csv.output, QString("count,utterances,reference,hypothesis\n2,2,on,of\n"));
    const Ended text = runEarwright({ "utterances", path("run"), "--confusions" });
    QVERIFY2(text.output.contains("on"), qPrintable(text.output));
    const Ended ended
        = runEarwright({ "utterances", path("run"), "--confusions", "--format", "json" });
    const json rows = json::parse(ended.output.toStdString(), nullptr, false);
    QCOMPARE(rows.size(), size_t(1));
    QCOMPARE(rows[0].value("reference", ""), std::string("on"));
    QCOMPARE(rows[0].value("count", 0), 2);
}

void TstUtteranceCommands::errors_areGrouped_data()
{
    QTest::addColumn<QString>("by");
    QTest::addColumn<QString>("lines");
    const QString columns(
        ",utterances,total_seconds,WER,tokens,substitutions,deletions,insertions\n");
    QTest::newRow("speaker") << "speaker"
                             << "speaker" + columns
            + "bob,1,2.50,50.00,2,1,0,0\nann,2,4.00,20.00,5,1,0,0\n";
    QTest::newRow("seconds") << "seconds"
                             << "seconds" + columns
            + "1 to 2,1,1.00,50.00,2,1,0,0\n2 to 4,2,5.50,20.00,5,1,0,0\n";
    QTest::newRow("rate") << "rate"
                          << "rate" + columns
            + "0 to 1,1,2.50,50.00,2,1,0,0\n1 to 1.5,1,3.00,0.00,3,0,0,0\n"
              "2 to 2.5,1,1.00,50.00,2,1,0,0\n";
}

void TstUtteranceCommands::errors_areGrouped()
{
    QFETCH(QString, by);
    const Ended csv = runEarwright({ "utterances", path("run"), "--by", by, "--format", "csv" });
    QVERIFY2(csv.code == 0, qPrintable(csv.errors));
    QTEST(csv.output, "lines");
    const Ended ended = runEarwright({ "utterances", path("run"), "--by", by, "--format", "json" });
    const json rows = json::parse(ended.output.toStdString(), nullptr, false);
    QVERIFY2(rows.is_array() && rows[0].is_object(), qPrintable(ended.output));
    QCOMPARE(rows[0].value("substitutions", -1), 1);
    QCOMPARE(rows[0].contains("speaker"), by == "speaker");
    QCOMPARE(rows[0].contains("below"), by != "speaker");
}

void TstUtteranceCommands::manifest_isATable()
{
    writeFile(path("test.csv"), "ID,duration,wav,spk_id,wrd\nu2,2,c.wav,eve,lamp\n");
    const Ended csv = runEarwright(
        { "utterances", "--manifest", path("train.csv"), "--overlap", path("test.csv") });
    QVERIFY2(csv.code == 0, qPrintable(csv.errors));
    QCOMPARE(csv.output,
        QString("id,speaker,seconds,text,strange_words,same_texts,same_sounds,in_other,silence,"
                "clipped,problem,sound\n"
                "u1,ann,1.5,light on,,2,1,,,,,a.wav\nu2,bob,2,light on,,2,1,yes,,,,b.wav\n"));
    for (const char* said : { "2 rows, 0.00 h, 2 speakers\n",
             "7 letters: ", "2 rows have the text of another row\n", "has too: 1\n" })
        QVERIFY2(csv.errors.contains(said), qPrintable(csv.errors));
    const Ended ended = runEarwright(
        { "utterances", "--manifest", path("train.csv"), "--sounds", "--format", "json" });
    const json rows = json::parse(ended.output.toStdString(), nullptr, false);
    QVERIFY2(rows.is_object(), qPrintable(ended.output));
    QCOMPARE(rows["utterances"].size(), size_t(2));
    QVERIFY(rows["utterances"][0]["silence"].is_null());
    QVERIFY(rows["utterances"][0].value("problem", "").find("a.wav") != std::string::npos);
    QCOMPARE(rows["alphabet"].size(), size_t(7)); // l i g h t o n
}

void TstUtteranceCommands::corrections_makeANewManifest()
{
    writeFile(path("train.csv.corrections.csv"), "ID,old,new\nu1,light on,lights on\n");
    writeFile(path("train.csv.quarantine.txt"), "u2\n");
    const QStringList words { "prepare", "corrections", "--manifest", path("train.csv"), "--out",
        path("new.csv") };
    const Ended ended = runEarwright(words);
    QVERIFY2(ended.code == 0, qPrintable(ended.errors));
    QVERIFY2(ended.output.endsWith("new.csv': rows 1, corrected 1, left out 1\n"),
        qPrintable(ended.output));
    QCOMPARE(bytesOf(path("new.csv")),
        QByteArray("ID,duration,wav,spk_id,wrd\nu1,1.5,a.wav,ann,lights on\n"));
    const Ended again = runEarwright(words);
    QCOMPARE(again.code, 1);
    QVERIFY2(again.errors.contains("is there already"), qPrintable(again.errors));
}

void TstUtteranceCommands::corrections_areOfTheNamedColumn()
{
    writeFile(path("two.csv"), "ID,duration,wav,wrd,phn\nu1,1.5,a.wav,light,l ay t\n");
    writeFile(path("two.csv.corrections.csv"), "ID,old,new\nu1,l ay t,l ay d\n");
    const QStringList words { "prepare", "corrections", "--manifest", path("two.csv"), "--out",
        path("two-new.csv") };
    const Ended other = runEarwright(words);
    QCOMPARE(other.code, 1);
    QVERIFY2(other.errors.contains("other texts than the manifest has in 'wrd'"),
        qPrintable(other.errors));
    const Ended ended = runEarwright(words + QStringList { "--text-column", "phn" });
    QVERIFY2(ended.code == 0, qPrintable(ended.errors));
    QCOMPARE(bytesOf(path("two-new.csv")),
        QByteArray("ID,duration,wav,wrd,phn\nu1,1.5,a.wav,light,l ay d\n"));
}

void TstUtteranceCommands::wrongWords_areTold_data()
{
    addRefusalColumns();
    row("both tables", { "utterances", path("run"), "--confusions", "--by", "speaker" }, 2,
        "--confusions or --by, not both");
    row("group", { "utterances", path("run"), "--by", "length" }, 2,
        "--by is one of speaker, seconds, rate, not 'length'");
    row("format", { "utterances", path("run"), "--confusions", "--format", "latex" }, 2,
        "--format is text, csv or json, not 'latex'");
    row("sorted", { "utterances", path("run"), "--confusions", "--sort", "wer" }, 2,
        "--sort is of the utterances");
    row("overlap of a run", { "utterances", path("run"), "--overlap", "x.csv" }, 2,
        "--overlap goes with --manifest");
    row("run and manifest", { "utterances", path("run"), "--manifest", path("train.csv") }, 2,
        "name a run or --manifest FILE, not both");
    row("split of a manifest", { "utterances", "--manifest", path("train.csv"), "--split", "test" },
        2, "not with --split");
    row("no manifest", { "utterances", "--manifest", path("gone.csv") }, 1, "gone.csv");
    row("corrections of nothing", { "prepare", "corrections", "--out", path("x.csv") }, 2,
        "name the manifest with --manifest FILE");
    row("corrections of a corpus",
        { "prepare", "corrections", "--corpus", ".", "--out", path("x.csv") }, 2,
        "'corrections' takes no --corpus");
    row("column of JSON Lines",
        { "prepare", "corrections", "--manifest", path("x.jsonl"), "--text-column", "txt", "--out",
            path("y.jsonl") },
        1, "leave out --text-column");
    row("column of a corpus", { "prepare", "timit", "--text-column", "phn", "--out", path("x") }, 2,
        "'timit' takes no --text-column");
}

EARWRIGHT_TEST(TstUtteranceCommands)
#include "tst_utterance_commands.moc"
