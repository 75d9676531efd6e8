#include "core/base/code_point.h"
#include "core/base/text.h"
#include "tests/registry.h"

#include <cmath>
#include <limits>
#include <QTest>

using namespace earwright;

class TstText final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void separators_splitAndJoinAreInverse();
    void longList_endsWithItsCount();
    void severalBlanks_partAsOneDoes();
    void whiteSpace_isTrimmedAtBothEnds();
    void utf8_isCountedInCodePoints_data();
    void utf8_isCountedInCodePoints();
    void text_takesCellsOfATerminal_data();
    void text_takesCellsOfATerminal();
    void controls_areShown_data();
    void controls_areShown();
    void names_haveADistance_data();
    void names_haveADistance();
    void typingError_findsTheNearestName();
    void anotherName_findsNone();
    void double_printsAsPythonDoes_data();
    void double_printsAsPythonDoes();
    void double_readsBackAsItself();
    void wholeNumber_hasNoPoint();
    void sha256_isTheStandards_data();
    void sha256_isTheStandards();
};

void TstText::separators_splitAndJoinAreInverse()
{
    const std::vector<std::string> parts { "a", "", "b" };
    QVERIFY(split("a..b", '.') == parts);
    QCOMPARE(join(parts, "."), std::string("a..b"));
    QCOMPARE(split("", '.').size(), size_t { 1 });
    QCOMPARE(join({}, ", "), std::string());
}

void TstText::longList_endsWithItsCount()
{
    QCOMPARE(listFirst({ "a", "b" }, 2), std::string("a, b"));
    QCOMPARE(listFirst({ "a", "b", "c", "d" }, 2), std::string("a, b and 2 more"));
    QCOMPARE(listFirst({}, 2), std::string());
}

void TstText::severalBlanks_partAsOneDoes()
{
    const std::vector<std::string> parts { "a", "b\tc", "d" };
    QVERIFY(splitAtBlanks("  a b\tc   d ") == parts);
    QCOMPARE(splitAtBlanks("a \tb\t", " \t").size(), size_t { 2 });
    QVERIFY(splitAtBlanks(" ").empty());
    QVERIFY(splitAtBlanks("").empty());
}

void TstText::whiteSpace_isTrimmedAtBothEnds()
{
    QCOMPARE(std::string(trim(" \t a b\r\n")), std::string("a b"));
    QCOMPARE(std::string(trim(" \n ")), std::string());
    QCOMPARE(toLower("CUDA:Ü"), std::string("cuda:Ü"));
    QCOMPARE(inQuotes("a"), std::string("'a'"));
}

void TstText::utf8_isCountedInCodePoints_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("count");
    QTest::newRow("empty") << QByteArray() << 0;
    QTest::newRow("ascii") << QByteArray("abc") << 3;
    QTest::newRow("two bytes") << QByteArray("Zürich") << 6;
    QTest::newRow("three bytes") << QByteArray("语音") << 2;
    QTest::newRow("four bytes") << QByteArray("🎤!") << 2;
    QTest::newRow("lone continuation") << QByteArray("a\x80z") << 3;
    QTest::newRow("cut short") << QByteArray("\xe8\xaf") << 2;
    QTest::newRow("first of three bytes") << QByteArray("\xe0\xa0\x80") << 1;
    QTest::newRow("three bytes for two") << QByteArray("\xe0\x9f\xbf") << 3;
    QTest::newRow("before the surrogates") << QByteArray("\xed\x9f\xbf") << 1;
    QTest::newRow("a pair of surrogates") << QByteArray("\xed\xa0\xbd\xed\xb8\x80") << 6;
    QTest::newRow("first of four bytes") << QByteArray("\xf0\x90\x80\x80") << 1;
    QTest::newRow("four bytes for three") << QByteArray("\xf0\x8f\xbf\xbf") << 4;
    QTest::newRow("the last code point") << QByteArray("\xf4\x8f\xbf\xbf") << 1;
    QTest::newRow("behind the last") << QByteArray("\xf4\x90\x80\x80") << 4;
}

void TstText::utf8_isCountedInCodePoints()
{
    QFETCH(QByteArray, text);
    QFETCH(int, count);
    QCOMPARE(static_cast<int>(codePointCount(text.toStdString())), count);
    const std::vector<std::string> points = codePoints(text.toStdString());
    QCOMPARE(static_cast<int>(points.size()), count);
    QCOMPARE(join(points, ""), text.toStdString());
}

void TstText::text_takesCellsOfATerminal_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("cells");
    QTest::newRow("empty") << QByteArray() << 0;
    QTest::newRow("ascii") << QByteArray("run-1") << 5;
    QTest::newRow("ideographs") << QByteArray("语音-1") << 6;
    QTest::newRow("full width") << QByteArray("：") << 2;
    QTest::newRow("umlaut") << QByteArray("ü") << 1;
    QTest::newRow("combining mark") << QByteArray("u\xcc\x88") << 1;
    QTest::newRow("broken") << QByteArray("a\x80z") << 3;
}

void TstText::text_takesCellsOfATerminal()
{
    QFETCH(QByteArray, text);
    QFETCH(int, cells);
    QCOMPARE(static_cast<int>(displayWidth(text.toStdString())), cells);
}

void TstText::controls_areShown_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("shown");
    QTest::newRow("plain") << QByteArray("语音 é\tx\n") << QByteArray("语音 é\tx\n");
    QTest::newRow("colour") << QByteArray("\x1b[31mred") << QByteArray("\\x1b[31mred");
    QTest::newRow("title") << QByteArray("\x1b]0;x\x07") << QByteArray("\\x1b]0;x\\x07");
    QTest::newRow("line anew") << QByteArray("a\rb") << QByteArray("a\\x0db");
    QTest::newRow("line end of Windows") << QByteArray("a\r\nb") << QByteArray("a\r\nb");
    QTest::newRow("8-bit sequence") << QByteArray("\xc2\x9b"
                                                  "31m")
                                    << QByteArray("\\x9b31m");
    QTest::newRow("delete") << QByteArray("a\x7f") << QByteArray("a\\x7f");
    QTest::newRow("sequence of a byte") << QByteArray("\x9b"
                                                      "31m")
                                        << QByteArray("\\x9b31m");
    QTest::newRow("letter cut off") << QByteArray("\xe8\xaf") << QByteArray("\\xe8\\xaf");
}

void TstText::controls_areShown()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, shown);
    QCOMPARE(QByteArray::fromStdString(withoutControls(text.toStdString())), shown);
}

void TstText::names_haveADistance_data()
{
    QTest::addColumn<QString>("a");
    QTest::addColumn<QString>("b");
    QTest::addColumn<int>("distance");
    QTest::newRow("same") << "lr"
                          << "lr" << 0;
    QTest::newRow("to nothing") << "abc"
                                << "" << 3;
    QTest::newRow("kitten") << "kitten"
                            << "sitting" << 3;
    QTest::newRow("swapped letters") << "precision"
                                     << "preciison" << 1;
    QTest::newRow("one left out") << "n_mels"
                                  << "n_mel" << 1;
}

void TstText::names_haveADistance()
{
    QFETCH(QString, a);
    QFETCH(QString, b);
    QFETCH(int, distance);
    QCOMPARE(static_cast<int>(editDistance(a.toStdString(), b.toStdString())), distance);
    QCOMPARE(static_cast<int>(editDistance(b.toStdString(), a.toStdString())), distance);
}

void TstText::typingError_findsTheNearestName()
{
    const std::vector<std::string> names { "batch_size", "sample_rate", "n_mels" };
    QCOMPARE(nearestName("samplerate", names), std::string("sample_rate"));
    QCOMPARE(nearestName("N_MELS", names), std::string("n_mels"));
    QCOMPARE(nearestName("bacth_size", names), std::string("batch_size"));
}

void TstText::anotherName_findsNone()
{
    QCOMPARE(nearestName("optimizer", { "batch_size", "n_mels" }), std::string());
    QCOMPARE(nearestName("lr", { "nb" }), std::string());
    QCOMPARE(nearestName("lr", {}), std::string());
}

void TstText::double_printsAsPythonDoes_data()
{
    QTest::addColumn<double>("value");
    QTest::addColumn<QString>("text");
    QTest::newRow("whole") << 2.0 << "2.0";
    QTest::newRow("zero") << 0.0 << "0.0";
    QTest::newRow("negative zero") << -0.0 << "-0.0";
    QTest::newRow("tenth") << 0.1 << "0.1";
    QTest::newRow("sum") << 0.1 + 0.2 << "0.30000000000000004";
    QTest::newRow("last positional") << 123456789012345.6 << "123456789012345.6";
    QTest::newRow("1e15") << 1e15 << "1000000000000000.0";
    QTest::newRow("1e16") << 1e16 << "1e+16";
    QTest::newRow("1e20") << 1e20 << "1e+20";
    QTest::newRow("small") << 0.0001 << "0.0001";
    QTest::newRow("smaller") << 0.00001 << "1e-05";
    QTest::newRow("1e-8") << 1e-8 << "1e-08";
    QTest::newRow("digits and power") << -1.25e-7 << "-1.25e-07";
    QTest::newRow("largest") << std::numeric_limits<double>::max() << "1.7976931348623157e+308";
    QTest::newRow("smallest") << 5e-324 << "5e-324";
    QTest::newRow("infinity") << -HUGE_VAL << "-inf";
    QTest::newRow("no number") << std::nan("") << "nan";
}

void TstText::double_printsAsPythonDoes()
{
    QFETCH(double, value);
    QFETCH(QString, text);
    QCOMPARE(QString::fromStdString(formatDouble(value)), text);
}

void TstText::double_readsBackAsItself()
{
    // Multiplying by an irrational number visits digits of all lengths.
    for (double value = 1e-300; value < 1e300; value *= 3.14159265358979)
        QCOMPARE(std::stod(formatDouble(value)), value);
}

void TstText::wholeNumber_hasNoPoint()
{
    QCOMPARE(formatNumber(2), std::string("2"));
    QCOMPARE(formatNumber(-1e14), std::string("-100000000000000"));
    QCOMPARE(formatNumber(0.5), std::string("0.5"));
    QCOMPARE(formatNumber(1e16), std::string("1e+16"));
    QCOMPARE(formatNumber(std::numeric_limits<double>::infinity()), std::string("inf"));
}

void TstText::sha256_isTheStandards_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("digest");
    QTest::newRow("empty") << QByteArray()
                           << "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    QTest::newRow("abc") << QByteArray("abc")
                         << "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    QTest::newRow("two blocks")
        << QByteArray("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")
        << "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1";
    QTest::newRow("a million") << QByteArray(
        1'000'000, 'a') << "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";
}

void TstText::sha256_isTheStandards()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QString, digest);
    QCOMPARE(QString::fromStdString(sha256Hex(bytes.toStdString())), digest);
}

EARWRIGHT_TEST(TstText)
#include "tst_text.moc"
