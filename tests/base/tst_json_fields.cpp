#include <QTest>

#include "core/base/json_fields.h"
#include "tests/registry.h"

using namespace earwright;

/// What anyone may have written is read by its type and range, and never throws.
class TstJsonFields final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void wrongText_isNoObject_data();
    void wrongText_isNoObject();
    void wrongField_keepsItsValueAndIsNamed_data();
    void wrongField_keepsItsValueAndIsNamed();
    void innerObjects_shareTheErrors();
    void whatIsWritten_comesBack();
};

void TstJsonFields::wrongText_isNoObject_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("nothing") << QByteArray();
    QTest::newRow("null") << QByteArray("null");
    QTest::newRow("list") << QByteArray("[1]");
    QTest::newRow("no JSON") << QByteArray("{\"a\":");
    QTest::newRow("cut off in its lines") << QByteArray("{\n \"a\":\n");
    QTest::newRow("broken UTF-8") << QByteArray("{\"a\": \"\xff\"}");
    QTest::newRow("number beyond all") << QByteArray("{\"a\": 1e400}");
    QTest::newRow("deep") << "{\"a\": " + QByteArray(500'000, '[') + QByteArray(500'000, ']') + "}";
}

void TstJsonFields::wrongText_isNoObject()
{
    QFETCH(QByteArray, text);
    const Result<JsonReader> reader = JsonReader::parse(text.toStdString());
    QVERIFY(!reader);
    QVERIFY2(
        reader.error().message.starts_with("not a JSON object: "), reader.error().message.c_str());
    QVERIFY(reader.error().message.size() < 200);
    QVERIFY(reader.error().message.find('\n') == std::string::npos);
}

void TstJsonFields::wrongField_keepsItsValueAndIsNamed_data()
{
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<QString>("error");
    QTest::newRow("text") << QByteArray("\"7\"") << "member 'n' has the wrong type";
    QTest::newRow("null") << QByteArray("null") << "member 'n' has the wrong type";
    QTest::newRow("no whole number") << QByteArray("7.5") << "member 'n' has the wrong type";
    QTest::newRow("beyond 63 bits")
        << QByteArray("18446744073709551615") << "member 'n' has the wrong type";
    QTest::newRow("negative") << QByteArray("-3") << "member 'n' is -3: it must be from 0 to 100";
    QTest::newRow("too much") << QByteArray("101") << "member 'n' is 101: it must be from 0 to 100";
}

void TstJsonFields::wrongField_keepsItsValueAndIsNamed()
{
    QFETCH(QByteArray, value);
    QFETCH(QString, error);
    Result<JsonReader> reader = JsonReader::parse("{\"n\": " + value.toStdString() + "}");
    QVERIFY(bool(reader));
    int64_t number = 7;
    (*reader)("n", number, JsonRange { 0, 100 });
    QCOMPARE(number, int64_t { 7 });
    QVERIFY(!reader->status());
    QCOMPARE(QString::fromStdString(reader->status().error().message), error);
}

void TstJsonFields::innerObjects_shareTheErrors()
{
    Result<JsonReader> reader = JsonReader::parse(R"({"a": {"list": [{"b": 1}, {"b": "x"}, 5]}})");
    QVERIFY(bool(reader));
    std::vector<int64_t> found;
    for (JsonReader& one : reader->object("a").objects("list")) {
        int64_t number = 0;
        one.require("b", number);
        found.push_back(number);
    }
    QCOMPARE(found, (std::vector<int64_t> { 1, 0 }));
    QCOMPARE(QString::fromStdString(reader->status().error().message),
        QString("member 'a.list[2]' is no object"));
    Result<JsonReader> empty = JsonReader::parse("{}");
    int64_t number = 3;
    empty->object("a").require("b", number);
    QCOMPARE(QString::fromStdString(empty->status().error().message), QString("'a.b' is missing"));
    QCOMPARE(number, int64_t { 3 });
}

void TstJsonFields::whatIsWritten_comesBack()
{
    JsonWriter writer;
    writer("rate", 0.25);
    writer("texts", std::vector<std::string> { "a", "\xff" });
    writer("none", std::numeric_limits<double>::quiet_NaN());
    Result<JsonReader> reader = JsonReader::parse(writer.text());
    QVERIFY(bool(reader));
    double rate = 0;
    double none = 0;
    std::vector<std::string> texts;
    (*reader)("rate", rate);
    (*reader)("texts", texts);
    (*reader)("none", none);
    QVERIFY(bool(reader->status()));
    QCOMPARE(rate, 0.25);
    QCOMPARE(texts.back(), std::string("\xEF\xBF\xBD"));
    QVERIFY(std::isnan(none));
}

EARWRIGHT_TEST(TstJsonFields)
#include "tst_json_fields.moc"
