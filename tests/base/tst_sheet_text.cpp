#include "core/base/sheet_text.h"
#include "tests/registry.h"

#include <QTest>

using namespace earwright;

class TstSheetText final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void formulas_standBehindAnApostrophe_data();
    void formulas_standBehindAnApostrophe();
    void fields_areQuotedWhereTheyMustBe();
};

void TstSheetText::formulas_standBehindAnApostrophe_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("shown");
    const auto row = [](const QByteArray& text, const QByteArray& shown) {
        QTest::addRow("%s", text.toPercentEncoding().constData()) << text << shown;
    };
    for (const char* formula : { "=1+1", "=cmd|' /C calc'!A0", "+1+1", "-1+1", "--1", "+-1", "-",
             "@SUM(1)", "\t=1", "\r=1", "\n=1", "＝1", "＋1", "－1", "＠A1", "-inf", "-1.5 %" })
        row(formula, QByteArray("'") + formula);
    for (const char* plain : { "", "digits", "a=1", " =1", "-1.5", "+1.5", "-1e-08", "1", "'", "''",
             "'t is", "'-1.5", "a\t=1", "–" })
        row(plain, plain);
    row("'=1", "''=1");
    row("''@x", "'''@x");
}

void TstSheetText::formulas_standBehindAnApostrophe()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, shown);
    const std::string cell = sheetText(text.toStdString());
    QCOMPARE(QByteArray::fromStdString(cell), shown);
    QCOMPARE(QByteArray::fromStdString(std::string(textOfSheet(cell))), text);
}

void TstSheetText::fields_areQuotedWhereTheyMustBe()
{
    QCOMPARE(sheetField("=1"), std::string("'=1"));
    QCOMPARE(sheetField("=HYPERLINK(\"x\",1)"), std::string("\"'=HYPERLINK(\"\"x\"\",1)\""));
    QCOMPARE(sheetField("\r=1"), std::string("\"'\r=1\""));
    QCOMPARE(csvField("=1"), std::string("=1"));
    QCOMPARE(csvField(" a"), std::string("\" a\""));
}

EARWRIGHT_TEST(TstSheetText)
#include "tst_sheet_text.moc"
