#include <QTest>

#include "core/base/text.h"
#include "core/data/seg_dict.h"
#include "tests/registry.h"

using namespace earwright;
using data::SegDict;

/// Expected is what seg_tokenize() and sentence_postprocess() of FunASR 1.4.16 give, but for the
/// rows that say otherwise.
class TstSegDict : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void text_isCutAsTheDictionarySays_data();
    void text_isCutAsTheDictionarySays();
    void tokens_areJoined_data();
    void tokens_areJoined();
};

void TstSegDict::text_isCutAsTheDictionarySays_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("tokens");
    const auto row = [](const char* text, const char* tokens) {
        QTest::addRow("%s", text) << QString(text) << QString(tokens);
    };
    row("今天 Hello ok 天", "今 天 hel@@ lo ok 天");
    row("天天 今", "天@@ 天 今");
    row("， hello", "<unk> hel@@ lo");
    row("ab5", "a b 5");
    row("it's ok", "it's ok");
    row("好 cat", "<unk> <unk> a <unk>");
    row("カラオケ ok", "<unk> ok");
    row("今后 ok", "今 后 ok");
    row("今天hello", "今 天 hel@@ lo"); // upstream: <unk> for each letter
    row("  hello  ok ", "hel@@ lo ok"); // upstream: <unk> for the second blank
    row("", "");
}

void TstSegDict::text_isCutAsTheDictionarySays()
{
    QFETCH(QString, text);
    QFETCH(QString, tokens);
    const SegDict dictionary("hello hel@@ lo\nok ok\n今 今\n天 天\na a\nb b\n5 5\nit's it's\n"
                             "天天 天@@ 天\r\n\nempty\n后\t后\n");
    QCOMPARE(QString::fromStdString(join(dictionary.cut(text.toStdString()), " ")), tokens);
}

void TstSegDict::tokens_areJoined_data()
{
    QTest::addColumn<QString>("tokens");
    QTest::addColumn<QString>("text");
    const auto row = [](const char* tokens, const char* text) {
        QTest::addRow("%s", tokens) << QString(tokens) << QString(text);
    };
    row("今 天", "今天");
    row("hel@@ lo ok", "hello ok");
    row("今 hel@@ lo 天 ok", "今hello天ok");
    row("ok 5 今", "ok5今");
    row("ok hel@@ lo 今 天", "ok hello今天");
    row("今 a 天", "今a天");
    row("5 今", "5今");
    row("it@@ 's ok ok", "it's ok ok");
    row("you 'em ok", "you 'em ok");
    row("ok ， ok", "ok ，ok");
    row("⁇ ok ⁇", "⁇ ok ⁇"); // upstream leaves out what it does not know
    row("a b 今", "a b今"); // upstream: AB今
    row("今 hel@@", "今hel"); // upstream leaves out what does not go on
}

void TstSegDict::tokens_areJoined()
{
    QFETCH(QString, tokens);
    QFETCH(QString, text);
    QCOMPARE(QString::fromStdString(SegDict::join(split(tokens.toStdString(), ' '))), text);
}

EARWRIGHT_TEST(TstSegDict)
#include "tst_seg_dict.moc"
