#include "tests/registry.h"
#include "tests/ui/editor_desk.h"
#include "ui/editor/completer.h"
#include "ui/editor/completion_model.h"
#include "ui/editor/recipe_checker.h"
#include "ui/editor/rename_box.h"

#include <QAbstractItemModelTester>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QToolTip>
#include <QTreeView>

using namespace earwright;
using namespace earwright::ui;

namespace {

const QString kChannels = QStringLiteral("    channels: !ref <channels>");

CompletionPopup* popupOf(const EditorDesk& desk)
{
    return desk.page()->completer()->popup();
}

QString currentLabel(const EditorDesk& desk)
{
    const language::Completion* current = popupOf(desk)->current();
    return current ? QString::fromStdString(current->label) : QString();
}

QStringList labels(const EditorDesk& desk)
{
    QStringList all;
    const auto* model = popupOf(desk)->findChild<CompletionModel*>();
    for (int row = 0; row < model->rowCount(); ++row)
        all << model->index(row).data().toString();
    return all;
}

} // namespace

/// What the editor understands of a recipe, in a real window, key by key.
class TstEditorLanguage : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void completion_afterBracketOffersKeysAndEnterTakesOne();
    void completion_narrowsWhileTypedAndTabTakes();
    void completion_escapeClosesAndLeavesTheText();
    void completion_byCtrlSpaceSaysWhereThereIsNothing();
    void completion_isUndoneInOneStep();
    void completion_isTakenByAClick();
    void completion_listIsAModel();
    void hover_byKeyboardSaysTheResolvedValue();
    void hover_byMouseSaysTheSame();
    void hover_saysProblemsAndTheirFix();
    void definition_jumpsToTheKey();
    void definition_whereNothingIsNamedSaysSo();
    void selection_isAskedAsWellAsTheCaret();
    void usages_areListedAndEnterJumps();
    void usages_followTheTextAndItsUndoing();
    void rename_changesEveryReferenceInOneStep();
    void rename_toATakenNameIsRefusedInWords();
    void rename_escapeChangesNothing();
    void fix_singleIsAppliedByAltEnter();
    void fix_severalAreChosenFromAMenu();
    void tokenizersFile_isComparedWithTheIndices();
    void outline_followsTheCaretAndJumps();
    void outline_isAsWideAsItsPanel();
    void outline_filters();
};

void TstEditorLanguage::completion_afterBracketOffersKeysAndEnterTakesOne()
{
    const EditorDesk desk;
    desk.editor()->setFocus();
    desk.key(Qt::Key_End, Qt::ControlModifier);
    desk.type(QStringLiteral("mine: !ref <"));
    QTRY_VERIFY(popupOf(desk)->isVisible());
    desk.type(QStringLiteral("n_mel"));
    QTRY_COMPARE(currentLabel(desk), QStringLiteral("n_mels"));
    desk.key(Qt::Key_Return);
    QVERIFY(!popupOf(desk)->isVisible());
    QVERIFY2(desk.lineAtCaret().startsWith(QStringLiteral("mine: !ref <n_mels")),
        qPrintable(desk.lineAtCaret()));
    QVERIFY(desk.editor()->hasFocus());
}

void TstEditorLanguage::completion_narrowsWhileTypedAndTabTakes()
{
    const EditorDesk desk;
    desk.editor()->setText(desk.text().remove(QStringLiteral("    dropout: 0.1\n")));
    desk.waitForCheck();
    desk.putCaret(kChannels);
    desk.key(Qt::Key_Left); // behind the line above
    desk.type(QStringLiteral("\ndr")); // indented as the line above
    QTRY_VERIFY(popupOf(desk)->isVisible());
    QTRY_VERIFY2(labels(desk).contains(QStringLiteral("dropout")),
        qPrintable(labels(desk).join(QLatin1Char(' '))));
    QTRY_COMPARE(currentLabel(desk), QStringLiteral("dropout"));
    desk.key(Qt::Key_Tab);
    QVERIFY2(
        desk.lineAtCaret().startsWith(QStringLiteral("dropout:")), qPrintable(desk.lineAtCaret()));
}

void TstEditorLanguage::completion_escapeClosesAndLeavesTheText()
{
    const EditorDesk desk;
    desk.putCaret(QStringLiteral("<channels>"), 3);
    const QString before = desk.text();
    desk.key(Qt::Key_Space, Qt::ControlModifier);
    QTRY_VERIFY(popupOf(desk)->isVisible());
    const QString first = currentLabel(desk);
    desk.key(Qt::Key_Down);
    QVERIFY(popupOf(desk)->count() == 1 || currentLabel(desk) != first);
    desk.key(Qt::Key_Escape);
    QVERIFY(!popupOf(desk)->isVisible());
    QCOMPARE(desk.text(), before);
}

void TstEditorLanguage::completion_byCtrlSpaceSaysWhereThereIsNothing()
{
    const EditorDesk desk;
    desk.putCaret(QStringLiteral("# The demo"), 6);
    desk.key(Qt::Key_Space, Qt::ControlModifier);
    QTRY_VERIFY(QToolTip::text().contains(QStringLiteral("Nothing is known")));
    QVERIFY(!popupOf(desk)->isVisible());
}

void TstEditorLanguage::completion_isUndoneInOneStep()
{
    const EditorDesk desk;
    desk.putCaret(QStringLiteral("<channels>"), 3);
    const QString before = desk.text();
    desk.key(Qt::Key_Space, Qt::ControlModifier);
    QTRY_VERIFY(popupOf(desk)->isVisible());
    desk.key(Qt::Key_Return);
    QVERIFY(!popupOf(desk)->isVisible());
    while (desk.text() != before) {
        const QString last = desk.text();
        desk.key(Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(desk.text() != last); // or it would never end
        QCOMPARE(desk.text(), before);
    }
}

void TstEditorLanguage::completion_isTakenByAClick()
{
    const EditorDesk desk;
    desk.editor()->setFocus();
    desk.key(Qt::Key_End, Qt::ControlModifier);
    desk.type(QStringLiteral("mine: !ref <n_mel"));
    QTRY_VERIFY(labels(desk).contains(QStringLiteral("n_mels")));
    auto* list = popupOf(desk)->findChild<QListView*>();
    const auto row = static_cast<int>(labels(desk).indexOf(QStringLiteral("n_mels")));
    const QModelIndex index = list->model()->index(row, 0);
    QTest::mouseClick(
        list->viewport(), Qt::LeftButton, Qt::NoModifier, list->visualRect(index).center());
    QVERIFY(!popupOf(desk)->isVisible());
    QVERIFY2(desk.lineAtCaret().startsWith(QStringLiteral("mine: !ref <n_mels")),
        qPrintable(desk.lineAtCaret()));
}

void TstEditorLanguage::completion_listIsAModel()
{
    CompletionModel model;
    QAbstractItemModelTester tester(&model);
    model.setCompletions({ { .kind = language::CompletionKind::Class,
        .label = "Linear",
        .detail = "speechbrain.nnet.linear",
        .help = {},
        .edit = {} } });
    QCOMPARE(model.index(0).data().toString(), QStringLiteral("Linear"));
    QCOMPARE(model.index(0).data(Qt::AccessibleTextRole).toString(),
        QStringLiteral("Linear, Class, speechbrain.nnet.linear"));
}

void TstEditorLanguage::hover_byKeyboardSaysTheResolvedValue()
{
    const EditorDesk desk;
    const QRegularExpressionMatch value = QRegularExpression(
        QStringLiteral("^channels: (\\d+)"), QRegularExpression::MultilineOption)
                                              .match(desk.text());
    QVERIFY(value.hasMatch());
    desk.putCaret(kChannels, static_cast<int>(kChannels.indexOf(u'<')) + 3);
    desk.key(Qt::Key_I, Qt::ControlModifier);
    QTRY_VERIFY2(QToolTip::text().contains(QStringLiteral("= ") + value.captured(1)),
        qPrintable(QToolTip::text()));
    QVERIFY2(QToolTip::text().contains(QStringLiteral("ctc_prompts_en.yaml")),
        qPrintable(QToolTip::text()));
}

/// As Qt tells a widget that the mouse rests on it.
void TstEditorLanguage::hover_byMouseSaysTheSame()
{
    const EditorDesk desk;
    desk.putCaret(kChannels, 4);
    const recipe::Position place = desk.editor()->caret();
    const QRect character = desk.editor()->placeOnScreen(place);
    QWidget* viewport = desk.editor()->viewport();
    const QPoint at = viewport->mapFromGlobal(character.center()) + QPoint(2, 0);
    QHelpEvent rests(QEvent::ToolTip, at, viewport->mapToGlobal(at));
    QApplication::sendEvent(viewport, &rests);
    QTRY_VERIFY(!QToolTip::text().isEmpty());
    const QString byMouse = QToolTip::text();
    QVERIFY2(byMouse.contains(QStringLiteral("channels")), qPrintable(byMouse));
    // Where there is no text, nothing is said.
    const QPoint beyond(viewport->width() - 4, at.y());
    QHelpEvent away(QEvent::ToolTip, beyond, viewport->mapToGlobal(beyond));
    QApplication::sendEvent(viewport, &away);
    QTRY_VERIFY(!QToolTip::isVisible());
}

void TstEditorLanguage::hover_saysProblemsAndTheirFix()
{
    const EditorDesk desk;
    desk.editor()->append(QStringLiteral("mine: !ref <chanels>\n"));
    QTRY_COMPARE(desk.errors(), 1);
    desk.putCaret(QStringLiteral("<chanels>"), 2);
    desk.key(Qt::Key_I, Qt::ControlModifier);
    QTRY_VERIFY2(
        QToolTip::text().contains(QStringLiteral("Alt+Enter:")), qPrintable(QToolTip::text()));
    QVERIFY(QToolTip::text().contains(QStringLiteral("channels")));
}

void TstEditorLanguage::definition_jumpsToTheKey()
{
    const EditorDesk desk;
    desk.putCaret(kChannels, static_cast<int>(kChannels.indexOf(u'<')) + 3);
    desk.key(Qt::Key_F12);
    QTRY_COMPARE(desk.editor()->caret().column, 1);
    QVERIFY2(desk.lineAtCaret().startsWith(QStringLiteral("channels: ")),
        qPrintable(desk.lineAtCaret()));
}

void TstEditorLanguage::definition_whereNothingIsNamedSaysSo()
{
    const EditorDesk desk;
    desk.putCaret(QStringLiteral("# The demo"), 4);
    desk.key(Qt::Key_F12);
    QTRY_VERIFY(QToolTip::text().contains(QStringLiteral("No key is named here")));
}

/// With the brackets the caret stands behind the name.
void TstEditorLanguage::selection_isAskedAsWellAsTheCaret()
{
    const EditorDesk desk;
    const QString reference = QStringLiteral("<channels>");
    const auto select = [&] {
        const qsizetype at = desk.text().indexOf(reference);
        desk.editor()->selectRange(at, at + reference.size());
        desk.editor()->setFocus();
    };
    select();
    desk.key(Qt::Key_F2);
    QTRY_VERIFY(desk.window->findChild<RenameBox*>());
    desk.key(Qt::Key_Escape);
    QTRY_VERIFY(!desk.window->findChild<RenameBox*>());
    select();
    desk.key(Qt::Key_F12);
    QTRY_COMPARE(desk.editor()->caret().column, 1);
    QVERIFY2(desk.lineAtCaret().startsWith(QStringLiteral("channels: ")),
        qPrintable(desk.lineAtCaret()));
}

void TstEditorLanguage::usages_followTheTextAndItsUndoing()
{
    const EditorDesk desk;
    desk.putCaret(QStringLiteral("n_mels: "), 2);
    desk.key(Qt::Key_F12, Qt::ShiftModifier);
    auto* view = desk.find<QTreeView>("usagesView");
    QTRY_VERIFY(view->hasFocus());
    const auto rows = [view] {
        QStringList all;
        for (int row = 0; row < view->model()->rowCount(); ++row)
            all << view->model()->index(row, 0).data().toString();
        return all;
    };
    const QStringList before = rows();
    desk.editor()->setFocus();
    desk.key(Qt::Key_Home, Qt::ControlModifier);
    desk.type(QStringLiteral("# mine\n")); // all stand a line lower
    QTRY_VERIFY(rows() != before);
    QCOMPARE(rows().size(), before.size());
    while (desk.page()->isModified())
        desk.key(Qt::Key_Z, Qt::ControlModifier);
    QTRY_COMPARE(rows(), before);
}

void TstEditorLanguage::usages_areListedAndEnterJumps()
{
    const EditorDesk desk;
    desk.putCaret(QStringLiteral("n_mels: "), 2);
    desk.key(Qt::Key_F12, Qt::ShiftModifier);
    auto* view = desk.find<QTreeView>("usagesView");
    QTRY_VERIFY(view->hasFocus());
    QCOMPARE(view->model()->rowCount(), 1 + static_cast<int>(desk.text().count(u"<n_mels>"_qs)));
    desk.key(Qt::Key_Down);
    desk.key(Qt::Key_Return);
    QTRY_VERIFY2(
        desk.lineAtCaret().contains(QStringLiteral("<n_mels>")), qPrintable(desk.lineAtCaret()));
    QVERIFY(desk.editor()->hasFocus());
}

void TstEditorLanguage::rename_changesEveryReferenceInOneStep()
{
    const EditorDesk desk;
    const QString before = desk.text();
    const auto uses = before.count(QStringLiteral("<n_mels>"));
    desk.putCaret(QStringLiteral("<n_mels>"), 3);
    desk.key(Qt::Key_F2);
    QTRY_VERIFY(desk.find<RenameBox>("renameBox"));
    auto* box = desk.find<RenameBox>("renameBox");
    QTRY_VERIFY(desk.find<QLineEdit>("renameText")->hasFocus());
    desk.type(QStringLiteral("num_mels"));
    QTRY_COMPARE(box->message(), QStringLiteral("%1 places change").arg(uses + 1));
    desk.key(Qt::Key_Return);
    QString expected = before;
    expected.replace(QStringLiteral("<n_mels>"), QStringLiteral("<num_mels>"))
        .replace(QStringLiteral("\nn_mels:"), QStringLiteral("\nnum_mels:"));
    QTRY_COMPARE(desk.text(), expected);
    QTRY_VERIFY(desk.editor()->hasFocus());
    desk.key(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(desk.text(), before);
}

void TstEditorLanguage::rename_toATakenNameIsRefusedInWords()
{
    const EditorDesk desk;
    const QString before = desk.text();
    desk.putCaret(QStringLiteral("<n_mels>"), 3);
    desk.key(Qt::Key_F2);
    QTRY_VERIFY(desk.find<RenameBox>("renameBox"));
    desk.type(QStringLiteral("channels"));
    desk.key(Qt::Key_Return);
    auto* box = desk.find<RenameBox>("renameBox");
    QTRY_VERIFY2(
        box->message().contains(QStringLiteral("already there")), qPrintable(box->message()));
    QVERIFY(box->isVisible());
    QCOMPARE(desk.text(), before);
}

void TstEditorLanguage::rename_escapeChangesNothing()
{
    const EditorDesk desk;
    const QString before = desk.text();
    desk.putCaret(QStringLiteral("<n_mels>"), 3);
    desk.key(Qt::Key_F2);
    QTRY_VERIFY(desk.find<RenameBox>("renameBox"));
    desk.type(QStringLiteral("x"));
    desk.key(Qt::Key_Escape);
    QTRY_VERIFY(!desk.find<RenameBox>("renameBox"));
    QCOMPARE(desk.text(), before);
}

void TstEditorLanguage::fix_singleIsAppliedByAltEnter()
{
    const EditorDesk desk;
    const QString before = desk.text();
    desk.putCaret(QStringLiteral("<channels>"), 9);
    desk.type(QStringLiteral("s"));
    desk.key(Qt::Key_Escape);
    QTRY_COMPARE(desk.errors(), 1);
    desk.key(Qt::Key_F8);
    desk.key(Qt::Key_Return, Qt::AltModifier);
    QTRY_COMPARE(desk.text(), before);
    QTRY_COMPARE(desk.errors(), 0);
}

void TstEditorLanguage::fix_severalAreChosenFromAMenu()
{
    const EditorDesk desk;
    const QString line = QStringLiteral("mine: [!ref <chanels>, !ref <n_mel>]");
    desk.editor()->append(line + u'\n');
    QTRY_COMPARE(desk.errors(), 2);
    desk.putCaret(line, 1);
    desk.key(Qt::Key_Return, Qt::AltModifier);
    QTRY_VERIFY(desk.find<QMenu>("fixMenu"));
    auto* menu = desk.find<QMenu>("fixMenu");
    QVERIFY(menu->actions().size() >= 2);
    QTest::keyClick(menu, Qt::Key_Down);
    QTest::keyClick(menu, Qt::Key_Return);
    QTRY_COMPARE(desk.errors(), 1);
}

/// What the thread that checks does; `earwright check` links the same rule.
void TstEditorLanguage::tokenizersFile_isComparedWithTheIndices()
{
    const QTemporaryDir folder;
    QFile labels(folder.filePath(QStringLiteral("labels.txt")));
    QVERIFY(labels.open(QIODevice::WriteOnly));
    labels.write("'<blank>' => 0\n'a' => 1\n================\n'blank_label' => '<blank>'\n");
    labels.close();
    const QString text = QStringLiteral("task: ctc\nblank_index: 1\nlabel_encoder_file: ")
        + labels.fileName() + QStringLiteral("\n");
    const CheckResultPtr result = checkNow(text, QStringLiteral("recipe.yaml"), {});
    const auto& all = result->diagnostics;
    const auto found = std::find_if(
        all.begin(), all.end(), [](const auto& one) { return one.rule == "label-index"; });
    QVERIFY(found != all.end());
    QCOMPARE(found->span.begin.line, 2);
    QVERIFY(found->fix.has_value());
    const auto mended = QString::fromStdString(recipe::applyFix(text.toStdString(), *found->fix));
    QVERIFY2(mended.contains(QStringLiteral("blank_index: 0\n")), qPrintable(mended));
}

void TstEditorLanguage::outline_followsTheCaretAndJumps()
{
    const EditorDesk desk;
    desk.key(Qt::Key_O, Qt::ControlModifier | Qt::ShiftModifier);
    auto* view = desk.find<QTreeView>("outlineView");
    QTRY_VERIFY(view->isVisible());
    QAbstractItemModelTester tester(view->model());
    desk.putCaret(kChannels, 6);
    QTRY_COMPARE(view->currentIndex().data().toString(), QStringLiteral("channels"));
    QCOMPARE(view->currentIndex().parent().data().toString(), QStringLiteral("enc"));
    desk.editor()->append(QStringLiteral("more: 1\n")); // a new tree: what is open stays open
    QTRY_COMPARE(view->currentIndex().data().toString(), QStringLiteral("channels"));
    QVERIFY(view->isExpanded(view->currentIndex().parent()));
    view->setFocus();
    desk.key(Qt::Key_Left);
    desk.key(Qt::Key_Left);
    desk.key(Qt::Key_Up);
    const QString key = view->currentIndex().data().toString();
    desk.key(Qt::Key_Return);
    QTRY_VERIFY2(desk.lineAtCaret().startsWith(key), qPrintable(desk.lineAtCaret()));
    QVERIFY(desk.editor()->hasFocus());
}

void TstEditorLanguage::outline_isAsWideAsItsPanel()
{
    const EditorDesk desk;
    desk.action("edit.outline")->trigger();
    const auto* view = desk.find<QTreeView>("outlineView");
    QTRY_VERIFY(view->isVisible());
    QTRY_COMPARE(view->columnWidth(0) + view->columnWidth(1), view->viewport()->width());
}

void TstEditorLanguage::outline_filters()
{
    const EditorDesk desk;
    desk.key(Qt::Key_O, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY(desk.find<QLineEdit>("outlineFilter")->hasFocus());
    desk.type(QStringLiteral("front_chan"));
    auto* view = desk.find<QTreeView>("outlineView");
    QCOMPARE(view->model()->rowCount(), 1);
    desk.key(Qt::Key_Down);
    desk.key(Qt::Key_Down);
    desk.key(Qt::Key_Return);
    QTRY_VERIFY2(desk.lineAtCaret().startsWith(QStringLiteral("front_channels")),
        qPrintable(desk.lineAtCaret()));
}

EARWRIGHT_TEST(TstEditorLanguage)
#include "tst_editor_language.moc"
