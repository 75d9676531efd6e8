#include "tests/engine/refusals.h"
#include "tests/engine/speech.h"
#include "tests/engine/training.h"
#include "tests/files.h"
#include "tests/registry.h"

#include <algorithm>
#include <cmath>
#include <netinet/in.h>
#include <nlohmann/json.hpp>
#include <QTemporaryDir>
#include <sys/socket.h>
#include <unistd.h>

using namespace earwright::tests;

namespace {

std::vector<earwright::run::Evaluated> evaluations(const QString& run, const std::string& split)
{
    std::vector<earwright::run::Evaluated> all = snapshotOf(run).evaluations;
    std::erase_if(all, [&](const auto& one) { return one.split != split; });
    return all;
}

/// Of this host, that nobody listens at.
QString freePort()
{
    const int listener = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    auto* const any = reinterpret_cast<sockaddr*>(&address);
    const bool isBound = bind(listener, any, size) == 0 && getsockname(listener, any, &size) == 0;
    close(listener);
    return isBound ? QString::number(ntohs(address.sin_port)) : QString();
}

/// A run without its log tests again, on one rank. What went wrong, or "".
QString testAlone(const QString& run)
{
    if (!QDir(run + "/events").removeRecursively())
        return "its log cannot be removed";
    QFile::remove(run + "/history.bin");
    QProcess rank;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("RANK", "0");
    environment.insert("LOCAL_RANK", "0");
    environment.insert("WORLD_SIZE", "1");
    environment.insert("MASTER_ADDR", "127.0.0.1");
    environment.insert("MASTER_PORT", freePort());
    rank.setProcessEnvironment(environment);
    rank.start(earwrightProgram(), { "rank", run });
    const bool hasEnded = rank.waitForFinished(120000);
    return hasEnded && rank.exitCode() == 0 ? QString() : "rank: " + rank.readAllStandardError();
}

} // namespace

/// `earwright average` and `earwright export` of a small model of real speech, and what `earwright
/// transcribe` makes of both.
class TstShare : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void test_isOfTheMeanOnEveryRank();
    void testedCheckpoints_areTheBestAndRecorded();
    void transcription_isOfTheTestedWeights();
    void mean_isMadeWhereTheRunHasNone();
    void average_isACheckpointAndAFile();
    void capsule_hearsWhatTheRunHeardWithoutIt();
    void weightsAlone_areThoseOfTheTest();
    void checkpoint_isNamedFromWhereOneStands_data();
    void checkpoint_isNamedFromWhereOneStands();
    void whatCannotBeDone_isSaid_data();
    void whatCannotBeDone_isSaid();

private:
    QString path(const QString& name) const { return m_folder.filePath(name); }
    QStringList checkpoints() const
    {
        return QDir(m_run + "/checkpoints").entryList({ "step-*" }, QDir::Dirs);
    }
    QByteArray alignments(const QString& model, const QString& name) const
    {
        const Ended heard = runEarwright({ "transcribe", model, path("set/test.csv"),
            "--batch-size", "24", "--device", "cpu", "--alignments", path(name) });
        return heard.code == 0 ? bytesOf(path(name)) : heard.errors.toUtf8();
    }
    Ended train(const QString& run, const QStringList& more, const QString& devices = "cpu") const
    {
        return runEarwright(
            QStringList { "train", path("recipe.yaml"), "--data_folder=" + path("set"), "--devices",
                devices, "--run-dir", run, "--channels=32" }
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
        QSKIP(kNoRealData);
    writeSet(path("set"), smallSet(m_data.folder, 24));
    m_run = path("run");
    writeFile(path("recipe.yaml"), bytesOf(m_data.recipe) + "\navg_checkpoints: 3\n");
    // Long enough to write something that differs from one checkpoint to the next.
    const Ended trained = train(m_run, { "--number_of_epochs=24" }, "cpu:2");
    QVERIFY2(trained.code == 0, qPrintable(trained.errors));
}

/// The set is that of the validation: a single checkpoint's loss would be one of its losses. The
/// two ranks' sum is what one rank gets from the same file; a rank that had kept the last epoch's
/// weights would show in it.
void TstShare::test_isOfTheMeanOnEveryRank()
{
    const auto tests = evaluations(m_run, "test");
    QCOMPARE(tests.size(), size_t { 1 });
    const double loss = tests[0].loss;
    for (const auto& valid : evaluations(m_run, "valid"))
        QVERIFY2(std::abs(valid.loss / loss - 1) > 1e-4, std::to_string(valid.loss).c_str());

    const QString copy = path("copy");
    QCOMPARE(QProcess::execute("cp", { "-r", m_run, copy }), 0);
    QCOMPARE(testAlone(copy), QString());
    const auto again = evaluations(copy, "test");
    QCOMPARE(again.size(), size_t { 1 });
    QCOMPARE(again[0].checkpoints, tests[0].checkpoints);
    QVERIFY2(
        std::abs(again[0].loss / loss - 1) < 1e-6, std::to_string(again[0].loss - loss).c_str());
}

void TstShare::testedCheckpoints_areTheBestAndRecorded()
{
    auto best = evaluations(m_run, "valid");
    std::sort(best.begin(), best.end(), [](const auto& a, const auto& b) {
        return std::tuple(a.wer, a.cer, b.step) < std::tuple(b.wer, b.cer, a.step);
    });
    best.resize(3);
    std::sort(
        best.begin(), best.end(), [](const auto& a, const auto& b) { return a.step > b.step; });
    std::vector<std::string> expected;
    for (const auto& one : best)
        expected.push_back("step-" + std::to_string(one.step));
    QCOMPARE(evaluations(m_run, "test").at(0).checkpoints, expected);
    const auto result = nlohmann::json::parse(bytesOf(m_run + "/result.json").toStdString());
    QVERIFY(result.at("test_checkpoints") == expected);
    for (const std::string& name : expected)
        QVERIFY2(checkpoints().contains(QString::fromStdString(name)), name.c_str());
}

/// Of the run, and of the checkpoint by its name; a single one hears something else.
void TstShare::transcription_isOfTheTestedWeights()
{
    const QByteArray recorded = bytesOf(m_run + "/alignments/test.txt");
    QVERIFY(!recorded.isEmpty());
    QCOMPARE(alignments(m_run, "mean.txt"), recorded);
    QCOMPARE(alignments(m_run + "/checkpoints/avg-3", "avg.txt"), recorded);
    const QString newest = QString::fromStdString(evaluations(m_run, "test")[0].checkpoints[0]);
    QVERIFY(alignments(m_run + "/checkpoints/" + newest, "one.txt") != recorded);
}

/// Stopped before its test, or brought here without it; the run's folder stays as it is.
void TstShare::mean_isMadeWhereTheRunHasNone()
{
    const QByteArray recorded = bytesOf(m_run + "/alignments/test.txt");
    const QDir folder(m_run + "/checkpoints");
    QVERIFY(QDir().rename(folder.filePath("avg-3"), path("avg-3")));
    const QStringList before = folder.entryList();
    const QByteArray heard = alignments(m_run, "again.txt");
    const QStringList after = folder.entryList();
    QVERIFY(QDir().rename(path("avg-3"), folder.filePath("avg-3")));
    QCOMPARE(heard, recorded);
    QCOMPARE(after, before);
}

void TstShare::average_isACheckpointAndAFile()
{
    QVERIFY2(checkpoints().size() == 3 || checkpoints().size() == 4, // the newest is kept besides
        qPrintable(checkpoints().join(' ')));
    const Ended made = runEarwright({ "average", m_run, "--num", "3" });
    QVERIFY2(made.code == 0, qPrintable(made.errors));
    QCOMPARE(made.output, m_run + "/checkpoints/avg-3\n");
    QCOMPARE(made.errors.count("step-"), 3);
    const QString wav = readRows(path("set/test.csv")).at(1)[2];
    const Ended heard
        = runEarwright({ "transcribe", m_run + "/checkpoints/avg-3", wav, "--device", "cpu" });
    QVERIFY2(heard.code == 0 && heard.output.startsWith(wav + "\t"), qPrintable(heard.errors));
    const Ended file
        = runEarwright({ "average", m_run, "--num", "2", "--out", path("mean.safetensors") });
    QVERIFY2(file.code == 0, qPrintable(file.errors));
    const Ended started = train(path("from-mean"),
        { "--optimizer_step_limit=1", "--init_param=" + path("mean.safetensors") });
    QVERIFY2(started.code == 0, qPrintable(started.errors));
}

void TstShare::capsule_hearsWhatTheRunHeardWithoutIt()
{
    const QString manifest = path("set/test.csv");
    const QStringList rest { manifest, "--device", "cpu" };
    const Ended before = runEarwright(QStringList { "transcribe", m_run } + rest);
    QVERIFY2(before.code == 0, qPrintable(before.errors));
    const Ended exported = runEarwright({ "export", m_run, path("model.earwright") });
    QVERIFY2(exported.code == 0, qPrintable(exported.errors));
    QVERIFY(QDir(m_folder.path()).rename("run", "gone"));
    const Ended after = runEarwright(QStringList { "transcribe", path("model.earwright") } + rest);
    QVERIFY(QDir(m_folder.path()).rename("gone", "run"));
    QVERIFY2(after.code == 0, qPrintable(after.errors));
    QCOMPARE(after.output, before.output);
    QCOMPARE(after.errors, before.errors); // the error rates
    const QByteArray capsule = bytesOf(path("model.earwright"));
    const Ended over = runEarwright({ "export", path("model.earwright"), path("model.earwright") });
    QCOMPARE(over.code, 1);
    QVERIFY2(over.errors.contains("which is to be read"), qPrintable(over.errors));
    QCOMPARE(bytesOf(path("model.earwright")), capsule);
}

/// Where the name asks for them.
void TstShare::weightsAlone_areThoseOfTheTest()
{
    const Ended exported = runEarwright({ "export", m_run, path("model.safetensors") });
    QVERIFY2(exported.code == 0, qPrintable(exported.errors));
    const QByteArray stored = bytesOf(m_run + "/checkpoints/avg-3/model.safetensors");
    const QByteArray alone = bytesOf(path("model.safetensors"));
    QVERIFY(!stored.isEmpty() && alone.size() > 64);
    QCOMPARE(alone.right(alone.size() / 2), stored.right(alone.size() / 2));
}

void TstShare::checkpoint_isNamedFromWhereOneStands_data()
{
    QTest::addColumn<QString>("folder");
    QTest::addColumn<QString>("name");
    QTest::newRow("run") << ""
                         << "checkpoints/avg-3";
    QTest::newRow("checkpoints") << "/checkpoints"
                                 << "avg-3";
    QTest::newRow("checkpoint") << "/checkpoints/avg-3"
                                << ".";
    QTest::newRow("by the folder above") << "/checkpoints/avg-3"
                                         << "../avg-3/";
}

void TstShare::checkpoint_isNamedFromWhereOneStands()
{
    QFETCH(QString, folder);
    QFETCH(QString, name);
    const QString former = QDir::currentPath();
    QVERIFY(QDir::setCurrent(m_run + folder));
    const Ended exported = runEarwright({ "export", name, path("named.zip") });
    QVERIFY(QDir::setCurrent(former));
    QVERIFY2(exported.code == 0, qPrintable(exported.errors));
    QVERIFY(QFile::remove(path("named.zip")));
}

void TstShare::whatCannotBeDone_isSaid_data()
{
    addRefusalColumns();
    const QString weights = m_run + "/checkpoints/avg-3/model.safetensors";
    const char* const isThere = "is there already, in the folder of the run";
    const QString zip = EARWRIGHT_CASES_DIR "/model/torch/sound/views.pt";
    row("average: no run", { "average" }, 2, "which run?");
    row("average: none such", { "average", "none" }, 1, "no run 'none'");
    row("average: count", { "average", m_run, "--num", "0" }, 2, "--num takes a whole number");
    row("average: many", { "average", m_run, "--num", "9" }, 1, "avg_checkpoints: 9\n");
    row("average: option", { "average", m_run, "--best" }, 2, "--best");
    row("average: no folder", { "average", m_run, "--out", path("none/x.safetensors") }, 3,
        "none/x.safetensors");
    row("average: ending", { "average", m_run, "--out", path("x.zip") }, 2, "not '");
    row("average: no ending", { "average", m_run, "--out", path("x") }, 2,
        "takes FILE.safetensors");
    row("average: the run's own", { "average", m_run, "--num", "1", "--out", weights }, 1, isThere);
    row("export: no file", { "export", m_run }, 2, "name a run and the file");
    row("export: none such", { "export", "none", path("x") }, 1, "no run 'none'");
    row("export: no folder", { "export", m_run, path("none/x") }, 1, "none");
    row("export: ending", { "export", m_run, path("x.pt") }, 2,
        "FILE.zip, a capsule, or FILE.safet");
    row("export: the run's own", { "export", m_run, weights }, 1, isThere);
    if (!m_run.isEmpty())
        QCOMPARE(runEarwright({ "export", m_run, path("whole.earwright") }).code, 0);
    row("runs: capsule", { "runs", path("whole.earwright") }, 1,
        "' is a capsule of earwright export, no run");
    row("resume: capsule", { "resume", path("whole.earwright") }, 1,
        "is a capsule of earwright export");
    row("plan: a run's folder",
        { "plan", path("recipe.yaml"), "--data_folder=" + path("set"), "--run-dir", m_run }, 2,
        "holds a run already; give another folder");
    row("transcribe: weights", { "transcribe", weights, path("set/test.csv") }, 1,
        "holds weights alone: name the run or a capsule");
    row("transcribe: recipe", { "transcribe", path("recipe.yaml"), path("set/test.csv") }, 1,
        "is no capsule of earwright export: name the run or a capsule");
    row("transcribe: other zip", { "transcribe", zip, path("set/test.csv") }, 1,
        "it has no capsule.json");
}

void TstShare::whatCannotBeDone_isSaid()
{
    verifyRefusal();
    QVERIFY(QDir(m_folder.path()).entryList({ "x*" }).isEmpty());
}

EARWRIGHT_TEST(TstShare)
#include "tst_share.moc"
