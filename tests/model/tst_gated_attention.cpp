#include "core/model/pretrained/gated_attention.h"

#include "tests/registry.h"

#include <QTest>

using namespace earwright;
using namespace earwright::model;

/// WavLM's attention.
class TstGatedAttention final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Against the bias of each pair of frames by itself, some of them farther apart than the
    /// farthest bucket begins.
    void distanceScores_areThoseOfEachPair()
    {
        EncoderConfig config;
        config.width = 16;
        config.heads = 2;
        config.distanceBuckets = 8;
        config.farthestDistance = 6;
        const GatedAttention attention(config, true);
        const torch::Tensor weight_RH = attention.named_parameters()["rel_attn_embed.weight"];
        for (const int64_t frames : { 1, 2, 12 }) {
            const torch::Tensor scores_HTT = attention.distanceScores(frames);
            const std::vector<int64_t> sizes { config.heads, frames, frames };
            QCOMPARE(scores_HTT.sizes().vec(), sizes);
            for (int64_t from = 0; from < frames; ++from)
                for (int64_t to = 0; to < frames; ++to) {
                    const torch::Tensor bucket
                        = distanceBuckets(torch::tensor({ to - from }), 8, 6);
                    const torch::Tensor score_H = scores_HTT.select(2, to).select(1, from);
                    QVERIFY(score_H.equal(weight_RH[bucket.item<int64_t>()]));
                }
        }
    }
};

EARWRIGHT_TEST(TstGatedAttention)
#include "tst_gated_attention.moc"
