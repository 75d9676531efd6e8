#include "tests/data/corpus_folder.h"
#include "tests/registry.h"

#include "core/base/not_text.h"
#include "core/base/text.h"
#include "core/data/audio.h"
#include "core/data/prepare/own_list.h"
#include "core/data/prepare/prompts.h"

#include <QTest>

using namespace earwright;
using namespace earwright::tests;

namespace {

const std::string kGbk = "\xb9\xe3\xd6\xdd"; // 广州

} // namespace

/// Texts that are no UTF-8, which would be cut into letters of no alphabet.
class TstEncodings : public QObject, private CorpusFolder {
    Q_OBJECT

private Q_SLOTS:
    void brokenUtf8_isFound();
    void corpora_areRefused_data();
    void corpora_areRefused();
    void ownLists_areRefused();
    void manifests_areRefused();
    void foreignFiles_areNamed_data();
    void foreignFiles_areNamed();
    void textsThatBeginAlike_areRead();
    void packedFiles_areNamed();
    void prompts_areRefused();
    void pathsOfWavScp_areBytes();

private:
    /// What is wrong names the file, its second line and what to try.
    void compare(const std::string& message, const std::string& file) const
    {
        const std::string name = std::filesystem::path(file).filename().string();
        QCOMPARE(message,
            "'" + path(file).string()
                + "', line 2: not UTF-8; if it is GBK, 'iconv -f GBK -t UTF-8 " + name
                + " > FILE' makes it so");
    }
};

void TstEncodings::brokenUtf8_isFound()
{
    QCOMPARE(brokenUtf8At("a广州\xf0\x9f\x98\x80"), std::string_view::npos);
    QCOMPARE(brokenUtf8At("a" + kGbk), size_t(1));
    QCOMPARE(brokenUtf8At("a\xe5\xb9"), size_t(1));
    QCOMPARE(brokenUtf8At("ab\x80"), size_t(2));
    for (const char* bytes : { "a\xed\xa0\xbd\xed\xb8\x80", "a\xe0\x80\xaf", "a\xf4\x90\x80\x80" })
        QCOMPARE(brokenUtf8At(bytes), size_t(1));
}

void TstEncodings::corpora_areRefused_data()
{
    QTest::addColumn<QString>("corpus");
    QTest::addColumn<QString>("file");
    QTest::newRow("aishell1") << "aishell1"
                              << "a/transcript/aishell_transcript_v0.8.txt";
    QTest::newRow("librispeech") << "librispeech"
                                 << "l/train-x/1/2/1-2.trans.txt";
    QTest::newRow("kaldi") << "kaldi"
                           << "k/train/text";
    QTest::newRow("common-voice") << "common-voice"
                                  << "c/train.tsv";
}

void TstEncodings::corpora_areRefused()
{
    QFETCH(QString, corpus);
    QFETCH(QString, file);
    const std::string name = file.toStdString();
    const std::string row
        = corpus == "common-voice" ? "client_id\tpath\tsentence\nu\ta.mp3\t" : "u0 A\nu1 ";
    QVERIFY(text(path(name), row + kGbk + "\n"));
    QVERIFY(text(path("k/train/wav.scp"), "u1 a.wav\n"));
    const auto read = this->read(corpus.toStdString(), name.substr(0, 1));
    QVERIFY(!read);
    compare(read.error().message, name);
}

void TstEncodings::ownLists_areRefused()
{
    QVERIFY(text(path("list.csv"), "wav,text\na.wav," + kGbk + "\n"));
    const auto csv = data::readOwnList({ .file = path("list.csv") }, always);
    QVERIFY(!csv);
    compare(csv.error().message, "list.csv");
    QVERIFY(text(path("list.csv"), "wav,text\na.wav,\xed\xa0\xbd\xed\xb8\x80\n"));
    const auto pairs = data::readOwnList({ .file = path("list.csv") }, always);
    QVERIFY(!pairs);
    compare(pairs.error().message, "list.csv");
    QVERIFY(
        text(path("list.json"), "{\n\"u1\": {\"wav\": \"a.wav\", \"text\": \"" + kGbk + "\"}}"));
    const auto json = data::readOwnList({ .file = path("list.json") }, always);
    QVERIFY(!json);
    compare(json.error().message, "list.json");
}

/// But for their paths, which may be any bytes.
void TstEncodings::manifests_areRefused()
{
    const std::string row = "ID,duration,wav,wrd\nu1,1," + kGbk + ".wav,";
    QVERIFY(text(path("train.csv"), row + "广州\n"));
    const auto read = data::readManifest(path("train.csv"), "");
    QVERIFY2(read, why(read));
    QCOMPARE(read->front().wav, kGbk + ".wav");
    QVERIFY(text(path("train.csv"), row + kGbk + "\n"));
    const auto refused = data::readManifest(path("train.csv"), "");
    QVERIFY(!refused);
    QVERIFY2(
        QString(why(refused)).contains("train.csv', line 2: the text is not UTF-8; if it is GBK"),
        why(refused));
}

void TstEncodings::foreignFiles_areNamed_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("said");
    const auto row = [](const char* name, const QByteArray& bytes, const char* said) {
        QTest::newRow(name) << bytes << QString(said);
    };
    const auto wide = [](const char* mark, bool isBig, int zeros = 1) {
        QByteArray bytes = QByteArray::fromHex(mark);
        for (const char c : QByteArray("ID,wav,wrd,duration\n")) {
            const QByteArray zero(zeros, 0);
            bytes += isBig ? zero + c : c + zero;
        }
        return bytes;
    };
    const char* const utf16 = "is UTF-16; 'iconv -f UTF-16 -t UTF-8 NAME > FILE' makes it UTF-8";
    row("UTF-16", wide("fffe", false), utf16);
    row("UTF-16, big", wide("feff", true), utf16);
    row("UTF-16 without a mark", wide("", false),
        "is UTF-16; 'iconv -f UTF-16LE -t UTF-8 NAME > FILE' makes it UTF-8");
    row("UTF-16 without a mark, big", wide("", true),
        "is UTF-16; 'iconv -f UTF-16BE -t UTF-8 NAME > FILE' makes it UTF-8");
    row("UTF-32", wide("fffe0000", false, 3),
        "is UTF-32; 'iconv -f UTF-32 -t UTF-8 NAME > FILE' makes it UTF-8");
    row("gzip", QByteArray::fromHex("1f8b08080000000000037400"),
        "is packed by gzip; 'gunzip -c NAME > FILE' unpacks it");
    row("xz", QByteArray::fromHex("fd377a585a000004e6d6"),
        "is packed by xz; 'unxz -c NAME > FILE' unpacks it");
    row("bzip2", "BZh91AY&SY", "is packed by bzip2; 'bunzip2 -c NAME > FILE' unpacks it");
    row("zstd", QByteArray::fromHex("28b52ffd0458"),
        "is packed by zstd; 'unzstd -c NAME > FILE' unpacks it");
    row("spreadsheet", QByteArray::fromHex("504b030414000600"),
        "is a zip archive or a spreadsheet; save it as text in UTF-8");
    row(".Z", QByteArray::fromHex("1f9d9061c2b0"),
        "is packed by compress; 'gunzip -c NAME > FILE' unpacks it");
    row("lzma", QByteArray::fromHex("5d00008000ffffffffffffffff00"),
        "is packed by lzma; 'unlzma -c NAME > FILE' unpacks it");
    row("lz4", QByteArray::fromHex("04224d186440a708"),
        "is packed by lz4; 'unlz4 -c NAME > FILE' unpacks it");
    row("parquet", QByteArray::fromHex("504152311504151a"),
        "is a Parquet table; save it as text in UTF-8");
    row("arrow", QByteArray("ARROW1\0\0\xff\xff", 10),
        "is an Arrow table; save it as text in UTF-8");
    row("sqlite", QByteArray("SQLite format 3\0\x10", 17),
        "is an SQLite database; save it as text in UTF-8");
    row("pdf", "%PDF-1.7\n%\xe2\xe3", "is a PDF document; save it as text in UTF-8");
    row("7z", QByteArray::fromHex("377abcaf271c0004"),
        "is a 7z archive; unpack it and name a file of it");
    row("tar", "train.csv" + QByteArray(248, 0) + "ustar  ",
        "is a tar archive; unpack it and name a file of it");
}

/// Lists, manifests and tables alike.
void TstEncodings::foreignFiles_areNamed()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QString, said);
    const auto expected = [&](const std::string& file) {
        const std::string name = std::filesystem::path(file).filename().string();
        return "'" + path(file).string() + "' "
            + QString(said).replace("NAME", name.c_str()).toStdString();
    };
    const std::string content = bytes.toStdString();
    for (const char* file : { "u.csv", "u.json" }) {
        QVERIFY(text(path(file), content));
        const auto list = data::readOwnList({ .file = path(file) }, always);
        QVERIFY(!list);
        QCOMPARE(list.error().message, expected(file));
        const auto manifest = data::readManifest(path(file), "");
        QVERIFY(!manifest);
        QCOMPARE(manifest.error().message, expected(file));
    }
    QVERIFY(text(path("w/train/text"), "u1 A\n") && text(path("w/train/wav.scp"), content));
    const auto kaldi = read("kaldi", "w");
    QVERIFY(!kaldi);
    QCOMPARE(kaldi.error().message, expected("w/train/wav.scp"));
}

void TstEncodings::textsThatBeginAlike_areRead()
{
    for (const char* text : { "PAR1 hello there", "ustar", "%PDF of it", "SQLite format", "7z" })
        QCOMPARE(whyNoText(text, "a.txt"), std::string());
}

/// Whatever is in them: lists and sounds.
void TstEncodings::packedFiles_areNamed()
{
    QVERIFY(text(path("x.csv.gz"), "\x1f\x8b\x08"));
    QVERIFY(text(path("x.tsv.bz2"), "BZh91AY&SY"));
    QVERIFY(text(path("x.jsonl"), "{}"));
    QCOMPARE(
        whyPacked(path("x.csv.gz")), "is packed by gzip; 'gunzip -c x.csv.gz > FILE' unpacks it");
    QCOMPARE(whyPacked(path("x.tsv.bz2")),
        "is packed by bzip2; 'bunzip2 -c x.tsv.bz2 > FILE' unpacks it");
    for (const char* file : { "x.jsonl", "none", "." })
        QCOMPARE(whyPacked(path(file)), std::string());
    const auto sound = data::readAudioInfo(path("x.csv.gz"));
    QVERIFY(!sound);
    QCOMPARE(sound.error().message,
        "cannot read audio '" + path("x.csv.gz").string()
            + "': it is packed by gzip; 'gunzip -c x.csv.gz > FILE' unpacks it");
}

void TstEncodings::prompts_areRefused()
{
    QVERIFY(text(path("core.txt"), "a: A\nb: " + kGbk + "\n"));
    const auto report = data::preparePrompts(
        { .sounds = path("sounds"), .transcripts = path("core.txt"), .outFolder = path("out") });
    QVERIFY(!report);
    compare(report.error().message, "core.txt");
}

void TstEncodings::pathsOfWavScp_areBytes()
{
    const std::string wav = path("bytes/" + kGbk + ".wav").string();
    QVERIFY(sound(wav));
    QVERIFY(text(path("bytes/wav.scp"), "u1 " + wav + "\n"));
    QVERIFY(text(path("bytes/text"), "\xef\xbb\xbfu1 广州\n"));
    const auto corpus = read("kaldi", "bytes");
    QVERIFY2(corpus, why(corpus));
    QCOMPARE(corpus->splits.at("bytes").front().wav, wav);
    QVERIFY(data::writeManifests(*corpus, { { "bytes", path("made.csv") } }));
    const auto json = data::writeManifests(*corpus, { { "bytes", path("made.json") } });
    QVERIFY(!json);
    QCOMPARE(json.error().message,
        "cannot write '" + path("made.json").string() + "': the utterance 'u1' has '" + wav
            + "', which is not UTF-8 and so not for JSON; a CSV file takes it");
}

EARWRIGHT_TEST(TstEncodings)
#include "tst_encodings.moc"
