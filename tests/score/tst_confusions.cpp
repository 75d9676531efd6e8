#include "core/score/confusions.h"
#include "tests/registry.h"

#include <QTest>

using namespace earwright::score;

namespace {

/// "on>of 2 in 1" a confusion, the most frequent first.
QString confusionsText(const ConfusionCounter& counter)
{
    QStringList parts;
    for (const Confusion& one : counter.confusions())
        parts << QStringLiteral("%1>%2 %3 in %4")
                     .arg(QString::fromStdString(one.reference),
                         QString::fromStdString(one.hypothesis))
                     .arg(one.count)
                     .arg(one.utterances);
    return parts.join(u'|');
}

} // namespace

class TstConfusions : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void words_areCountedOverUtterances()
    {
        ConfusionCounter counter("WER", WordSplit::WhiteSpace);
        counter.add("turn on the light on", "turn of the light of");
        counter.add("go on", "go of");
        counter.add("open the menu", "open menu");
        counter.add("stop", "stop now");
        counter.add("all is right", "all is right");
        QCOMPARE(confusionsText(counter), QStringLiteral("on>of 3 in 2|>now 1 in 1|the> 1 in 1"));
    }

    void textsWithoutWords_areCountedByUnits()
    {
        ConfusionCounter counter("CER", WordSplit::WhiteSpace);
        counter.add("打开菜单", "打开彩单");
        counter.add("看 菜", "看彩");
        QCOMPARE(confusionsText(counter), QStringLiteral("菜>彩 2 in 2"));
    }

    void nothing_hasNoConfusions()
    {
        ConfusionCounter counter("WER", WordSplit::WhiteSpace);
        QVERIFY(counter.confusions().empty());
        counter.add("", "");
        QVERIFY(counter.confusions().empty());
    }
};

EARWRIGHT_TEST(TstConfusions)
#include "tst_confusions.moc"
