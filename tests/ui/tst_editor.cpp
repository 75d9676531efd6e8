#include "tests/registry.h"
#include "tests/ui/demo_recipe.h"
#include "ui/editor/problems_panel.h"
#include "ui/editor/recipe_editor.h"
#include "ui/editor/recipe_page.h"
#include "ui/editor/recipe_tabs.h"
#include "ui/editor/recipe_tokens.h"
#include "ui/editor/usages_panel.h"
#include "ui/widgets/info_bar.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTextDocumentFragment>
#include <QToolTip>
#include <QTreeView>

using namespace earwright;
using namespace earwright::ui;

namespace {

constexpr int kErrorIndicator = 8;
const QString kSound = QStringLiteral("    channels: !ref <channels>");
const QString kBroken = QStringLiteral("    channels: !ref <chanels>");

/// A demo recipe whose checks find nothing, open in a page.
struct OpenRecipe {
    QTemporaryDir folder;
    QString path;
    std::unique_ptr<RecipePage> page;

    OpenRecipe()
    {
        writeManifests(folder.filePath(QStringLiteral("data")));
        path = writeDemoRecipe(folder.path(), folder.filePath(QStringLiteral("data")));
        page = std::make_unique<RecipePage>(path);
        page->resize(900, 600);
        page->show();
        QSignalSpy checked(page.get(), &RecipePage::checked);
        if (!checked.wait())
            qFatal("the recipe was not checked");
    }
    RecipeEditor* editor() const { return page->editor(); }
    int errors() const { return page->problems()->errorCount(); }
    int lineOf(const QString& text) const
    {
        const QString all = editor()->text();
        return static_cast<int>(all.left(all.indexOf(text)).count(QLatin1Char('\n')));
    }
    /// Types over a line, as a user does.
    void replaceLine(const QString& before, const QString& after) const
    {
        const int line = lineOf(before);
        editor()->setSelection(line, 0, line, static_cast<int>(before.size()));
        editor()->replaceSelectedText(after);
    }
    bool isUnderlined(int line, int index) const
    {
        return editor()->SendScintilla(QsciScintillaBase::SCI_INDICATORVALUEAT,
                   static_cast<unsigned long>(kErrorIndicator),
                   static_cast<long>(editor()->positionFromLineIndex(line, index)))
            != 0;
    }
};

QByteArray kindsOf(const QByteArray& line, int blockIndent = -1)
{
    constexpr char kLetters[] = "tckTCrsn=.a"; // in the order of TokenKind
    QByteArray kinds;
    for (const Token& token : tokenizeLine(line, blockIndent))
        kinds.append(token.length, kLetters[static_cast<int>(token.kind)]);
    return kinds;
}

} // namespace

class TstEditor : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void soundRecipe_hasNoProblems();
    void brokenReference_isUnderlinedAsTyped();
    void fix_mendsTheTextAndTheProblemGoes();
    void problems_areJumpedToInOrderAndAround();
    void problemsPanel_jumpsWhereActivated();
    void longFileName_leavesRoomForTheProblem();
    void tips_showWhatLooksLikeHtml();
    void syntaxError_isAProblemAndTheTextStays();
    void override_isCheckedLikeTheRecipe();
    void precisionTheDeviceLacks_isAProblem();
    void fastTyping_isCheckedOnceForTheLastText();
    void comment_togglesAndUndoesInOneStep();
    void save_keepsEveryByte();
    void save_whereNoFolderIs_saysSo();
    void fileChangedByAnother_isLoadedOrAsked();
    void tabs_openAFileOnce();
    void tab_cutsALongName();
    void tokens_coverTheLine_data();
    void tokens_coverTheLine();
};

void TstEditor::soundRecipe_hasNoProblems()
{
    const OpenRecipe recipe;
    for (int row = 0; row < recipe.page->problems()->rowCount(); ++row)
        qInfo("%s", recipe.page->problems()->at(row).message.c_str());
    QCOMPARE(recipe.errors(), 0);
    QVERIFY(recipe.page->latestCheck()->isClean);
    QVERIFY(!recipe.page->isModified());
}

void TstEditor::brokenReference_isUnderlinedAsTyped()
{
    const OpenRecipe recipe;
    recipe.replaceLine(kSound, kBroken);
    QVERIFY(recipe.page->isModified());
    QVERIFY(recipe.page->title().endsWith(QLatin1Char('*')));
    QTRY_COMPARE(recipe.errors(), 1);
    const recipe::Diagnostic& problem = recipe.page->problems()->at(0);
    QCOMPARE(QString::fromStdString(problem.rule), QStringLiteral("unknown-reference"));
    const int line = recipe.lineOf(kBroken);
    QCOMPARE(problem.span.begin.line, line + 1);
    const auto index = static_cast<int>(kBroken.indexOf(QStringLiteral("chanels")));
    QVERIFY(recipe.isUnderlined(line, index));
    QVERIFY(recipe.isUnderlined(line, index + 6));
    QVERIFY(!recipe.isUnderlined(line, 4));
    const auto there = recipe.editor()->problemsAt({ line + 1, index + 2 });
    QCOMPARE(there.size(), size_t { 1 });
    QVERIFY(there.front().message.find("did you mean 'channels'") != std::string::npos);
    QVERIFY(recipe.editor()->problemsAt({ line, 1 }).empty());
    recipe.editor()->undo();
    QTRY_COMPARE(recipe.errors(), 0);
    QVERIFY(!recipe.isUnderlined(line, index));
}

void TstEditor::fix_mendsTheTextAndTheProblemGoes()
{
    const OpenRecipe recipe;
    const QString before = recipe.editor()->text();
    recipe.replaceLine(kSound, kBroken);
    QTRY_COMPARE(recipe.errors(), 1);
    recipe.page->goToProblem(0);
    recipe.page->fixAtCaret();
    QTRY_COMPARE(recipe.editor()->text(), before);
    QTRY_COMPARE(recipe.errors(), 0);
    recipe.page->fixAtCaret();
    QTRY_VERIFY(QToolTip::text().contains(QStringLiteral("Nothing to fix")));
    QCOMPARE(recipe.editor()->text(), before);
}

void TstEditor::problems_areJumpedToInOrderAndAround()
{
    const OpenRecipe recipe;
    recipe.replaceLine(kSound, kBroken);
    recipe.replaceLine(QStringLiteral("    limit: !ref <number_of_epochs>"),
        QStringLiteral("    limit: !ref <number_of_epoch>"));
    QTRY_COMPARE(recipe.errors(), 2);
    const int first = recipe.lineOf(kBroken) + 1;
    const int second = recipe.lineOf(QStringLiteral("    limit:")) + 1;
    recipe.editor()->setCursorPosition(0, 0);
    recipe.page->goToNextProblem(1);
    QCOMPARE(recipe.editor()->caret().line, first);
    recipe.page->goToNextProblem(1);
    QCOMPARE(recipe.editor()->caret().line, second);
    recipe.page->goToNextProblem(1);
    QCOMPARE(recipe.editor()->caret().line, first);
    recipe.page->goToNextProblem(-1);
    QCOMPARE(recipe.editor()->caret().line, second);
}

void TstEditor::problemsPanel_jumpsWhereActivated()
{
    const OpenRecipe recipe;
    QAbstractItemModelTester tester(
        recipe.page->problems(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    ProblemsPanel panel;
    panel.setModel(recipe.page->problems());
    panel.show();
    recipe.replaceLine(kSound, kBroken);
    QTRY_COMPARE(recipe.errors(), 1);
    auto* view = panel.findChild<QTreeView*>(QStringLiteral("problemsView"));
    QTRY_VERIFY(view->isVisible());
    QSignalSpy activated(&panel, &ProblemsPanel::problemActivated);
    view->setCurrentIndex(view->model()->index(0, 0));
    QTest::keyClick(view, Qt::Key_Return);
    QCOMPARE(activated.count(), 1);
    QCOMPARE(activated.at(0).at(0).toInt(), 0);
}

void TstEditor::longFileName_leavesRoomForTheProblem()
{
    DiagnosticsModel model;
    ProblemsPanel panel;
    panel.setModel(&model);
    panel.resize(600, 150);
    panel.show();
    const QString name = QString(80, u'长') + QStringLiteral(".yaml");
    recipe::Diagnostic wrong;
    wrong.message = "is wrong";
    model.setDiagnostics(name, { wrong });
    auto* view = panel.findChild<QTreeView*>();
    panel.grab(); // lays it out
    QVERIFY(
        view->columnWidth(DiagnosticsModel::Place) < view->columnWidth(DiagnosticsModel::Message));
    const QModelIndex place = view->model()->index(0, DiagnosticsModel::Place);
    QCOMPARE(place.data(Qt::ToolTipRole).toString(), name);
}

void TstEditor::tips_showWhatLooksLikeHtml()
{
    const QString line = QStringLiteral("head: !ref <head> # & more");
    UsagesModel usages;
    usages.setUsages({ { {}, line } });
    recipe::Diagnostic wrong;
    wrong.message = line.toStdString();
    DiagnosticsModel problems;
    problems.setDiagnostics(QStringLiteral("a.yaml"), { wrong });
    for (const QModelIndex& index :
        { usages.index(0, UsagesModel::Line), problems.index(0, DiagnosticsModel::Message) }) {
        const QString tip = index.data(Qt::ToolTipRole).toString();
        QVERIFY(Qt::mightBeRichText(tip));
        QCOMPARE(QTextDocumentFragment::fromHtml(tip).toPlainText(), line);
    }
    usages.setUsages({ { {}, QStringLiteral("a: 1 # & more") } }); // no HTML: nothing to escape
    QCOMPARE(usages.index(0, UsagesModel::Line).data(Qt::ToolTipRole).toString(),
        QStringLiteral("a: 1 # & more"));
}

void TstEditor::syntaxError_isAProblemAndTheTextStays()
{
    const OpenRecipe recipe;
    const QString text = QStringLiteral("seed: 1\nlist: [1, 2\n");
    recipe.editor()->setText(text);
    QTRY_VERIFY(recipe.errors() > 0);
    QCOMPARE(recipe.editor()->text(), text);
    QVERIFY(!recipe.page->latestCheck()->isClean);
}

void TstEditor::override_isCheckedLikeTheRecipe()
{
    const OpenRecipe recipe;
    recipe.page->setCheckContext(
        { .devices = QStringLiteral("cpu:1"), .overrides = { QStringLiteral("chanels=32") } });
    QTRY_VERIFY(recipe.page->problems()->rowCount() > 0);
    QVERIFY(QString::fromStdString(recipe.page->problems()->at(0).message)
                .contains(QStringLiteral("chanels")));
    recipe.page->setCheckContext(
        { .devices = QStringLiteral("cpu:1"), .overrides = { QStringLiteral("channels=32") } });
    QTRY_COMPARE(recipe.page->problems()->rowCount(), 0);
}

void TstEditor::precisionTheDeviceLacks_isAProblem()
{
    const OpenRecipe recipe;
    recipe.page->setCheckContext(
        { .devices = QStringLiteral("cpu:1"), .precision = QStringLiteral("tf32") });
    QTRY_COMPARE(recipe.errors(), 1);
    QVERIFY(QString::fromStdString(recipe.page->problems()->at(0).message)
                .contains(QStringLiteral("fp32")));
}

void TstEditor::fastTyping_isCheckedOnceForTheLastText()
{
    RecipeChecker checker;
    QSignalSpy checked(&checker, &RecipeChecker::checked);
    for (int length = 1; length <= 20; ++length)
        checker.schedule(
            QStringLiteral("a: !ref <") + QString(length, QLatin1Char('x')) + QStringLiteral(">\n"),
            QStringLiteral("r.yaml"));
    QVERIFY(checked.wait());
    QCOMPARE(checked.count(), 1);
    checker.schedule(QStringLiteral("a: 1\n"), QStringLiteral("r.yaml"));
    QVERIFY(checked.wait());
    QCOMPARE(checked.count(), 2); // none of the texts typed over came late
    const auto result = checked.at(0).at(0).value<CheckResultPtr>();
    const auto& found = result->diagnostics;
    QVERIFY(std::any_of(found.begin(), found.end(), [](const recipe::Diagnostic& problem) {
        return problem.message.find(std::string(20, 'x')) != std::string::npos;
    }));
}

void TstEditor::comment_togglesAndUndoesInOneStep()
{
    const OpenRecipe recipe;
    const QString before = recipe.editor()->text();
    const int line = recipe.lineOf(QStringLiteral("compute_features:"));
    recipe.editor()->setSelection(line, 0, line + 4, 0);
    recipe.editor()->toggleComment();
    QCOMPARE(recipe.editor()->text(line),
        QStringLiteral("# compute_features: !new:speechbrain.lobes.features.Fbank\n"));
    QCOMPARE(recipe.editor()->text(line + 3).left(6), QStringLiteral("#     "));
    recipe.editor()->undo();
    QCOMPARE(recipe.editor()->text(), before);
    QVERIFY(!recipe.page->isModified());
}

void TstEditor::save_keepsEveryByte()
{
    const OpenRecipe recipe;
    const QString text = QStringLiteral(
        "# 数据在此 — ü\nname: \"语音\"\n\n\tnot yaml, but text\r\nlast line without newline");
    recipe.editor()->setText(text);
    recipe.page->save();
    QTRY_VERIFY(!recipe.page->isModified());
    QCOMPARE(bytesOf(recipe.path), text.toUtf8());
}

void TstEditor::save_whereNoFolderIs_saysSo()
{
    const OpenRecipe recipe;
    auto* bar = recipe.page->findChild<InfoBar*>();
    recipe.page->saveAs(recipe.path + QStringLiteral("/below-a-file.yaml"));
    QTRY_VERIFY(bar->isVisible());
    QVERIFY2(bar->text().contains(QStringLiteral("below-a-file.yaml")), qPrintable(bar->text()));
}

void TstEditor::fileChangedByAnother_isLoadedOrAsked()
{
    const OpenRecipe recipe;
    auto* bar = recipe.page->findChild<InfoBar*>();
    writeFile(recipe.path, "seed: 7\n");
    QTRY_COMPARE(recipe.editor()->text(), QStringLiteral("seed: 7\n"));
    QVERIFY(!bar->isVisible());
    recipe.editor()->append(QStringLiteral("mine: 1\n"));
    writeFile(recipe.path, "seed: 8\n");
    QTRY_VERIFY(bar->isVisible());
    QCOMPARE(recipe.editor()->text(), QStringLiteral("seed: 7\nmine: 1\n"));
}

void TstEditor::tabs_openAFileOnce()
{
    QTemporaryDir folder;
    const QString one = folder.filePath(QStringLiteral("one.yaml"));
    const QString two = folder.filePath(QStringLiteral("二.yaml"));
    writeFile(one, "seed: 1\n");
    writeFile(two, "seed: 2\n");
    RecipeTabs tabs({});
    QVERIFY(!tabs.current());
    RecipePage* first = tabs.open(one);
    tabs.open(two);
    QCOMPARE(tabs.paths(), QStringList({ one, two }));
    QCOMPARE(tabs.open(one), first);
    QCOMPARE(tabs.current(), first);
    QVERIFY(tabs.close(first));
    QTRY_COMPARE(tabs.paths(), QStringList({ two }));
}

void TstEditor::tab_cutsALongName()
{
    QTemporaryDir folder;
    const QString brief = folder.filePath(QStringLiteral("a&b.yaml"));
    const QString path = folder.filePath(QString(40, u'长') + QStringLiteral("_v2.yaml"));
    writeFile(brief, "seed: 1\n");
    writeFile(path, "seed: 1\n");
    RecipeTabs tabs({});
    tabs.open(brief);
    tabs.open(path);
    const auto* bar = tabs.findChild<QTabBar*>();
    QCOMPARE(bar->tabText(0), QStringLiteral("a&&b.yaml")); // else a shortcut's mark
    QVERIFY2(bar->tabText(1).size() < 30 && bar->tabText(1).endsWith(QStringLiteral("_v2.yaml")),
        qPrintable(bar->tabText(1)));
    QCOMPARE(bar->tabToolTip(1), path);
}

void TstEditor::tokens_coverTheLine_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QByteArray>("kinds");
    QTest::newRow("key and number") << QByteArray("lr: 1e-3") << QByteArray("kk.tnnnn");
    QTest::newRow("comment") << QByteArray("# all: of it") << QByteArray("cccccccccccc");
    QTest::newRow("new") << QByteArray("a: !new:x.Y") << QByteArray("k.tTTTTTCCC");
    QTest::newRow("ref") << QByteArray("a: !ref <b>") << QByteArray("k.tTTTTtrrr");
    QTest::newRow("string") << QByteArray("a: \"b # c\"") << QByteArray("k.tsssssss");
    QTest::newRow("constant") << QByteArray("a: True") << QByteArray("k.t====");
}

void TstEditor::tokens_coverTheLine()
{
    QFETCH(QByteArray, line);
    QFETCH(QByteArray, kinds);
    QCOMPARE(kindsOf(line), kinds);
}

EARWRIGHT_TEST(TstEditor)
#include "tst_editor.moc"
