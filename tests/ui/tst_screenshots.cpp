#include "tests/ui/run_folders.h"
#include "tests/ui/screenshot.h"
#include "ui/compare/compare_model.h"
#include "ui/compare/compare_page.h"
#include "ui/editor/recipe_editor.h"
#include "ui/editor/recipe_page.h"
#include "ui/editor/recipe_tabs.h"
#include "ui/monitor/monitor_page.h"
#include "ui/runs/run_list_model.h"
#include "ui/session/action_registry.h"
#include "ui/session/command_palette.h"
#include "ui/session/main_window.h"
#include "ui/widgets/plot_board.h"

#include <QApplication>
#include <QLineEdit>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>

using namespace kymo;
using namespace kymo::ui;

namespace {

/// Share of pixels that differ from the most common colour of the picture: an empty page has next
/// to none.
double inkOf(const QImage& image)
{
    QHash<QRgb, int> counts;
    for (int y = 0; y < image.height(); y += 2)
        for (int x = 0; x < image.width(); x += 2)
            ++counts[image.pixel(x, y)];
    const int most = *std::max_element(counts.begin(), counts.end());
    return 1.0 - 4.0 * most / (image.width() * image.height());
}

} // namespace

/// Every page of the window in both themes, written to build/screenshots,
/// for people to look at.
class TstScreenshots : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup();
    void emptyPages();
    void recipePage();
    void brokenRecipe();
    void monitorPage();
    void comparePage();
    void commandPalette();

private:
    void take(const QString& name);
    void openDemoRecipe();
    QAction* action(const char* id) const { return m_window->actions().find(QLatin1String(id)); }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Theme> m_theme;
    std::unique_ptr<MainWindow> m_window;
    QString m_fp32;
    QString m_bf16;
};

void TstScreenshots::initTestCase()
{
    QVERIFY(QDir().mkpath(screenshotFolder()));
    qInfo("screenshots: %s", qPrintable(screenshotFolder()));
    QCoreApplication::setOrganizationName(QStringLiteral("kymo-test"));
    QSettings::setDefaultFormat(QSettings::IniFormat);
    m_theme = std::make_unique<Theme>();
}

void TstScreenshots::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_folder->path());
    const QString runs = m_folder->filePath(QStringLiteral("runs"));
    if (qstrcmp(QTest::currentTestFunction(), "emptyPages") != 0) {
        m_fp32 = writeRecordedRun(
            runs, QStringLiteral("digits-fp32-20261121-101500"), QStringLiteral("digits_fp32"));
        m_bf16 = writeRecordedRun(runs,
            QStringLiteral("数字串-bf16-with-a-name-longer-than-any-column-20261121-102200"),
            QStringLiteral("digits_bf16"));
        writeRecordedRun(runs, QStringLiteral("digits-lost-20261120-090000"),
            QStringLiteral("digits_bf16"), false);
    }
    writeManifests(m_folder->filePath(QStringLiteral("data")));
    m_window = std::make_unique<MainWindow>(*m_theme, SessionState { .runsRoot = runs });
    m_window->resize(1400, 880);
    m_window->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
}

void TstScreenshots::cleanup()
{
    m_window.reset();
    m_folder.reset();
}

void TstScreenshots::take(const QString& name)
{
    for (const ThemeMode mode : { ThemeMode::Light, ThemeMode::Dark }) {
        m_theme->setMode(mode);
        m_window->grab(); // lays out and paints once, so that plots know their width
        paintPlots(*m_window);
        const QImage image = m_window->grab().toImage();
        const QString path
            = QStringLiteral("%1/%2-%3.png")
                  .arg(screenshotFolder(), name,
                      mode == ThemeMode::Light ? QStringLiteral("light") : QStringLiteral("dark"));
        QVERIFY2(image.save(path), qPrintable(path));
        QVERIFY2(inkOf(image) > 0.02, qPrintable(path));
        QCOMPARE(qGray(image.pixel(image.width() / 2, image.height() - 2)) > 128,
            mode == ThemeMode::Light);
    }
}

void TstScreenshots::openDemoRecipe()
{
    m_window->openRecipe(
        writeDemoRecipe(m_folder->path(), m_folder->filePath(QStringLiteral("data"))));
    QSignalSpy checked(m_window->recipes()->current(), &RecipePage::checked);
    QVERIFY(checked.wait());
}

void TstScreenshots::emptyPages()
{
    for (const char* page : { "recipe", "monitor", "compare" }) {
        action(qPrintable(QStringLiteral("view.") + QLatin1String(page)))->trigger();
        take(QStringLiteral("empty-") + QLatin1String(page));
    }
}

void TstScreenshots::recipePage()
{
    QTRY_COMPARE(m_window->runs().rowCount(), 3);
    openDemoRecipe();
    take(QStringLiteral("recipe"));
}

void TstScreenshots::brokenRecipe()
{
    openDemoRecipe();
    RecipePage* page = m_window->recipes()->current();
    QString text = page->editor()->text();
    text.replace(QStringLiteral("    enc: !ref <enc>\n"), QString());
    text.replace(QStringLiteral("    channels: !ref <channels>"),
        QStringLiteral("    channels: !ref <chanels>"));
    page->editor()->replaceText(text);
    QTRY_VERIFY(page->problems()->errorCount() >= 2);
    page->goToProblem(0);
    take(QStringLiteral("recipe-problems"));
    page->discardChanges();
}

void TstScreenshots::monitorPage()
{
    QTRY_COMPARE(m_window->runs().rowCount(), 3);
    openDemoRecipe();
    m_window->selectRun(m_bf16);
    m_window->showPage(MainWindow::MonitorPageIndex);
    QTRY_VERIFY(!m_window->findChild<MonitorPage*>()
                     ->findChild<PlotView*>(QStringLiteral("loss"))
                     ->curves()
                     .empty());
    take(QStringLiteral("window-monitor"));
}

void TstScreenshots::comparePage()
{
    QTRY_COMPARE(m_window->runs().rowCount(), 3);
    openDemoRecipe();
    m_window->compareRuns({ m_fp32, m_bf16 });
    QTRY_COMPARE(m_window->findChild<ComparePage*>()->model()->rowCount(), 2);
    take(QStringLiteral("window-compare"));
}

void TstScreenshots::commandPalette()
{
    openDemoRecipe();
    action("view.palette")->trigger();
    auto* palette = m_window->findChild<CommandPalette*>();
    QVERIFY(palette);
    QTest::keyClicks(palette->findChild<QLineEdit*>(), QStringLiteral("tr"));
    const QString path = screenshotFolder() + QStringLiteral("/palette.png");
    QVERIFY2(palette->grab().save(path), qPrintable(path));
    palette->close();
}

QTEST_MAIN(TstScreenshots)
#include "tst_screenshots.moc"
