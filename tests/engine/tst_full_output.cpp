#include "tests/engine/before_rename.h"
#include "tests/engine/program.h"
#include "tests/registry.h"

#include <QTemporaryDir>

using namespace earwright::tests;

/// Commands whose standard output takes nothing.
class TstFullOutput : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void commandThatPrints_fails_data();
    void commandThatPrints_fails();

private:
    QTemporaryDir m_folder;
    QString m_before; ///< the working folder to go back to
};

void TstFullOutput::initTestCase()
{
    copyBeforeRename(QDir(m_folder.path()));
    m_before = QDir::currentPath();
    QDir::setCurrent(m_folder.path());
    writeFile("broken.yaml", "a: !ref <b>\n");
}

void TstFullOutput::cleanupTestCase()
{
    QDir::setCurrent(m_before);
}

void TstFullOutput::commandThatPrints_fails_data()
{
    QTest::addColumn<QString>("line");
    for (const char* line : { "--help", "--version", "train --help", "check recipe.yaml",
             "check recipe.yaml --format json", "check broken.yaml --format sarif",
             "explain recipe.yaml", "resolve recipe.yaml", "inspect recipe.yaml --devices cpu",
             "plan recipe.yaml --run-dir made", "runs --runs-dir .",
             "runs --runs-dir . --format json", "runs run", "queue list --runs-dir runs",
             "queue stop --runs-dir runs", "devices", "devices --json",
             "lm data/train.csv --order 2 --out lm.arpa", "average run",
             "transcribe run data/u0.wav --device cpu",
             "transcribe run data/u0.wav --device cpu --format json",
             "train recipe.yaml --devices cpu --run-dir trained" })
        QTest::newRow(line) << line;
}

void TstFullOutput::commandThatPrints_fails()
{
    QFETCH(QString, line);
    QProcess process;
    process.setStandardOutputFile("/dev/full");
    process.start(earwrightProgram(), line.split(' '));
    QVERIFY(process.waitForFinished(120000));
    const QByteArray errors = process.readAllStandardError();
    QCOMPARE(process.exitCode(), 3);
    QCOMPARE(errors.count("cannot write to standard output"), 1);
}

EARWRIGHT_TEST(TstFullOutput)
#include "tst_full_output.moc"
