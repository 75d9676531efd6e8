#include "core/score/error_groups.h"
#include "tests/registry.h"

#include <cmath>
#include <QTest>

using namespace earwright::score;

namespace {

/// Of one utterance.
ErrorRate editsOf(int64_t tokens, int64_t deletions)
{
    return { .tokens = tokens,
        .deletions = deletions,
        .sentences = 1,
        .wrongSentences = deletions > 0 ? 1 : 0 };
}

/// "anna: 2 of 10 in 2" a group.
QString groupsText(const ErrorGroups& groups)
{
    QStringList parts;
    for (const ErrorGroup& one : groups.groups())
        parts << QStringLiteral("%1: %2 of %3 in %4")
                     .arg(QString::fromStdString(one.name()))
                     .arg(one.errors.edits())
                     .arg(one.errors.tokens)
                     .arg(one.errors.sentences);
    return parts.join(u'|');
}

} // namespace

class TstErrorGroups : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void speakers_comeWorstFirst()
    {
        ErrorGroups groups(GroupBy::Speaker);
        groups.add("anna", 2, editsOf(6, 1));
        groups.add("ben", 1, editsOf(4, 4));
        groups.add("anna", -1, editsOf(4, 1));
        groups.add("", 1, editsOf(2, 0));
        QCOMPARE(groupsText(groups),
            QStringLiteral("ben: 4 of 4 in 1|anna: 2 of 10 in 2|unknown: 0 of 2 in 1"));
        QCOMPARE(groups.groups()[1].seconds, 2.0);
    }

    void lengths_standInBins()
    {
        ErrorGroups groups(GroupBy::Seconds);
        groups.add("", 40, editsOf(90, 9));
        groups.add("", 2, editsOf(4, 1)); // an edge belongs to the bin that it begins
        groups.add("", 3.99, editsOf(4, 0));
        groups.add("", std::nan(""), editsOf(3, 3));
        groups.add("", 0, editsOf(1, 1));
        QCOMPARE(groupsText(groups),
            QStringLiteral("0 to 1: 1 of 1 in 1|2 to 4: 1 of 8 in 2|30 and more: 9 of 90 in 1"
                           "|unknown: 3 of 3 in 1"));
    }

    void rates_areTokensASecond()
    {
        ErrorGroups groups(GroupBy::Rate);
        groups.add("", 2, editsOf(5, 1)); // 2.5 a second
        groups.add("", 10, editsOf(5, 0));
        groups.add("", 0, editsOf(5, 2));
        QCOMPARE(groupsText(groups),
            QStringLiteral("0 to 1: 0 of 5 in 1|2.5 to 3: 1 of 5 in 1|unknown: 2 of 5 in 1"));
        QVERIFY(std::isnan(speakingRate(3, -1)));
    }

    void names_areKnown()
    {
        QVERIFY(groupByNamed("speaker") == GroupBy::Speaker);
        QVERIFY(groupByNamed("seconds") == GroupBy::Seconds);
        QVERIFY(groupByNamed("rate") == GroupBy::Rate);
        QVERIFY(!groupByNamed("length"));
    }
};

EARWRIGHT_TEST(TstErrorGroups)
#include "tst_error_groups.moc"
