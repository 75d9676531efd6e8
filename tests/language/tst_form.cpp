#include "core/language/banner.h"
#include "core/language/form.h"
#include "tests/language/case.h"
#include "tests/registry.h"

using namespace earwright;
using namespace earwright::language;
using namespace earwright::language::test;

class TstForm final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void recipe_hasItsForm_data() { addRows("form"); }
    void recipe_hasItsForm();
    void setting_isWrittenOrRefused_data() { addRows("set"); }
    void setting_isWrittenOrRefused();
    void comment_isABannerOrNot_data();
    void comment_isABannerOrNot();
    void textThatDoesNotParse_isNotEdited();
};

static std::string marksOf(const FormRow& row)
{
    std::string marks;
    if (!row.isWritten)
        marks += " default";
    if (row.isReference)
        marks += " reference";
    return marks + (row.isEditable ? "" : " container");
}

void TstForm::recipe_hasItsForm()
{
    QFETCH(QString, file);
    const Case one = readCase(file);
    std::string text;
    for (const FormSection& section : formOf(*documentOf(one.text, file))) {
        text += "== " + section.title + "\n";
        for (const FormRow& row : section.rows) {
            text += std::string(static_cast<size_t>(row.level) * 2, ' ') + row.label + ": "
                + row.text + " | " + row.value + " | " + row.path + marksOf(row);
            text += *row.field.facts.help ? std::string(" | ") + row.field.facts.help + "\n" : "\n";
        }
    }
    compare(one, text);
}

/// "# do: set enc.dropout = 0.2"; the lines that are new or gone are shown.
void TstForm::setting_isWrittenOrRefused()
{
    QFETCH(QString, file);
    const Case one = readCase(file);
    const size_t equals = one.argument.find(" = ");
    const std::string path = one.argument.substr(4, equals - 4);
    const auto edits = setValue(*documentOf(one.text, file), path, one.argument.substr(equals + 3));
    compare(one,
        edits ? recipe::applyFix(one.text, { "", *edits })
              : "refused: " + edits.error().message + "\n");
}

void TstForm::comment_isABannerOrNot_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("title");
    const auto row = [](const char* name, const char* text, const char* title) {
        QTest::newRow(name) << QString::fromUtf8(text) << QString::fromUtf8(title);
    };
    row("hashes around", "######## Training Parameters ########\na: 1\n", "Training Parameters");
    row("dashes around", "# ----- WAVEFORM AUGMENTATION ----- #\na: 1\n", "WAVEFORM AUGMENTATION");
    row("spaced hashes", "# ### Model ###\na: 1\n", "Model");
    row("between rules", "#\n# Functions and classes\n#\na: 1\n", "Functions and classes");
    row("between long rules", "# ######\n# Model\n# ######\n\na: 1\n", "Model");
    row("alone above a key", "\n# Data files\na: 1\n", "Data files");
    row("with a sentence below", "## --- Loss ---\n# It is low.\na: 1\n", "Loss");
    row("wide characters", "#### 训练参数 ####\na: 1\n", "训练参数");
    row("directly below a key", "a: 1\n# Data files\nb: 1\n", "");
    row("above nothing", "\n# Data files\n\nb: 1\n", "");
    row("sentence", "\n# We remove long sentences.\na: 1\n", "");
    row("key commented out", "\n# activation: LeakyReLU\na: 1\n", "");
    row("long", "\n# Seed needs to be set at top of yaml, before objects with it\na: 1\n", "");
    row("header of a file", "# ####\n# Model X\n# Authors Y\n# ####\na: 1\n", "");
    row("rule alone", "########\na: 1\n", "");
    row("indented", "a:\n    # ### Model ###\n    b: 1\n", "");
}

void TstForm::comment_isABannerOrNot()
{
    QFETCH(QString, text);
    QFETCH(QString, title);
    const auto banners = bannersOf(text.toStdString());
    QCOMPARE(banners.empty() ? QString() : QString::fromStdString(banners[0].title), title);
}

void TstForm::textThatDoesNotParse_isNotEdited()
{
    const DocumentPtr document = analyse(
        requestFor("a: 1\nb: [\n", "r.yaml"), check::Machine(), documentOf("a: 1\n", "r.yaml"));
    QVERIFY(!setValue(*document, "a", "2"));
    QVERIFY(formOf(*documentOf("a: [\n")).empty());
}

EARWRIGHT_TEST(TstForm)
#include "tst_form.moc"
