#include "tests/engine/speech.h"
#include "tests/engine/training.h"

#include <QTemporaryDir>

using namespace kymo::tests;

/// `kymo average` and `kymo export` of a small model of real speech, and what `kymo transcribe`
/// makes of both.
class TstShare : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void average_isACheckpointAndAFile();
    void capsule_hearsWhatTheRunHeardWithoutIt();
    void whatCannotBeDone_isSaid_data();
    void whatCannotBeDone_isSaid();
    void badAvgCheckpoints_isToldWithItsPlace();

private:
    QString path(const QString& name) const { return m_folder.filePath(name); }
    QStringList checkpoints() const
    {
        return QDir(m_run + "/checkpoints").entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    }
    Ended train(const QString& run, const QStringList& more) const
    {
        return runKymo(QStringList { "train", path("recipe.yaml"), "--data_folder=" + path("set"),
                           "--devices", "cpu", "--run-dir", run, "--channels=32" }
            + more);
    }

    QTemporaryDir m_folder;
    RealData m_data;
    QString m_run;
};

void TstShare::initTestCase()
{
    m_data = realData(m_folder.path());
    if (m_data.folder.isEmpty())
        QSKIP("neither KYMO_DATA_DIR/fsdd nor the prompts of asterisk-core-sounds-en-wav are "
              "there");
    writeSet(path("set"), smallSet(m_data.folder, 24));
    m_run = path("run");
    QFile shipped(m_data.recipe);
    QFile recipe(path("recipe.yaml"));
    QVERIFY(shipped.open(QIODevice::ReadOnly) && recipe.open(QIODevice::WriteOnly));
    recipe.write(shipped.readAll() + "\navg_checkpoints: 3\n");
    recipe.close();
    const Ended trained = train(m_run, { "--number_of_epochs=4" });
    QVERIFY2(trained.code == 0, qPrintable(trained.errors));
}

void TstShare::average_isACheckpointAndAFile()
{
    QVERIFY2(checkpoints().size() == 3 || checkpoints().size() == 4, // the best is kept besides
        qPrintable(checkpoints().join(' ')));
    const Ended made = runKymo({ "average", m_run, "--num", "3" });
    QVERIFY2(made.code == 0, qPrintable(made.errors));
    QCOMPARE(made.output, m_run + "/checkpoints/avg-3\n");
    QCOMPARE(made.errors.count("step-"), 3);
    const QString wav = readRows(path("set/test.csv")).at(1)[2];
    const Ended heard
        = runKymo({ "transcribe", m_run + "/checkpoints/avg-3", wav, "--device", "cpu" });
    QVERIFY2(heard.code == 0 && heard.output.startsWith(wav + "\t"), qPrintable(heard.errors));
    const Ended file
        = runKymo({ "average", m_run, "--num", "2", "--out", path("mean.safetensors") });
    QVERIFY2(file.code == 0, qPrintable(file.errors));
    const Ended started = train(path("from-mean"),
        { "--optimizer_step_limit=1", "--init_param=" + path("mean.safetensors") });
    QVERIFY2(started.code == 0, qPrintable(started.errors));
}

void TstShare::capsule_hearsWhatTheRunHeardWithoutIt()
{
    const QString manifest = path("set/test.csv");
    const QStringList rest { manifest, "--device", "cpu" };
    const Ended before = runKymo(QStringList { "transcribe", m_run } + rest);
    QVERIFY2(before.code == 0, qPrintable(before.errors));
    const Ended exported = runKymo({ "export", m_run, path("model.kymo") });
    QVERIFY2(exported.code == 0, qPrintable(exported.errors));
    QVERIFY(QDir(m_folder.path()).rename("run", "gone"));
    const Ended after = runKymo(QStringList { "transcribe", path("model.kymo") } + rest);
    QVERIFY(QDir(m_folder.path()).rename("gone", "run"));
    QVERIFY2(after.code == 0, qPrintable(after.errors));
    QCOMPARE(after.output, before.output);
    QCOMPARE(after.errors, before.errors); // the error rates
}

void TstShare::whatCannotBeDone_isSaid_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("said");
    const auto row = [](const char* name, const QStringList& words, int code, const char* said) {
        QTest::newRow(name) << words << code << QString(said);
    };
    const QString zip = KYMO_CASES_DIR "/model/torch/sound/views.pt";
    row("average: no run", { "average" }, 2, "which run?");
    row("average: none such", { "average", "none" }, 1, "no run 'none'");
    row("average: count", { "average", m_run, "--num", "0" }, 2, "--num takes a whole number");
    row("average: many", { "average", m_run, "--num", "9" }, 1, "avg_checkpoints: 10");
    row("average: option", { "average", m_run, "--best" }, 2, "--best");
    row("average: no folder", { "average", m_run, "--out", path("none/x") }, 1, "none/x");
    row("export: no file", { "export", m_run }, 2, "name a run and the file");
    row("export: none such", { "export", "none", path("x") }, 1, "no run 'none'");
    row("export: no folder", { "export", m_run, path("none/x") }, 1, "none");
    row("transcribe: other zip", { "transcribe", zip, path("set/test.csv") }, 1,
        "it has no capsule.json");
}

void TstShare::whatCannotBeDone_isSaid()
{
    QFETCH(QStringList, words);
    QFETCH(int, code);
    QFETCH(QString, said);
    const Ended ended = runKymo(words);
    QCOMPARE(ended.code, code);
    QVERIFY2(ended.errors.contains(said), qPrintable(ended.errors));
    QVERIFY(!QFile::exists(path("x")));
}

void TstShare::badAvgCheckpoints_isToldWithItsPlace()
{
    const Ended ended = train(path("bad"), { "--avg_checkpoints=0" });
    QCOMPARE(ended.code, 3);
    QVERIFY2(ended.errors.contains("avg_checkpoints takes a whole number of 1 or more"),
        qPrintable(ended.errors));
}

QTEST_GUILESS_MAIN(TstShare)
#include "tst_share.moc"
