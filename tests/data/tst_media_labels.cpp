#include "tests/registry.h"

#include "core/base/file.h"
#include "core/data/encoder_recipe.h"
#include "core/data/manifest.h"
#include "core/recipe/parse.h"
#include "core/settings/data_settings.h"

#include <QTemporaryDir>
#include <QTest>

using namespace earwright;

namespace {

recipe::NodePtr mediaRecipe(const std::string& more = "")
{
    return recipe::parse("task: ctc\nconcepts_path: concepts.csv\n"
                         "label_encoder: !new:speechbrain.dataio.encoder.CTCTextEncoder\n"
            + more,
        "recipe.yaml")
        .root;
}

constexpr const char* kHeading = "ID,duration,start,stop,wav,wav_format,spk_id,spk_id_format,wrd,"
                                 "wrd_format,char,char_format\n";

} // namespace

/// Labels and manifests of MEDIA's recipe for recognition.
class TstMediaLabels : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void labels_areThePartsOfTheColumn();
    void unknown_isLastWhereAnOutputIsLeft();
    void manifest_isReadByItsLetters();
    void manifestWithoutLetters_isRefused();
    void otherRecipes_readWords();
    void shortUtterances_areLeftOutByEitherName();
};

void TstMediaLabels::labels_areThePartsOfTheColumn()
{
    const auto made = data::makeEncoder(*mediaRecipe(), { "o u i _ a", "o <tag> u" });
    QVERIFY(made);
    const std::vector<std::string> expected
        = { "<blank>", "o", "u", "i", "_", "a", "<tag>", "<unk>" };
    QVERIFY(made->encoder.labels() == expected);
    QVERIFY(*made->encoder.encode("u <tag> é") == std::vector<int64_t>({ 2, 6, 7 }));
    QCOMPARE(made->encoder.decode({ 1, 2, 3 }), "o u i");
    QVERIFY(!made->note.empty());
    QTemporaryDir folder;
    const std::string file = folder.filePath("label_encoder.txt").toStdString();
    QVERIFY(made->encoder.save(file));
    const auto again = data::TextEncoder::load(file);
    QVERIFY(again);
    QVERIFY(again->labels() == expected);
    QVERIFY(*again->encode("u é") == std::vector<int64_t>({ 2, 7 }));
}

void TstMediaLabels::unknown_isLastWhereAnOutputIsLeft()
{
    const auto labelsWith = [](const char* outputs) {
        const auto made = data::makeEncoder(
            *mediaRecipe(std::string("output_neurons: ") + outputs + "\n"), { "a b" });
        return made ? made->encoder.size() : -1;
    };
    QCOMPARE(labelsWith("3"), 3);
    QCOMPARE(labelsWith("4"), 4);
}

void TstMediaLabels::manifest_isReadByItsLetters()
{
    QTemporaryDir folder;
    const std::string file = folder.filePath("train.csv").toStdString();
    QVERIFY(writeFileAtomically(file,
        std::string(kHeading)
            + "u1,1.50,2.25,3.75,a.wav,wav,s1,string,oui a,string,o u i _ a,string\n"));
    const settings::DataSettings settings = settings::dataSettings(*mediaRecipe());
    std::vector<data::Utterance> read;
    QVERIFY(data::eachUtterance(
        file, "", [&](const data::Utterance& one) { read.push_back(one); }, settings.columns));
    QCOMPARE(read.size(), size_t(1));
    QCOMPARE(read[0].text, "o u i _ a");
    QCOMPARE(read[0].part.begin, 2.25);
    QCOMPARE(read[0].part.end, 3.75);
    QVERIFY(!read[0].part.countsSamples);
}

void TstMediaLabels::manifestWithoutLetters_isRefused()
{
    QTemporaryDir folder;
    const std::string file = folder.filePath("train.csv").toStdString();
    QVERIFY(writeFileAtomically(file, "ID,duration,wav,wrd\nu1,1.5,a.wav,oui\n"));
    const settings::DataSettings settings = settings::dataSettings(*mediaRecipe());
    const auto read = data::eachUtterance(
        file, "", [](const data::Utterance&) {}, settings.columns);
    QVERIFY(!read);
    QVERIFY2(read.error().message.find("char") != std::string::npos, read.error().message.c_str());
}

void TstMediaLabels::otherRecipes_readWords()
{
    QVERIFY(!settings::hasMediaLabels(*mediaRecipe("token_type: char\n")));
    const recipe::NodePtr plain
        = recipe::parse("label_encoder: !new:speechbrain.dataio.encoder.CTCTextEncoder\n", "r.yaml")
              .root;
    QCOMPARE(settings::manifestColumns(*plain).text.front(), "wrd");
}

void TstMediaLabels::shortUtterances_areLeftOutByEitherName()
{
    QCOMPARE(
        settings::dataSettings(*mediaRecipe("avoid_if_smaller_than: 1.5\n")).shortestSeconds, 1.5);
    QCOMPARE(settings::dataSettings(*mediaRecipe("avoid_if_shorter_than: 2\n")).shortestSeconds, 2);
}

EARWRIGHT_TEST(TstMediaLabels)
#include "tst_media_labels.moc"
