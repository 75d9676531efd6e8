#include "core/catalog/catalog.h"
#include "core/language/completion.h"
#include "core/language/match.h"
#include "core/language/scan.h"
#include "core/tasks/run_option_fields.h"
#include "tests/language/case.h"
#include "tests/language/recipes.h"
#include "tests/registry.h"

using namespace earwright;
using namespace earwright::language;
using namespace earwright::language::test;

class TstComplete final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void place_hasItsCompletions_data() { addRows("complete"); }
    void place_hasItsCompletions();
    void everyCaret_ofABrokenText_isAnswered_data() { addRecipeRows(); }
    void everyCaret_ofABrokenText_isAnswered();
    void everyClass_isFoundByItsLastPart();
    void everyRunOption_hasHelpAndADefaultItAccepts();
    void match_ranksPrefixBeforePartBeforeSubsequence();
    void includedKeys_areOfferedInTheBodyOfAnInclude();
    void folders_areListed();
};

/// The text as it was before the caret's line was written: what the editor knew last.
static std::string withoutCaretLine(const Case& one)
{
    std::vector<std::string> lines = split(one.text, '\n');
    lines.erase(lines.begin() + one.caret.line - 1);
    return join(lines, "\n");
}

static const char* kindName(CompletionKind kind)
{
    static constexpr const char* kNames[]
        = { "key", "class", "argument", "reference", "value", "file" };
    return kNames[static_cast<int>(kind)];
}

static std::vector<std::string> folderOfTheTest(const std::string& folder)
{
    if (folder == "/data/")
        return { "train.csv", "test.csv", "wav/", ".hidden" };
    return folder == "." ? std::vector<std::string> { "train.py", "results/" }
                         : std::vector<std::string> {};
}

static std::string lineOf(const std::string& text, int number)
{
    return split(text, '\n').at(static_cast<size_t>(number - 1));
}

void TstComplete::place_hasItsCompletions()
{
    QFETCH(QString, file);
    const Case one = readCase(file);
    check::Machine machine;
    machine.gpus.resize(2);
    const DocumentPtr before
        = analyse(requestFor(withoutCaretLine(one), file.toStdString()), machine, nullptr);
    const DocumentPtr document = analyse(requestFor(one.text, file.toStdString()), machine, before);
    const auto found = complete(one.text, one.caret, *document, folderOfTheTest);
    // The catalogue grows: of its classes only the best are a matter of this test.
    const bool isClass = !found.empty() && found[0].kind == CompletionKind::Class;
    const size_t shownCount = isClass ? 1 : 10;
    std::string text;
    for (size_t i = 0; i < std::min(found.size(), shownCount); ++i)
        text += std::string(kindName(found[i].kind)) + " " + found[i].label + " | "
            + found[i].detail + " | "
            + lineOf(recipe::applyFix(one.text, { "", { found[i].edit } }), one.caret.line) + "\n";
    if (found.size() > shownCount && !isClass)
        text += "… of " + std::to_string(found.size()) + "\n";
    compare(one, text);
}

/// Cut off anywhere, a recipe must neither crash nor stop the list.
void TstComplete::everyCaret_ofABrokenText_isAnswered()
{
    QFETCH(QString, file);
    const std::string text = *readFile(file.toStdString());
    for (size_t at = 0; at <= text.size(); at += text.size() / 500 + 1) {
        for (const std::string& cut : { text, text.substr(0, at) }) {
            const Place place = scan(cut, at);
            QVERIFY(!place.frames.empty());
            QVERIFY(place.begin <= place.end && place.end <= cut.size());
            QVERIFY(place.role == Role::None || (place.begin <= at && at <= place.end));
        }
    }
}

void TstComplete::everyClass_isFoundByItsLastPart()
{
    const DocumentPtr document = documentOf("a: 1\n");
    for (const std::string& name : catalog::classNames()) {
        const std::string last = name.substr(name.rfind('.') + 1);
        const std::string text = "a: !new:" + last;
        const auto found = complete(text, { 1, static_cast<int>(text.size()) + 1 }, *document);
        const bool isThere = std::any_of(found.begin(), found.end(),
            [&](const Completion& completion) { return completion.edit.text == name; });
        QVERIFY2(isThere, name.c_str());
        QCOMPARE(found.front().label, last);
    }
}

void TstComplete::everyRunOption_hasHelpAndADefaultItAccepts()
{
    QCOMPARE(tasks::findRunOption("bucket_cap_mb")->defaultText, std::string("25.0"));
    for (const catalog::Field& field : tasks::runOptionFields()) {
        QVERIFY2(*field.facts.help, field.name.c_str());
        const auto& choices = field.facts.choices;
        QVERIFY(choices.empty() || field.defaultText.empty()
            || std::find(choices.begin(), choices.end(), field.defaultText) != choices.end());
    }
}

void TstComplete::match_ranksPrefixBeforePartBeforeSubsequence()
{
    const auto rank = [](const char* name, const char* typed) { return *matchRank(name, typed); };
    QVERIFY(rank("n_mels", "n_") < rank("N_mels", "n_"));
    QVERIFY(rank("N_mels", "n_") < rank("win_n_", "n_"));
    QVERIFY(rank("n_mels", "mels") < rank("number_of_elements", "mels"));
    QVERIFY(rank("LeakyReLU", "Re") < rank("LeakyReLU", "ly"));
    QVERIFY(!matchRank("n_mels", "x"));
    QCOMPARE(matchRank("anything", ""), std::optional(0));
}

void TstComplete::includedKeys_areOfferedInTheBodyOfAnInclude()
{
    const QString file = folder("complete") + "/recipe.yaml";
    const std::string text = "part: !include:../references/parts/lstm.yaml\n    hi\n";
    const DocumentPtr before = documentOf("part: !include:../references/parts/lstm.yaml\n", file);
    const DocumentPtr document = analyse(requestFor(text, file.toStdString()), {}, before);
    const auto found = complete(text, { 2, 7 }, *document);
    QCOMPARE(found.size(), size_t(1));
    QCOMPARE(found[0].edit.text, std::string("hidden: "));
}

void TstComplete::folders_areListed()
{
    const auto names = entriesOf(folder("").toStdString());
    QVERIFY(std::find(names.begin(), names.end(), "recipes/") != names.end());
    QVERIFY(entriesOf("/no such folder").empty());
}

EARWRIGHT_TEST(TstComplete)
#include "tst_complete.moc"
