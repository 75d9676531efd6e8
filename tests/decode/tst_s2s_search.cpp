#include "core/decode/ctc_prefix_score.h"
#include "core/decode/s2s_search.h"
#include "core/decode/suppressing_decoder.h"
#include "tests/registry.h"

#include <QTest>

#include <map>
#include <set>

using namespace earwright;
using decode::S2SBeamOptions;
using TokenIds = std::vector<int64_t>;

namespace {

constexpr int64_t kBos = 1;
constexpr int64_t kEos = 2;

/// Logits of the next token by the last one.
class TableDecoder final : public decode::StepDecoder {
public:
    explicit TableDecoder(torch::Tensor logits_VV)
        : m_logits_VV(std::move(logits_VV))
    {
    }
    void start(const torch::Tensor& encoder_BTD, const torch::Tensor&, int64_t beams) override
    {
        m_rows = encoder_BTD.size(0) * beams;
    }
    torch::Tensor next(const torch::Tensor& tokens_N) override
    {
        TORCH_CHECK(tokens_N.size(0) == m_rows);
        return m_logits_VV.index_select(0, tokens_N);
    }
    void reorder(const torch::Tensor& rows_N) override { TORCH_CHECK(rows_N.size(0) == m_rows); }

private:
    torch::Tensor m_logits_VV;
    int64_t m_rows = 0;
};

torch::Tensor randomTensor(std::vector<int64_t> shape, int64_t seed)
{
    torch::manual_seed(static_cast<uint64_t>(seed));
    return torch::randn(shape);
}

/// Every sequence of at most `longest` tokens and the end, with its log-probability.
std::map<TokenIds, double> allSequences(const torch::Tensor& logits_VV, int64_t longest)
{
    const torch::Tensor logProbs = logits_VV.log_softmax(-1);
    std::map<TokenIds, double> ended;
    std::map<TokenIds, double> alive { { {}, 0.0 } };
    for (int64_t step = 0; step <= longest; ++step) {
        std::map<TokenIds, double> longer;
        for (const auto& [tokens, sum] : alive) {
            const int64_t last = tokens.empty() ? kBos : tokens.back();
            for (int64_t token = 0; token < logits_VV.size(0); ++token) {
                const double logProb = sum + logProbs[last][token].item<double>();
                TokenIds next = tokens;
                next.push_back(token);
                (token == kEos ? ended : longer)[token == kEos ? tokens : next] = logProb;
            }
        }
        alive = std::move(longer);
    }
    return ended;
}

/// -CTC loss: the log-probability of a target, by ATen.
double targetLogProb(const torch::Tensor& logProbs_TV, const TokenIds& target, int64_t frames)
{
    return -torch::ctc_loss(logProbs_TV.unsqueeze(1), torch::tensor(target).unsqueeze(0),
        torch::tensor({ frames }), torch::tensor({ std::ssize(target) }), 0, at::Reduction::Sum)
                .item<double>();
}

} // namespace

class TstS2SSearch : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void wideBeam_findsTheBestSequence_data()
    {
        QTest::addColumn<int>("seed");
        for (const int seed : { 1, 2, 3, 4, 5, 6 })
            QTest::addRow("%d", seed) << seed;
    }

    void wideBeam_findsTheBestSequence()
    {
        QFETCH(int, seed);
        torch::Tensor logits_VV = randomTensor({ 5, 5 }, seed) * 2;
        logits_VV.select(1, kEos) += 2.5; // an end within reach
        TableDecoder decoder(logits_VV);
        const S2SBeamOptions options { { .bosIndex = kBos, .eosIndex = kEos }, 40, 1, false, 1.5,
            false };
        const auto found
            = decode::beamS2S(decoder, options, torch::zeros({ 2, 6, 3 }), torch::ones({ 2 }));
        const auto all = allSequences(logits_VV, 4);
        const auto best = std::max_element(all.begin(), all.end(),
            [](const auto& a, const auto& b) { return a.second < b.second; });
        for (int64_t row = 0; row < 2; ++row) {
            QVERIFY(found.best()[static_cast<size_t>(row)] == best->first);
            QVERIFY(std::abs(found.scores_BK[row][0].item<double>() - best->second) < 1e-4);
        }
    }

    void beamWiderThanTheVocabulary_listsWhatIsPossible_data()
    {
        QTest::addColumn<bool>("usesThreshold");
        QTest::addColumn<double>("minRatio");
        QTest::newRow("any end") << false << 0.0;
        QTest::newRow("likely ends") << true << 0.0;
        QTest::newRow("late ends") << false << 0.5;
    }

    void beamWiderThanTheVocabulary_listsWhatIsPossible()
    {
        QFETCH(bool, usesThreshold);
        QFETCH(double, minRatio);
        const torch::Tensor logits_VV = randomTensor({ 4, 4 }, 7);
        TableDecoder decoder(logits_VV);
        const S2SBeamOptions options {
            { .bosIndex = kBos, .eosIndex = kEos, .minDecodeRatio = minRatio }, 12, 12,
            usesThreshold, 1.5, false
        };
        const auto found
            = decode::beamS2S(decoder, options, torch::zeros({ 2, 6, 3 }), torch::ones({ 2 }));
        const auto all = allSequences(logits_VV, 5);
        std::set<TokenIds> seen;
        for (int64_t place = 0; place < 12; ++place) {
            const double score = found.scores_BK[0][place].item<double>();
            const TokenIds tokens = found.best(place)[0];
            if (!std::isfinite(score)) {
                QVERIFY(place > 0 && tokens.empty());
                continue;
            }
            QVERIFY(score > -100);
            QVERIFY(std::ssize(tokens) >= static_cast<int64_t>(minRatio * 6));
            const torch::Tensor whole = found.tokens_BKL[0][place];
            const int64_t* first = whole.const_data_ptr<int64_t>();
            const bool isNew = seen.insert(TokenIds(first, first + whole.size(0))).second;
            QVERIFY(isNew || tokens.size() == 5); // what the last step has ended comes again
            if (tokens.size() < 5)
                QVERIFY(std::abs(score - all.at(tokens)) < 1e-4);
        }
    }

    /// After each token the likeliest is 3, but for what may not come.
    void suppressedTokens_areNotWritten()
    {
        torch::Tensor logits_VV = torch::zeros({ 5, 5 });
        logits_VV.select(1, 3).fill_(3);
        logits_VV.select(1, 4).fill_(2);
        logits_VV.select(1, 0).fill_(1);
        TableDecoder table(logits_VV);
        const decode::S2SOptions options { .bosIndex = kBos, .eosIndex = kEos, .maxTokens = 3 };
        const auto written
            = [&](const std::vector<int64_t>& always, const std::vector<int64_t>& first) {
                  decode::SuppressingDecoder decoder(table, always, first);
                  return decode::greedyS2S(
                      decoder, options, torch::zeros({ 1, 6, 3 }), torch::ones({ 1 }))
                      .best()
                      .front();
              };
        QCOMPARE(written({}, {}), (TokenIds { 3, 3, 3 })); // no more than maxTokens
        QCOMPARE(written({ 3 }, {}), (TokenIds { 4, 4, 4 }));
        QCOMPARE(written({}, { 3 }), (TokenIds { 4, 3, 3 }));
        QCOMPARE(written({ 3 }, { 4 }), (TokenIds { 0, 4, 4 }));
    }

    /// Whisper's temperature divides what is behind the softmax.
    void scoreTemperature_dividesScores()
    {
        TableDecoder decoder(randomTensor({ 4, 4 }, 3));
        const auto scoreAt = [&](double temperature) {
            S2SBeamOptions options { { .bosIndex = kBos, .eosIndex = kEos }, 4, 1, false };
            options.scoreTemperature = temperature;
            return decode::beamS2S(decoder, options, torch::zeros({ 1, 3, 3 }), torch::ones({ 1 }))
                .scores_BK[0][0]
                .item<double>();
        };
        QVERIFY(std::abs(scoreAt(2) - scoreAt(1) / 2) < 1e-5);
    }

    /// A frame allows one token: an end or one of two others.
    void fewerHypothesesThanAskedFor_areAllThereIs()
    {
        TableDecoder decoder(torch::zeros({ 3, 3 }));
        const S2SBeamOptions options { { .bosIndex = 0, .eosIndex = kEos }, 5, 5, false, 1.5,
            false };
        const auto found
            = decode::beamS2S(decoder, options, torch::zeros({ 1, 1, 3 }), torch::ones({ 1 }));
        const torch::Tensor isThere = found.scores_BK[0].isfinite();
        QCOMPARE(isThere.sum().item<int64_t>(), int64_t { 4 }); // the end twice and two tokens
        QVERIFY(isThere.narrow(0, 0, 4).all().item<bool>());
        QVERIFY(found.best(4)[0].empty());
    }

    /// What is under way when the frames end counts, without its last token, as upstream has it.
    void rowWithoutAnEnd_givesItsBest()
    {
        torch::Tensor logits_VV = torch::zeros({ 4, 4 });
        logits_VV.select(1, 3) += 3;
        logits_VV.select(1, kEos) -= 50;
        TableDecoder decoder(logits_VV);
        for (const double minRatio : { 0.0, 1.0 }) {
            const S2SBeamOptions options {
                { .bosIndex = kBos, .eosIndex = kEos, .minDecodeRatio = minRatio }, 2, 1
            };
            const auto found
                = decode::beamS2S(decoder, options, torch::zeros({ 2, 4, 3 }), torch::ones({ 2 }));
            QVERIFY(found.best() == (std::vector<TokenIds> { { 3, 3, 3 }, { 3, 3, 3 } }));
            QVERIFY(found.scores_BK.isfinite().all().item<bool>());
        }
    }

    /// One token, which is the end and may not be: nothing is possible.
    void rowWithNothingPossible_givesAText()
    {
        torch::Tensor logits_VV = torch::full({ 3, 3 }, -INFINITY);
        logits_VV.select(1, kEos).zero_();
        TableDecoder decoder(logits_VV);
        const S2SBeamOptions options {
            { .bosIndex = kBos, .eosIndex = kEos, .minDecodeRatio = 1.0 }, 2, 2
        };
        const auto found
            = decode::beamS2S(decoder, options, torch::zeros({ 1, 4, 3 }), torch::ones({ 1 }));
        QVERIFY(found.best() == (std::vector<TokenIds> { {} }));
    }

    /// The second row has two frames, so CTC gives it no third token, and one text that may end.
    /// What else it follows is six tokens long, as with upstream's S2SBeamSearcher.
    void impossibleHypotheses_countForTheLongestAndAreNotListed()
    {
        torch::Tensor logits_VV = torch::zeros({ 5, 5 });
        for (const auto& [from, to] : std::map<int64_t, int64_t> { { 1, 3 }, { 3, 4 }, { 4, 2 } })
            logits_VV[from][to] = 10;
        logits_VV[kBos][kBos] = 2;
        TableDecoder decoder(logits_VV);
        const auto ctc = [](const torch::Tensor& encoder_BTD) {
            return torch::zeros({ encoder_BTD.size(0), encoder_BTD.size(1), 5 }).log_softmax(-1);
        };
        const S2SBeamOptions options { { .bosIndex = kBos, .eosIndex = kEos }, 2, 2, true, 1.5,
            false, 1.0, 0.0, 0.4, 0 };
        const auto found = decode::beamS2S(
            decoder, options, torch::zeros({ 2, 6, 3 }), torch::tensor({ 1.0F, 0.34F }), { ctc });
        QCOMPARE(found.tokens_BKL.size(2), 6);
        QVERIFY(found.best() == (std::vector<TokenIds> { { 3, 4 }, { 3, 4 } }));
        QVERIFY(found.best(1) == (std::vector<TokenIds> { { 1, 3, 4 }, {} }));
        QVERIFY(found.lengths_BK.allclose(
            torch::tensor({ 2.0F, 3.0F, 2.0F, 0.0F }).view({ 2, 2 }) / 6));
        QVERIFY(std::abs(found.scores_BK[1][0].item<double>() + 1.2880511) < 1e-4);
        QVERIFY(!std::isfinite(found.scores_BK[1][1].item<double>()));
    }

    /// Two frames give no six tokens, and no end may come before: the row has a text all the same.
    void rowWithImpossibleHypothesesOnly_givesOne()
    {
        TableDecoder decoder(torch::zeros({ 5, 5 }));
        const auto ctc = [](const torch::Tensor& encoder_BTD) {
            return torch::zeros({ encoder_BTD.size(0), encoder_BTD.size(1), 5 }).log_softmax(-1);
        };
        const S2SBeamOptions options {
            { .bosIndex = kBos, .eosIndex = kEos, .minDecodeRatio = 1.0 }, 2, 2, true, 1.5, false,
            1.0, 0.0, 0.4, 0
        };
        const auto found = decode::beamS2S(
            decoder, options, torch::zeros({ 2, 6, 3 }), torch::tensor({ 1.0F, 0.34F }), { ctc });
        QCOMPARE(std::ssize(found.best()[1]), 5); // without the last, as upstream has it
        QVERIFY(found.scores_BK[1][0].item<double>() < -1e19);
        QVERIFY(!std::isfinite(found.scores_BK[1][1].item<double>()));
    }

    void greedy_followsTheBestToken()
    {
        torch::Tensor logits_VV = torch::zeros({ 5, 5 });
        for (const auto& [from, to] : std::map<int64_t, int64_t> { { 1, 3 }, { 3, 4 }, { 4, 2 } })
            logits_VV[from][to] = 5;
        TableDecoder decoder(logits_VV);
        const auto found = decode::greedyS2S(decoder, { .bosIndex = kBos, .eosIndex = kEos },
            torch::zeros({ 2, 9, 3 }), torch::ones({ 2 }));
        QVERIFY(found.best() == (std::vector<TokenIds> { { 3, 4 }, { 3, 4 } }));
        QCOMPARE(found.tokens_BKL.size(2), 3);
        QVERIFY(!found.logProbs_BKLV.defined());
        const torch::Tensor score = torch::log_softmax(logits_VV, -1).max();
        const torch::Tensor wanted_L = torch::stack({ score, score, torch::zeros({}) });
        QVERIFY(torch::allclose(found.scores_BK, wanted_L.expand({ 2, 1, 3 })));
        const auto whole = decode::greedyS2S(decoder, { .bosIndex = kBos, .eosIndex = kEos },
            torch::zeros({ 2, 9, 3 }), torch::ones({ 2 }), true);
        QVERIFY(torch::allclose(whole.logProbs_BKLV[1][0][0], logits_VV[1].log_softmax(-1)));
        QVERIFY(whole.logProbs_BKLV[1][0][2].isneginf().all().item<bool>());
    }

    void noStepsAllowed_giveNoTokens()
    {
        TableDecoder decoder(torch::zeros({ 5, 5 }));
        const decode::S2SOptions none { .bosIndex = kBos, .eosIndex = kEos, .maxDecodeRatio = 0 };
        const torch::Tensor encoder_BTD = torch::zeros({ 2, 9, 3 });
        QVERIFY(decode::greedyS2S(decoder, none, encoder_BTD, torch::ones({ 2 })).best()
            == (std::vector<TokenIds> { {}, {} }));
        const S2SBeamOptions beam { none, 3 };
        QVERIFY(decode::beamS2S(decoder, beam, encoder_BTD, torch::ones({ 2 })).best()
            == (std::vector<TokenIds> { {}, {} }));
        const S2SBeamOptions two { none, 3, 2 };
        const auto found = decode::beamS2S(decoder, two, encoder_BTD, torch::ones({ 2 }));
        QVERIFY(found.scores_BK.select(1, 0).eq(0).all().item<bool>());
        QVERIFY(!found.scores_BK.select(1, 1).isfinite().any().item<bool>());
    }

    void optionsThatDoNotFit_areRefused()
    {
        TableDecoder decoder(torch::zeros({ 5, 5 }));
        const auto refused = [&](const S2SBeamOptions& options, const decode::CtcHead& ctc = {}) {
            try {
                decode::beamS2S(
                    decoder, options, torch::zeros({ 1, 3, 2 }), torch::ones({ 1 }), { ctc });
            } catch (const c10::Error&) {
                return true;
            }
            return false;
        };
        const decode::S2SOptions base { .bosIndex = kBos, .eosIndex = kEos };
        QVERIFY(!refused({ base, 3 }));
        QVERIFY(refused({ base, 3, 4 }));
        QVERIFY(refused({ base, 3, 1, true, 1.5, true, 1.0, 0.5 })); // length twice
        QVERIFY(refused({ base, 3, 1, true, 1.5, true, 1.0, 0.0, 0.4 })); // no CTC output
        const auto ctc = [](const torch::Tensor& encoder_BTD) {
            return torch::zeros({ encoder_BTD.size(0), encoder_BTD.size(1), 5 }).log_softmax(-1);
        };
        QVERIFY(!refused({ base, 3, 1, true, 1.5, true, 1.0, 0.0, 0.4, 0 }, ctc));
        QVERIFY(refused({ base, 3, 1, true, 1.5, true, 1.0, 0.0, 0.4, kEos }, ctc));
        S2SBeamOptions ctcAlone { base, 3, 1, true, 1.5, true, 1.0, 0.0, 1.0, 0 };
        QVERIFY(!refused(ctcAlone, ctc));
        ctcAlone.coverageWeight = -0.5;
        const auto misfit = catalog::whatDoesNotFit(ctcAlone);
        QVERIFY(misfit && misfit->words.find("no attention to look at") != std::string::npos);
    }

    /// The steps to a target and its end add up to its CTC log-probability.
    void prefixScores_addUpToTheCtcLoss()
    {
        const torch::Tensor logProbs_BTV = (randomTensor({ 2, 12, 6 }, 3) * 2).log_softmax(-1);
        const std::vector<int64_t> frames { 12, 9 };
        const TokenIds target { 3, 3, 4, 1, 4 };
        decode::CtcPrefixScore score(logProbs_BTV, torch::tensor(frames), 0, 5);
        std::vector<double> sums { 0, 0 };
        torch::Tensor last_N = torch::full({ 2 }, kBos, torch::kInt64);
        for (const int64_t token : target) {
            const torch::Tensor scores_NV = score.score(last_N);
            for (int64_t row = 0; row < 2; ++row)
                sums[static_cast<size_t>(row)] += scores_NV[row][token].item<double>();
            score.keep(torch::full({ 2, 1 }, token, torch::kInt64));
            last_N = torch::full({ 2 }, token, torch::kInt64);
        }
        const torch::Tensor end_NV = score.score(last_N);
        for (int64_t row = 0; row < 2; ++row) {
            const auto place = static_cast<size_t>(row);
            const double expected = targetLogProb(
                logProbs_BTV[row].narrow(0, 0, frames[place]), target, frames[place]);
            QVERIFY(std::abs(sums[place] + end_NV[row][5].item<double>() - expected) < 1e-3);
        }
    }

    /// Far below what float64 holds without a logarithm.
    void improbablePrefixes_keepTheirScores()
    {
        torch::Tensor logits_TV = torch::zeros({ 40, 4 });
        logits_TV.select(1, 0) += 200; // almost surely silence
        const torch::Tensor logProbs_BTV = logits_TV.log_softmax(-1).unsqueeze(0);
        decode::CtcPrefixScore score(logProbs_BTV, torch::tensor({ 40 }), 0, 3);
        double sum = 0;
        torch::Tensor last_N = torch::full({ 1 }, kBos, torch::kInt64);
        const TokenIds target { 1, 2, 1, 2, 1, 2 };
        for (const int64_t token : target) {
            sum += score.score(last_N)[0][token].item<double>();
            score.keep(torch::full({ 1, 1 }, token, torch::kInt64));
            last_N = torch::full({ 1 }, token, torch::kInt64);
        }
        sum += score.score(last_N)[0][3].item<double>();
        const double expected = targetLogProb(logProbs_BTV[0], target, 40);
        QVERIFY(expected < -1100);
        QVERIFY(std::abs(sum - expected) < 0.05);
    }

    void candidates_aloneAreScored()
    {
        const torch::Tensor logProbs_BTV = randomTensor({ 1, 8, 6 }, 5).log_softmax(-1);
        const torch::Tensor last_N = torch::full({ 2 }, kBos, torch::kInt64);
        const torch::Tensor frames_B = torch::tensor({ 8 });
        decode::CtcPrefixScore all(logProbs_BTV, frames_B, 0, 5);
        decode::CtcPrefixScore some(logProbs_BTV, frames_B, 0, 5);
        const torch::Tensor expected_NV = all.score(last_N);
        const torch::Tensor found_NV
            = some.score(last_N, torch::tensor({ 1, 3, 2, 4 }).view({ 2, 2 }));
        QCOMPARE(found_NV[0][3].item<float>(), expected_NV[0][3].item<float>());
        QCOMPARE(found_NV[1][4].item<float>(), expected_NV[1][4].item<float>());
        QCOMPARE(found_NV[0][5].item<float>(), expected_NV[0][5].item<float>()); // the end always
        QVERIFY(found_NV[0][2].item<float>() < -1e19F);
    }
};

EARWRIGHT_TEST(TstS2SSearch)
#include "tst_s2s_search.moc"
