#include "core/base/text.h"
#include "core/data/prepare/tags.h"
#include "tests/data/corpus_folder.h"
#include "tests/registry.h"

#include "core/data/prepare/own_list.h"

#include <QTest>

using namespace earwright;
using namespace earwright::tests;
using data::TranscriptTags;

/// What corpora write into transcripts beside words.
class TstTags : public QObject, private CorpusFolder {
    Q_OBJECT

private Q_SLOTS:
    void tags_areNoWords_data();
    void tags_areNoWords();
    void lists_tellOfTheirTags();
    void kaldi_tellsOfItsTags();
};

void TstTags::tags_areNoWords_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("words");
    QTest::addColumn<QString>("notes"); // joined by |
    const auto row = [](const char* text, const char* words, const char* notes) {
        QTest::newRow(text) << QString(text) << QString(words) << QString(notes);
    };
    const auto out = [&](const char* text, const char* words, const std::string& tags) {
        row(text, words, ("tags left out of the texts: " + tags).c_str());
    };
    const auto written = [&](const char* text, const char* words, const std::string& tags) {
        row(text, words, ("signs written for tags: " + tags).c_str());
    };
    const auto unknown = [&](const char* text, const std::string& tags) {
        row(text, text, ("unknown tags, kept as words of the texts: " + tags).c_str());
    };
    out("LEFT <COMMA> CAN YOU <QUESTIONMARK>", "LEFT CAN YOU", "<COMMA> 1, <QUESTIONMARK> 1");
    out("<SIL>", "", "<SIL> 1");
    out("a [noise] b[NOISE] {breath} c", "a b c", "[NOISE] 1, [noise] 1, {breath} 1");
    out("a <unk> <UNK> b <unk>", "a b", "<unk> 2, <UNK> 1");
    out("[vocalized-noise] a <v-noise> <SPOKEN_NOISE>", "a",
        "<SPOKEN_NOISE> 1, <v-noise> 1, [vocalized-noise] 1");
    out("<noise> a </noise> [ background noise ]", "a",
        "</noise> 1, <noise> 1, [ background noise ] 1");
    out("<|en|><|NEUTRAL|> a", "a", "<|NEUTRAL|> 1, <|en|> 1");
    out("!SIL a ++um++ b", "a b", "!SIL 1, ++um++ 1");
    out("a (Laughter) b", "a b", "(Laughter) 1");
    out("<foreign lang=\"de\"> ja </foreign>", "ja", "</foreign> 1, <foreign lang=\"de\"> 1");
    out("so %HESITATION i %uh, think %UH?", "so i think", "%HESITATION 1, %UH? 1, %uh, 1");
    out("a (%hesitation) b", "a b", "(%hesitation) 1");
    unknown("%foo a %d, %noise-x", "%d 1, %foo 1, %noise-x 1");
    out("我很高兴（笑）真的【拍手】", "我很高兴真的", "【拍手】 1, （笑） 1");
    out("はい（笑い）そうです。【咳】［音楽］", "はいそうです。",
        "【咳】 1, （笑い） 1, ［音楽］ 1");
    out("我<unk>们 <unk> 去 <unk>ok", "我们 去 ok", "<unk> 3");
    out("네 (웃음) 그래요", "네 그래요", "(웃음) 1");
    out("ok（laughter）好", "ok 好", "（laughter） 1");
    unknown("北京（首都）很大【旁白】", "【旁白】 1, （首都） 1");
    unknown("（他说（笑死）了）", "（笑死） 1");
    written("R&amp;B &#39;n&#x27; caf&eacute;", "R&B 'n' café",
        "&#39; 1, &#x27; 1, &amp; 1, &eacute; 1");
    written("[laughter-yes] no", "yes no", "[laughter-yes] 1");
    row("&lt;unk&gt; a", "a",
        "tags left out of the texts: <unk> 1|signs written for tags: &gt; 1, &lt; 1");
    unknown("a <FOO> b <FOO>", "<FOO> 2");
    unknown("he [John] said", "[John] 1");
    unknown("a &foo; &#0; b", "&#0; 1, &foo; 1");
    for (const char* text : { "a < b and c > d", "5 (five) apples", "a  b", "[", "a[]", "Oh! well",
             "50% of it", "% of", "%50 of", "100 %", "%", "a%uh", "%20x", "( %uh) (50%)",
             "《书》和「話」、笑", "（因为他昨天晚上没有来所以我们都走了）", "（笑", "a + b",
             "(this is what all of them said to us on that day)" })
        row(text, text, "");
}

void TstTags::tags_areNoWords()
{
    QFETCH(QString, text);
    QFETCH(QString, words);
    QFETCH(QString, notes);
    TranscriptTags met;
    QCOMPARE(QString::fromStdString(data::withoutTags(text.toStdString(), met)), words);
    QCOMPARE(QString::fromStdString(join(met.notes(), "|")), notes);
    TranscriptTags kept;
    data::countTags(text.toStdString(), kept);
    QCOMPARE(kept.kept.empty(), notes.isEmpty());
    QVERIFY(kept.leftOut.empty() && kept.unknown.empty());
}

void TstTags::lists_tellOfTheirTags()
{
    QVERIFY(sound(path("a.wav")) && sound(path("b.wav")));
    QVERIFY(text(path("list.csv"),
        "ID,wav,text\na,a.wav,AS THEY LEFT <COMMA> CAN YOU &#65; <FOO>\nb,b.wav,<SIL>\n"));
    data::OwnListOptions options { .file = path("list.csv") };
    const auto corpus = data::readOwnList(options, always);
    QVERIFY2(corpus, why(corpus));
    QCOMPARE(corpus->splits.at("train").front().text, std::string("as they left can you a foo"));
    QVERIFY(
        corpus->dropped == (std::map<std::string, Names> { { data::kOnlyTags, { "line 3" } } }));
    QVERIFY(corpus->notes
        == (Names { "tags left out of the texts: <COMMA> 1, <SIL> 1",
            "signs written for tags: &#65; 1",
            "unknown tags, kept as words of the texts: <FOO> 1" }));
    options.normalizeText = false;
    const auto kept = data::readOwnList(options, always);
    QVERIFY2(kept, why(kept));
    QVERIFY(kept->dropped.empty());
    QVERIFY(kept->notes
        == (Names { "tags kept in the texts, as asked: &#65; 1, <COMMA> 1, <FOO> 1, <SIL> 1" }));
}

void TstTags::kaldi_tellsOfItsTags()
{
    QVERIFY(sound(path("k/train/a.wav")));
    QVERIFY(text(path("k/train/wav.scp"), "u1 a.wav\nu2 a.wav\n"));
    QVERIFY(text(path("k/train/text"), "u1 SAY <UNK> AGAIN\u00a0NOW\nu2 <UNK>\n"));
    const auto corpus = read("kaldi", "k");
    QVERIFY2(corpus, why(corpus));
    QCOMPARE(corpus->splits.at("train").front().text, std::string("SAY AGAIN NOW"));
    QVERIFY(corpus->dropped == (std::map<std::string, Names> { { data::kOnlyTags, { "u2" } } }));
    QVERIFY(corpus->notes == (Names { "tags left out of the texts: <UNK> 2" }));
    QVERIFY(text(path("k/train/text"), "u1 SAY\u00a0NOW\nu2 GO  ON\n"));
    const auto spaced = read("kaldi", "k");
    QVERIFY2(spaced, why(spaced));
    const auto report = data::writeManifests(*spaced, { { "train", path("made.csv") } });
    QVERIFY2(report, why(report));
    QVERIFY(report->notes
        == (Names { "texts whose white space is not single blanks between words: 2 (u1, u2)" }));
    QCOMPARE(report->splits.front().numWords, 4);
}

EARWRIGHT_TEST(TstTags)
#include "tst_tags.moc"
