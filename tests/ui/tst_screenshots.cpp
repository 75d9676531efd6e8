#include "core/run/queue.h"
#include "tests/ui/capsule_file.h"
#include "tests/ui/hotword_run.h"
#include "tests/ui/screenshot.h"
#include "tests/ui/utterance_run.h"
#include "ui/compare/compare_model.h"
#include "ui/compare/compare_page.h"
#include "ui/editor/completer.h"
#include "ui/editor/difference_dialog.h"
#include "ui/editor/form_model.h"
#include "ui/editor/form_panel.h"
#include "ui/editor/new_recipe_dialog.h"
#include "ui/editor/recipe_editor.h"
#include "ui/editor/recipe_page.h"
#include "ui/editor/recipe_tabs.h"
#include "ui/editor/rename_box.h"
#include "ui/monitor/monitor_page.h"
#include "ui/runs/run_list_model.h"
#include "ui/session/command_palette.h"
#include "ui/session/main_window.h"
#include "ui/session/session.h"
#include "ui/utterances/alignment_view.h"
#include "ui/utterances/sound_view.h"
#include "ui/utterances/utterances_page.h"
#include "ui/widgets/action_registry.h"
#include "ui/widgets/figure_table.h"
#include "ui/widgets/plot_board.h"

#include <functional>
#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QToolTip>
#include <QTreeView>
#include <unistd.h>

using namespace earwright;
using namespace earwright::ui;

namespace {

constexpr int kScale = 8; ///< a picture is compared as it looks from afar: text is grey
constexpr int kSameCell = 24; ///< of 255: what fonts and dates make of a cell
constexpr double kOtherCells = 0.03; ///< share of the cells that may be others

QString referencePath(const QString& name)
{
    return QStringLiteral(EARWRIGHT_CASES_DIR "/ui/screenshots/%1.png").arg(name);
}

bool isOther(QRgb a, QRgb b)
{
    return std::abs(qRed(a) - qRed(b)) > kSameCell || std::abs(qGreen(a) - qGreen(b)) > kSameCell
        || std::abs(qBlue(a) - qBlue(b)) > kSameCell;
}

/// Share of the cells in which two pictures of one size differ; 1 where the sizes do.
double difference(const QImage& picture, const QImage& reference)
{
    if (picture.size() != reference.size())
        return 1;
    int others = 0;
    for (int y = 0; y < picture.height(); ++y)
        for (int x = 0; x < picture.width(); ++x)
            others += isOther(picture.pixel(x, y), reference.pixel(x, y)) ? 1 : 0;
    return static_cast<double>(others) / (picture.width() * picture.height());
}

} // namespace

/// Every page of the window in both themes, written to build/screenshots for people to look at and
/// compared with the pictures of tests/cases/ui/screenshots.
class TstScreenshots : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup();
    void emptyPages();
    void recipePage();
    void brokenRecipe();
    void completionList();
    void hoverTip();
    void renameBox();
    void formBesideTheText();
    void comparedRecipes();
    void newRecipe();
    void monitorPage();
    void reportOfARunWithHotwords();
    void utterancesPage();
    void capsuleOnTheMonitor();
    void comparePage();
    void runTable();
    void queuedRuns();
    void onlyWaitingRuns();
    void commandPalette();

private:
    /// `popup`: a window of its own that lies over this one, painted into the picture.
    void take(const QString& name, const std::function<QWidget*()>& popup = {});
    void fillWith(const QString& text);
    void enqueue(const QStringList& names, bool isHeld);
    QString runsRoot() const { return m_folder->filePath(QStringLiteral("runs")); }
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
    QCoreApplication::setOrganizationName(QStringLiteral("earwright-test"));
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

void TstScreenshots::take(const QString& name, const std::function<QWidget*()>& popup)
{
    for (const ThemeMode mode : { ThemeMode::Light, ThemeMode::Dark }) {
        m_theme->setMode(mode);
        QCoreApplication::sendPostedEvents(); // a header shrinks to a shorter name only then
        m_window->grab(); // lays out and paints once, so that plots know their width
        paintPlots(*m_window);
        QPixmap picture = m_window->grab();
        if (QWidget* above = popup ? popup() : nullptr) {
            QPainter painter(&picture);
            painter.drawPixmap(
                m_window->mapFromGlobal(above->mapToGlobal(QPoint())), above->grab());
        }
        const QImage image = picture.toImage();
        const QString file = name
            + (mode == ThemeMode::Light ? QStringLiteral("-light") : QStringLiteral("-dark"));
        const QString path = QStringLiteral("%1/%2.png").arg(screenshotFolder(), file);
        QVERIFY2(image.save(path), qPrintable(path));
        const QImage small
            = image.convertToFormat(QImage::Format_RGB32)
                  .scaled(image.size() / kScale, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
        if (qEnvironmentVariableIsSet("EARWRIGHT_UPDATE_CASES"))
            QVERIFY2(small.save(referencePath(file)), qPrintable(referencePath(file)));
        const double others
            = difference(small, QImage(referencePath(file)).convertToFormat(QImage::Format_RGB32));
        QVERIFY2(others <= kOtherCells,
            qPrintable(QStringLiteral("%1: %2 % of it is not as in %3")
                           .arg(path)
                           .arg(100 * others, 0, 'f', 1)
                           .arg(referencePath(file))));
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
    for (const char* page : { "recipe", "monitor", "compare", "utterances" }) {
        action(qPrintable(QStringLiteral("view.") + QLatin1String(page)))->trigger();
        take(QStringLiteral("empty-") + QLatin1String(page));
    }
}

void TstScreenshots::recipePage()
{
    QTRY_COMPARE_WITH_TIMEOUT(m_window->runs().rowCount(), 3, 60'000);
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

/// Long names and Chinese text among what is ordinary.
void TstScreenshots::fillWith(const QString& text)
{
    RecipePage* page = m_window->recipes()->current();
    page->editor()->setText(page->editor()->text() + text);
    QTRY_COMPARE(QString::fromStdString(page->latestCheck()->document->request.text),
        page->editor()->text());
    page->editor()->setFocus();
    QTest::keyClick(page->editor(), Qt::Key_End, Qt::ControlModifier);
}

void TstScreenshots::completionList()
{
    openDemoRecipe();
    fillWith(QStringLiteral("数据说明: \"中文\"\nmine: !new:speechbrain.nnet.linear.Linear\n    "));
    RecipePage* page = m_window->recipes()->current();
    QTest::keyClick(page->editor(), Qt::Key_Space, Qt::ControlModifier);
    QWidget* popup = page->completer()->popup();
    QTRY_VERIFY(popup->isVisible());
    QTest::keyClick(page->editor(), Qt::Key_Down);
    take(QStringLiteral("completion"), [popup] { return popup; });
    QTest::keyClick(page->editor(), Qt::Key_Escape);
    QTest::keyClicks(page->editor(), QStringLiteral("n_neurons: !ref <"));
    QTRY_VERIFY(popup->isVisible());
    take(QStringLiteral("completion-references"), [popup] { return popup; });
    page->discardChanges();
}

void TstScreenshots::hoverTip()
{
    openDemoRecipe();
    fillWith(QStringLiteral("数据说明: !ref <chanels>\n"));
    RecipePage* page = m_window->recipes()->current();
    const auto tip = [page] {
        page->explainAtCaret();
        const auto find = [] {
            for (QWidget* widget : QApplication::topLevelWidgets())
                if (widget->inherits("QTipLabel") && widget->isVisible())
                    return widget;
            return static_cast<QWidget*>(nullptr);
        };
        (void)QTest::qWaitFor([&] { return find() != nullptr; });
        return find();
    };
    const auto putCaret = [page](const QString& text) {
        const qsizetype at = page->editor()->text().indexOf(text) + 2;
        page->editor()->selectRange(at, at);
    };
    putCaret(QStringLiteral("dropout: 0.1"));
    take(QStringLiteral("hover"), tip);
    QToolTip::hideText();
    putCaret(QStringLiteral("chanels>"));
    take(QStringLiteral("hover-problem"), tip);
    page->discardChanges();
}

void TstScreenshots::renameBox()
{
    openDemoRecipe();
    RecipePage* page = m_window->recipes()->current();
    const qsizetype at = page->editor()->text().indexOf(QStringLiteral("<n_mels>")) + 3;
    page->editor()->selectRange(at, at);
    page->renameAtCaret();
    QTRY_VERIFY(page->findChild<RenameBox*>());
    auto* box = page->findChild<RenameBox*>();
    box->findChild<QLineEdit*>()->setText(QStringLiteral("num_mels"));
    QTRY_VERIFY(box->message().contains(QStringLiteral("places change")));
    take(QStringLiteral("rename"));
    page->findUsages();
    QTRY_VERIFY(m_window->findChild<QWidget*>(QStringLiteral("usagesView"))->isVisible());
    QTest::keyClick(box, Qt::Key_Escape);
    action("edit.outline")->trigger();
    take(QStringLiteral("usages"));
}

void TstScreenshots::formBesideTheText()
{
    openDemoRecipe();
    action("view.form")->trigger();
    RecipePage* page = m_window->recipes()->current();
    QTRY_VERIFY(page->form()->model()->rowCount() > 0);
    QTRY_COMPARE_WITH_TIMEOUT(m_window->runs().rowCount(), 3, 60'000);
    m_window->grab(); // lays out, so that what is scrolled to has its last height
    QCoreApplication::processEvents();
    auto* view = page->form()->findChild<QTreeView*>();
    view->setCurrentIndex(page->form()->model()->find(QStringLiteral("enc.dropout")));
    take(QStringLiteral("form"));
    action("view.form")->trigger();
}

void TstScreenshots::comparedRecipes()
{
    openDemoRecipe();
    RecipePage* page = m_window->recipes()->current();
    QString text = page->editor()->text();
    text.replace(QStringLiteral("    dropout: 0.1"), QStringLiteral("    dropout: 0.25"))
        .remove(QStringLiteral("    kernel_size: 9\n"))
        .append(QStringLiteral("数据说明: \"一个很长的中文说明，用来看看列宽是否合适\"\n"));
    fillWith(QString());
    page->editor()->setText(text);
    action("edit.compare")->trigger();
    auto* dialog = m_window->findChild<DifferenceDialog*>();
    QVERIFY(dialog);
    QTRY_COMPARE(dialog->model()->rowCount(), 3);
    take(QStringLiteral("difference"), [dialog] { return dialog; });
    dialog->close();
    page->discardChanges();
}

void TstScreenshots::newRecipe()
{
    action("file.new")->trigger();
    auto* dialog = m_window->findChild<NewRecipeDialog*>();
    QVERIFY(dialog);
    dialog->findChild<QListWidget*>()->setCurrentRow(1);
    take(QStringLiteral("new-recipe"), [dialog] { return dialog; });
    dialog->close();
}

void TstScreenshots::monitorPage()
{
    QTRY_COMPARE_WITH_TIMEOUT(m_window->runs().rowCount(), 3, 60'000);
    openDemoRecipe();
    m_window->selectRun(m_bf16);
    m_window->showPage(MainWindow::MonitorPageIndex);
    QTRY_VERIFY(!m_window->findChild<MonitorPage*>()
                     ->findChild<PlotView*>(QStringLiteral("loss"))
                     ->curves()
                     .empty());
    take(QStringLiteral("window-monitor"));
}

void TstScreenshots::reportOfARunWithHotwords()
{
    const QString run
        = writeHotwordRun(runsRoot(), QStringLiteral("seaco_paraformer-20261121-113000"));
    QTRY_COMPARE_WITH_TIMEOUT(m_window->runs().rowCount(), 4, 60'000);
    openDemoRecipe();
    m_window->selectRun(run);
    action("view.hotwords")->trigger();
    const auto* phrases = m_window->findChild<FigureTable*>(QStringLiteral("hotwordTable"));
    QTRY_COMPARE(phrases->model()->rowCount(), 4);
    take(QStringLiteral("window-hotwords"));
    action("view.evaluations")->trigger();
    take(QStringLiteral("window-evaluations"));
}

void TstScreenshots::utterancesPage()
{
    const QString run = writeUtteranceRun(runsRoot(), QStringLiteral("ctc_digits-20261121-113000"));
    QTRY_COMPARE_WITH_TIMEOUT(m_window->runs().rowCount(), 4, 60'000);
    openDemoRecipe();
    m_window->selectRun(run);
    action("view.utterances")->trigger();
    auto* page = m_window->findChild<UtterancesPage*>();
    auto* table = page->findChild<FigureTable*>(QStringLiteral("utterances"));
    QTRY_COMPARE(table->model()->rowCount(), 4);
    auto* other = page->findChild<QComboBox*>(QStringLiteral("compareWith"));
    other->setCurrentIndex(1);
    Q_EMIT other->activated(1);
    QTRY_VERIFY(!table->isColumnHidden(UtteranceRow::Difference));
    QTRY_COMPARE(table->model()->rowCount(), 4);
    table->setCurrentIndex(table->model()->index(1, 0));
    const auto* sound = page->findChild<SoundView*>();
    QTRY_VERIFY(sound->sound() && sound->sound()->seconds == 0.5);
    const auto* alignment = page->findChild<AlignmentView*>();
    QTRY_VERIFY(alignment->accessibleDescription().endsWith(QStringLiteral("open [D: the] menu")));
    take(QStringLiteral("window-utterances"));
    table->setCurrentIndex(table->model()->index(2, 0));
    m_window->resize(1024, 700);
    QTRY_VERIFY(!sound->message().isEmpty());
    QTRY_VERIFY(alignment->accessibleDescription().startsWith(QStringLiteral("A: turn")));
    take(QStringLiteral("window-utterances-small"));
}

void TstScreenshots::capsuleOnTheMonitor()
{
    QTRY_COMPARE_WITH_TIMEOUT(m_window->runs().rowCount(), 3, 60'000);
    openDemoRecipe();
    m_window->openFile(
        writeCapsule(m_folder->filePath(QStringLiteral("digits-from-the-other-machine.earwright")),
            QStringLiteral("digits_bf16")));
    QTRY_COMPARE_WITH_TIMEOUT(m_window->runs().rowCount(), 4, 60'000);
    QTRY_VERIFY(m_window->session().snapshot(m_window->selectedRun()) != nullptr);
    take(QStringLiteral("window-capsule"));
}

void TstScreenshots::comparePage()
{
    QTRY_COMPARE_WITH_TIMEOUT(m_window->runs().rowCount(), 3, 60'000);
    openDemoRecipe();
    m_window->compareRuns({ m_fp32, m_bf16 });
    QAbstractItemModel* const compared = m_window->findChild<ComparePage*>()->model();
    QTRY_COMPARE(compared->rowCount(), 2);
    for (const QString& run : { m_fp32, m_bf16 }) // each is drawn as soon as it is read
        QTRY_VERIFY(m_window->session().snapshot(run) != nullptr);
    const auto isRead = [compared](int row) {
        for (int column = 0; column < compared->columnCount(); ++column)
            if (compared->index(row, column).data() == QStringLiteral("no events yet"))
                return false;
        return true;
    };
    QTRY_VERIFY(isRead(0) && isRead(1));
    take(QStringLiteral("window-compare"));
}

void TstScreenshots::runTable()
{
    QTRY_COMPARE_WITH_TIMEOUT(m_window->runs().rowCount(), 3, 60'000);
    openDemoRecipe();
    action("view.runTable")->trigger();
    const auto* const table = m_window->findChild<QAbstractItemView*>(QStringLiteral("runTable"));
    QTRY_COMPARE(table->model()->rowCount(), 3);
    take(QStringLiteral("window-run-table"));
}

void TstScreenshots::enqueue(const QStringList& names, bool isHeld)
{
    run::Queue wanted { isHeld, {} };
    for (const QString& name : names)
        wanted.runs.push_back(writePlannedRun(runsRoot(), name).path.string());
    QVERIFY(bool(run::editQueue(runsRoot().toStdString(), [&](run::Queue& queue) {
        queue = wanted;
        return Status(Done {});
    })));
}

/// One trains, three wait, one has failed, others are over.
void TstScreenshots::queuedRuns()
{
    const run::RunFolder working
        = writePlannedRun(runsRoot(), QStringLiteral("ctc_prompts_en-20261121-111500"));
    const auto events = run::EventWriter::open(working.events(0), 0);
    (*events)->write({ 0,
        run::RunStarted { .name = "ctc_prompts_en",
            .precision = "bf16",
            .devices = { "cpu", "cpu" },
            .numberOfEpochs = 10,
            .stepsPerEpoch = 48 } });
    (*events)->write({ 0, run::Scalar { "train/loss", 170, 1.25 } });
    (*events)->flush();
    QVERIFY(bool(run::writeLock(
        working, { ::getpid(), run::processStartTicks(::getpid()), "/nowhere", run::hostName() })));
    const run::RunFolder failed
        = writePlannedRun(runsRoot(), QStringLiteral("ctc_prompts_en-20261121-110500"));
    const auto error = run::EventWriter::open(failed.events(-1), 0);
    (*error)->write({ 0, run::Finished { "failed", "cannot read 'train.csv'", -1 } });
    (*error)->flush();
    enqueue({ QStringLiteral("ctc_prompts_en-20261121-112000"),
                QStringLiteral("数字串识别-一个很长的名字用来看看会不会被截断-20261121-112100"),
                QStringLiteral("conformer-with-a-name-longer-than-any-column-20261121-112200") },
        true);
    QTRY_COMPARE_WITH_TIMEOUT(m_window->runs().rowCount(), 8, 60'000);
    openDemoRecipe();
    m_window->selectRun(m_window->runs().index(2, 0).data(RunListModel::PathRole).toString());
    m_window->showPage(MainWindow::MonitorPageIndex);
    QTRY_VERIFY(m_window->session().snapshot(m_window->selectedRun()) != nullptr);
    take(QStringLiteral("window-queue"));
}

void TstScreenshots::onlyWaitingRuns()
{
    enqueue({ QStringLiteral("ctc_prompts_en-20261121-112000") }, false);
    QTRY_COMPARE_WITH_TIMEOUT(m_window->runs().rowCount(), 4, 60'000);
    openDemoRecipe();
    take(QStringLiteral("window-waiting"));
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

int main(int argc, char** argv)
{
    // The offscreen platform's own screen is smaller than the window: what pops up would be pushed
    // aside.
    const QTemporaryDir folder;
    const QString screen = folder.filePath(QStringLiteral("screen.json"));
    writeFile(screen,
        R"({"screens": [{"name": "one", "x": 0, "y": 0, "width": 1920, "height": 1200,
            "logicalDpi": 96, "logicalBaseDpi": 96, "dpr": 1}]})");
    if (qgetenv("QT_QPA_PLATFORM") == "offscreen")
        qputenv("QT_QPA_PLATFORM", "offscreen:configfile=" + screen.toLocal8Bit());
    QApplication application(argc, argv);
    TstScreenshots tests;
    return QTest::qExec(&tests, argc - 1, argv + 1); // argv[1]: the test's name
}

#include "tst_screenshots.moc"
