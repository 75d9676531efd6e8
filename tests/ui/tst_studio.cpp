#include "core/run/capsule.h"
#include "tests/files.h"
#include "tests/registry.h"
#include "tests/ui/run_folders.h"

#include <csignal>
#include <QCoreApplication>
#include <QDir>
#include <QImage>
#include <QProcess>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

namespace {

struct Ended {
    int exitCode = -1;
    QString output;
};

/// The program as a user without a display runs it.
Ended runStudio(const QStringList& arguments)
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char* name : { "DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM" })
        environment.remove(QLatin1String(name));
    QProcess process;
    process.setProcessEnvironment(environment);
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(
        QCoreApplication::applicationDirPath() + QStringLiteral("/earwright-studio"), arguments);
    if (!process.waitForFinished(60000))
        return { -1, process.errorString() };
    return { process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1,
        QString::fromUtf8(process.readAll()) };
}

/// A user with one recipe and no settings.
struct Home {
    QTemporaryDir folder;

    Home() { writeFile(recipe(), "seed: 1\n"); }
    QString recipe() const { return folder.filePath(QStringLiteral("one.yaml")); }
    QString file(const char* name) const
    {
        return folder.filePath(QStringLiteral("earwright/") + QLatin1String(name));
    }
    QStringList kept(const char* key) const
    {
        return QSettings(file("earwright-studio.ini"), QSettings::IniFormat)
            .value(QLatin1String(key))
            .toStringList();
    }
    /// Whether a window has not run well yet.
    bool isStarting() const { return bytesOf(file("earwright-studio-start.ini")).contains("="); }
    std::unique_ptr<QProcess> start(const QStringList& arguments) const
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
        for (const char* name : { "XDG_CONFIG_HOME", "XDG_DATA_HOME", "EARWRIGHT_RUNS_DIR" })
            environment.insert(QLatin1String(name), folder.path());
        auto process = std::make_unique<QProcess>();
        process->setProcessEnvironment(environment);
        process->start(QCoreApplication::applicationDirPath() + QStringLiteral("/earwright-studio"),
            arguments);
        return process;
    }
};

bool endBy(QProcess& process, int signal)
{
    return process.waitForStarted() && ::kill(static_cast<pid_t>(process.processId()), signal) == 0
        && process.waitForFinished(60000);
}

} // namespace

/// The program itself, on a machine without a display.
class TstStudio : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void help_needsNoDisplay();
    void window_withoutDisplaySaysWhatToDo();
    void report_isPaintedFromRunFolders();
    void reportOfNoRun_fails();
    void toldToEnd_keepsWhatIsOpen_data();
    void toldToEnd_keepsWhatIsOpen();
    void killedInItsStart_restoresNothingByItself();
    void killedLater_restoresAll();
};

void TstStudio::help_needsNoDisplay()
{
    const Ended ended = runStudio({ QStringLiteral("--help") });
    QCOMPARE(ended.exitCode, 0);
    QVERIFY2(ended.output.contains(QStringLiteral("--report")), qPrintable(ended.output));
}

void TstStudio::window_withoutDisplaySaysWhatToDo()
{
    const Ended ended = runStudio({});
    QCOMPARE(ended.exitCode, 2);
    QVERIFY2(ended.output.contains(QStringLiteral("earwright train")), qPrintable(ended.output));
}

void TstStudio::report_isPaintedFromRunFolders()
{
    QTemporaryDir folder;
    const QString fp32 = writeRecordedRun(
        folder.path(), QStringLiteral("数字 fp32"), QStringLiteral("digits_fp32"));
    const QString bf16 = writeRecordedRun(
        folder.path(), QStringLiteral("数字 bf16"), QStringLiteral("digits_bf16"));
    const QString picture = folder.filePath(QStringLiteral("report.png"));
    const Ended ended
        = runStudio({ QStringLiteral("--report"), picture, fp32, bf16 + QLatin1Char('/') });
    QVERIFY2(ended.exitCode == 0, qPrintable(ended.output));
    QVERIFY(QImage(picture).width() > 2000);
}

void TstStudio::reportOfNoRun_fails()
{
    QTemporaryDir folder;
    QCOMPARE(runStudio({ QStringLiteral("--report"), folder.filePath(QStringLiteral("r.png")) })
                 .exitCode,
        2);
    const Ended ended = runStudio(
        { QStringLiteral("--report"), folder.filePath(QStringLiteral("r.png")), folder.path() });
    QCOMPARE(ended.exitCode, 3);
    QVERIFY2(ended.output.contains(folder.path()), qPrintable(ended.output));
    const auto said = [&](const QString& name) {
        return runStudio({ QStringLiteral("--report"), folder.filePath(QStringLiteral("r.png")),
                             folder.filePath(name) })
            .output;
    };
    QVERIFY(said(QStringLiteral("none")).contains(QStringLiteral("there is no such folder")));
    const std::filesystem::path capsule = folder.filePath(QStringLiteral("x.zip")).toStdString();
    QVERIFY(QDir(folder.path()).mkdir(QStringLiteral("run")));
    QVERIFY(earwright::run::packCapsule(
        folder.filePath(QStringLiteral("run")).toStdString(), "avg-2", capsule));
    QVERIFY(said(QStringLiteral("x.zip")).contains(QStringLiteral("it is a capsule; unpack it")));
}

void TstStudio::toldToEnd_keepsWhatIsOpen_data()
{
    QTest::addColumn<int>("number");
    QTest::newRow("SIGTERM") << SIGTERM;
    QTest::newRow("SIGINT") << SIGINT;
}

/// As when the machine shuts down. The tab is there for the next window.
void TstStudio::toldToEnd_keepsWhatIsOpen()
{
    QFETCH(int, number);
    const Home home;
    const auto process = home.start({ home.recipe() });
    const QString settings = home.file("earwright-studio.ini");
    QTRY_VERIFY_WITH_TIMEOUT(QFileInfo::exists(settings), 60000); // also should it be killed
    QVERIFY(bytesOf(settings).contains("one.yaml"));
    QVERIFY(endBy(*process, number));
    QCOMPARE(process->exitStatus(), QProcess::NormalExit);
    QCOMPARE(process->exitCode(), 0);
}

/// As by a recipe or a run that a window cannot show: it would end each one.
void TstStudio::killedInItsStart_restoresNothingByItself()
{
    const Home home;
    auto process = home.start({ home.recipe() });
    QTRY_COMPARE_WITH_TIMEOUT(home.kept("recipes/open"), QStringList { home.recipe() }, 60000);
    QVERIFY(endBy(*process, SIGTERM));
    process = home.start({});
    QTRY_VERIFY_WITH_TIMEOUT(home.isStarting(), 60000);
    QVERIFY(endBy(*process, SIGKILL));
    for (int i = 0; i < 2; ++i) { // nor does one after that, until its user asks for it
        process = home.start({});
        QTRY_COMPARE_WITH_TIMEOUT(
            home.kept("held/recipes/open"), QStringList { home.recipe() }, 60000);
        QTRY_COMPARE_WITH_TIMEOUT(home.kept("recipes/open"), QStringList(), 60000);
        QTRY_VERIFY_WITH_TIMEOUT(!home.isStarting(), 60000);
        QVERIFY(endBy(*process, SIGKILL));
    }
}

void TstStudio::killedLater_restoresAll()
{
    const Home home;
    auto process = home.start({ home.recipe() });
    QTRY_COMPARE_WITH_TIMEOUT(home.kept("recipes/open"), QStringList { home.recipe() }, 60000);
    QTRY_VERIFY_WITH_TIMEOUT(!home.isStarting(), 60000);
    QVERIFY(endBy(*process, SIGKILL));
    process = home.start({});
    QTRY_VERIFY_WITH_TIMEOUT(home.isStarting(), 60000);
    const auto second = home.start({}); // beside one that has not come up yet
    QTRY_VERIFY_WITH_TIMEOUT(!home.isStarting(), 60000);
    QCOMPARE(home.kept("recipes/open"), QStringList { home.recipe() });
    QCOMPARE(home.kept("held/recipes/open"), QStringList());
    QVERIFY(endBy(*second, SIGTERM));
    QVERIFY(endBy(*process, SIGTERM));
    QVERIFY(!home.isStarting());
}

EARWRIGHT_TEST(TstStudio)
#include "tst_studio.moc"
