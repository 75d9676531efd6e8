#include "core/base/text.h"
#include "core/score/bootstrap.h"
#include "core/score/matched_pairs.h"
#include "tests/files.h"
#include "tests/registry.h"
#include "tests/score/drawn_errors.h"

#include <cmath>
#include <map>
#include <QTest>
#include <random>

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

/// What sclite aligned and sc_stats said of it; tests/cases/score/mapsswe/record.py wrote it.
struct Recorded {
    std::map<QByteArray, double> figures;
    std::vector<Scored> first;
    std::vector<Scored> second;
};

Scored aligned(const QByteArray& operations)
{
    Scored scored { .operations = operations == "-" ? "" : operations.toStdString() };
    scored.countOperations();
    return scored;
}

Recorded recorded(const QString& name)
{
    constexpr qsizetype kNumFigures = 5;
    Recorded found;
    const QList<QByteArray> lines
        = bytesOf(EARWRIGHT_CASES_DIR "/score/mapsswe/" + name + ".txt").trimmed().split('\n');
    for (qsizetype i = 0; i < lines.size(); ++i) {
        const QList<QByteArray> words = lines[i].split(' ');
        if (i < kNumFigures) {
            found.figures[words.value(0)] = words.value(1).toDouble();
            continue;
        }
        found.first.push_back(aligned(words.value(0)));
        found.second.push_back(aligned(words.value(1)));
    }
    return found;
}

/// How often a larger difference comes up where chance decides of each segment which recogniser
/// made which errors. One as large counts by half: the normal distribution knows no steps.
double permutedP(const Recorded& pair)
{
    std::vector<int64_t> differences;
    int64_t found = 0;
    for (size_t i = 0; i < pair.first.size(); ++i) {
        for (const SegmentErrors& segment : segmentsOf(pair.first[i], pair.second[i])) {
            differences.push_back(segment.second - segment.first);
            found += differences.back();
        }
    }
    constexpr int kDraws = 20000;
    std::mt19937_64 random(7);
    double larger = 0;
    for (int draw = 0; draw < kDraws; ++draw) {
        int64_t sum = 0;
        for (const int64_t difference : differences)
            sum += random() % 2 == 0 ? difference : -difference;
        larger += std::abs(sum) > std::abs(found) ? 1 : std::abs(sum) == std::abs(found) ? 0.5 : 0;
    }
    return larger / kDraws;
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

    void figures_areThoseOfSclite_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name : { "nist", "like", "worse", "many", "poor" })
            QTest::newRow(name) << name;
    }

    /// On its own alignments, to the three places that it prints. It takes first - second, and its
    /// p from a table of z in steps of 0.01, rounded up.
    void figures_areThoseOfSclite()
    {
        QFETCH(QString, name);
        const Recorded pair = recorded(name);
        const MatchedPairs found = matchedPairs(pair.first, pair.second);
        const auto isNear = [](double value, double wanted) {
            return std::abs(value - wanted) <= 0.000501; // half of its last place
        };
        QCOMPARE(found.segments, int64_t(pair.figures.at("segments")));
        QVERIFY(isNear(-found.meanDifference, pair.figures.at("mean")));
        const double deviation
            = found.meanDifference / found.z.value() * std::sqrt(double(found.segments));
        QVERIFY(isNear(deviation, pair.figures.at("deviation")));
        QVERIFY(isNear(-*found.z, pair.figures.at("z")));
        QVERIFY(*found.p < pair.figures.at("p") + 0.0005);
        QVERIFY(*found.p > pair.figures.at("p") - 0.0085);
    }

    /// Where there are enough segments for the normal distribution.
    void p_isThatOfAPermutationTest()
    {
        for (const char* name : { "like", "worse", "many", "poor" }) {
            const Recorded pair = recorded(name);
            const double p = matchedPairs(pair.first, pair.second).p.value();
            const double wanted = permutedP(pair);
            QVERIFY2(std::abs(p - wanted) < 0.05 && (p < 0.01) == (wanted < 0.01),
                qPrintable(
                    QStringLiteral("%1: %2, by permutation %3").arg(name).arg(p).arg(wanted)));
        }
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
