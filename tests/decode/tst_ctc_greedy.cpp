#include "core/decode/ctc_greedy.h"
#include "tests/registry.h"

#include <QTest>

using namespace earwright;
using Rows = std::vector<std::vector<int64_t>>;

namespace {

/// Scores whose best token at every frame is the one given.
torch::Tensor scoresOf(const std::vector<int64_t>& best, int64_t numTokens)
{
    return torch::one_hot(torch::tensor(best), numTokens).to(torch::kFloat32).unsqueeze(0);
}

} // namespace

class TstCtcGreedy : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void repeats_areMergedBeforeBlanksGo()
    {
        const torch::Tensor scores_BTV = scoresOf({ 1, 1, 0, 1, 2, 2, 0, 0, 2 }, 3);
        QVERIFY(decode::ctcGreedy(scores_BTV, torch::ones({ 1 }), 0) == (Rows { { 1, 1, 2, 2 } }));
        QVERIFY(decode::ctcGreedy(scores_BTV, torch::ones({ 1 }), 2) == (Rows { { 1, 0, 1, 0 } }));
    }

    void lengths_roundHalfToEven()
    {
        const torch::Tensor scores_BTV = scoresOf({ 1, 2, 1, 2, 1 }, 3).repeat({ 4, 1, 1 });
        const torch::Tensor lengths_B = torch::tensor({ 0.5F, 0.7F, 1.0F, 0.0F });
        QVERIFY(decode::ctcGreedy(scores_BTV, lengths_B, 0)
            == (Rows { { 1, 2 }, { 1, 2, 1, 2 }, { 1, 2, 1, 2, 1 }, {} }));
    }

    void ties_takeTheFirstToken()
    {
        QVERIFY(decode::ctcGreedy(torch::zeros({ 1, 3, 4 }), torch::ones({ 1 }), 3)
            == (Rows { { 0 } }));
        QVERIFY(decode::ctcGreedy(torch::zeros({ 1, 3, 4 }), torch::ones({ 1 }), -1)
            == (Rows { { 0 } }));
        QVERIFY(
            decode::ctcGreedy(torch::zeros({ 1, 3, 4 }), torch::ones({ 1 }), 0) == (Rows { {} }));
    }

    void noRows_giveNone()
    {
        QVERIFY(decode::ctcGreedy(torch::zeros({ 0, 3, 4 }), torch::ones({ 0 }), 0).empty());
    }

    void lowPrecisionScores_areRead()
    {
        const torch::Tensor scores_BTV = scoresOf({ 1, 0, 2 }, 3).to(torch::kBFloat16);
        QVERIFY(decode::ctcGreedy(scores_BTV, torch::ones({ 1 }), 0) == (Rows { { 1, 2 } }));
    }
};

EARWRIGHT_TEST(TstCtcGreedy)
#include "tst_ctc_greedy.moc"
