// What editing costs: a full check of the largest recipe, and in a window with a recipe of 5,000
// lines the way from a key to paint, from a pause to its diagnostics, the completion list, and how
// long the GUI thread is kept at a time. Run by editor.sh. Each line gives percentiles in
// milliseconds and ends in ratio=R: the target over what was measured.

#include "tests/bench/event_probe.h"
#include "tests/ui/demo_recipe.h"
#include "tests/ui/own_settings.h"
#include "ui/editor/completer.h"
#include "ui/editor/recipe_editor.h"
#include "ui/editor/recipe_page.h"
#include "ui/editor/recipe_tabs.h"
#include "ui/session/main_window.h"

#include <QDirIterator>
#include <QTemporaryDir>
#include <QTest>

using namespace earwright::ui;

namespace {

constexpr int kLines = 5000;
constexpr int kPauseMs = 30; ///< between keys: a fast typist's is above 60

QString largestRecipe()
{
    const QString root = qEnvironmentVariable(
        "EARWRIGHT_RECIPES_DIR", QStringLiteral(EARWRIGHT_SOURCE_DIR "/configs"));
    QString largest;
    qint64 size = 0;
    QDirIterator files(
        root, { QStringLiteral("*.yaml") }, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        const QFileInfo file(files.next());
        const bool isResult = file.filePath().contains(QStringLiteral("/resolved/"));
        if (!isResult && file.size() > size) {
            size = file.size();
            largest = file.filePath();
        }
    }
    return largest;
}

void benchCheck()
{
    const QString path = largestRecipe();
    const QString text = QString::fromUtf8(bytesOf(path));
    Times times;
    for (int i = 0; i < 50; ++i) {
        QElapsedTimer timer;
        timer.start();
        checkNow(text, path, {});
        times.add(static_cast<double>(timer.nsecsElapsed()) * 1e-6);
    }
    std::printf("largest recipe: %s, %lld lines\n", qPrintable(QFileInfo(path).fileName()),
        static_cast<long long>(text.count(QLatin1Char('\n'))));
    times.print("full check", 0.5, 20);
}

/// As recipes are written: settings, objects that refer to them, and the sections that hold all.
QString syntheticRecipe()
{
    QString text = QStringLiteral("# A synthetic recipe.\nseed: 1\nwidth: 64\ndropout: 0.1\n");
    QString modules = QStringLiteral("\nmodules:\n");
    int lines = 6;
    for (int i = 0; lines < kLines; ++i) {
        text += QStringLiteral("\n# Block %1\nsize_%1: !ref <width> * 2\n"
                               "layer_%1: !new:speechbrain.nnet.linear.Linear\n"
                               "    input_size: !ref <size_%1>\n"
                               "    n_neurons: !ref <width>\n"
                               "norm_%1: !new:speechbrain.nnet.normalization.LayerNorm\n"
                               "    input_size: !ref <width>\n"
                               "opts_%1:\n"
                               "    batch_size: 8\n"
                               "    note: \"块 %1\"\n")
                    .arg(i);
        modules += QStringLiteral("    layer_%1: !ref <layer_%1>\n    norm_%1: !ref <norm_%1>\n")
                       .arg(i);
        lines += 13;
    }
    return text + modules;
}

/// The window with that recipe in front.
struct Bench {
    QTemporaryDir folder;
    Theme theme;
    std::unique_ptr<MainWindow> window;

    Bench()
    {
        useOwnSettings(folder.path());
        const QString path = folder.filePath(QStringLiteral("synthetic.yaml"));
        writeFile(path, syntheticRecipe().toUtf8());
        window = std::make_unique<MainWindow>(
            theme, SessionState { .runsRoot = folder.filePath(QStringLiteral("runs")) });
        window->resize(1360, 860);
        window->show();
        window->activateWindow();
        (void)QTest::qWaitForWindowActive(window.get());
        window->openRecipe(path);
        waitForCheck();
        editor()->setFocus();
        QTest::qWait(300);
    }
    RecipePage* page() const { return window->recipes()->current(); }
    RecipeEditor* editor() const { return page()->editor(); }
    bool isChecked() const
    {
        const auto check = page()->latestCheck();
        return check && check->document->request.text == editor()->text().toStdString();
    }
    void waitForCheck() const
    {
        (void)QTest::qWaitFor([this] { return isChecked(); }, 60000);
    }
};

/// Notes that a widget was painted.
class PaintWatch final : public QObject {
public:
    explicit PaintWatch(QWidget* widget) { widget->installEventFilter(this); }
    bool isPainted = false;

protected:
    bool eventFilter(QObject*, QEvent* event) override
    {
        isPainted = isPainted || event->type() == QEvent::Paint;
        return false;
    }
};

/// Types a key and waits until the text was painted with it.
double keyMs(const Bench& bench, PaintWatch& watch, char key)
{
    QElapsedTimer timer;
    watch.isPainted = false;
    timer.start();
    if (key == '\b')
        QTest::keyClick(bench.editor(), Qt::Key_Backspace);
    else if (key == '\n')
        QTest::keyClick(bench.editor(), Qt::Key_Return);
    else
        QTest::keyClick(bench.editor(), key);
    while (!watch.isPainted && timer.elapsed() < 1000)
        QCoreApplication::processEvents(QEventLoop::AllEvents);
    return static_cast<double>(timer.nsecsElapsed()) * 1e-6;
}

void goToLine(const Bench& bench, const QString& text)
{
    const qsizetype at = bench.editor()->text().indexOf(text);
    bench.editor()->selectRange(at, at);
    QTest::qWait(100);
}

void benchKeys(const Bench& bench)
{
    PaintWatch watch(bench.editor()->viewport());
    goToLine(bench, QStringLiteral("size_150:"));
    const QByteArray typed = "mine: !ref <width>\nother_key: 0.25\n\b\bnot_yet: [1, 2, 3]\n"
                             "more: !new:speechbrain.nnet.linear.Linear\n    n_neurons: 3\n";
    Times times;
    for (int round = 0; round < 3; ++round)
        for (const char key : typed) {
            times.add(keyMs(bench, watch, key));
            QTest::qWait(kPauseMs);
        }
    times.print("keystroke to paint", 0.99, 8);
}

/// What was typed goes: the next measure starts from a recipe that is whole.
void resetRecipe(const Bench& bench)
{
    bench.editor()->setText(syntheticRecipe());
    bench.waitForCheck();
    QTest::qWait(300);
}

void benchDiagnostics(const Bench& bench)
{
    resetRecipe(bench);
    PaintWatch watch(bench.editor()->viewport());
    goToLine(bench, QStringLiteral("    batch_size: 8"));
    QTest::keyClick(bench.editor(), Qt::Key_End);
    Times times;
    for (int i = 0; i < 40; ++i) {
        bench.waitForCheck();
        QElapsedTimer timer;
        bool isDone = false;
        const auto connection = QObject::connect(
            bench.page(), &RecipePage::checked, bench.page(), [&] { isDone = true; });
        timer.start();
        keyMs(bench, watch, i % 2 ? '\b' : '1');
        while (!isDone && timer.elapsed() < 10000)
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 5);
        times.add(static_cast<double>(timer.nsecsElapsed()) * 1e-6);
        QObject::disconnect(connection);
    }
    times.print("diagnostics after the pause", 0.5, 50);
}

void benchCompletion(const Bench& bench)
{
    resetRecipe(bench);
    goToLine(bench, QStringLiteral("layer_200: !ref <layer_200>"));
    for (int i = 0; i < 18; ++i)
        QTest::keyClick(bench.editor(), Qt::Key_Right);
    QWidget* popup = bench.page()->completer()->popup();
    Times times;
    for (int i = 0; i < 40; ++i) {
        bench.waitForCheck();
        QElapsedTimer timer;
        timer.start();
        bench.page()->complete();
        while (!popup->isVisible() && timer.elapsed() < 2000)
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 5);
        times.add(static_cast<double>(timer.nsecsElapsed()) * 1e-6);
        QTest::keyClick(bench.editor(), Qt::Key_Escape);
        QTest::qWait(20);
    }
    times.print("completion list", 0.5, 30);
}

} // namespace

int main(int argc, char** argv)
{
    ProbedApplication application(argc, argv);
    benchCheck();
    const Bench bench;
    application.forget();
    benchKeys(bench);
    benchDiagnostics(bench);
    benchCompletion(bench);
    application.wall().print("GUI thread blocked, by the wall clock", 0.99, 16);
    application.cpu().print("GUI thread blocked, by its own clock", 0.99, 16);
    application.cpu().print("GUI thread blocked, ever", 1, 50);
    std::printf("the longest was an event of type %d\n", application.longestEvent());
    return 0;
}
