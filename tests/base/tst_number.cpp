#include "core/base/number.h"
#include "tests/registry.h"

#include <QTest>

using namespace earwright;

class TstNumber final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void wholeText_isRead();
    void otherText_isNone_data();
    void otherText_isNone();
    void numberThatDoesNotFit_isNone();
};

void TstNumber::wholeText_isRead()
{
    QCOMPARE(parseNumber<int>("-12"), std::optional(-12));
    QCOMPARE(parseNumber<size_t>("12"), std::optional(size_t { 12 }));
    QCOMPARE(parseNumber<double>("1.5e-3"), std::optional(0.0015));
    QCOMPARE(parseNumber<double>("7"), std::optional(7.0));
}

void TstNumber::otherText_isNone_data()
{
    QTest::addColumn<QString>("text");
    for (const char* text :
        { "", " 1", "1 ", "+1", "1,5", "1.5.2", "0x10", "one", "inf", "nan", "1e400" })
        QTest::newRow(text) << text;
}

void TstNumber::otherText_isNone()
{
    QFETCH(QString, text);
    QVERIFY(!parseNumber<double>(text.toStdString()));
    QVERIFY(!parseNumber<int>(text.toStdString()));
}

void TstNumber::numberThatDoesNotFit_isNone()
{
    QVERIFY(!parseNumber<int>("1.5"));
    QVERIFY(!parseNumber<int>("3000000000"));
    QVERIFY(!parseNumber<unsigned>("-1"));
}

EARWRIGHT_TEST(TstNumber)
#include "tst_number.moc"
