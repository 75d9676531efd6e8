#include "core/run/queue.h"
#include "tests/registry.h"
#include "tests/ui/capsule_file.h"
#include "tests/ui/desk.h"
#include "tests/ui/marked_run.h"
#include "tests/ui/text_walk.h"
#include "tests/ui/utterance_run.h"
#include "ui/compare/compare_page.h"
#include "ui/editor/form_model.h"
#include "ui/editor/form_panel.h"
#include "ui/editor/recipe_editor.h"
#include "ui/editor/rename_box.h"
#include "ui/editor/text_diff_dialog.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/plain_tip.h"

#include <QHelpEvent>
#include <QListView>
#include <QMessageBox>
#include <QTableView>
#include <QTextDocumentFragment>
#include <QTimer>
#include <QToolTip>
#include <QTreeView>
#include <sys/stat.h>

using namespace earwright;
using namespace earwright::ui;

namespace {

/// What a tool tip shows of a text.
QString shownInTip(const QString& tip)
{
    return Qt::mightBeRichText(tip)
        ? QTextDocumentFragment::fromHtml(tip).toPlainText().remove(QChar(0x200B))
        : tip;
}

run::Utterance markedUtterance()
{
    run::Utterance utterance = utteranceOf(kMarkedText, kMarkedText, kMarkedText);
    utterance.speaker = kMarkedText;
    utterance.sound = kMarkedText;
    utterance.missedHotwords = { kMarkedText };
    return utterance;
}

} // namespace

/// What a file, its name or a run says is shown letter for letter, wherever it stands.
class TstPlainText : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void tip_showsTheTextLetterForLetter_data();
    void tip_showsTheTextLetterForLetter();
    void longText_isCut_data();
    void longText_isCut();
    void label_isPlainUnlessOfAnotherFormat();
    void question_isPlainAndAboutIsHtml();
    void cutLabel_tellsItsTextPlainly();
    void markedRuns_areShownLetterForLetter();
    void markedRecipe_isShownLetterForLetter();

private:
    static void verify(const TextWalk& walk, std::initializer_list<const char*> expected);
};

void TstPlainText::tip_showsTheTextLetterForLetter_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("isHtml");
    const auto add = [](const char* name, const QString& text, bool isHtml) {
        QTest::newRow(name) << text << isHtml;
    };
    add("empty", {}, false);
    add("plain", QStringLiteral("a: 1 # & more\n    b < c"), false);
    add("markup", QLatin1String(kMarkedText), true);
    add("reference", QStringLiteral("head: !ref <head> # & more"), true);
    add("entity", QStringLiteral("a &lt; b"), true);
    add("document", QStringLiteral("<!DOCTYPE html>\n<b>x"), true);
    add("lines and blanks", QStringLiteral("<b>\n    x  y\n\nz"), true);
    add("long line", QStringLiteral("word ").repeated(50).trimmed(), true);
    add("long word", QString(500, u'w') + QStringLiteral("\nthe end"), true);
    add("ideographs", QString(500, u'长'), true);
}

void TstPlainText::tip_showsTheTextLetterForLetter()
{
    QFETCH(QString, text);
    QFETCH(bool, isHtml);
    const QString tip = plainTip(text);
    QCOMPARE(Qt::mightBeRichText(tip), isHtml);
    QCOMPARE(shownInTip(tip), text);
    QToolTip::showText({}, tip);
    const int room = QGuiApplication::primaryScreen()->availableGeometry().width();
    for (const QWidget* widget : QApplication::topLevelWidgets())
        if (widget->inherits("QTipLabel") && widget->isVisible())
            QVERIFY2(widget->width() <= room, qPrintable(QString::number(widget->width())));
    QToolTip::hideText();
}

void TstPlainText::longText_isCut_data()
{
    QTest::addColumn<QString>("text");
    QTest::newRow("characters") << QString(1 << 20, u'x');
    QTest::newRow("pairs") << QStringLiteral("x") + QStringLiteral("\U0001F600").repeated(5000);
    QTest::newRow("lines") << QStringLiteral("x\n").repeated(300);
    QTest::newRow("markup") << QString::fromLatin1(kMarkedText).repeated(10000);
}

void TstPlainText::longText_isCut()
{
    QFETCH(QString, text);
    QString shown = shownInTip(plainTip(text));
    QCOMPARE(shown, beginningOf(text));
    QVERIFY(shown.size() <= 2001 && shown.count(u'\n') <= 40);
    QVERIFY(shown.endsWith(u'…'));
    shown.chop(1);
    QVERIFY(text.startsWith(shown) && !shown.back().isHighSurrogate());
}

void TstPlainText::label_isPlainUnlessOfAnotherFormat()
{
    const Theme theme;
    QWidget window;
    auto* label = new QLabel(QLatin1String(kMarkedText), &window);
    auto* own = new QLabel(QStringLiteral("<b>own</b>"), &window);
    own->setTextFormat(Qt::RichText);
    (void)label->sizeHint();
    (void)own->sizeHint();
    QCOMPARE(label->textFormat(), Qt::PlainText);
    QCOMPARE(own->textFormat(), Qt::RichText);
    // A picture that is never read to its end.
    const QTemporaryDir folder;
    const QByteArray pipe = QFile::encodeName(folder.filePath(QStringLiteral("pipe")));
    QCOMPARE(::mkfifo(pipe.constData(), 0600), 0);
    QMessageBox box(QMessageBox::Warning, QStringLiteral("Title"),
        QStringLiteral("<img src=\"%1\">").arg(QFile::decodeName(pipe)), QMessageBox::Ok);
    box.setInformativeText(box.text());
    box.show();
    for (const QLabel* part : box.findChildren<QLabel*>())
        QVERIFY(part->text().isEmpty() || part->textFormat() == Qt::PlainText);
    QVERIFY(box.width() > 200); // all letters of it
}

/// The one asks about a file, the other is HTML of ours.
void TstPlainText::question_isPlainAndAboutIsHtml()
{
    Desk desk;
    desk.open();
    const QString path = desk.folder.filePath(kMarkedName + QStringLiteral(".yaml"));
    writeFile(path, "seed: 1\n");
    desk.openRecipe(path)->editor()->setText(QStringLiteral("seed: 2\n"));
    TextWalk walk;
    QTimer user;
    connect(&user, &QTimer::timeout, &user, [&walk] {
        auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
        if (!box)
            return;
        walk.walk();
        box->button(QMessageBox::Cancel)->click();
    });
    user.start(0);
    QVERIFY(!desk.window->close());
    user.stop();
    verify(walk, { "qt_msgbox_label", "qt_tabwidget_tabbar" });
    desk.action("help.about")->trigger();
    const auto* about = desk.window->findChild<QMessageBox*>(QStringLiteral("aboutDialog"));
    QVERIFY(about);
    QCOMPARE(about->textFormat(), Qt::RichText);
    desk.window->recipes()->current()->discardChanges();
}

void TstPlainText::cutLabel_tellsItsTextPlainly()
{
    ElidedLabel label;
    label.setText(QString::fromLatin1(kMarkedText).repeated(3));
    label.resize(60, 20);
    label.show();
    QHelpEvent rest(QEvent::ToolTip, { 5, 5 }, label.mapToGlobal(QPoint(5, 5)));
    QApplication::sendEvent(&label, &rest);
    QCOMPARE(shownInTip(QToolTip::text()), label.text());
    QToolTip::hideText();
}

/// None of the texts is drawn, and the widgets named show one: else nothing was looked at.
void TstPlainText::verify(const TextWalk& walk, std::initializer_list<const char*> expected)
{
    const auto list = [](const QSet<QString>& names) {
        return QStringList(names.begin(), names.end()).join(QStringLiteral("; "));
    };
    QVERIFY2(walk.drawing().isEmpty(), qPrintable(list(walk.drawing())));
    for (const char* name : expected)
        QVERIFY2(walk.showing().contains(QLatin1String(name)),
            qPrintable(
                QLatin1String(name) + QStringLiteral(" is not among ") + list(walk.showing())));
}

void TstPlainText::markedRuns_areShownLetterForLetter()
{
    Desk desk;
    const QString first
        = writeMarkedRun(desk.runsRoot(), kMarkedName + QStringLiteral("-20261121-101500"));
    const QString second
        = writeMarkedRun(desk.runsRoot(), kMarkedName + QStringLiteral("-20261121-111500"));
    const std::string waiting
        = writePlannedRun(desk.runsRoot(), kMarkedName + QStringLiteral("-20261121-121500"))
              .path.string();
    QVERIFY(bool(run::editQueue(desk.runsRoot().toStdString(), [&](run::Queue& queue) {
        queue = { true, { waiting } };
        return Status(Done {});
    })));
    desk.open();
    const QString capsule = desk.folder.filePath(kMarkedName + QStringLiteral(".earwright"));
    desk.window->openFile(writeCapsule(capsule, QStringLiteral("digits_bf16")));
    QTRY_COMPARE(desk.window->runs().rowCount(), 4);
    TextWalk walk;
    desk.window->selectRun(first);
    desk.window->showPage(MainWindow::MonitorPageIndex);
    const auto* hotwords = desk.window->findChild<QTableView*>(QStringLiteral("hotwordTable"));
    QTRY_COMPARE(hotwords->model()->rowCount(), 1);
    for (const auto& [view, content] : { std::pair { "view.evaluations", "evaluations" },
             { "view.hotwords", "hotwordTable" }, { "view.log", "logView" } }) {
        desk.action(view)->trigger();
        QTRY_VERIFY2((walk.walk(), walk.showing().contains(QLatin1String(content))), content);
    }
    QTRY_VERIFY((walk.walk(), walk.showing().contains(QStringLiteral("runSetting"))));
    writeFile(first + QStringLiteral("/alignments/test-utterances.tsv"),
        QByteArray::fromStdString(run::utterancesText({ markedUtterance() })));
    desk.action("view.utterances")->trigger();
    const auto* utterances = desk.window->findChild<QTableView*>(QStringLiteral("utterances"));
    QTRY_COMPARE(utterances->model()->rowCount(), 1);
    QTRY_VERIFY((walk.walk(), walk.showing().contains(QStringLiteral("utterances"))));
    desk.window->compareRuns({ first, second });
    desk.window->showPage(MainWindow::ComparePageIndex);
    const auto* compared = desk.window->findChild<QTableView*>(QStringLiteral("compareTable"));
    QTRY_COMPARE(compared->model()->rowCount(), 2);
    for (PlotView* plot : desk.window->findChildren<PlotView*>()) {
        plot->refresh();
        plot->showCrosshair(1);
    }
    // Now the actions say which of the selected runs they act on.
    desk.window->findChild<QListView*>(QStringLiteral("runView"))->selectAll();
    walk.walk();
    verify(walk,
        { "runView", "runName", "runSetting", "runProgress", "runError", "testWer", "evaluations",
            "hotwordTable", "hotwordSummary", "utterances", "utteranceTitle", "evaluation",
            "logView", "compareTable", "baseline", "readOut", "run.openFolder" });
}

void TstPlainText::markedRecipe_isShownLetterForLetter()
{
    Desk desk;
    const QString folder = desk.folder.filePath(kMarkedName);
    writeManifests(folder);
    const QString path = writeDemoRecipe(folder, folder);
    const QString marked = path.chopped(5) + kMarkedName + QStringLiteral(".yaml");
    const QByteArray text = kMarkedText;
    writeFile(marked,
        bytesOf(path) + "\"" + text + "\": !ref <seed>\n\"" + text
            + "2\": !new:speechbrain.nnet.linear.Linear\n    input_size: 4\n    n_neurons: 3\n");
    desk.open();
    desk.openRecipe(path);
    RecipePage* page = desk.openRecipe(marked);
    for (const char* view : { "view.form", "view.outline", "view.usages", "view.problems" })
        if (!desk.action(view)->isChecked())
            desk.action(view)->trigger();
    const auto putCaret = [page](const QString& what) {
        const qsizetype at = page->editor()->text().indexOf(what) + 2;
        page->editor()->selectRange(at, at);
    };
    TextWalk walk;
    putCaret(QStringLiteral("seed:"));
    page->findUsages();
    const auto* usages = desk.window->findChild<QTreeView*>(QStringLiteral("usagesView"));
    QTRY_VERIFY(usages->model()->rowCount() > 0);
    putCaret(QLatin1String(kMarkedText));
    page->explainAtCaret();
    QTRY_VERIFY(QToolTip::isVisible());
    walk.walk();
    page->renameAtCaret();
    QTRY_VERIFY(page->findChild<RenameBox*>());
    FormModel* form = page->form()->model();
    const QString setting = QLatin1String(kMarkedText) + QStringLiteral("2.n_neurons");
    QTRY_VERIFY(form->find(setting).isValid());
    page->form()->findChild<QTreeView*>()->setCurrentIndex(form->find(setting));
    auto* overrides = desk.window->findChild<QTableView*>(QStringLiteral("overridesView"))->model();
    overrides->setData(overrides->index(0, 0), QLatin1String(kMarkedText));
    desk.action("edit.compare")->trigger();
    desk.action("file.new")->trigger();
    const TextDiffDialog::Text left { kMarkedName, QLatin1String(kMarkedText) };
    TextDiffDialog difference(left, left, desk.window.get());
    difference.setAttribute(Qt::WA_DeleteOnClose, false);
    difference.show();
    walk.walk();
    verify(walk,
        { "recipeView", "outlineView", "usagesView", "formView", "formAbout", "problemsView",
            "overridesView", "launchRecipe", "qtooltip_label", "renameMessage", "differenceLeft",
            "newRecipeMessage", "textDiffNames" });
    page->discardChanges();
}

EARWRIGHT_TEST(TstPlainText)
#include "tst_plain_text.moc"
