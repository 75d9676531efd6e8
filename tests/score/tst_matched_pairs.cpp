#include "core/base/text.h"
#include "core/score/bootstrap.h"
#include "core/score/matched_pairs.h"
#include "tests/registry.h"
#include "tests/score/drawn_errors.h"

#include <cmath>
#include <QTest>

using namespace earwright;
using namespace earwright::score;

namespace {

Scored heard(const QString& reference, const QString& hypothesis)
{
    return score::score(
        "", splitAtBlanks(reference.toStdString()), splitAtBlanks(hypothesis.toStdString()));
}

QString asText(const std::vector<SegmentErrors>& segments)
{
    QStringList parts;
    for (const SegmentErrors& segment : segments)
        parts << QStringLiteral("%1-%2").arg(segment.first).arg(segment.second);
    return parts.join(' ');
}

} // namespace

class TstMatchedPairs : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void segments_arePartedByTwoRightTokens_data()
    {
        QTest::addColumn<QString>("reference");
        QTest::addColumn<QString>("first");
        QTest::addColumn<QString>("second");
        QTest::addColumn<QString>("segments");
        const auto row = [](const char* name, const char* reference, const char* first,
                             const char* second, const char* segments) {
            QTest::newRow(name) << reference << first << second << segments;
        };
        row("no error", "a b c", "a b c", "a b c", "");
        row("two tokens between", "a b c d e", "x b c d e", "a b c x e", "1-0 0-1");
        row("one token between", "a b c d e", "x b c d e", "a b x d e", "1-1");
        row("right for one alone", "a b c d e", "x b c d e", "a x c x e", "1-2");
        row("three tokens between", "a b c d e", "x b c d x", "x b c d e", "1-1 1-0");
        row("inserted between the two", "a b c d e", "x b y c d e", "a b c d e", "2-0");
        row("inserted behind the two", "a b c d e", "x b c y d e", "a b c d e", "1-0 1-0");
        row("inserted in front and behind", "a b c", "y a b c", "a b c y z", "1-0 0-2");
        row("left out", "a b c d", "a d", "a b c d", "2-0");
        row("nothing heard", "a b c", "", "a b c", "3-0");
        row("nothing said", "", "x y", "x", "2-1");
        row("both empty", "", "", "", "");
    }

    void segments_arePartedByTwoRightTokens()
    {
        QFETCH(QString, reference);
        QFETCH(QString, first);
        QFETCH(QString, second);
        QTEST(asText(segmentsOf(heard(reference, first), heard(reference, second))), "segments");
    }

    /// By hand: six segments with the differences 1, 1, 0, -1, 1, 1. Their mean is 1/2, their
    /// variance (5 - 6/4) / 5 = 0.7, so z = 0.5 / sqrt(0.7 / 6) = 1.46385.
    void figures_areThoseByHand()
    {
        const auto of = [](const char* hypothesis) { return heard("a b c", hypothesis); };
        const std::vector<Scored> first { of("a b c"), of("a b c"), of("a x c"), of("a x c"),
            of("a b c"), of("a b c") };
        const std::vector<Scored> second { of("a x c"), of("a x c"), of("a x c"), of("a b c"),
            of("x b c"), of("a b x") };
        const MatchedPairs found = matchedPairs(first, second);
        QCOMPARE(found.segments, 6);
        QCOMPARE(found.meanDifference, 0.5);
        QVERIFY(std::abs(found.z.value() - 1.463850) < 1e-6);
        QVERIFY(std::abs(found.p.value() - 0.143235) < 1e-6);
        const MatchedPairs turned = matchedPairs(second, first);
        QCOMPARE(turned.z.value(), -*found.z);
        QCOMPARE(turned.p.value(), *found.p);
    }

    void withoutSpread_thereIsNoP()
    {
        const Scored right = heard("a b c", "a b c");
        const Scored wrong = heard("a b c", "a x c");
        QVERIFY(!matchedPairs({ right, right }, { right, right }).p);
        QVERIFY(!matchedPairs({ right }, { wrong }).p);
        QVERIFY(!matchedPairs({}, {}).p);
        QCOMPARE(matchedPairs({}, {}).meanDifference, 0.0);
        const MatchedPairs alike = matchedPairs({ right, right }, { wrong, wrong });
        QVERIFY(!alike.p && !alike.z);
        QCOMPARE(alike.segments, 2);
        QCOMPARE(alike.meanDifference, 1.0);
        QVERIFY(matchedPairs({ right, wrong }, { wrong, wrong }).p);
    }

    /// Of recognisers whose errors do not hang together, both tests ask the same.
    void p_isNearThatOfTheBootstrap()
    {
        for (const unsigned seed : { 1u, 2u, 3u }) {
            const tests::DrawnPair pair = tests::drawnPair(400, seed, 0.01);
            const double p = matchedPairs(pair.first, pair.second).p.value();
            const double other = pairedBootstrap(pair.first, pair.second).value().p;
            QVERIFY2(std::abs(p - other) < 0.05,
                qPrintable(QStringLiteral("%1, by bootstrap %2").arg(p).arg(other)));
        }
    }
};

EARWRIGHT_TEST(TstMatchedPairs)
#include "tst_matched_pairs.moc"
