#include "core/run/zip_archive.h"
#include "tests/registry.h"
#include "tests/ui/capsule_file.h"
#include "tests/ui/desk.h"
#include "ui/compare/compare_model.h"
#include "ui/compare/compare_page.h"
#include "ui/runs/capsules.h"
#include "ui/widgets/info_bar.h"

#include <QLabel>
#include <QListView>
#include <QPushButton>
#include <QSignalSpy>
#include <QThreadPool>

using namespace earwright;
using namespace earwright::ui;

/// A run that was exported, on another machine: shown as any that is over, and changed by nothing.
class TstCapsules : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init();
    void cleanup();
    void capsule_isShownAsARunThatIsOver();
    void nothingThatChangesARun_isOffered();
    void capsuleOfARunThatTrained_isNotLive();
    void sameFileTwice_isOneEntry();
    void fileWrittenAnew_takesThePlaceOfTheFormer();
    void closed_leavesListComparisonAndDisk();
    void windowThatCloses_removesTheFolders();
    void windowThatClosesWhileOneOpens_leavesNothing();
    void nextWindow_remembersNoCapsule();
    void capsuleAmongSelectedRuns_isNotPutIntoTheQueue();
    void brokenFile_isToldInTheWindow_data();
    void brokenFile_isToldInTheWindow();
    void fileOfAnotherKind_opensAsRecipe();
    void runFolder_isShownBesideItsNeighbours();
    void folderOfRuns_isListed();

private:
    QString path(const char* name) const { return m_desk->folder.filePath(QLatin1String(name)); }
    QStringList unpacked() const
    {
        return QDir(m_temporary).entryList(QDir::NoDotAndDotDot | QDir::AllEntries);
    }
    QString said() const
    {
        return m_desk->window->centralWidget()
            ->findChild<InfoBar*>(QStringLiteral("infoBar"), Qt::FindDirectChildrenOnly)
            ->text();
    }
    void writeArchive(const QString& file, const QByteArray& plan, const QByteArray& index);
    /// Its run's path, once its curve is there.
    QString open(const QString& file) const;
    QVariant listed(const QString& runPath, int role) const
    {
        return m_desk->window->runs().indexOf(runPath).data(role);
    }

    std::unique_ptr<Desk> m_desk;
    QString m_temporary;
    QString m_file;
};

void TstCapsules::init()
{
    m_desk = std::make_unique<Desk>();
    m_temporary = path("temporary");
    QVERIFY(QDir().mkpath(m_temporary));
    m_file = writeCapsule(path("model.earwright"), QStringLiteral("digits_fp32"));
    qputenv("TMPDIR", m_temporary.toLocal8Bit());
    m_desk->open();
}

void TstCapsules::cleanup()
{
    m_desk.reset();
    qunsetenv("TMPDIR");
}

QString TstCapsules::open(const QString& file) const
{
    QSignalSpy opened(m_desk->window->findChild<Capsules*>(), &Capsules::opened);
    m_desk->window->openFile(file);
    if (!opened.wait(30000)
        || !QTest::qWaitFor([this] { return m_desk->numLossPoints() == 480; }, 30000))
        qFatal("'%s' is not shown: %s", qPrintable(file), qPrintable(said()));
    return opened.first().first().toString();
}

void TstCapsules::capsule_isShownAsARunThatIsOver()
{
    const QString recorded = writeRecordedRun(
        m_desk->runsRoot(), QStringLiteral("bf16"), QStringLiteral("digits_bf16"));
    const QString run = open(m_file);
    QCOMPARE(m_desk->page(), int(MainWindow::MonitorPageIndex));
    QCOMPARE(m_desk->window->selectedRun(), run);
    QCOMPARE(listed(run, RunListModel::TitleRole).toString(), QStringLiteral("model.earwright"));
    QCOMPARE(listed(run, RunListModel::DetailRole).toString(), QStringLiteral("capsule · fp32"));
    QVERIFY(listed(run, Qt::ToolTipRole).toString().contains(m_file));
    const auto* setting = m_desk->window->findChild<QLabel*>(QStringLiteral("runSetting"));
    QVERIFY2(setting->text().startsWith(QStringLiteral("capsule model.earwright")),
        qPrintable(setting->text()));
    QTRY_COMPARE(m_desk->window->runs().rowCount(), 2); // it stays when the folder is listed
    QCOMPARE(m_desk->window->runs().indexOf(run).row(), 1);
    m_desk->window->compareRuns({ recorded, run });
    const CompareModel* compared = m_desk->window->findChild<ComparePage*>()->model();
    QTRY_COMPARE(compared->rowCount(), 2);
    QCOMPARE(compared->index(1, 0).data().toString(), QStringLiteral("model.earwright"));
}

void TstCapsules::nothingThatChangesARun_isOffered()
{
    open(m_file);
    for (const char* id : { "run.stop", "run.kill", "run.pause", "run.continue", "run.checkpoint",
             "run.setLearningRate", "run.resume", "run.resumeWith", "run.enqueue", "run.dequeue",
             "run.queueUp", "run.queueDown" })
        QVERIFY2(!m_desk->action(id)->isEnabled(), id);
    QVERIFY(m_desk->action("file.closeCapsule")->isEnabled());
    QVERIFY(!m_desk->window->findChild<QPushButton*>(QStringLiteral("stop"))->isVisible());
}

/// Exported while it trained: it has no end, and nobody is at work here.
void TstCapsules::capsuleOfARunThatTrained_isNotLive()
{
    const QString run
        = open(writeCapsule(path("early.earwright"), QStringLiteral("digits_bf16"), false));
    QVERIFY(isOver(m_desk->stateOf(run)));
    QVERIFY(!m_desk->action("run.resume")->isEnabled());
    QVERIFY(!m_desk->action("run.enqueue")->isEnabled());
    QVERIFY(m_desk->window->runs().livePaths().isEmpty());
}

void TstCapsules::sameFileTwice_isOneEntry()
{
    const QString run = open(m_file);
    const QString other
        = open(writeCapsule(path("other.earwright"), QStringLiteral("digits_bf16")));
    QVERIFY(QFile::link(m_file, path("link")));
    QCOMPARE(open(path("link")), run);
    QCOMPARE(m_desk->window->selectedRun(), run);
    QCOMPARE(m_desk->window->runs().rowCount(), 2);
    QVERIFY(other != run);
    QTRY_COMPARE(unpacked().size(), 2);
}

void TstCapsules::fileWrittenAnew_takesThePlaceOfTheFormer()
{
    const QString run = open(m_file);
    writeCapsule(m_file, QStringLiteral("digits_bf16"));
    const QString anew = open(m_file);
    QVERIFY(anew != run);
    QCOMPARE(m_desk->window->runs().rowCount(), 1);
    QCOMPARE(m_desk->window->selectedRun(), anew);
    QVERIFY(listed(anew, RunListModel::DetailRole).toString().contains(QStringLiteral("bf16")));
    QTRY_COMPARE(unpacked().size(), 1);
}

void TstCapsules::closed_leavesListComparisonAndDisk()
{
    const QString run = open(m_file);
    QCOMPARE(unpacked().size(), 1);
    m_desk->window->compareRuns({ run });
    m_desk->action("file.closeCapsule")->trigger();
    QCOMPARE(m_desk->window->runs().rowCount(), 0);
    QCOMPARE(m_desk->window->selectedRun(), QString());
    QCOMPARE(m_desk->window->state().comparedRuns, QStringList());
    QVERIFY(!m_desk->action("file.closeCapsule")->isEnabled());
    QVERIFY(!m_desk->window->session().snapshot(run));
    QTRY_COMPARE(unpacked(), QStringList());
    QCOMPARE(said(), QString());
}

void TstCapsules::windowThatCloses_removesTheFolders()
{
    open(m_file);
    QCOMPARE(unpacked().size(), 1);
    m_desk->window.reset();
    QTRY_COMPARE(unpacked(), QStringList());
}

void TstCapsules::windowThatClosesWhileOneOpens_leavesNothing()
{
    m_desk->window->openFile(m_file);
    m_desk->window.reset();
    QThreadPool::globalInstance()->waitForDone();
    QCOMPARE(unpacked(), QStringList());
}

void TstCapsules::nextWindow_remembersNoCapsule()
{
    const QString run = open(m_file);
    m_desk->window->compareRuns({ run });
    QVERIFY(m_desk->window->close());
    m_desk->reopen();
    QCOMPARE(m_desk->window->selectedRun(), QString());
    QCOMPARE(m_desk->window->state().comparedRuns, QStringList());
}

void TstCapsules::capsuleAmongSelectedRuns_isNotPutIntoTheQueue()
{
    const QByteArray before = qgetenv("EARWRIGHT_BINARY");
    const QString program = path("earwright");
    writeFile(program, "#!/bin/sh\necho \"$@\" >&2\nexit 1\n");
    QVERIFY(QFile::setPermissions(program, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    const QString planned = QString::fromStdString(
        writePlannedRun(m_desk->runsRoot(), QStringLiteral("planned")).path.string());
    const QString run = open(m_file);
    QTRY_COMPARE(m_desk->window->runs().rowCount(), 2);
    m_desk->window->selectRun(planned);
    m_desk->window->findChild<QListView*>(QStringLiteral("runView"))->selectAll();
    qputenv("EARWRIGHT_BINARY", program.toLocal8Bit());
    m_desk->action("run.enqueue")->trigger();
    QTRY_VERIFY(said().contains(planned));
    QVERIFY2(!said().contains(run), qPrintable(said()));
    before.isEmpty() ? qunsetenv("EARWRIGHT_BINARY") : qputenv("EARWRIGHT_BINARY", before);
}

void TstCapsules::brokenFile_isToldInTheWindow_data()
{
    QTest::addColumn<QString>("words");
    QTest::newRow("nowhere") << "No such file or directory";
    QTest::newRow("text") << "it is no whole zip archive; copy it again";
    QTest::newRow("cut") << "it is no whole zip archive; copy it again";
    QTest::newRow("changed") << "model.safetensors' in it is damaged; copy it again";
    QTest::newRow("swapped") << "'plan.json' is not what was written: size or checksum differ";
    QTest::newRow("another zip") << "as a capsule of earwright export: it has no capsule.json";
}

/// A zip archive of one file, or of two.
void TstCapsules::writeArchive(const QString& file, const QByteArray& plan, const QByteArray& index)
{
    const std::string folder = path("files").toStdString();
    QVERIFY(QDir().mkpath(path("files")));
    writeFile(path("files/plan.json"), plan);
    std::vector<std::string> names { "plan.json" };
    if (!index.isEmpty()) {
        writeFile(path("files/capsule.json"), index);
        names.emplace_back("capsule.json");
    }
    QVERIFY(bool(run::writeZip(file.toStdString(), "top", folder, names)));
}

void TstCapsules::brokenFile_isToldInTheWindow()
{
    QFETCH(QString, words);
    const QByteArray whole = bytesOf(m_file);
    const QString file = path("broken.earwright");
    const auto is = [](const char* row) { return qstrcmp(QTest::currentDataTag(), row) == 0; };
    if (is("text"))
        writeFile(file, "no archive");
    else if (is("cut"))
        writeFile(file, whole.first(whole.size() / 2));
    else if (is("changed"))
        writeFile(file, QByteArray(whole).replace("the weights", "The weights"));
    else if (is("swapped"))
        writeArchive(file, "{}",
            R"({"earwright_capsule": 1, "checkpoint": "c", "files": {"plan.json": {"bytes": 2, "sha256": "0"}}})");
    else if (is("another zip"))
        writeArchive(file, "{}", {});
    m_desk->window->openFile(file);
    QTRY_VERIFY(!said().isEmpty());
    QVERIFY2(said().contains(words) && said().contains(file), qPrintable(said()));
    QCOMPARE(m_desk->window->runs().rowCount(), 0);
    QTRY_COMPARE(unpacked(), QStringList());
}

void TstCapsules::fileOfAnotherKind_opensAsRecipe()
{
    writeFile(path("recipe.txt"), "seed: 1\n");
    m_desk->window->openFile(path("recipe.txt"));
    QTRY_VERIFY(m_desk->window->recipes()->current());
    QCOMPARE(m_desk->window->recipes()->current()->path(), path("recipe.txt"));
    m_desk->window->openFile(writeDemoRecipe(m_desk->folder.path(), path("data")));
    QCOMPARE(m_desk->window->recipes()->paths().size(), 2);
}

void TstCapsules::runFolder_isShownBesideItsNeighbours()
{
    const QString elsewhere = path("elsewhere");
    writeRecordedRun(elsewhere, QStringLiteral("bf16"), QStringLiteral("digits_bf16"));
    const QString run
        = writeRecordedRun(elsewhere, QStringLiteral("fp32"), QStringLiteral("digits_fp32"));
    m_desk->window->openFile(run + QLatin1Char('/'));
    QTRY_COMPARE(m_desk->window->selectedRun(), run);
    QCOMPARE(m_desk->page(), int(MainWindow::MonitorPageIndex));
    QTRY_COMPARE(m_desk->numLossPoints(), 480);
    QTRY_COMPARE(m_desk->window->runs().rowCount(), 2);
    QVERIFY(!m_desk->window->recipes()->current());
}

void TstCapsules::folderOfRuns_isListed()
{
    writeRecordedRun(path("elsewhere"), QStringLiteral("fp32"), QStringLiteral("digits_fp32"));
    m_desk->window->openFile(path("elsewhere"));
    QTRY_COMPARE(m_desk->window->runs().rowCount(), 1);
    QVERIFY(!m_desk->window->recipes()->current());
}

EARWRIGHT_TEST(TstCapsules)
#include "tst_capsules.moc"
