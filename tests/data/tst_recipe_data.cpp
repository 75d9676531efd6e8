#include "core/base/file.h"
#include "core/check/rule_table.h"
#include "core/data/recipe_data.h"
#include "core/data/text_encoder.h"
#include "core/recipe/resolve.h"
#include "core/tasks/spec.h"
#include "tests/data/audio_fixture.h"
#include "tests/expected.h"
#include "tests/registry.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

using namespace earwright;

// tests/cases/data/recipes: a recipe, its manifests and what is to be said of them. Their
// `$data_root` is a folder of sounds made here: good.wav and other.wav (0.5 s), silent.wav (no
// sample), zero.wav (no byte).

namespace {

const QString kRecipeCases = QString(EARWRIGHT_CASES_DIR) + "/data/recipes";

recipe::Override setting(const std::string& key, const QString& value)
{
    return { { key }, recipe::makeScalar(value.toStdString()), "", recipe::Origin::Override };
}

} // namespace

class TstRecipeData : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_sounds;

    std::vector<recipe::Diagnostic> inspect(const QString& name) const
    {
        const auto text = readFile((kRecipeCases + "/" + name + ".yaml").toStdString());
        if (!text)
            qFatal("%s", text.error().message.c_str());
        const recipe::Resolved resolved = recipe::resolve(*text, "recipe.yaml",
            { setting("manifests", kRecipeCases), setting("data_folder", m_sounds.path()) }, {});
        return data::inspectRecipe(*resolved.root);
    }

    QString shown(const std::vector<recipe::Diagnostic>& diagnostics) const
    {
        QString all;
        for (const recipe::Diagnostic& diagnostic : diagnostics)
            all += QString::fromStdString(recipe::formatDiagnostic(diagnostic, ""));
        return all.replace(kRecipeCases, "CASES").replace(m_sounds.path(), "SOUNDS");
    }

private Q_SLOTS:
    void initTestCase();
    void recipe_givesTheExpectedText_data();
    void recipe_givesTheExpectedText();
    void cleanData_hasNothingToSay();
    void everyDiagnostic_isOfTheTable();
    void manySharedSpeakers_areCounted();
    void speechCommands_fitIntoTheirRecipes_data();
    void speechCommands_fitIntoTheirRecipes();
};

void TstRecipeData::initTestCase()
{
    const auto sound = [this](const char* name) { return m_sounds.filePath(name).toStdString(); };
    QVERIFY(tests::writeSound(sound("good.wav"), tests::sine(8000, 300, 16000)));
    QVERIFY(tests::writeSound(sound("other.wav"), tests::sine(8000, 400, 16000)));
    QVERIFY(tests::writeSound(sound("silent.wav"), {}));
    QVERIFY(writeFileAtomically(sound("zero.wav"), ""));
}

void TstRecipeData::recipe_givesTheExpectedText_data()
{
    QTest::addColumn<QString>("name");
    for (const QString& file : QDir(kRecipeCases).entryList({ "*.yaml" }))
        QTest::newRow(qPrintable(file)) << file.chopped(5);
}

void TstRecipeData::recipe_givesTheExpectedText()
{
    QFETCH(QString, name);
    const QString text = shown(inspect(name));
    compareWithFile(text, kRecipeCases + "/" + name + ".expected");
}

void TstRecipeData::cleanData_hasNothingToSay()
{
    QCOMPARE(shown(inspect("clean")), QString());
}

void TstRecipeData::everyDiagnostic_isOfTheTable()
{
    for (const char* name : { "faults", "manifests" })
        for (const recipe::Diagnostic& diagnostic : inspect(name))
            QVERIFY2(check::findRule(diagnostic.rule), diagnostic.rule.c_str());
}

void TstRecipeData::manySharedSpeakers_areCounted()
{
    QTemporaryDir folder;
    const auto warningsOf = [&](const std::vector<std::string>& train,
                                const std::vector<std::string>& test) {
        const std::filesystem::path path = folder.path().toStdString();
        std::string recipe;
        for (const auto& [split, speakers] : { std::pair { "train", train }, { "test", test } }) {
            std::string rows = "ID,duration,wav,spk_id,wrd\n";
            for (size_t i = 0; i < speakers.size(); ++i)
                rows += std::string(split) + std::to_string(i) + ",1,none.wav," + speakers[i]
                    + ",a\n";
            const std::string file = (path / (std::string(split) + ".csv")).string();
            if (!writeFileAtomically(file, rows))
                qFatal("cannot write %s", file.c_str());
            recipe += std::string(split) + "_csv: " + file + "\n";
        }
        std::vector<std::string> messages;
        for (const recipe::Diagnostic& found :
            data::inspectRecipe(*recipe::resolve(recipe, "x.yaml", {}).root))
            if (found.rule == "data-same-speaker")
                messages.push_back(found.message);
        return messages;
    };
    const std::vector<std::string> many { "s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7" };
    std::vector<std::string> more = many;
    more.emplace_back("new");
    const auto found = warningsOf(many, more);
    QCOMPARE(found.size(), size_t { 1 });
    const std::string train = folder.filePath("train.csv").toStdString();
    QCOMPARE(found[0],
        "8 of 9 speakers are in '" + train
            + "' too (s0, s1, s2, s3, s4, …): the error rate tells nothing of new speakers");
    QVERIFY(warningsOf(many, { "new" }).empty());
    QVERIFY(warningsOf({ "" }, { "" }).empty()); // no speakers
}

void TstRecipeData::speechCommands_fitIntoTheirRecipes_data()
{
    QTest::addColumn<QString>("recipe");
    QTest::newRow("CTC") << "ctc_conv";
    QTest::newRow("CTC and attention") << "ctc_attention";
}

/// All 35 words of the corpus, one or several in a text.
void TstRecipeData::speechCommands_fitIntoTheirRecipes()
{
    QFETCH(QString, recipe);
    const std::string words
        = "BACKWARD BED BIRD CAT DOG DOWN EIGHT FIVE FOLLOW FORWARD FOUR GO HAPPY HOUSE LEARN LEFT "
          "MARVIN NINE NO OFF ON ONE RIGHT SEVEN SHEILA SIX STOP THREE TREE TWO UP VISUAL WOW YES "
          "ZERO";
    const QString file = EARWRIGHT_SOURCE_DIR "/configs/speech_commands/" + recipe + ".yaml";
    const auto text = readFile(file.toStdString());
    QVERIFY(text);
    const recipe::Resolved resolved = recipe::resolve(
        *text, file.toStdString(), { setting("data_folder", m_sounds.path()) }, {});
    const auto encoder
        = data::TextEncoder::fromTexts({ words }, tasks::specialLabels(*resolved.root));
    QCOMPARE(encoder.size(), tasks::outputClasses(*resolved.root).count);
}

EARWRIGHT_TEST(TstRecipeData)
#include "tst_recipe_data.moc"
