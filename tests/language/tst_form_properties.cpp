#include "core/language/form.h"
#include "core/language/same.h"
#include "core/recipe/source.h"
#include "tests/language/case.h"
#include "tests/language/recipes.h"
#include "tests/registry.h"

#include <algorithm>
#include <cmath>
#include <random>

using namespace earwright;
using namespace earwright::language;
using namespace earwright::language::test;

// What holds of every recipe and every row of its form.

class TstFormProperties final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyRow_readsBackWhatItWasSetTo_data() { addRecipeRows(); }
    void everyRow_readsBackWhatItWasSetTo();
    void randomEdits_undone_giveTheSameBytes_data() { addRecipeRows(); }
    void randomEdits_undone_giveTheSameBytes();
};

static std::vector<FormRow> rowsOf(const Document& document)
{
    std::vector<FormRow> rows;
    for (FormSection& section : formOf(document))
        for (FormRow& row : section.rows)
            rows.push_back(std::move(row));
    return rows;
}

/// Something else of the type that the field accepts.
static std::string otherValue(const FormRow& row)
{
    const auto& facts = row.field.facts;
    for (const std::string& choice : facts.choices)
        if (choice != row.text || facts.choices.size() == 1)
            return choice;
    const double least = std::isinf(facts.min) ? 0 : facts.min;
    switch (row.field.type) {
    case catalog::FieldType::Int: {
        const std::string value = std::to_string(static_cast<int64_t>(least));
        return row.text == value ? std::to_string(static_cast<int64_t>(least) + 1) : value;
    }
    case catalog::FieldType::Float: {
        const double step = std::isinf(facts.max) ? 1 : (facts.max - least) / 4;
        const std::string value = formatDouble(least + step);
        return row.text == value ? formatDouble(least + step / 2) : value;
    }
    case catalog::FieldType::Bool:
        return row.text == "True" ? "False" : "True";
    case catalog::FieldType::String:
        return "a 'text': with # all, of {it}";
    default:
        return "!ref <seed>";
    }
}

/// The text differs in nothing but the range of the edit.
static void verifyMinimal(
    const std::string& before, const std::string& after, const std::vector<recipe::Edit>& edits)
{
    QCOMPARE(edits.size(), size_t(1));
    const recipe::SourceText source(before);
    const size_t begin = source.offset(edits[0].span.begin);
    const size_t end = source.offset(edits[0].span.end);
    QVERIFY(after.substr(0, begin) == before.substr(0, begin));
    QVERIFY(after.substr(begin + edits[0].text.size()) == before.substr(end));
    QVERIFY(std::count(edits[0].text.begin(), edits[0].text.end(), '\n') <= 1);
}

/// Some rows cannot be written: their place is an alias or a list's dash, their text has lines.
static bool isPlain(const FormRow& row)
{
    return row.isEditable && row.text.find('\n') == std::string::npos;
}

static void verifyOthersUnchanged(
    const std::vector<FormRow>& before, const std::vector<FormRow>& after, const FormRow& set)
{
    // Replacing an object by a value takes its arguments from the form; what is merged from
    // elsewhere follows.
    const auto isOther
        = [&](const FormRow& row) { return row.isWritten && !row.path.starts_with(set.path); };
    const auto others = [&](const std::vector<FormRow>& rows) {
        std::vector<std::string> texts;
        for (const FormRow& row : rows)
            if (isOther(row))
                texts.push_back(row.path + " = " + row.text);
        return texts;
    };
    QVERIFY2(others(before) == others(after), set.path.c_str());
}

void TstFormProperties::everyRow_readsBackWhatItWasSetTo()
{
    QFETCH(QString, file);
    const std::string text = *readFile(file.toStdString());
    const DocumentPtr document = documentOf(text, file);
    const std::vector<FormRow> rows = rowsOf(*document);
    QVERIFY(!rows.empty());
    for (const FormRow& row : rows) {
        if (!isPlain(row))
            continue;
        const auto edits = setValue(*document, row.path, otherValue(row));
        QVERIFY2(edits, edits ? "" : edits.error().message.c_str());
        const std::string edited = recipe::applyFix(text, { "", *edits });
        verifyMinimal(text, edited, *edits);
        Document after;
        after.request = document->request;
        after.tree = recipe::parse(edited, file.toStdString()).root;
        after.treeText = edited;
        const std::vector<FormRow> rowsAfter = rowsOf(after);
        const auto set = std::find_if(rowsAfter.begin(), rowsAfter.end(),
            [&](const FormRow& other) { return other.path == row.path; });
        QVERIFY2(set != rowsAfter.end(), row.path.c_str());
        QVERIFY2(set->isWritten, row.path.c_str());
        const std::string quoted = "'a ''text'': with # all, of {it}'";
        QVERIFY2(set->text == otherValue(row) || set->text == quoted, set->text.c_str());
        verifyOthersUnchanged(rows, rowsAfter, row);
        if (QTest::currentTestFailed())
            return;
    }
}

void TstFormProperties::randomEdits_undone_giveTheSameBytes()
{
    QFETCH(QString, file);
    const std::string original = *readFile(file.toStdString());
    std::mt19937 random(static_cast<unsigned>(qHash(QFileInfo(file).fileName(), 1986)));
    std::string text = original;
    struct Undo {
        std::string path;
        std::string text;
        std::string before;
    };
    std::vector<Undo> undos;
    for (int step = 0; step < 12; ++step) {
        const DocumentPtr document = documentOf(text, file);
        std::vector<FormRow> rows = rowsOf(*document);
        std::erase_if(rows, [](const FormRow& row) {
            return !isPlain(row) || (row.isWritten && row.text.empty());
        });
        const FormRow& row = rows[random() % rows.size()];
        const auto edits = setValue(*document, row.path, otherValue(row));
        QVERIFY2(edits, edits ? "" : edits.error().message.c_str());
        undos.push_back({ row.path, row.isWritten ? row.text : "", text });
        text = recipe::applyFix(text, { "", *edits });
    }
    for (; !undos.empty(); undos.pop_back()) {
        const auto edits = setValue(*documentOf(text, file), undos.back().path, undos.back().text);
        QVERIFY2(edits, edits ? "" : edits.error().message.c_str());
        text = recipe::applyFix(text, { "", *edits });
        QVERIFY2(text == undos.back().before, undos.back().path.c_str());
    }
    QVERIFY(text == original);
}

EARWRIGHT_TEST(TstFormProperties)
#include "tst_form_properties.moc"
