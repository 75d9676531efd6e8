#include "tests/registry.h"
#include "tests/ui/editor_desk.h"
#include "ui/editor/find_bar.h"

#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QToolButton>
#include <QTreeView>
#include <set>

using namespace earwright;
using namespace earwright::ui;

/// The editor in a real window, key by key: finding, replacing, folding, problems.
class TstEditorKeys : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void find_walksTheMatchesAndBack();
    void find_wholeWordAndCase();
    void find_brokenExpressionIsSaid();
    void replaceAll_isOneUndoStep();
    void replaceAll_withGroupsOfAnExpression();
    void replaceOne_goesToTheNext();
    void fold_hidesTheBlockAndUnfolds();
    void problems_areAllReachedByF8();
    void problemsList_isWalkedAndSorted();
    void tabs_areSwitchedByKeys();
    void enter_indentsBelowWhatOpensABlock_data();
    void enter_indentsBelowWhatOpensABlock();
};

void TstEditorKeys::find_walksTheMatchesAndBack()
{
    const EditorDesk desk;
    desk.putCaret(QStringLiteral("task:"));
    desk.key(Qt::Key_F, Qt::ControlModifier);
    QTRY_VERIFY(desk.find<QLineEdit>("findText")->hasFocus());
    desk.type(QStringLiteral("channels"));
    QCOMPARE(desk.editor()->selectedText(), QStringLiteral("channels"));
    const recipe::Position first = desk.editor()->caret();
    desk.key(Qt::Key_Return);
    QVERIFY(desk.editor()->caret() > first);
    QCOMPARE(desk.editor()->selectedText(), QStringLiteral("channels"));
    desk.key(Qt::Key_Return, Qt::ShiftModifier);
    QCOMPARE(desk.editor()->caret(), first);
    desk.key(Qt::Key_F3);
    QVERIFY(desk.editor()->caret() > first);
    desk.key(Qt::Key_Escape);
    QVERIFY(desk.editor()->hasFocus());
    QVERIFY(!desk.page()->findBar()->isVisible());
}

void TstEditorKeys::find_wholeWordAndCase()
{
    const EditorDesk desk;
    desk.editor()->setText(QStringLiteral("Lr: 1\nlr_min: 2\nlr: 3\n"));
    desk.putCaret(QStringLiteral("Lr"));
    desk.key(Qt::Key_F, Qt::ControlModifier);
    desk.type(QStringLiteral("lr"));
    const auto* result = desk.find<QLabel>("findResult");
    QCOMPARE(result->text(), QStringLiteral("1 of 3"));
    desk.find<QToolButton>("findMatchCase")->click();
    QCOMPARE(result->text(), QStringLiteral("1 of 2"));
    QCOMPARE(desk.editor()->caret().line, 2);
    desk.find<QToolButton>("findWholeWord")->click();
    QCOMPARE(result->text(), QStringLiteral("1 of 1"));
    QCOMPARE(desk.editor()->caret().line, 3);
}

void TstEditorKeys::find_brokenExpressionIsSaid()
{
    const EditorDesk desk;
    desk.key(Qt::Key_F, Qt::ControlModifier);
    desk.find<QToolButton>("findRegex")->click();
    desk.type(QStringLiteral("(a"));
    QVERIFY(!desk.find<QLabel>("findResult")->text().isEmpty());
    QVERIFY(desk.find<QLabel>("findResult")->text() != QStringLiteral("Not found"));
}

void TstEditorKeys::replaceAll_isOneUndoStep()
{
    const EditorDesk desk;
    const QString before = QStringLiteral("a: 语音 lr\nb: lr\nc: über lr lr\n");
    desk.editor()->resetText(before);
    desk.putCaret(QStringLiteral("a:"));
    desk.key(Qt::Key_H, Qt::ControlModifier);
    desk.type(QStringLiteral("lr"));
    desk.find<QLineEdit>("replaceText")->setFocus();
    desk.type(QStringLiteral("学习率"));
    desk.key(Qt::Key_Return, Qt::ControlModifier | Qt::AltModifier);
    QCOMPARE(desk.text(), QStringLiteral("a: 语音 学习率\nb: 学习率\nc: über 学习率 学习率\n"));
    QCOMPARE(desk.find<QLabel>("findResult")->text(), QStringLiteral("Replaced 4 matches"));
    desk.editor()->setFocus();
    desk.key(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(desk.text(), before);
    QVERIFY(!desk.page()->isModified());
}

void TstEditorKeys::replaceAll_withGroupsOfAnExpression()
{
    const EditorDesk desk;
    desk.editor()->resetText(QStringLiteral("a: 1\nb: 22\n"));
    desk.key(Qt::Key_H, Qt::ControlModifier);
    desk.find<QToolButton>("findRegex")->click();
    desk.type(QStringLiteral("^(\\w): (\\d+)$"));
    desk.find<QLineEdit>("replaceText")->setFocus();
    desk.type(QStringLiteral("\\2: \\1"));
    desk.key(Qt::Key_Return, Qt::ControlModifier | Qt::AltModifier);
    QCOMPARE(desk.text(), QStringLiteral("1: a\n22: b\n"));
}

void TstEditorKeys::replaceOne_goesToTheNext()
{
    const EditorDesk desk;
    desk.editor()->resetText(QStringLiteral("x: 1\nx: 2\nx: 3\n"));
    desk.putCaret(QStringLiteral("x"));
    desk.key(Qt::Key_H, Qt::ControlModifier);
    desk.type(QStringLiteral("x"));
    desk.find<QLineEdit>("replaceText")->setFocus();
    desk.type(QStringLiteral("xx"));
    desk.key(Qt::Key_Return);
    QCOMPARE(desk.text(), QStringLiteral("xx: 1\nx: 2\nx: 3\n"));
    QCOMPARE(desk.editor()->caret().line, 2);
    desk.key(Qt::Key_Return);
    QCOMPARE(desk.text(), QStringLiteral("xx: 1\nxx: 2\nx: 3\n"));
}

void TstEditorKeys::fold_hidesTheBlockAndUnfolds()
{
    const EditorDesk desk;
    const auto isVisible = [&](int line) {
        return desk.editor()->SendScintilla(QsciScintillaBase::SCI_GETLINEVISIBLE, line) != 0;
    };
    desk.putCaret(QStringLiteral("    channels: !ref <channels>"), 4);
    const int line = desk.editor()->caret().line - 1;
    QSignalSpy folded(desk.action("edit.fold"), &QAction::triggered);
    desk.key(Qt::Key_BracketLeft, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(folded.count(), 1);
    QVERIFY(!isVisible(line));
    QVERIFY(isVisible(desk.editor()->caret().line - 1)); // the caret stays where it is seen
    desk.key(Qt::Key_BracketRight, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(isVisible(line));
    desk.key(Qt::Key_0, Qt::ControlModifier | Qt::AltModifier);
    QVERIFY(!isVisible(line));
    desk.page()->restoreView({ { line + 1, 5 }, 0 });
    desk.editor()->goTo({ line + 1, 5 }); // what is jumped to is unfolded
    QVERIFY(isVisible(line));
    desk.key(Qt::Key_9, Qt::ControlModifier | Qt::AltModifier);
    QVERIFY(isVisible(line));
}

void TstEditorKeys::problems_areAllReachedByF8()
{
    const EditorDesk desk;
    desk.editor()->append(QStringLiteral("one: !ref <nobody>\ntwo: !ref <no_one>\n"
                                         "three: {a: !ref <none>, b: !ref <nil>}\n"));
    QTRY_COMPARE(desk.errors(), 4);
    desk.putCaret(QStringLiteral("task:"));
    std::set<recipe::Position> reached;
    for (int i = 0; i < desk.page()->problems()->rowCount(); ++i) {
        desk.key(Qt::Key_F8);
        reached.insert(desk.editor()->caret());
    }
    std::set<recipe::Position> places;
    for (int row = 0; row < desk.page()->problems()->rowCount(); ++row)
        places.insert(desk.page()->problems()->at(row).span.begin);
    QCOMPARE(reached.size(), places.size());
    QVERIFY(reached == places);
    const recipe::Position last = desk.editor()->caret();
    desk.key(Qt::Key_F8, Qt::ShiftModifier);
    desk.key(Qt::Key_F8);
    QCOMPARE(desk.editor()->caret(), last);
}

void TstEditorKeys::problemsList_isWalkedAndSorted()
{
    const EditorDesk desk;
    desk.editor()->append(QStringLiteral("zz: !ref <b_nobody>\nyy: !ref <a_nobody>\n"));
    QTRY_COMPARE(desk.errors(), 2);
    desk.key(Qt::Key_M, Qt::ControlModifier | Qt::ShiftModifier);
    auto* view = desk.find<QTreeView>("problemsView");
    QTRY_VERIFY(view->hasFocus());
    desk.key(Qt::Key_Return);
    QCOMPARE(desk.lineAtCaret(), QStringLiteral("zz: !ref <b_nobody>"));
    QVERIFY(desk.editor()->hasFocus());
    view->sortByColumn(DiagnosticsModel::Message, Qt::AscendingOrder);
    desk.key(Qt::Key_M, Qt::ControlModifier | Qt::ShiftModifier);
    desk.key(Qt::Key_Home);
    desk.key(Qt::Key_Return);
    QCOMPARE(desk.lineAtCaret(), QStringLiteral("yy: !ref <a_nobody>"));
}

void TstEditorKeys::tabs_areSwitchedByKeys()
{
    const EditorDesk desk;
    const QString other = desk.folder.filePath(QStringLiteral("数据.yaml"));
    writeFile(other, "seed: 1\n");
    desk.openRecipe(other);
    desk.key(Qt::Key_PageUp, Qt::ControlModifier);
    QCOMPARE(desk.page()->path(), desk.path);
    desk.key(Qt::Key_PageDown, Qt::ControlModifier);
    QCOMPARE(desk.page()->path(), other);
}

void TstEditorKeys::enter_indentsBelowWhatOpensABlock_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<int>("columns");
    QTest::newRow("section") << "train_conf:" << 2;
    QTest::newRow("section with a comment") << "train_conf: # FunASR's" << 2;
    QTest::newRow("section below one") << "  optim_conf:" << 4;
    QTest::newRow("item that is a mapping") << "  - noise:" << 6;
    QTest::newRow("block scalar") << "text: >-" << 2;
    QTest::newRow("object") << "opt_class: !name:torch.optim.Adam" << 2;
    QTest::newRow("anchored object") << "enc: &enc !new:torch.nn.Linear" << 2;
    QTest::newRow("object below one") << "  activation: !name:torch.nn.ReLU" << 2;
    QTest::newRow("value") << "  lr: 0.1" << 2;
    QTest::newRow("reference") << "lr: !ref <a>" << 0;
    QTest::newRow("placeholder") << "lr: !PLACEHOLDER" << 0;
    QTest::newRow("comment") << "# as upstream:" << 0;
    QTest::newRow("text that ends with a colon") << "note: 'a:" << 0;
}

void TstEditorKeys::enter_indentsBelowWhatOpensABlock()
{
    QFETCH(QString, line);
    QFETCH(int, columns);
    const EditorDesk desk;
    desk.editor()->resetText(QStringLiteral("seed: 1\nopts:\n  batch_size: 8\n") + line);
    desk.editor()->setFocus();
    desk.key(Qt::Key_End, Qt::ControlModifier);
    desk.key(Qt::Key_Return);
    QCOMPARE(desk.editor()->caret(), (recipe::Position { 5, columns + 1 }));
    desk.type(QStringLiteral("x"));
    QVERIFY(desk.text().endsWith(QString(columns, QLatin1Char(' ')) + QLatin1Char('x')));
}

EARWRIGHT_TEST(TstEditorKeys)
#include "tst_editor_keys.moc"
