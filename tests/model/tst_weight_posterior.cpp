#include "core/model/transformer/weight_posterior.h"

#include "core/model/transformer/encoder.h"
#include "tests/registry.h"

#include <cmath>
#include <QTest>

using namespace earwright;
using model::WeightPosterior;

namespace {

constexpr double kSoftplusInvScale = -2;
constexpr double kPosteriorPrior = -1;

std::shared_ptr<model::Encoder> posteriorEncoder()
{
    catalog::TransformerAsrConfig config;
    config.dModel = 8;
    config.nhead = 2;
    config.dFfn = 64;
    config.dropout = 0;
    config.numEncoderLayers = 2;
    config.encoderModule = "transformer";
    config.attentionType = "regularMHA";
    torch::manual_seed(1);
    return model::makeEncoder(config);
}

std::shared_ptr<model::ProjectionImpl> drawnLayer(model::Encoder& encoder)
{
    return std::dynamic_pointer_cast<model::ProjectionImpl>(
        encoder.named_modules()["layers.0.pos_ffn.ffn.0"]);
}

torch::Tensor drawnParameter(model::Encoder& encoder, const std::string& name)
{
    return encoder.named_parameters()["layers.0.pos_ffn.ffn.0." + name];
}

torch::Tensor logDensity(
    const torch::Tensor& x, const torch::Tensor& mean, const torch::Tensor& scale)
{
    return (-0.5 * ((x - mean) / scale).square() - scale.log() - 0.5 * std::log(2 * M_PI)).sum();
}

/// LibTorch's default type is float64 while it lives.
class Float64Default final {
public:
    Float64Default() { c10::set_default_dtype(caffe2::TypeMeta::Make<double>()); }
    ~Float64Default() { c10::set_default_dtype(caffe2::TypeMeta::Make<float>()); }
    Float64Default(const Float64Default&) = delete;
    Float64Default& operator=(const Float64Default&) = delete;
};

} // namespace

/// Weights that are drawn from a distribution which training fits.
class TstWeightPosterior : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void parameters_areMeansAndScales();
    void draw_hasThePosteriorsMoments();
    void seed_decidesAlone();
    void divergence_isTheDifferenceOfLogDensities();
    void gradient_reachesMeansAndScales();
    void modelWithoutFeedForward_isRefused();
};

void TstWeightPosterior::parameters_areMeansAndScales()
{
    const auto encoder = posteriorEncoder();
    const auto before = encoder->named_parameters().size();
    const torch::Tensor attention
        = encoder->named_parameters()["layers.0.self_att.att.in_proj_weight"].clone();
    const WeightPosterior posterior(*encoder, { kPosteriorPrior, kSoftplusInvScale });
    QCOMPARE(encoder->named_parameters().size(), before + 8); // 2 layers, 2 matrices, 2 biases
    QVERIFY(!drawnParameter(*encoder, "weight").any().item<bool>());
    QVERIFY((drawnParameter(*encoder, "bias_softplus_inv_scale") == kSoftplusInvScale)
                .all()
                .item<bool>());
    QVERIFY(drawnParameter(*encoder, "weight_softplus_inv_scale").requires_grad());
    QVERIFY(encoder->named_parameters()["layers.0.self_att.att.in_proj_weight"].equal(attention));
}

void TstWeightPosterior::draw_hasThePosteriorsMoments()
{
    const auto encoder = posteriorEncoder();
    WeightPosterior posterior(*encoder, { kPosteriorPrior, kSoftplusInvScale });
    {
        const torch::NoGradGuard noGrad;
        drawnParameter(*encoder, "weight").fill_(3);
    }
    torch::Tensor sum = torch::zeros({}), squares = torch::zeros({});
    constexpr int kDraws = 200;
    for (uint64_t seed = 0; seed < kDraws; ++seed) {
        posterior.draw(seed);
        const torch::Tensor weight = drawnLayer(*encoder)->weight.detach();
        sum += weight.mean();
        squares += (weight - 3).square().mean();
    }
    const double scale = std::log1p(std::exp(kSoftplusInvScale));
    QVERIFY(std::abs(sum.item<double>() / kDraws - 3) < 0.015 * scale);
    QVERIFY(std::abs(std::sqrt(squares.item<double>() / kDraws) / scale - 1) < 0.01);
}

void TstWeightPosterior::seed_decidesAlone()
{
    const auto encoder = posteriorEncoder();
    WeightPosterior posterior(*encoder, { kPosteriorPrior, kSoftplusInvScale });
    const auto drawn = [&](std::optional<uint64_t> seed) {
        posterior.draw(seed);
        return drawnLayer(*encoder)->weight.detach().clone();
    };
    const torch::Tensor first = drawn(7);
    torch::manual_seed(1);
    const torch::Tensor next = torch::rand({ 3 });
    torch::manual_seed(1);
    QVERIFY(drawn(7).equal(first));
    QVERIFY(torch::rand({ 3 }).equal(next)); // no other generator was moved
    QVERIFY(!drawn(8).equal(first));
    torch::manual_seed(1);
    const torch::Tensor unseeded = drawn(std::nullopt);
    QVERIFY(!drawn(std::nullopt).equal(unseeded));
    torch::manual_seed(1);
    QVERIFY(drawn(std::nullopt).equal(unseeded));
}

void TstWeightPosterior::divergence_isTheDifferenceOfLogDensities()
{
    const Float64Default doubles;
    const auto encoder = posteriorEncoder();
    WeightPosterior posterior(*encoder, { kPosteriorPrior, kSoftplusInvScale });
    torch::manual_seed(5);
    {
        const torch::NoGradGuard noGrad;
        drawnParameter(*encoder, "weight").normal_(0, 0.3);
        drawnParameter(*encoder, "weight_softplus_inv_scale").normal_(-1, 0.5);
    }
    posterior.draw(7);
    torch::Tensor expected = torch::zeros({});
    for (const auto& [name, part] : encoder->named_modules().pairs()) {
        const auto layer = std::dynamic_pointer_cast<model::ProjectionImpl>(part);
        if (!layer || name.find("ffn") == std::string::npos)
            continue;
        for (const auto& [kind, drawn] :
            { std::pair { "weight", layer->weight }, std::pair { "bias", layer->bias } }) {
            const auto parameters = layer->named_parameters(false);
            const torch::Tensor scale
                = torch::softplus(parameters[std::string(kind) + "_softplus_inv_scale"]);
            expected = expected + logDensity(drawn, parameters[kind], scale)
                - logDensity(drawn, torch::zeros({}), torch::full({}, std::exp(kPosteriorPrior)));
        }
    }
    QVERIFY(torch::allclose(posterior.divergence(), expected, 1e-10));
}

/// Of the loss sum(weights * w) + divergence, by hand: w = m + s * n, s = softplus(r),
/// divergence' = w / prior^2 - (1 / s of s).
void TstWeightPosterior::gradient_reachesMeansAndScales()
{
    const Float64Default doubles;
    const auto encoder = posteriorEncoder();
    WeightPosterior posterior(*encoder, { kPosteriorPrior, kSoftplusInvScale });
    posterior.draw(7);
    const torch::Tensor weight = drawnLayer(*encoder)->weight;
    const torch::Tensor factors = torch::arange(weight.numel()).view_as(weight) * 0.01;
    ((weight * factors).sum() + posterior.divergence()).backward();
    const torch::Tensor ofWeight
        = factors + weight.detach() * std::exp(-2 * kPosteriorPrior); // of the prior too
    QVERIFY(torch::allclose(drawnParameter(*encoder, "weight").grad(), ofWeight));
    const double scale = std::log1p(std::exp(kSoftplusInvScale));
    const double slope = 1 / (1 + std::exp(-kSoftplusInvScale));
    const torch::Tensor noise = weight.detach() / scale; // the mean is 0
    QVERIFY(torch::allclose(drawnParameter(*encoder, "weight_softplus_inv_scale").grad(),
        (ofWeight * noise - 1 / scale) * slope));
}

void TstWeightPosterior::modelWithoutFeedForward_isRefused()
{
    model::Projection projection(3, 2);
    QVERIFY_THROWS_EXCEPTION(
        c10::Error, WeightPosterior(*projection, { kPosteriorPrior, kSoftplusInvScale }));
}

EARWRIGHT_TEST(TstWeightPosterior)
#include "tst_weight_posterior.moc"
