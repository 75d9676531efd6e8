#include "tests/data/audio_fixture.h"
#include "tests/engine/program.h"
#include "tests/files.h"
#include "tests/registry.h"

#include <QTemporaryDir>

using namespace earwright;
using namespace earwright::tests;

namespace {

const QString kHubModel = EARWRIGHT_CASES_DIR "/model/hub/ctc";
constexpr int kUtterances = 16;

} // namespace

/// `earwright new` as a user runs it: from a folder of the Hub and a list to texts.
class TstNewRecipe final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void list_becomesARecipeThatTrains();
    void run_needsItsModelNoMore();
    void trainedEncoder_becomesAFolderOfTheHub();
    void manifests_areTakenAsTheyAre();
    void vocabulary_isKept();
    void lettersThatAKeptVocabularyLacks_areTold();
    void lettersOfOtherSets_needALabelOrTheUnknown();
    void recipe_isNeverWrittenOver();
    void whatCannotBeDone_isSaid_data();
    void whatCannotBeDone_isSaid();

private:
    QString path(const QString& name) const { return m_folder.filePath(name); }
    void write(const QString& name, const QByteArray& text) const { writeFile(path(name), text); }
    QString textOf(const QString& name) const { return QString::fromUtf8(bytesOf(path(name))); }
    Ended make(const QString& recipe, const QString& model, const QString& data,
        const QStringList& more = {}) const
    {
        return runEarwright(
            QStringList { "new", "--from", model, "--data", data, "--out", path(recipe) } + more);
    }
    /// Its model is that of tests/cases, with this vocabulary.
    QString modelWith(const QString& name, const QByteArray& vocabulary) const;

    QTemporaryDir m_folder;
};

void TstNewRecipe::initTestCase()
{
    QByteArray list = "wav,text\n";
    for (int i = 0; i < kUtterances; ++i) {
        const QString wav = QString("%1.wav").arg(i);
        QVERIFY(
            tests::writeSound(path(wav).toStdString(), tests::sine(6400, 200 + 20 * i, 16000), {}));
        list += wav.toUtf8() + (i % 2 ? ",A cab\n" : ",bead\n");
    }
    write("list.csv", list);
}

QString TstNewRecipe::modelWith(const QString& name, const QByteArray& vocabulary) const
{
    const QString folder = path(name);
    QDir().mkpath(folder);
    for (const char* file : { "config.json", "model.safetensors", "preprocessor_config.json" })
        QFile::copy(kHubModel + "/" + file, folder + "/" + file);
    write(name + "/vocab.json", vocabulary);
    return folder;
}

void TstNewRecipe::list_becomesARecipeThatTrains()
{
    const Ended made = make("tuned.yaml", kHubModel, path("list.csv"));
    QVERIFY2(made.code == 0, qPrintable(made.errors));
    QVERIFY2(made.output.contains("wrote " + path("tuned.yaml")), qPrintable(made.output));
    for (const char* split : { "train", "dev", "test" })
        QVERIFY(QFile::exists(path(QString("tuned-data/%1.csv").arg(split))));
    const QString text = textOf("tuned.yaml");
    QVERIFY(!text.contains("{{"));
    QVERIFY2(text.contains("output_neurons: 8\n"), qPrintable(text)); // blank, <unk>, " abcde"
    QVERIFY(text.contains("wav2vec2.Wav2Vec2\n"));

    const Ended checked = runEarwright({ "check", path("tuned.yaml"), "--devices", "cpu" });
    QVERIFY2(checked.code == 0, qPrintable(checked.errors));
    const Ended trained = runEarwright({ "train", path("tuned.yaml"), "--devices", "cpu",
        "--run-dir", path("run"), "--optimizer_step_limit=4" });
    QVERIFY2(trained.code == 0, qPrintable(trained.errors));
    const Ended heard = runEarwright({ "transcribe", path("run"), path("tuned-data/dev.csv") });
    QVERIFY2(heard.code == 0, qPrintable(heard.errors));
    QCOMPARE(heard.output.count('\n'), textOf("tuned-data/dev.csv").count('\n') - 1);
}

/// What it keeps of the folder and its checkpoints are enough, in a capsule too.
void TstNewRecipe::run_needsItsModelNoMore()
{
    const QString model = modelWith("gone", "{}");
    QCOMPARE(make("gone.yaml", model, path("list.csv")).code, 0);
    const Ended trained = runEarwright({ "train", path("gone.yaml"), "--devices", "cpu",
        "--run-dir", path("gone-run"), "--optimizer_step_limit=3" });
    QVERIFY2(trained.code == 0, qPrintable(trained.errors));
    QCOMPARE(bytesOf(path("gone-run/config.json")), bytesOf(kHubModel + "/config.json"));
    const auto hear = [this](const QString& what) {
        return runEarwright({ "transcribe", what, path("gone-data/dev.csv") });
    };
    const Ended before = hear(path("gone-run"));
    QVERIFY2(before.code == 0, qPrintable(before.errors));
    QVERIFY(QDir(model).removeRecursively());
    QCOMPARE(hear(path("gone-run")).output, before.output);
    QCOMPARE(runEarwright({ "export", path("gone-run"), path("gone.zip") }).code, 0);
    QCOMPARE(hear(path("gone.zip")).output, before.output);
    const Ended resumed = runEarwright({ "resume", path("gone-run"), "--optimizer_step_limit=5" });
    QVERIFY2(resumed.code == 0, qPrintable(resumed.errors));
    QCOMPARE(lossesOf(path("gone-run")).size(), size_t(5));
}

/// Which a recipe may start from as from any other. Its weights: tst_encoder_folder.
void TstNewRecipe::trainedEncoder_becomesAFolderOfTheHub()
{
    QCOMPARE(make("first.yaml", kHubModel, path("list.csv")).code, 0);
    const Ended trained = runEarwright({ "train", path("first.yaml"), "--devices", "cpu",
        "--run-dir", path("first-run"), "--optimizer_step_limit=2" });
    QVERIFY2(trained.code == 0, qPrintable(trained.errors));
    const QStringList words { "export", path("first-run"), path("encoder"), "--format", "hub" };
    const Ended exported = runEarwright(words);
    QVERIFY2(exported.code == 0, qPrintable(exported.errors));
    QCOMPARE(bytesOf(path("encoder/config.json")), bytesOf(kHubModel + "/config.json"));
    QCOMPARE(runEarwright(words).code, 1); // nothing is written over
    const Ended again = make("second.yaml", path("encoder"), path("list.csv"));
    QVERIFY2(again.code == 0, qPrintable(again.errors));
    const Ended inspected = runEarwright({ "inspect", path("second.yaml"), "--devices", "cpu" });
    QVERIFY2(inspected.code == 0, qPrintable(inspected.errors));
    QCOMPARE(runEarwright({ "export", path("first-run"), path("x"), "--format", "onnx" }).code, 2);
}

/// Without a test set there is none in the recipe.
void TstNewRecipe::manifests_areTakenAsTheyAre()
{
    QDir().mkpath(path("set"));
    const QByteArray rows = "ID,duration,wav,spk_id,wrd\na," + QByteArray("0.4,")
        + path("0.wav").toUtf8() + ",s,Bead\n";
    write("set/train.csv", rows);
    write("set/valid.csv", rows);
    const Ended made = make("manifests.yaml", kHubModel, path("set"));
    QVERIFY2(made.code == 0, qPrintable(made.errors));
    const QString text = textOf("manifests.yaml");
    QVERIFY(text.contains("\nvalid_csv: !ref <data_folder>/valid.csv\n"));
    QVERIFY(!text.contains("\ntest_csv:"));
    QCOMPARE(bytesOf(path("set/train.csv")), rows);
    const Ended checked = runEarwright({ "check", path("manifests.yaml"), "--devices", "cpu" });
    QVERIFY2(checked.code == 0, qPrintable(checked.errors));
}

void TstNewRecipe::vocabulary_isKept()
{
    const QString model = modelWith(
        "kept", R"({"<pad>": 0, "|": 3, "a": 2, "b": 1, "c": 4, "d": 5, "e": 6, "<unk>": 7})");
    const Ended made = make("kept.yaml", model, path("list.csv"), { "--vocab", "keep" });
    QVERIFY2(made.code == 0, qPrintable(made.errors));
    const QString text = textOf("kept.yaml");
    QVERIFY2(text.contains("label_encoder_file: " + path("kept-labels.txt")), qPrintable(text));
    QVERIFY(text.contains("output_neurons: 8\n"));
    const QString labels = textOf("kept-labels.txt");
    QVERIFY2(labels.startsWith("'<pad>' => 0\n'b' => 1\n'a' => 2\n' ' => 3\n"), qPrintable(labels));
    QVERIFY2(labels.contains("'blank_label' => '<pad>'\n"), qPrintable(labels));
    const Ended trained = runEarwright({ "train", path("kept.yaml"), "--devices", "cpu",
        "--run-dir", path("kept-run"), "--optimizer_step_limit=2" });
    QVERIFY2(trained.code == 0, qPrintable(trained.errors));
    QCOMPARE(bytesOf(path("kept-run/label_encoder.txt")), bytesOf(path("kept-labels.txt")));
}

void TstNewRecipe::lettersThatAKeptVocabularyLacks_areTold()
{
    const QString model = modelWith("capitals", R"({"<pad>": 0, "|": 1, "A": 2, "B": 3})");
    const Ended made = make("capitals.yaml", model, path("list.csv"), { "--vocab", "keep" });
    QCOMPARE(made.code, 1);
    QVERIFY2(made.errors.contains("has no label for these letters of the texts: 'a', 'b', "),
        qPrintable(made.errors));
    QVERIFY(!QFile::exists(path("capitals.yaml")));
}

/// Of a set that a model is judged by too, unless there is a label for them.
void TstNewRecipe::lettersOfOtherSets_needALabelOrTheUnknown()
{
    QDir().mkpath(path("letters"));
    const QByteArray row = "ID,duration,wav,spk_id,wrd\na,0.4," + path("0.wav").toUtf8() + ",s,";
    write("letters/train.csv", row + "bead\n");
    write("letters/dev.csv", row + "bead fee\n");
    const QStringList keep { "--vocab", "keep" };
    const QByteArray labels = R"("|": 1, "a": 2, "b": 3, "d": 4, "e": 5)";
    const QString without = modelWith("without", R"({"<pad>": 0, )" + labels + "}");
    const Ended refused = make("without.yaml", without, path("letters"), keep);
    QCOMPARE(refused.code, 1);
    QVERIFY2(refused.errors.contains("has no label for these letters of the texts: 'f'; "),
        qPrintable(refused.errors));
    for (const char* token : { R"("[UNK]")", R"({"content": "[UNK]", "special": true})" }) {
        const QString with = modelWith("with", R"({"<pad>": 0, )" + labels + R"(, "[UNK]": 6})");
        write("with/tokenizer_config.json", QByteArray(R"({"unk_token": )") + token + "}");
        const Ended made = make("with.yaml", with, path("letters"), keep);
        QVERIFY2(made.code == 0, qPrintable(made.errors));
        QVERIFY(textOf("with-labels.txt").contains("'unk_label' => '[UNK]'\n"));
        QVERIFY(QFile::remove(path("with.yaml")));
    }
}

void TstNewRecipe::recipe_isNeverWrittenOver()
{
    write("mine.yaml", "seed: 1\n");
    const Ended made = make("mine.yaml", kHubModel, path("list.csv"));
    QCOMPARE(made.code, 1);
    QVERIFY2(made.errors.contains("is there already"), qPrintable(made.errors));
    QCOMPARE(textOf("mine.yaml"), QString("seed: 1\n"));
    QDir().mkpath(path("theirs-data"));
    write("theirs-data/dev.csv", "by hand");
    const Ended refused = make("theirs.yaml", kHubModel, path("list.csv"));
    QCOMPARE(refused.code, 1);
    QVERIFY2(refused.errors.contains("move it away, or choose another name for the recipe"),
        qPrintable(refused.errors));
    QCOMPARE(textOf("theirs-data/dev.csv"), QString("by hand"));
}

void TstNewRecipe::whatCannotBeDone_isSaid_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("message");
    const auto row = [](const char* name, const QStringList& words, int code, const char* message) {
        QTest::newRow(name) << words << code << QString(message);
    };
    const QStringList model { "--from", kHubModel };
    QDir().mkpath(path("empty"));
    QDir().mkpath(path("other"));
    write("other/config.json", R"({"model_type": "bert"})");
    write("other/preprocessor_config.json", "{}");
    const QStringList list { "--data", path("list.csv"), "--out", path("no.yaml") };
    row("no model", list, 2, "--from is missing");
    row("vocabulary", model + list + QStringList { "--vocab", "both" }, 2,
        "--vocab is keep or replace, not 'both'");
    row("no vocabulary", model + list + QStringList { "--vocab", "keep" }, 1,
        "there is no such file");
    row("no folder", QStringList { "--from", path("nothing") } + list, 1, "is no folder");
    row("another model", QStringList { "--from", path("other") } + list, 1,
        "is 'bert'; a recipe is written for whisper, wav2vec2, hubert, wavlm, data2vec-audio, "
        "wav2vec2-bert");
    row("a run", QStringList { "--from", EARWRIGHT_CASES_DIR "/check/data/run" } + list, 1,
        "is a run of Earwright; write its encoder first: earwright export RUN FOLDER --format hub");
    row("a language", model + list + QStringList { "--language", "german" }, 1,
        "a language is for Whisper");
    row("no manifests", model + QStringList { "--data", path("empty"), "--out", path("no.yaml") },
        1, "needs the manifests train.csv and dev.csv");
}

void TstNewRecipe::whatCannotBeDone_isSaid()
{
    QFETCH(QStringList, words);
    QFETCH(int, code);
    QFETCH(QString, message);
    const Ended made = runEarwright(QStringList { "new" } + words);
    QCOMPARE(made.code, code);
    QVERIFY2(made.errors.contains(message), qPrintable(made.errors));
    QVERIFY(!QFile::exists(path("no.yaml")));
    QDir(path("no-data")).removeRecursively();
}

EARWRIGHT_TEST(TstNewRecipe)
#include "tst_new_recipe.moc"
