#include "core/data/fingerprint.h"
#include "tests/registry.h"

#include <QTest>

using namespace earwright;
using data::Fingerprint;
using data::Utterance;

namespace {

using Utterances = std::vector<Utterance>;

const Utterances kSet { { "a", "a.wav", 1.5, "anna", "one two", 2 },
    { "b", "b.wav", 2, "ben", "three", 3 }, { "c", "c.wav", 0.5, "", "", 4 } };

Fingerprint of(const Utterances& utterances)
{
    return data::fingerprintOf("train", "train.csv", utterances);
}

} // namespace

Q_DECLARE_METATYPE(Utterances)

/// By what a resumed run tells that a set is another.
class TstFingerprint : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void change_isNoticed_data();
    void change_isNoticed();
    void places_doNotMatter();
    void json_givesThemBack();
    void brokenJson_isAnError();
};

void TstFingerprint::change_isNoticed_data()
{
    QTest::addColumn<Utterances>("now");
    QTest::addColumn<QString>("said");
    const auto row = [](const char* name, const char* said, void (*change)(Utterances&)) {
        Utterances set = kSet;
        change(set);
        QTest::newRow(name) << set << QString(said);
    };
    const char* const kIn
        = "3 utterances (4.0 s) before, 3 utterances (4.0 s) now, which differ in ";
    row("nothing", "", [](Utterances&) {});
    row("fewer", "3 utterances (4.0 s) before, 2 utterances (3.5 s) now",
        [](Utterances& set) { set.pop_back(); });
    row("order", "the same 3 utterances (4.0 s) in another order",
        [](Utterances& set) { std::swap(set[0], set[2]); });
    QTest::newRow("text") << [] {
        Utterances set = kSet;
        set[1].text = "four";
        return set;
    }() << QString(kIn) + "wrd";
    QTest::newRow("ID and path") << [] {
        Utterances set = kSet;
        set[0].id = "x";
        set[0].wav = "x.wav";
        return set;
    }() << QString(kIn) + "ID, wav";
    QTest::newRow("speaker") << [] {
        Utterances set = kSet;
        set[2].speaker = "anna";
        return set;
    }() << QString(kIn) + "spk_id";
    QTest::newRow("duration")
        <<
        [] {
            Utterances set = kSet;
            set[0].durationSeconds = 1.25;
            return set;
        }()
        << QString("3 utterances (4.0 s) before, 3 utterances (3.8 s) now, which differ in "
                   "duration");
    row("texts of two rows exchanged",
        "3 utterances (4.0 s) before, 3 utterances (4.0 s) now, which differ in wrd",
        [](Utterances& set) { std::swap(set[0].text, set[1].text); });
}

void TstFingerprint::change_isNoticed()
{
    QFETCH(Utterances, now);
    QFETCH(QString, said);
    QCOMPARE(QString::fromStdString(data::difference(of(kSet), of(now))), said);
}

/// A comment or an empty line moves the others.
void TstFingerprint::places_doNotMatter()
{
    Utterances moved = kSet;
    for (Utterance& utterance : moved)
        utterance.line += 7;
    QCOMPARE(data::difference(of(kSet), of(moved)), std::string());
}

void TstFingerprint::json_givesThemBack()
{
    const auto read = data::fingerprintsFromJson(
        data::fingerprintsToJson({ of(kSet), data::fingerprintOf("csv_file", "nowhere.csv") }));
    QVERIFY(read && read->size() == 2);
    QCOMPARE((*read)[0].file, std::string("train.csv"));
    QCOMPARE((*read)[0].rows, int64_t { 3 });
    QCOMPARE(data::difference((*read)[0], of(kSet)), std::string());
    QVERIFY((*read)[1].columns.empty());
}

void TstFingerprint::brokenJson_isAnError()
{
    for (const char* text : { "", "{}", "[]", R"({"version": 2, "sets": []})",
             R"({"version": 1, "sets": [{"name": "train"}]})" })
        QVERIFY2(!data::fingerprintsFromJson(text), text);
}

EARWRIGHT_TEST(TstFingerprint)
#include "tst_fingerprint.moc"
