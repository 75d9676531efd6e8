#include "tests/engine/before_rename.h"
#include "tests/engine/program.h"
#include "tests/registry.h"

#include <QDirIterator>
#include <QTemporaryDir>

#include <cmath>
#include <memory>

using namespace earwright::tests;
using earwright::run::State;

/// What the program wrote when it was called Kymo opens, and nothing that is written says that name
/// (tests/cases/before_rename/README.md).
class TstBeforeRename : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void recipe_isCheckedWithoutAnError();
    void run_isListedTestedAndTranscribedWith();
    void plan_isTrained();
    void capsule_isTranscribedWith();
    void waitingRun_isListed();
    void preparedFolder_isPreparedAnew_data();
    void preparedFolder_isPreparedAnew();
    void changedAudio_isToldByTheEarlierRecord();

private:
    QString path(const QString& name) const { return m_folder->filePath(name); }
    void prepareAnew(const QString& name, Ended& ended) const;

    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_before; ///< the working folder to go back to
};

namespace {

QByteArray eventsOf(const QString& run)
{
    QByteArray all;
    QDirIterator files(run + "/events", QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext())
        all += bytesOf(files.next());
    return all;
}

} // namespace

void TstBeforeRename::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    copyBeforeRename(QDir(m_folder->path()));
    m_before = QDir::currentPath();
    QDir::setCurrent(m_folder->path()); // the recipe's data are beside it
}

void TstBeforeRename::cleanup()
{
    QDir::setCurrent(m_before);
    m_folder.reset();
}

void TstBeforeRename::recipe_isCheckedWithoutAnError()
{
    const Ended ended = runEarwright({ "check", path("recipe.yaml") });
    QVERIFY2(ended.code == 0, qPrintable(ended.output + ended.errors));
    QVERIFY2(!ended.output.contains("unknown-class"), qPrintable(ended.output));
}

void TstBeforeRename::run_isListedTestedAndTranscribedWith()
{
    const auto snapshot = snapshotOf(path("run"));
    QCOMPARE(snapshot.state, State::Done);
    QCOMPARE(snapshot.step, int64_t { 2 });
    QCOMPARE(snapshot.checkpoints.size(), size_t { 1 });
    QCOMPARE(lossesOf(path("run")).size(), size_t { 2 });
    const Ended ended = runEarwright(
        { "transcribe", path("run"), path("data/u0.wav"), path("data/u1.wav"), "--device", "cpu" });
    QVERIFY2(ended.code == 0, qPrintable(ended.errors));
    QCOMPARE(ended.output.count('\n'), 2);
}

void TstBeforeRename::plan_isTrained()
{
    const Ended ended = runEarwright({ "resume", path("planned") });
    QVERIFY2(ended.code == 0, qPrintable(ended.errors));
    QCOMPARE(snapshotOf(path("planned")).state, State::Done);
    const QByteArray written = eventsOf(path("planned"));
    QVERIFY(written.contains("earwright/run_started"));
    QVERIFY(!written.contains("kymo"));
    // The same weights, batches and steps; kernels are chosen by the machine.
    const auto before = lossesOf(path("run"));
    const auto now = lossesOf(path("planned"));
    QCOMPARE(now.size(), before.size());
    for (const auto& [step, loss] : before)
        QVERIFY(std::abs(now.at(step) - loss) <= 1e-4 * std::abs(loss));
}

void TstBeforeRename::capsule_isTranscribedWith()
{
    const QStringList sounds { path("data/u0.wav"), path("data/u1.wav"), "--device", "cpu" };
    const Ended capsule = runEarwright(QStringList { "transcribe", path("model.kymo") } + sounds);
    QVERIFY2(capsule.code == 0, qPrintable(capsule.errors));
    const Ended run = runEarwright(QStringList { "transcribe", path("run") } + sounds);
    QCOMPARE(capsule.output, run.output);
}

void TstBeforeRename::waitingRun_isListed()
{
    const Ended ended = runEarwright({ "queue", "list", "--runs-dir", path("runs") });
    QVERIFY2(ended.code == 0, qPrintable(ended.errors));
    QVERIFY2(ended.output.contains("recipe-20261127-085742"), qPrintable(ended.output));
}

void TstBeforeRename::prepareAnew(const QString& name, Ended& ended) const
{
    QDir().mkpath(path("audio"));
    for (const char* sound : { "u0.wav", "u1.wav", "u2.wav", "u3.wav" }) {
        if (!QFile::exists(path("audio/") + sound))
            QVERIFY(QFile::copy(path("data/") + sound, path("audio/") + sound));
    }
    ended = runEarwright({ "prepare", "csv", "--csv", path("list.csv"), "--out", path(name) });
    QVERIFY2(ended.code == 0, qPrintable(ended.errors));
}

void TstBeforeRename::preparedFolder_isPreparedAnew_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("record");
    QTest::newRow("its own checksums") << "prepared"
                                       << "checksums.sha256";
    QTest::newRow("checksums beside another's list") << "prepared_beside_a_list"
                                                     << "checksums.earwright.sha256";
}

void TstBeforeRename::preparedFolder_isPreparedAnew()
{
    QFETCH(QString, name);
    QFETCH(QString, record);
    Ended ended;
    prepareAnew(name, ended);
    if (QTest::currentTestFailed())
        return;
    QVERIFY(QFile::exists(path(name + "/earwright-prepared.json")));
    QVERIFY(bytesOf(path(name + '/' + record)).startsWith("# by earwright prepare"));
    // None is taken for the corpus's own list.
    QCOMPARE(bytesOf(path(name + "/train.csv")).count('\n'), 3);
    QVERIFY2(!ended.output.contains("changed since"), qPrintable(ended.output));
    QVERIFY(!QFile::exists(path(name + "/checksums.kymo.sha256")));
}

void TstBeforeRename::changedAudio_isToldByTheEarlierRecord()
{
    QDir().mkpath(path("audio"));
    QVERIFY(QFile::copy(path("data/u1.wav"), path("audio/u0.wav")));
    Ended ended;
    prepareAnew("prepared_beside_a_list", ended);
    if (QTest::currentTestFailed())
        return;
    QVERIFY2((ended.output + ended.errors).contains("changed since"),
        qPrintable(ended.output + ended.errors));
}

EARWRIGHT_TEST(TstBeforeRename)
#include "tst_before_rename.moc"
