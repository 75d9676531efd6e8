#include "tests/registry.h"
#include "tests/ui/editor_desk.h"
#include "tests/ui/run_folders.h"
#include "ui/editor/difference_dialog.h"
#include "ui/runs/run_list_model.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTreeView>
#include <set>

using namespace earwright;
using namespace earwright::ui;

namespace {

/// Opens the dialog by its key and waits for what it says.
DifferenceDialog* compare(const EditorDesk& desk)
{
    desk.key(Qt::Key_D, Qt::ControlModifier | Qt::ShiftModifier);
    auto* dialog = desk.find<DifferenceDialog>("differenceDialog");
    if (!dialog)
        qFatal("the dialog did not open");
    const auto isDone = [&] { return !dialog->message().startsWith(QStringLiteral("Comparing")); };
    if (!QTest::qWaitFor(isDone, 20000))
        qFatal("nothing was compared");
    return dialog;
}

void choose(DifferenceDialog* dialog, const char* side, const QString& name)
{
    QSignalSpy compared(dialog, &DifferenceDialog::compared);
    auto* box = dialog->findChild<QComboBox*>(QLatin1String(side));
    const int index = box->findText(name, Qt::MatchContains);
    if (index < 0)
        qFatal("there is no '%s' to compare", qPrintable(name));
    if (index == box->currentIndex())
        return;
    box->setCurrentIndex(index);
    QTRY_VERIFY(!compared.isEmpty()); // a quick comparison is done before anyone waits
}

} // namespace

/// What two recipes mean differently, shown in a window.
class TstEditorDifference : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void unsavedChanges_areComparedWithTheFile();
    void commentsAndOrder_makeNoDifference();
    void twoRecipes_areComparedAndFiltered();
    void finishedRun_isComparedWithItsRecipe();
    void brokenRecipe_isSaidInWords();
};

void TstEditorDifference::unsavedChanges_areComparedWithTheFile()
{
    const EditorDesk desk;
    desk.editor()->setText(desk.text().replace(
        QStringLiteral("    dropout: 0.1"), QStringLiteral("    dropout: 0.2")));
    DifferenceDialog* dialog = compare(desk);
    QAbstractItemModelTester tester(dialog->model());
    QCOMPARE(dialog->message(), QStringLiteral("1 setting differs"));
    const language::Difference& found = dialog->model()->at(0);
    QCOMPARE(found.path, std::string("enc.dropout"));
    QCOMPARE(found.left, std::string("0.1"));
    QCOMPARE(found.right, std::string("0.2"));
    QTest::keyClick(dialog->findChild<QTreeView*>(), Qt::Key_Return);
    QTRY_COMPARE(desk.lineAtCaret(), QStringLiteral("dropout: 0.2"));
    desk.page()->discardChanges();
}

void TstEditorDifference::commentsAndOrder_makeNoDifference()
{
    const EditorDesk desk;
    desk.editor()->setText(QStringLiteral("# Another title.\n") + desk.text());
    DifferenceDialog* dialog = compare(desk);
    QVERIFY2(dialog->message().startsWith(QStringLiteral("Nothing differs")),
        qPrintable(dialog->message()));
    desk.page()->discardChanges();
}

void TstEditorDifference::twoRecipes_areComparedAndFiltered()
{
    const EditorDesk desk;
    const QString other = desk.folder.filePath(QStringLiteral("另一个.yaml"));
    QString text = desk.text();
    text.replace(QStringLiteral("    blocks: 5"), QStringLiteral("    blocks: 6"))
        .append(QStringLiteral("extra: 1\n"))
        .remove(QStringLiteral("    kernel_size: 9\n"));
    writeFile(other, text.toUtf8());
    desk.openRecipe(other);
    DifferenceDialog* dialog = compare(desk);
    choose(dialog, "differenceLeft", QStringLiteral("ctc_prompts_en.yaml (as saved)"));
    choose(dialog, "differenceRight", QStringLiteral("另一个.yaml (as it stands)"));
    QCOMPARE(dialog->message(), QStringLiteral("3 settings differ"));
    auto* view = dialog->findChild<QTreeView*>();
    EditorDesk::typeInto(
        dialog->findChild<QLineEdit*>(QStringLiteral("differenceFilter")), QStringLiteral("kern"));
    QCOMPARE(view->model()->rowCount(), 1);
    QCOMPARE(view->model()->index(0, 0).data().toString(), QStringLiteral("− enc.kernel_size"));
}

void TstEditorDifference::finishedRun_isComparedWithItsRecipe()
{
    EditorDesk desk;
    const QString run = writeRecordedRun(desk.folder.filePath(QStringLiteral("runs")),
        QStringLiteral("digits-fp32"), QStringLiteral("digits_fp32"));
    desk.crash();
    desk.openWindow();
    desk.openRecipe(desk.path);
    QTRY_COMPARE(desk.window->runs().rowCount(), 1);
    desk.editor()->setText(
        desk.text().replace(QStringLiteral("    blocks: 5"), QStringLiteral("    blocks: 6")));
    DifferenceDialog* dialog = compare(desk);
    choose(dialog, "differenceLeft", QStringLiteral("Run digits-fp32"));
    std::set<std::string> paths;
    for (int row = 0; row < dialog->model()->rowCount(); ++row)
        paths.insert(dialog->model()->at(row).path);
    QVERIFY(paths.contains("enc.blocks"));
    QVERIFY(paths.contains("data_folder")); // the run's own
    QVERIFY(!paths.contains("enc.dropout"));
    desk.page()->discardChanges();
}

void TstEditorDifference::brokenRecipe_isSaidInWords()
{
    const EditorDesk desk;
    desk.editor()->setText(QStringLiteral("list: [1, 2\n"));
    DifferenceDialog* dialog = compare(desk);
    QVERIFY2(dialog->message().contains(QStringLiteral("[syntax]")), qPrintable(dialog->message()));
    QCOMPARE(dialog->model()->rowCount(), 0);
    desk.page()->discardChanges();
}

EARWRIGHT_TEST(TstEditorDifference)
#include "tst_editor_difference.moc"
