#include "tests/data/corpus_folder.h"
#include "tests/registry.h"

#include "core/data/audio.h"
#include "core/data/prepare/own_list.h"

#include <QTest>

#include <map>

using namespace earwright;
using namespace earwright::tests;
using data::Corpus;

namespace {

const std::string kLacksMost = "a segment of which its recording lacks most";

} // namespace

/// Rows of a user's list that are parts of their recordings.
class TstOwnParts : public QObject, private CorpusFolder {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(sound(path("a.wav"))); } // 0.5 s, 4000 samples
    void rows_areReadWholeOrCut_data();
    void rows_areReadWholeOrCut();
    void unsoundRows_areLeftOut_data();
    void unsoundRows_areLeftOut();
    void partsThatAreMostlyMissing_areLeftOut();
    void parts_areLeftOutForWhatTheyAre();
    void partsInDamage_areNamedAsThat();
    void parts_areCutExactly();
    void partsWithoutIds_areNamedByTheirPlaces();
    void wholeRecordings_areReadBesideTheirParts();
    void partsOfWhatIsNotThere_areNoRepeatedIds();

private:
    Result<Corpus> readList(const std::string& name, const std::string& content) const
    {
        if (!text(path(name), content))
            return Error { "cannot write the list" };
        return data::readOwnList({ .file = path(name), .outFolder = path("out") }, always);
    }
    Result<Corpus> readRow(const std::string& members) const
    {
        return readList("row.json", "[{\"text\": \"A\", " + members + "}]");
    }
};

void TstOwnParts::rows_areReadWholeOrCut_data()
{
    QTest::addColumn<int>("samples");
    QTest::addColumn<QString>("note");
    const auto add = [](const char* members, int samples, const char* note = "") {
        QTest::newRow(members) << samples << QString(note);
    };
    add(R"("wav": "a.wav", "offset": 0.0, "duration": 0.2)", 1600);
    add(R"("wav": "a.wav", "duration": 0.2)", 1600);
    add(R"("wav": "a.wav", "offset": 0.3, "duration": 0.2)", 1600);
    add(R"("wav": "a.wav", "offset": 0.3, "duration": 0.1)", 800);
    add(R"("wav": "a.wav", "offset": 0.3)", 1600);
    add(R"("wav": "a.wav", "start": 0, "stop": 1600)", 1600);
    add(R"("wav": "a.wav", "start": 800, "stop": 1600)", 800);
    add(R"("wav": "a.wav", "start": 800, "stop": 1600, "duration": 0.5)", 800); // the recording's
    add(R"("wav": "a.wav", "start": 0, "end": 0.2)", 1600);
    add(R"("wav": "a.wav", "start": 0.1, "end": 0.2)", 800);
    add(R"("wav": "a.wav", "start": 0.1, "end": -1, "duration": 0.3)", 2400);
    add(R"("wav": "a.wav", "start": 0, "stop": 1600, "duration": 0.5)", 1600);
    add(R"("wav": {"file": "a.wav", "start": 0, "stop": 1600})", 1600);
    add(R"("wav": {"file": "a.wav", "start": 800, "stop": 4000})", 3200);
    add(R"("wav": {"file": "a.wav", "start": 800, "stop": 4500})", 3200, // as Kaldi's segments
        "kept, but shorter than the list says: 1 (a-0000100-0000563)");
    add(R"("wav": "a.wav", "id": "u1", "offset": 0.4, "duration": 0.15)", 800,
        "kept, but shorter than the list says: 1 (u1)");
    add(R"("wav": "a.wav", "offset": 0.4, "duration": 0.105)", 800);
    add(R"("wav": "a.wav", "start": 0.4, "end": 0.55)", 800,
        "kept, but shorter than the list says: 1 (a-0000400-0000550)");
    add(R"("wav": {"file": "a.wav", "start": 800})", 3200);
    add(R"("wav": "a.wav", "start": 0, "end": 4000, "duration": 0.5)", 4000);
    add(R"("wav": "a.wav", "offset": 0, "duration": 0.5)", 4000);
    add(R"("wav": "a.wav", "offset": 0, "duration": 0.41)", 4000);
    add(R"("wav": "a.wav", "duration": 0)", 4000);
    add(R"("wav": "a.wav", "duration": "0:00:01")", 4000);
    add(R"("wav": "a.wav", "start": 0, "stop": 4000)", 4000);
    add(R"("wav": "a.wav", "start": 0, "end": 0.5)", 4000);
    add(R"("wav": "a.wav", "start": 0, "end": -1)", 4000);
    add(R"("wav": {"file": "a.wav", "start": 0, "stop": 4000})", 4000);
    add(R"("wav": {"file": "a.wav"})", 4000);
    add(R"("wav": "a.wav", "duration": 2)", 4000,
        "kept, but shorter than the list says: 1 (line 1)");
}

void TstOwnParts::rows_areReadWholeOrCut()
{
    QFETCH(int, samples);
    QFETCH(QString, note);
    const auto corpus = readRow(QTest::currentDataTag());
    QVERIFY2(corpus, why(corpus));
    QVERIFY2(corpus->dropped.empty(), corpus->dropped.begin()->first.c_str());
    QVERIFY(corpus->notes == (note.isEmpty() ? Names {} : Names { note.toStdString() }));
    const data::Utterance& utterance = corpus->splits.at("train").front();
    QCOMPARE(utterance.durationSeconds, static_cast<double>(samples) / kRateHz);
    const bool isCut = samples < 4000;
    QCOMPARE(corpus->recordings.size(), size_t(isCut ? 1 : 0));
    QCOMPARE(utterance.wav,
        (isCut ? path("out/segments") / (utterance.id + ".wav") : path("a.wav")).string());
}

void TstOwnParts::unsoundRows_areLeftOut_data()
{
    QTest::addColumn<QString>("reason");
    const auto add
        = [](const char* members, const char* reason) { QTest::newRow(members) << reason; };
    const char* const behind = "an end that is behind its recording's, in seconds";
    add(R"("wav": "a.wav", "start": 0, "end": 1600)", behind);
    add(R"("wav": "a.wav", "start": 800, "end": 1600)", behind);
    add(R"("wav": "a.wav", "start": "0", "end": "0:00:01")", "an end that is no number");
    add(R"("wav": "a.wav", "start": "0:00:01", "end": 2)", "a start that is no number from 0 on");
    add(R"("wav": "a.wav", "offset": -1, "duration": 0.2)", "a start that is no number from 0 on");
    add(R"("wav": "a.wav", "offset": 0.1, "duration": "1 s")", "a duration that is no number");
    add(R"("wav": "a.wav", "start": 0.2, "end": 0.1)", "an end that is not behind its start");
    add(R"("wav": "a.wav", "start": 800, "stop": 800)", "an end that is not behind its start");
    add(R"("wav": "a.wav", "start": 0, "stop": 0.2)", "a stop that is no whole number of samples");
    add(R"("wav": "a.wav", "start": 0.1, "stop": 1600)",
        "a start or stop that is no whole number of samples");
    add(R"("wav": "a.wav", "start": 1, "stop": 3)",
        "a part of less than 0.01 s: a stop, and a start beside it, count samples");
    add(R"("wav": "a.wav", "start": 800)",
        "a start without an end, stop or duration, which tell its unit");
}

void TstOwnParts::partsThatAreMostlyMissing_areLeftOut()
{
    const auto corpus = readRow(R"("wav": "a.wav", "offset": 0.4, "duration": 0.5)");
    QVERIFY2(corpus, why(corpus));
    QVERIFY(corpus->dropped
        == (std::map<std::string, Names> { { kLacksMost, { "a-0000400-0000900" } } }));
}

/// A recording of 2 s.
void TstOwnParts::parts_areLeftOutForWhatTheyAre()
{
    QVERIFY(writeSound(path("long.wav"), sine(16000, 300, kRateHz), { .sampleRateHz = kRateHz }));
    const auto corpus = readList("nemo.jsonl",
        "{\"audio_filepath\": \"long.wav\", \"text\": \"a\", \"offset\": 0.5, \"duration\": 1.9}\n"
        "{\"audio_filepath\": \"long.wav\", \"text\": \"b\", \"offset\": 0.5, \"duration\": 2.2}\n"
        "{\"audio_filepath\": \"long.wav\", \"text\": \"c\", \"offset\": 1.6, \"duration\": 0.85}\n"
        "{\"audio_filepath\": \"long.wav\", \"text\": \"d\", \"offset\": 2, \"duration\": 0.3}\n");
    QVERIFY2(corpus, why(corpus));
    QVERIFY(idsOf(*corpus) == (Names { "long-0000500-0002400" }));
    QVERIFY(corpus->dropped
        == (std::map<std::string, Names> { { kLacksMost, { "long-0001600-0002450" } },
            { "a segment that begins where its recording has ended", { "long-0002000-0002300" } },
            { "a segment that ends more than 0.5 s behind its recording",
                { "long-0000500-0002700" } } }));
}

/// The last sample of a file with damage in its middle is there.
void TstOwnParts::partsInDamage_areNamedAsThat()
{
    QVERIFY(writeSound(path("damaged.flac"), noise(48000),
        { .sampleRateHz = kRateHz, .format = SF_FORMAT_FLAC | SF_FORMAT_PCM_16 }));
    QVERIFY(damage(path("damaged.flac")));
    const auto corpus = readList("damaged.jsonl",
        "{\"wav\": \"damaged.flac\", \"text\": \"a\", \"offset\": 0.5, \"duration\": 0.5}\n"
        "{\"wav\": \"damaged.flac\", \"text\": \"b\", \"offset\": 1, \"duration\": 4}\n");
    QVERIFY2(corpus, why(corpus));
    QVERIFY(idsOf(*corpus) == (Names { "damaged-0000500-0001000" }));
    QVERIFY(corpus->dropped
        == (std::map<std::string, Names> {
            { "a segment in which its recording is corrupt", { "damaged-0001000-0005000" } } }));
}

void TstOwnParts::unsoundRows_areLeftOut()
{
    QFETCH(QString, reason);
    const auto corpus = readRow(QTest::currentDataTag());
    QVERIFY2(corpus, why(corpus));
    QVERIFY2(corpus->dropped
            == (std::map<std::string, Names> { { reason.toStdString(), { "line 1" } } }),
        corpus->dropped.empty() ? "none" : corpus->dropped.begin()->first.c_str());
    QVERIFY(!corpus->splits.contains("train"));
}

void TstOwnParts::parts_areCutExactly()
{
    const auto corpus = readList("sb.json",
        R"({"s/1": {"wav": {"file": "a.wav", "start": 801, "stop": 1602}, "text": "a"},)"
        R"( "s/2": {"wav": {"file": "a.wav", "start": 3900, "stop": 9000}, "text": "b"}})");
    QVERIFY2(corpus, why(corpus));
    QVERIFY(corpus->dropped
        == (std::map<std::string, Names> { { kLacksMost, { "s/2" } } })); // as of Kaldi's
    const data::Utterance& utterance = corpus->splits.at("train").front();
    QCOMPARE(utterance.wav, path("out/segments/s%2F1.wav").string());
    QCOMPARE(corpus->recordings.at(utterance.wav), path("a.wav").string());
    const auto whole = data::readAudio(path("a.wav"), 0);
    const auto cut = data::readAudio(utterance.wav, 0);
    QVERIFY2(whole && cut, why(cut));
    QVERIFY(cut->samples
        == std::vector<float>(whole->samples.begin() + 801, whole->samples.begin() + 1602));
}

void TstOwnParts::partsWithoutIds_areNamedByTheirPlaces()
{
    const auto corpus = readList("nemo.json",
        "{\"audio_filepath\": \"a.wav\", \"text\": \"a\", \"duration\": 0.2, \"offset\": 0.0}\n"
        "{\"audio_filepath\": \"a.wav\", \"text\": \"b\", \"duration\": 0.25, \"offset\": 0.2}\n"
        "{\"audio_filepath\": \"a.wav\", \"text\": \"c\", \"duration\": 0.2, \"offset\": 0.0}\n"
        "{\"audio_filepath\": \"a.wav\", \"text\": \"d\", \"offset\": 0.4}\n");
    QVERIFY2(corpus, why(corpus));
    QVERIFY(idsOf(*corpus)
        == (Names { "a-0000000-0000200", "a-0000200-0000450", "a-0000400-0000500" }));
    QVERIFY(corpus->dropped
        == (std::map<std::string, Names> { { "an ID used before", { "line 3" } } }));
}

/// Where a row says no end, or more than there is, the other rows tell.
void TstOwnParts::wholeRecordings_areReadBesideTheirParts()
{
    const auto corpus = readList("mixed.jsonl",
        "{\"id\": \"u1\", \"wav\": \"a.wav\", \"text\": \"a\", \"start\": 0, \"stop\": 4000}\n"
        "{\"id\": \"u2\", \"wav\": \"a.wav\", \"text\": \"b\", \"start\": 0}\n"
        "{\"id\": \"u3\", \"wav\": \"a.wav\", \"text\": \"c\", \"start\": 0, \"stop\": 9000}\n"
        "{\"id\": \"u4\", \"wav\": \"a.wav\", \"text\": \"d\", \"start\": 800, \"stop\": 1600}\n");
    QVERIFY2(corpus, why(corpus));
    QVERIFY(idsOf(*corpus) == (Names { "u1", "u4" }));
    QCOMPARE(corpus->recordings.size(), size_t(1));
    QVERIFY(corpus->dropped
        == (std::map<std::string, Names> {
            { "the first part of a recording, without its end", { "line 2" } },
            { kLacksMost, { "u3" } } }));
}

/// Though the places that would tell them apart are not known.
void TstOwnParts::partsOfWhatIsNotThere_areNoRepeatedIds()
{
    const auto corpus = readList("gone.json",
        "{\"audio_filepath\": \"b.wav\", \"text\": \"a\", \"duration\": 0.2, \"offset\": 0.0}\n"
        "{\"audio_filepath\": \"b.wav\", \"text\": \"b\", \"duration\": 0.2, \"offset\": 0.2}\n");
    QVERIFY2(corpus, why(corpus));
    QVERIFY(
        corpus->dropped == (std::map<std::string, Names> { { "no audio file", { "b", "b" } } }));
}

EARWRIGHT_TEST(TstOwnParts)
#include "tst_own_parts.moc"
