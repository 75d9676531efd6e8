#include <QTest>

#include "core/decode/phrase_path.h"
#include "tests/registry.h"

#include <torch/types.h>

using earwright::decode::phrasePath;

namespace {

using Path = std::vector<int64_t>;

/// Log probabilities of places.
torch::Tensor places(const std::vector<std::vector<double>>& probs)
{
    const auto rows = std::ssize(probs);
    torch::Tensor all = torch::empty({ rows, std::ssize(probs[0]) });
    for (int64_t row = 0; row < rows; ++row)
        for (int64_t token = 0; token < all.size(1); ++token)
            all[row][token] = probs[static_cast<size_t>(row)][static_cast<size_t>(token)];
    return all.log();
}

} // namespace

class TstPhrasePath : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void phrase_isWrittenWhereItIsLikelyEnough_data();
    void phrase_isWrittenWhereItIsLikelyEnough();
    void ofOverlappingPhrases_theLikelierIsTaken();
    void longPhrase_hasTheWeightOfAShortOne();
    void phraseInALongerOne_leavesItItsWeight();
    void certainPlace_isNotOverwritten();
    void noPhrase_noPlace_isNothingSpecial();
};

/// Token 1 and 2 are the phrase; the ratio of the whole to what stands there otherwise is 0.3 /
/// 0.6.
void TstPhrasePath::phrase_isWrittenWhereItIsLikelyEnough_data()
{
    QTest::addColumn<double>("nats");
    QTest::addColumn<Path>("path");
    QTest::newRow("no weight") << 0.0 << Path { 1, 3, 0 };
    QTest::newRow("too little") << 0.69 << Path { 1, 3, 0 };
    QTest::newRow("just enough") << 0.7 << Path { 1, 2, 0 };
    QTest::newRow("against it") << -5.0 << Path { 1, 3, 0 };
}

void TstPhrasePath::phrase_isWrittenWhereItIsLikelyEnough()
{
    QFETCH(double, nats);
    const torch::Tensor said = places(
        { { 0.1, 0.8, 0.05, 0.05 }, { 0.05, 0.05, 0.3, 0.6 }, { 0.97, 0.01, 0.01, 0.01 } });
    QTEST(phrasePath(said, { { 1, 2 } }, nats), "path");
}

void TstPhrasePath::ofOverlappingPhrases_theLikelierIsTaken()
{
    const torch::Tensor said
        = places({ { 0.1, 0.8, 0.1 }, { 0.2, 0.1, 0.7 }, { 0.2, 0.75, 0.05 }, { 0.5, 0.1, 0.4 } });
    QCOMPARE(phrasePath(said, { { 1, 2 } }, 1), (Path { 1, 2, 1, 2 }));
    QCOMPARE(phrasePath(said, { { 2, 1 }, { 1, 2 } }, 1), (Path { 1, 2, 1, 2 }));
    QCOMPARE(phrasePath(said, { { 2, 1 } }, 1), (Path { 1, 2, 1, 0 }));
}

void TstPhrasePath::longPhrase_hasTheWeightOfAShortOne()
{
    const torch::Tensor said = places({ { 0.6, 0.4 }, { 0.6, 0.4 }, { 0.6, 0.4 } });
    QCOMPARE(phrasePath(said, { { 1 } }, 0.5), (Path { 1, 1, 1 }));
    QCOMPARE(phrasePath(said, { { 1, 1, 1 } }, 0.5), (Path { 0, 0, 0 }));
    QCOMPARE(phrasePath(said, { { 1, 1, 1 } }, 1.3), (Path { 1, 1, 1 }));
}

/// Token 0 and 1 are a phrase, with 2 behind them another, and 3 is a little likelier than 2.
void TstPhrasePath::phraseInALongerOne_leavesItItsWeight()
{
    const torch::Tensor said = places(
        { { 0.9, 0.05, 0.03, 0.02 }, { 0.05, 0.9, 0.03, 0.02 }, { 0.01, 0.01, 0.4, 0.58 } });
    const Path whole { 0, 1, 2 };
    QCOMPARE(phrasePath(said, { { 0, 1, 2 } }, 1), whole);
    QCOMPARE(phrasePath(said, { { 0, 1 }, { 0, 1, 2 } }, 1), whole);
    QCOMPARE(phrasePath(said, { { 0, 1 } }, 1), (Path { 0, 1, 3 }));
}

void TstPhrasePath::certainPlace_isNotOverwritten()
{
    const torch::Tensor said = places({ { 1, 0 }, { 0, 1 } });
    QCOMPARE(phrasePath(said, { { 1, 1 } }, 1000), (Path { 0, 1 }));
}

void TstPhrasePath::noPhrase_noPlace_isNothingSpecial()
{
    const torch::Tensor said = places({ { 0.1, 0.9 } });
    QCOMPARE(phrasePath(said, {}, 1), (Path { 1 }));
    QCOMPARE(phrasePath(said, { { 1, 1 } }, 1), (Path { 1 }));
    QCOMPARE(phrasePath(said.narrow(0, 0, 0), { { 1 } }, 1), Path());
}

EARWRIGHT_TEST(TstPhrasePath)
#include "tst_phrase_path.moc"
