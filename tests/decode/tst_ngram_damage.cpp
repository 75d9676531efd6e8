#include "core/check/ngram/ngram_file.h"
#include "core/decode/ngram.h"
#include "tests/files.h"
#include "tests/registry.h"

#include <QElapsedTimer>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

using namespace earwright;

namespace {

const QString kKenlm = EARWRIGHT_CASES_DIR "/decode/kenlm/three.";

template <class T>
void put(QByteArray& bytes, qsizetype at, T value)
{
    std::memcpy(bytes.data() + at, &value, sizeof value);
}

template <class T>
T taken(const QByteArray& bytes, qsizetype at)
{
    T value;
    std::memcpy(&value, bytes.constData() + at, sizeof value);
    return value;
}

// three.probing: order 3 of 6, 6 and 4 n-grams, 1.5 places for each.
constexpr qsizetype kHead = 136;
constexpr qsizetype kWords = kHead + 8; // 9 places of 12 bytes
constexpr qsizetype kSingle = kWords + 9 * 12; // 7 of 8 bytes
constexpr qsizetype kPairs = kSingle + 7 * 8; // 9 places of 16 bytes
constexpr qsizetype kTriples = kPairs + 9 * 16; // 6 places of 12 bytes
constexpr qsizetype kTexts = kTriples + 6 * 12;

/// Free places get keys, and the others stay.
void fill(QByteArray& bytes, qsizetype begin, qsizetype end, qsizetype entrySize)
{
    for (qsizetype at = begin; at < end; at += entrySize)
        if (taken<uint64_t>(bytes, at) == 0)
            put(bytes, at, 0x9e3779b97f4a7c15 + static_cast<uint64_t>(at));
}

qsizetype firstTaken(const QByteArray& bytes, qsizetype begin, qsizetype entrySize)
{
    qsizetype at = begin;
    while (taken<uint64_t>(bytes, at) == 0)
        at += entrySize;
    return at;
}

using Damage = void (*)(QByteArray&);
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// What /cases/attack-ngram does, and one more for each table.
const std::map<QByteArray, std::pair<Damage, QByteArray>> kDamages {
    { "oneindex",
        { [](QByteArray& b) { put(b, firstTaken(b, kWords, 12) + 8, 0x7fffffff); },
            "a word has the number 2147483647 of 6" } },
    { "same index",
        { [](QByteArray& b) {
             const qsizetype first = firstTaken(b, kWords, 12);
             put(b, first + 8, taken<uint32_t>(b, firstTaken(b, first + 12, 12) + 8));
         },
            ", as another one has" } },
    { "vocabindex",
        { [](QByteArray& b) {
             for (qsizetype at = kWords; at < kSingle; at += 12)
                 if (taken<uint64_t>(b, at) != 0)
                     put(b, at + 8, 0x7fffffff);
         },
            "a word has the number" } },
    { "vocabfull",
        { [](QByteArray& b) { fill(b, kWords, kSingle, 12); },
            "its table of words has no free place" } },
    { "ngramfull",
        { [](QByteArray& b) { fill(b, kPairs, kTriples, 16); },
            "its table of 2-grams has no free place" } },
    { "longest full",
        { [](QByteArray& b) { fill(b, kTriples, kTexts, 12); },
            "its table of 3-grams has no free place" } },
    { "bound",
        { [](QByteArray& b) { put(b, kHead + 4, 0x7fffffff); },
            "its words are numbered to 2147483647 and it has 6" } },
    { "stringsnozero",
        { [](QByteArray& b) { b.replace(kTexts, b.size() - kTexts, QByteArray(30, 'A')); },
            "the texts of its words are not where they should be" } },
    { "another text",
        { [](QByteArray& b) { b[b.size() - 2] = 'z'; }, "the text of word 5 is not the one" } },
    { "a text less", { [](QByteArray& b) { b.chop(4); }, "it has fewer texts than words" } },
    { "nan",
        { [](QByteArray& b) { put(b, kSingle + 8, kNan); },
            "a single word has a weight that is no number" } },
    { "nan of a pair",
        { [](QByteArray& b) { put(b, firstTaken(b, kPairs, 16) + 12, kNan); },
            "its table of 2-grams has a weight" } },
    { "infinite triple",
        { [](QByteArray& b) { put(b, firstTaken(b, kTriples, 12) + 8, -HUGE_VALF); },
            "its table of 3-grams has a weight" } },
    { "misplaced",
        { [](QByteArray& b) {
             const qsizetype at = firstTaken(b, kTriples, 12);
             put(b, at, taken<uint64_t>(b, at) + 1);
         },
            "its table of 3-grams has an entry where no search finds it" } },
    { "lost",
        { [](QByteArray& b) { b.replace(kTriples, 72, QByteArray(72, '\0')); },
            "its table of 3-grams has fewer entries than the head says" } },
    { "order", { [](QByteArray& b) { b[88] = 7; }, "it is of order 7" } },
    { "kind", { [](QByteArray& b) { b[96] = 6; }, "it is of an unknown kind" } },
    { "multiplier", { [](QByteArray& b) { put(b, 92, kNan); }, "have no possible size" } },
    { "no texts", { [](QByteArray& b) { b[100] = 0; }, "without the texts of its words" } },
    { "count", { [](QByteArray& b) { put(b, 116, uint64_t { 1 } << 62); }, "fewer n-grams" } },
    { "large count",
        { [](QByteArray& b) { put(b, 116, uint64_t { 60 }); }, "it is shorter than" } },
    { "cut", { [](QByteArray& b) { b.truncate(kTriples + 5); }, "it is shorter than its head" } },
    { "another machine's", { [](QByteArray& b) { b[60] = 1; }, "of another version" } },
    { "unfinished",
        { [](QByteArray& b) {
             b.replace(0, 52,
                 QByteArray("mmap lm http://kheafield.com/code incomplete\n")
                     .leftJustified(52, '\0'));
         },
            "its making did not end" } },
};

/// The scores of all pairs of words, "" where one of them is none.
QByteArray scoresOf(const decode::NgramModel& model)
{
    const std::vector<std::string> words { "one", "two", "six", "ten", "</s>" };
    QByteArray scores;
    for (const std::string& first : words)
        for (const std::string& second : words) {
            decode::NgramState behind;
            decode::NgramState end;
            const float one = model.score(model.start(true), first, behind);
            const float two = model.score(behind, second, end);
            if (!std::isfinite(one + two))
                return {};
            scores += QByteArray::number(static_cast<double>(one + two), 'f', 3) + " ";
        }
    return scores;
}

} // namespace

/// N-grams that are damaged or made to do harm: each is refused in words, or a model whose every
/// search ends.
class TstNgramDamage final : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_dir;

    Result<std::shared_ptr<const decode::NgramModel>> opened(const QByteArray& bytes)
    {
        const QString path = m_dir.filePath("model");
        QFile::remove(path);
        writeFile(path, bytes);
        return decode::NgramModel::open(path.toStdString());
    }
    void verifyRefused(const QByteArray& bytes, const QByteArray& why)
    {
        const auto model = opened(bytes);
        QVERIFY(!model);
        const QByteArray said = model.error().message.c_str();
        QVERIFY2(said.contains("model' is no language model") && said.contains(why)
                && !said.contains('\n'),
            said.constData());
    }
    QByteArray sealedBytes()
    {
        const QString path = m_dir.filePath("sealed");
        const Status written
            = decode::writeBinaryNgram((kKenlm + "arpa").toStdString(), path.toStdString());
        return written ? bytesOf(path) : QByteArray();
    }

private Q_SLOTS:
    void everyKind_saysTheSame_data();
    void everyKind_saysTheSame();
    void damagedTable_isRefused_data();
    void damagedTable_isRefused();
    void damagedTrie_isRefused_data();
    void damagedTrie_isRefused();
    void checksum_findsEveryByte();
    void changedBytes_areRefusedOrHarmless_data();
    void changedBytes_areRefusedOrHarmless();
    void arpa_isRefusedAtItsLine_data();
    void arpa_isRefusedAtItsLine();
    void arpaOfOtherTools_isTaken();
    void compressedText_isRefusedWhereItIsDamaged();
    void pipe_isNotWaitedFor();
};

void TstNgramDamage::everyKind_saysTheSame_data()
{
    QTest::addColumn<QString>("kind");
    for (const char* kind : { "arpa", "probing", "rest", "trie", "quant", "array", "qarray" })
        QTest::newRow(kind) << QString(kind);
}

void TstNgramDamage::everyKind_saysTheSame()
{
    QFETCH(QString, kind);
    const auto model = decode::NgramModel::open((kKenlm + kind).toStdString());
    QVERIFY2(model, model ? "" : model.error().message.c_str());
    const auto text = decode::NgramModel::open((kKenlm + "arpa").toStdString());
    QVERIFY(text && !scoresOf(**text).isEmpty());
    QCOMPARE(scoresOf(**model), scoresOf(**text));
}

void TstNgramDamage::damagedTable_isRefused_data()
{
    QTest::addColumn<QByteArray>("name");
    for (const auto& damage : kDamages)
        QTest::newRow(damage.first.constData()) << damage.first;
}

void TstNgramDamage::damagedTable_isRefused()
{
    QFETCH(QByteArray, name);
    const auto& [damage, why] = kDamages.at(name);
    QByteArray bytes = bytesOf(kKenlm + "probing");
    damage(bytes);
    verifyRefused(bytes, why);
    bytes = sealedBytes();
    damage(bytes);
    verifyRefused(bytes, "");
}

void TstNgramDamage::damagedTrie_isRefused_data()
{
    QTest::addColumn<QString>("kind");
    QTest::addColumn<int>("at");
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QByteArray>("why");
    const auto row
        = [](const char* name, const char* kind, int at, const auto& value, const char* why) {
              QTest::newRow(name) << QString(kind) << at
                                  << QByteArray(reinterpret_cast<const char*>(&value), sizeof value)
                                  << QByteArray(why);
          };
    // The head ends at 136; words; in three.trie 8 single words of 16 bytes at 192.
    const char* const kHistory = "its table of 2-grams has fewer entries than a history points to";
    const char* const kSingleWord = "a single word has a weight that is no number";
    row("number of words", "trie", 136, uint64_t { 1 } << 40, "its table of words has not as many");
    row("order of words", "trie", 152, uint64_t { 1 }, "its table of words is out of order");
    row("probability", "trie", 192, 0.5F, kSingleWord);
    row("back-off", "trie", 196, kNan, kSingleWord);
    row("beginning", "trie", 216, uint64_t { 1 } << 33, kHistory);
    row("end", "trie", 192 + 6 * 16 + 8, uint64_t { 5 },
        "its table of 2-grams has entries that no history points to");
    row("pair's word", "trie", 320, uint8_t { 0xff }, "its table of 2-grams names word 7 of 6");
    row("pair's end", "trie", 320 + 60, uint8_t { 3 },
        "its table of 3-grams has entries that no history points to");
    row("number of bins", "quant", 193, uint8_t { 26 }, "its bins of weights have no possible");
    row("no bins", "quant", 194, uint8_t { 0 }, "its bins of weights have no possible number");
    row("version of bins", "quant", 192, uint8_t { 3 }, "its bins of weights have no possible");
    row("bin", "quant", 200 + 4 * 7, kNan, "its table of 2-grams has a weight");
    row("version of arrays", "array", 320, uint8_t { 1 }, "its table of 2-grams is of another");
    row("array", "array", 328, uint64_t { 1 }, "its table of 2-grams points to the next");
    row("version", "trie", 104, uint32_t { 0 }, "it is of an unknown kind");
    row("words", "trie", 108, uint64_t { 0 }, "it has no possible number of words");
}

void TstNgramDamage::damagedTrie_isRefused()
{
    QFETCH(QString, kind);
    QFETCH(int, at);
    QFETCH(QByteArray, bytes);
    QFETCH(QByteArray, why);
    verifyRefused(bytesOf(kKenlm + kind).replace(at, bytes.size(), bytes), why);
}

void TstNgramDamage::checksum_findsEveryByte()
{
    const QByteArray good = sealedBytes();
    QVERIFY(opened(good));
    for (qsizetype at = 0; at < good.size(); ++at) {
        QByteArray bytes = good;
        bytes[at] = static_cast<char>(bytes[at] ^ 1);
        QVERIFY2(!opened(bytes), qPrintable(QString::number(at)));
    }
}

void TstNgramDamage::changedBytes_areRefusedOrHarmless_data()
{
    everyKind_saysTheSame_data();
}

/// Every byte of a file once, then several at a time.
void TstNgramDamage::changedBytes_areRefusedOrHarmless()
{
    QFETCH(QString, kind);
    const QByteArray good = bytesOf(kKenlm + kind);
    std::mt19937 random(1);
    QElapsedTimer timer;
    timer.start();
    int refused = 0;
    for (qsizetype step = 0; step < 2 * good.size(); ++step) {
        QByteArray bytes = good;
        for (int change = 0; change < (step < good.size() ? 1 : 8); ++change) {
            const auto size = static_cast<uint32_t>(good.size());
            const qsizetype at = step < good.size() ? step : random() % size;
            bytes[at] = static_cast<char>(bytes[at] ^ (1 << random() % 8));
        }
        const auto model = opened(bytes);
        refused += model ? 0 : 1;
        QVERIFY2(!model || !scoresOf(**model).isEmpty(), qPrintable(QString::number(step)));
    }
    QVERIFY(refused > good.size() / 2);
    QVERIFY(timer.elapsed() < 60000);
}

void TstNgramDamage::arpa_isRefusedAtItsLine_data()
{
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("after");
    QTest::addColumn<QByteArray>("said");
    const auto row = [](const char* name, const char* before, QByteArray after, const char* said) {
        QTest::newRow(name) << QByteArray(before) << after << QByteArray(said);
    };
    row("no data", "\\data\\", "\\date\\",
        "line 1: it is no ARPA text, which begins with \\data\\");
    row("count", "ngram 2=6", "ngram 2=six", "line 3: it should be 'ngram 2=COUNT' and is");
    row("negative count", "ngram 2=6", "ngram 2=-6", "line 3: ");
    row("huge count", "ngram 1=6", "ngram 1=4000000000",
        "line 14: there are 6 1-grams, and 4000000000");
    row("no possible count", "ngram 1=6", "ngram 1=99999999999999999999", "line 2: ");
    row("fewer", "ngram 3=4", "ngram 3=3", "line 26: it should be \\end\\ behind the 3 3-grams");
    row("order", "ngram 3=4", "ngram 3=4\nngram 4=0\nngram 5=0\nngram 6=0\nngram 7=0",
        "line 8: it is of a higher order than 6");
    row("single words", "ngram 2=6\nngram 3=4\n", "", "it counts no pairs of words");
    row("order left out", "ngram 2=6", "ngram 3=6", "line 3: it should be 'ngram 2=COUNT'");
    row("nan", "-0.7\tone", "nan\tone", "line 10: 'nan' is no possible weight");
    row("infinite", "-0.7\tone", "-inf\tone", "line 10: '-inf' is no possible weight");
    row("too small", "-0.7\tone", "-1e30\tone", "line 10: '-1e30' is no possible weight");
    row("above 1", "-0.7\tone", "0.7\tone", "line 10: '0.7' is a probability above 1");
    row("no number", "-0.7\tone", "-0.7x\tone", "line 10: '-0.7x' is no number");
    row("back-off", "one\t-0.2", "one\tinf", "line 10: 'inf' is no possible weight");
    row("blanks for tabs", "-0.7\tone", "-0.7 one", "line 10: numbers and words should be parted");
    row("word missing", "\tone two\t", "\tone\t", "line 17: '-0.05' is none of the 1-grams");
    row("unknown word", "two six </s>", "two ten </s>", "line 25: 'ten' is none of the 1-grams");
    row("word twice", "-0.8\ttwo", "-0.8\tone", "line 11: 'one' is listed twice");
    row("byte 0", "-0.8\ttwo", QByteArray("-0.8\tt\0o", 8), "line 11 has a byte 0");
    row("long line", "-0.8\ttwo", "-0.8\t" + QByteArray(200000, 'w'),
        "line 11 is longer than 65536");
    row("section",
        "\\3-grams:", "\\4-grams:", "line 22: it should be \\3-grams: and is '\\4-grams:'");
    row("no end", "\\end\\\n", "", "it should be \\end\\ behind the 4 3-grams");
    row("more", "\\end\\\n", "\\end\\\nmore\n", "line 29: something follows \\end\\");
    row("no history", "<s> one\t-0.15", "six six\t-0.15", "should appear as a 2-gram");
}

void TstNgramDamage::arpa_isRefusedAtItsLine()
{
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, after);
    QFETCH(QByteArray, said);
    QByteArray text = bytesOf(kKenlm + "arpa");
    QVERIFY(text.contains(before));
    text.replace(text.indexOf(before), before.size(), after);
    verifyRefused(text, said);
}

/// Remarks, carriage returns, blanks in counts, blank lines, <UNK>, a plus.
void TstNgramDamage::arpaOfOtherTools_isTaken()
{
    QByteArray text = bytesOf(kKenlm + "arpa");
    text.replace("ngram 1=6", "ngram 1=   6").replace("<unk>\t0", "<UNK>\t+0");
    text.replace("\n\\2-grams", "\n\n\n\\2-grams").replace("\n", "\r\n");
    const auto model = opened("# of another tool\n\n" + text + "\n\n");
    QVERIFY2(model, model ? "" : model.error().message.c_str());
}

void TstNgramDamage::compressedText_isRefusedWhereItIsDamaged()
{
    const auto compressed = [&](const QByteArray& text) {
        writeFile(m_dir.filePath("text"), text);
        QProcess gzip;
        gzip.start("gzip", { "-c", m_dir.filePath("text") });
        return gzip.waitForFinished() ? gzip.readAllStandardOutput() : QByteArray();
    };
    const QByteArray good = compressed(bytesOf(kKenlm + "arpa"));
    QVERIFY(opened(good));
    verifyRefused(good.left(good.size() / 2), "its compressed text ends too early");
    verifyRefused(good.left(good.size() - 4), "its compressed text ends too early");
    for (qsizetype at = 10; at < good.size(); ++at) {
        QByteArray bytes = good;
        bytes[at] = static_cast<char>(bytes[at] ^ 4);
        const auto model = opened(bytes);
        QVERIFY2(!model || !scoresOf(**model).isEmpty(), qPrintable(QString::number(at)));
    }
    QByteArray many = "\\data\\\nngram 1=9\nngram 2=9999999\n\n\\1-grams:\n";
    many
        += "-1\ta\n-1\tb\n-1\tc\n-1\td\n-1\te\n-1\tf\n-1\t<s>\n-1\t</s>\n-1\t<unk>\n\n\\2-grams:\n";
    many += QByteArray("-1\ta a\n").repeated(15 << 20);
    verifyRefused(compressed(many), "unpacks to more than 100 times its size");
    verifyRefused(compressed(bytesOf(kKenlm + "probing")), "");
}

void TstNgramDamage::pipe_isNotWaitedFor()
{
    const QString pipe = m_dir.filePath("pipe");
    QCOMPARE(QProcess::execute("mkfifo", { pipe }), 0);
    QVERIFY(!decode::NgramModel::open(pipe.toStdString()));
    QCOMPARE(check::whyNoNgram(pipe.toStdString()), std::string("it is no file"));
}

EARWRIGHT_TEST(TstNgramDamage)
#include "tst_ngram_damage.moc"
