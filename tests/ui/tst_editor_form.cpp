#include "tests/registry.h"
#include "tests/ui/editor_desk.h"
#include "ui/editor/form_model.h"
#include "ui/editor/form_panel.h"
#include "ui/widgets/info_bar.h"

#include <QAbstractItemModelTester>
#include <QAbstractSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QTreeView>
#include <random>

using namespace earwright;
using namespace earwright::ui;

namespace {

const QString kDropout = QStringLiteral("enc.dropout");

/// A desk with the form shown and filled.
struct FormDesk : EditorDesk {
    FormDesk()
    {
        key(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
        if (!QTest::qWaitFor([this] { return model()->rowCount() > 0; }, 20000))
            qFatal("the form shows nothing");
    }
    FormModel* model() const { return page()->form()->model(); }
    QTreeView* view() const { return find<QTreeView>("formView"); }
    QString shown(const QString& setting) const { return model()->find(setting).data().toString(); }
    const language::FormRow& row(const QString& setting) const
    {
        const language::FormRow* found = model()->rowAt(model()->find(setting));
        if (!found)
            qFatal("the form has no '%s'", qPrintable(setting));
        return *found;
    }
    void goTo(const QString& setting) const
    {
        view()->setFocus();
        view()->setCurrentIndex(model()->find(setting));
    }
    /// Enter, the new value, Enter.
    void edit(const QString& setting, const QString& value) const
    {
        goTo(setting);
        key(Qt::Key_Return);
        QWidget* editor = view()->findChild<QWidget*>(QStringLiteral("formEditor"));
        if (!editor)
            qFatal("'%s' cannot be edited", qPrintable(setting));
        auto* line = qobject_cast<QLineEdit*>(editor);
        typeInto(line ? line : editor->findChild<QLineEdit*>(), value);
        QTest::keyClick(editor, Qt::Key_Return);
    }
};

} // namespace

/// The form beside the text, key by key: whatever it changes is a small edit of the text.
class TstEditorForm : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void form_isShownAndHiddenByItsKey();
    void form_showsUnitsRangesHelpAndDefaults();
    void selectedValue_leavesItsNameInSight();
    void edit_changesTheScalarAlone();
    void edit_isUndoneFromTheForm();
    void editsOfBothViews_areOneUndoStack();
    void textEdit_reachesTheFormAndLeavesTheFocus();
    void refreshWhileTyping_keepsWhatIsTyped_data();
    void refreshWhileTyping_keepsWhatIsTyped();
    void defaultValue_isWrittenWhenEditedAndTakenBackByDelete();
    void refusedValue_isSaidInWordsAndTheTextStays();
    void randomEdits_areUndoneToTheSameFile();
    void reference_jumpsToWhatItNames();
    void filter_showsWhatMatches();
    void model_isAModel();
    void settingsFromElsewhere_areOneChange();
    void valueBeingTyped_isSaved();
    void valueBeingTyped_isAskedForBeforeItsTabCloses();
};

void TstEditorForm::form_isShownAndHiddenByItsKey()
{
    const FormDesk desk;
    QVERIFY(desk.page()->form()->isVisible());
    QTRY_VERIFY(desk.view()->hasFocus());
    desk.key(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(!desk.page()->form()->isVisible());
    QVERIFY(desk.editor()->hasFocus());
}

void TstEditorForm::form_showsUnitsRangesHelpAndDefaults()
{
    const FormDesk desk;
    QCOMPARE(desk.shown(kDropout), QStringLiteral("0.1"));
    QVERIFY(desk.row(kDropout).isWritten);
    int numUnits = 0;
    int numDefaults = 0;
    for (int section = 0; section < desk.model()->rowCount(); ++section) {
        const QModelIndex parent = desk.model()->index(section, 0);
        QVERIFY(!parent.data().toString().isEmpty());
        for (int at = 0; at < desk.model()->rowCount(parent); ++at) {
            const QModelIndex value = desk.model()->index(at, FormModel::Value, parent);
            const bool isWritten = desk.model()->rowAt(value)->isWritten;
            numUnits += !value.siblingAtColumn(FormModel::Unit).data().toString().isEmpty();
            numDefaults += !isWritten;
            QCOMPARE(value.data(Qt::FontRole).value<QFont>().italic(), !isWritten);
        }
    }
    QVERIFY(numUnits > 0);
    QVERIFY(numDefaults > 0);
    desk.goTo(kDropout);
    QVERIFY2(desk.find<QLabel>("formAbout")->text().contains(QStringLiteral("0 to 1")),
        qPrintable(desk.find<QLabel>("formAbout")->text()));
}

/// Also one selected while the form was narrow.
void TstEditorForm::selectedValue_leavesItsNameInSight()
{
    const FormDesk desk;
    const QString lr = QStringLiteral("lr");
    desk.page()->form()->setFixedWidth(180);
    desk.goTo(kDropout);
    desk.page()->form()->setFixedWidth(420);
    QTRY_COMPARE(desk.view()->horizontalScrollBar()->maximum(), 0);
    desk.goTo(lr);
    const QRect value = desk.view()->visualRect(desk.model()->find(lr));
    QVERIFY(desk.view()->viewport()->rect().contains(value));
}

void TstEditorForm::edit_changesTheScalarAlone()
{
    const FormDesk desk;
    QString expected = desk.text();
    expected.replace(QStringLiteral("    dropout: 0.1\n"), QStringLiteral("    dropout: 0.25\n"));
    desk.edit(kDropout, QStringLiteral("0.25"));
    QTRY_COMPARE(desk.text(), expected);
    QTRY_COMPARE(desk.shown(kDropout), QStringLiteral("0.25"));
    QVERIFY(desk.page()->isModified());
}

void TstEditorForm::edit_isUndoneFromTheForm()
{
    const FormDesk desk;
    const QString before = desk.text();
    desk.edit(kDropout, QStringLiteral("0.25"));
    QTRY_VERIFY(desk.text() != before);
    QTRY_VERIFY(desk.view()->hasFocus());
    desk.key(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(desk.text(), before);
    QVERIFY(!desk.page()->isModified());
    QTRY_COMPARE(desk.shown(kDropout), QStringLiteral("0.1"));
}

void TstEditorForm::editsOfBothViews_areOneUndoStack()
{
    const FormDesk desk;
    const QString first = desk.text();
    desk.edit(kDropout, QStringLiteral("0.25"));
    QTRY_VERIFY(desk.text() != first);
    const QString second = desk.text();
    desk.editor()->setFocus();
    desk.key(Qt::Key_End, Qt::ControlModifier);
    desk.type(QStringLiteral("#"));
    const QString third = desk.text();
    QTRY_COMPARE(desk.shown(kDropout), QStringLiteral("0.25"));
    desk.edit(QStringLiteral("enc.blocks"), QStringLiteral("7"));
    QTRY_VERIFY(desk.text() != third);
    QTRY_VERIFY(desk.view()->hasFocus());
    desk.key(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(desk.text(), third);
    desk.key(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(desk.text(), second);
    desk.key(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(desk.text(), first);
    desk.key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(desk.text(), second);
}

void TstEditorForm::textEdit_reachesTheFormAndLeavesTheFocus()
{
    const FormDesk desk;
    desk.goTo(kDropout);
    const QString old = QStringLiteral("    dropout: 0.1");
    const qsizetype at = desk.text().indexOf(old);
    desk.editor()->replaceRanges({ { at, at + old.size(), QStringLiteral("    dropout: 0.3") } });
    QTRY_COMPARE(desk.shown(kDropout), QStringLiteral("0.3"));
    QVERIFY(desk.view()->hasFocus());
    QCOMPARE(desk.view()->currentIndex(), desk.model()->find(kDropout));
}

void TstEditorForm::refreshWhileTyping_keepsWhatIsTyped_data()
{
    QTest::addColumn<QString>("setting");
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QString>("line");
    QTest::newRow("line") << kDropout << "0.25"
                          << "\n    dropout: 0.25\n";
    QTest::newRow("spin box") << "enc.blocks"
                              << "7"
                              << "\n    blocks: 7\n";
    QTest::newRow("choices") << "precision"
                             << "bf16"
                             << "\nprecision: bf16\n";
}

void TstEditorForm::refreshWhileTyping_keepsWhatIsTyped()
{
    QFETCH(QString, setting);
    QFETCH(QString, typed);
    QFETCH(QString, line);
    const FormDesk desk;
    desk.goTo(setting);
    desk.key(Qt::Key_Return);
    auto* editor = desk.view()->findChild<QWidget*>(QStringLiteral("formEditor"));
    QVERIFY(editor);
    auto* input = qobject_cast<QLineEdit*>(editor);
    input = input ? input : editor->findChild<QLineEdit*>();
    desk.typeInto(input, typed);
    const QModelIndex index = desk.model()->find(setting);
    Q_EMIT desk.model()->dataChanged(index, index); // a check of an earlier text has ended
    QCOMPARE(input->text(), typed);
    QTest::keyClick(editor, Qt::Key_Return);
    Q_EMIT desk.model()->dataChanged(index, index); // before what Return asked for is done
    QTRY_VERIFY2(desk.text().contains(line), qPrintable(desk.text()));
}

void TstEditorForm::defaultValue_isWrittenWhenEditedAndTakenBackByDelete()
{
    const FormDesk desk;
    const QString before = desk.text();
    const QString setting = QStringLiteral("ctc_lin.bias");
    QVERIFY(!desk.row(setting).isWritten);
    desk.goTo(setting);
    desk.key(Qt::Key_Space); // a switch
    QTRY_VERIFY2(
        desk.text().contains(QStringLiteral("    bias: False\n")), qPrintable(desk.text()));
    QTRY_VERIFY(desk.row(setting).isWritten);
    desk.key(Qt::Key_Delete);
    QTRY_COMPARE(desk.text(), before);
    QTRY_VERIFY(!desk.row(setting).isWritten);
}

void TstEditorForm::refusedValue_isSaidInWordsAndTheTextStays()
{
    const FormDesk desk;
    const QString before = desk.text();
    desk.edit(kDropout, QStringLiteral("much"));
    const auto* about = desk.find<QLabel>("formAbout");
    QTRY_VERIFY2(
        about->text().startsWith(QStringLiteral("enc.dropout: ")), qPrintable(about->text()));
    QCOMPARE(desk.text(), before);
    const QString said = about->text();
    desk.editor()->append(QStringLiteral("\nmore: 1\n")); // what was still being checked, too
    QTRY_VERIFY(desk.model()->find(QStringLiteral("more")).isValid());
    QCOMPARE(about->text(), said);
    desk.edit(kDropout, QStringLiteral("0.25"));
    QTRY_VERIFY(desk.text().contains(QStringLiteral("0.25")));
    QTRY_VERIFY2(about->text() != said, qPrintable(about->text()));
}

void TstEditorForm::randomEdits_areUndoneToTheSameFile()
{
    const FormDesk desk;
    const QString before = desk.text();
    std::mt19937 random(7);
    int numEdits = 0;
    for (int attempt = 0; numEdits < 12; ++attempt) {
        QVERIFY(attempt < 500);
        const int section = static_cast<int>(random() % unsigned(desk.model()->rowCount()));
        const QModelIndex parent = desk.model()->index(section, 0);
        const int at = static_cast<int>(random() % unsigned(desk.model()->rowCount(parent)));
        const QModelIndex value = desk.model()->index(at, FormModel::Value, parent);
        const language::FormRow row = *desk.model()->rowAt(value);
        if (!desk.model()->flags(value).testFlag(Qt::ItemIsEditable)
            || row.field.type != catalog::FieldType::Int)
            continue;
        const QString path = QString::fromStdString(row.path);
        const auto number = static_cast<double>(1 + random() % 4);
        const QString text = QString::number(number);
        if (text == QString::fromStdString(row.text) || number < row.field.facts.min
            || number > row.field.facts.max)
            continue;
        const QString last = desk.text();
        desk.model()->setData(value, text);
        QTRY_VERIFY2(desk.text() != last, qPrintable(path));
        QTRY_COMPARE(QString::fromStdString(desk.row(path).text), text); // and the form again
        ++numEdits;
    }
    desk.view()->setFocus();
    for (int i = 0; i < numEdits; ++i)
        desk.key(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(desk.text(), before);
    QVERIFY(!desk.page()->isModified());
}

void TstEditorForm::reference_jumpsToWhatItNames()
{
    const FormDesk desk;
    const QString setting = QStringLiteral("enc.channels");
    QVERIFY(desk.row(setting).isReference);
    QVERIFY2(desk.shown(setting).contains(QStringLiteral(" = ")), qPrintable(desk.shown(setting)));
    desk.goTo(setting);
    desk.key(Qt::Key_Return);
    QTRY_VERIFY(desk.editor()->hasFocus());
    QVERIFY2(
        QRegularExpression(QStringLiteral("^channels: \\d+")).match(desk.lineAtCaret()).hasMatch(),
        qPrintable(desk.lineAtCaret()));
}

void TstEditorForm::filter_showsWhatMatches()
{
    const FormDesk desk;
    desk.find<QLineEdit>("formFilter")->setFocus();
    desk.type(QStringLiteral("enc.drop"));
    const QModelIndex found = desk.model()->find(kDropout);
    QVERIFY(!desk.view()->isRowHidden(found.row(), found.parent()));
    const QModelIndex other = desk.model()->find(QStringLiteral("enc.blocks"));
    QVERIFY(desk.view()->isRowHidden(other.row(), other.parent()));
}

void TstEditorForm::model_isAModel()
{
    FormModel model;
    QAbstractItemModelTester tester(&model);
    const auto row = [](const char* path) {
        language::FormRow made;
        made.path = path;
        made.label = path;
        return made;
    };
    model.setSections({ { "One", { row("a"), row("b"), row("c") } }, { "Two", { row("d") } } });
    const QPersistentModelIndex kept = model.find(QStringLiteral("c"));
    model.setSections({ { "One", { row("a"), row("x"), row("y"), row("c") } }, { "Two", {} } });
    QCOMPARE(model.rowCount(model.index(0, 0)), 4);
    QVERIFY(kept.isValid());
    QCOMPARE(QModelIndex(kept), model.find(QStringLiteral("c")));
    model.setSections({ { "Other", { row("c") } } });
    QCOMPARE(model.rowCount(), 1);
}

/// What the monitor page proposes for batches that do not fit: a key that is there, and one that is
/// not.
void TstEditorForm::settingsFromElsewhere_areOneChange()
{
    const FormDesk desk;
    const QString before = desk.text();
    desk.page()->changeSettings(
        { QStringLiteral("enc.dropout=0.25"), QStringLiteral("grad_accumulation_factor=2") });
    QTRY_VERIFY(desk.text() != before);
    QVERIFY(desk.text().contains(QStringLiteral("\n    dropout: 0.25\n")));
    QCOMPARE(desk.text().count(QStringLiteral("\ngrad_accumulation_factor: 2\n")), 1);
    desk.editor()->undo();
    QCOMPARE(desk.text(), before);

    desk.page()->changeSettings({ QStringLiteral("nothing.of.that.name=1") });
    auto* bar = desk.page()->findChild<InfoBar*>();
    QTRY_VERIFY(bar->isVisible());
    QCOMPARE(desk.text(), before);
}

void TstEditorForm::valueBeingTyped_isSaved()
{
    const FormDesk desk;
    desk.goTo(kDropout);
    desk.key(Qt::Key_Return);
    desk.type(QStringLiteral("0.25"));
    desk.key(Qt::Key_S, Qt::ControlModifier);
    QTRY_VERIFY(bytesOf(desk.path).contains("\n    dropout: 0.25\n"));
    QTRY_VERIFY(!desk.page()->isModified());
    QTRY_COMPARE(desk.shown(kDropout), QStringLiteral("0.25"));
}

void TstEditorForm::valueBeingTyped_isAskedForBeforeItsTabCloses()
{
    const FormDesk desk;
    desk.goTo(kDropout);
    desk.key(Qt::Key_Return);
    desk.type(QStringLiteral("0.25"));
    const Answers answers { QMessageBox::Save };
    desk.key(Qt::Key_W, Qt::ControlModifier);
    QVERIFY(answers.areGiven());
    QTRY_VERIFY(!desk.page());
    QVERIFY(bytesOf(desk.path).contains("\n    dropout: 0.25\n"));
}

EARWRIGHT_TEST(TstEditorForm)
#include "tst_editor_form.moc"
