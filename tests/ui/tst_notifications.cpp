#include "tests/registry.h"
#include "tests/ui/desk.h"
#include "tests/ui/run_folders.h"
#include "ui/session/run_news.h"
#include "ui/widgets/desktop_notification.h"

#include <QCheckBox>
#include <QDialog>
#include <QStandardPaths>
#include <QtDBus/QDBusConnection>

#include <limits>

using namespace earwright;
using namespace earwright::ui;

namespace {

/// The desktop's end of the bus: keeps what it is asked to show.
class FakeDesktop final : public QObject {
    Q_OBJECT
    Q_CLASSINFO("D-Bus Interface", "org.freedesktop.Notifications")
public:
    QStringList shown; ///< "title: text"

public Q_SLOTS:
    uint Notify(const QString& application, uint, const QString&, const QString& title,
        const QString& text, const QStringList&, const QVariantMap&, int)
    {
        if (application.isEmpty())
            shown << QStringLiteral("without a name");
        shown << title + QStringLiteral(": ") + text;
        return static_cast<uint>(shown.size());
    }
};

run::RunSummary runIn(run::State state)
{
    return { .folder = { "/runs/digits" }, .state = state, .step = 480 };
}

/// As its rank and supervisor would leave it.
void endAsFailed(const run::RunFolder& folder, const std::string& error)
{
    const auto writer = run::EventWriter::open(folder.events(-1), 0);
    if (!writer)
        qFatal("%s", writer.error().message.c_str());
    (*writer)->write({ 1000, run::Finished { "failed", error, 0 } });
    (*writer)->flush();
}

} // namespace

/// What the desktop is asked to show of runs, over a bus of the test's own.
class TstNotifications : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void init() { m_desktop.shown.clear(); }
    void cleanupTestCase();
    void news_areOfEnds_data();
    void news_areOfEnds();
    void news_tellOfALossThatIsNotFinite();
    void failedRun_isShownOnTheDesktop();
    void nothingIsShown_whereTheSettingsSaySo();

private:
    QProcess m_bus;
    FakeDesktop m_desktop;
};

void TstNotifications::initTestCase()
{
    if (QStandardPaths::findExecutable(QStringLiteral("dbus-daemon")).isEmpty())
        QSKIP("dbus-daemon is not installed: no bus to listen on");
    m_bus.start(QStringLiteral("dbus-daemon"),
        { QStringLiteral("--session"), QStringLiteral("--nofork"),
            QStringLiteral("--print-address") });
    QVERIFY(m_bus.waitForReadyRead(30000));
    const QByteArray address = m_bus.readLine().trimmed();
    qputenv("DBUS_SESSION_BUS_ADDRESS", address); // before anything asks for the session's bus
    QDBusConnection desktop = QDBusConnection::connectToBus(
        QString::fromLatin1(address), QStringLiteral("fakeDesktop"));
    QVERIFY(desktop.registerObject(QStringLiteral("/org/freedesktop/Notifications"), &m_desktop,
        QDBusConnection::ExportAllSlots));
    QVERIFY(desktop.registerService(QStringLiteral("org.freedesktop.Notifications")));
}

void TstNotifications::cleanupTestCase()
{
    QDBusConnection::disconnectFromBus(QStringLiteral("fakeDesktop"));
    m_bus.kill();
    m_bus.waitForFinished();
}

void TstNotifications::news_areOfEnds_data()
{
    QTest::addColumn<int>("before");
    QTest::addColumn<int>("now");
    QTest::addColumn<QString>("title");
    const auto row = [](const char* name, run::State before, run::State now, const char* title) {
        QTest::newRow(name) << int(before) << int(now) << QString::fromLatin1(title);
    };
    using enum run::State;
    row("done", Running, Done, "digits is done");
    row("failed", Running, Failed, "digits failed");
    row("failed at its start", Queued, Failed, "digits failed");
    row("lost", Running, Interrupted, "digits was interrupted");
    row("stopped by its user", Stopping, Stopped, "");
    row("goes on", Starting, Running, "");
    row("was over", Failed, Failed, "");
    row("resumed", Failed, Starting, "");
}

void TstNotifications::news_areOfEnds()
{
    QFETCH(int, before);
    QFETCH(int, now);
    const auto news = newsBetween(
        { runIn(static_cast<run::State>(before)) }, { runIn(static_cast<run::State>(now)) });
    QTEST(news.empty() ? QString() : news.front().title, "title");
    // Nothing is known of what happened to a run that was not listed before.
    QVERIFY(newsBetween({}, { runIn(static_cast<run::State>(now)) }).empty());
}

void TstNotifications::news_tellOfALossThatIsNotFinite()
{
    run::RunSummary before = runIn(run::State::Running);
    run::RunSummary now = before;
    before.metrics["train/loss"] = 2;
    now.metrics["train/loss"] = std::numeric_limits<double>::quiet_NaN();
    const auto news = newsBetween({ before }, { now });
    QCOMPARE(news.size(), size_t { 1 });
    QCOMPARE(news.front().title, QStringLiteral("The loss of digits is not finite"));
    QCOMPARE(news.front().text, QStringLiteral("At step 480."));
    QVERIFY(newsBetween({ now }, { now }).empty()); // told
}

void TstNotifications::failedRun_isShownOnTheDesktop()
{
    Desk desk;
    const run::RunFolder folder = writePlannedRun(desk.runsRoot(), QStringLiteral("digits"));
    desk.open();
    QTRY_COMPARE(desk.window->runs().rowCount(), 1);
    endAsFailed(folder, "the disk is <full>");
    QTRY_COMPARE_WITH_TIMEOUT(m_desktop.shown,
        QStringList { QStringLiteral("digits failed: the disk is &lt;full&gt;") }, 30000);
}

void TstNotifications::nothingIsShown_whereTheSettingsSaySo()
{
    Desk desk;
    const run::RunFolder folder = writePlannedRun(desk.runsRoot(), QStringLiteral("digits"));
    desk.open();
    QTRY_COMPARE(desk.window->runs().rowCount(), 1);
    desk.action("file.settings")->trigger();
    auto* dialog = desk.window->findChild<QDialog*>(QStringLiteral("settingsDialog"));
    QVERIFY(dialog);
    dialog->findChild<QCheckBox*>(QStringLiteral("notifies"))->setChecked(false);
    dialog->accept();
    endAsFailed(folder, "the disk is full");
    const QString path = QString::fromStdString(folder.path.string());
    QTRY_COMPARE_WITH_TIMEOUT(desk.stateOf(path), run::State::Failed, 30000);
    showOnDesktop(QStringLiteral("last"), QStringLiteral("one"));
    QTRY_COMPARE_WITH_TIMEOUT(m_desktop.shown, QStringList { QStringLiteral("last: one") }, 30000);
}

EARWRIGHT_TEST(TstNotifications)
#include "tst_notifications.moc"
