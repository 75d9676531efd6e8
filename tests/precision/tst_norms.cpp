#include <QTest>
#include <torch/nn/modules/normalization.h>
#include <torch/utils.h>

#include "core/model/normalization.h"
#include "core/model/paraformer/sanm_attention.h"
#include "core/precision/precision.h"
#include "tests/registry.h"

#include <functional>

using namespace earwright;
using precision::Autocast;
using precision::Type;

namespace {

constexpr int64_t kNormWidth = 48;

/// What comes out for an input, and what is remembered of it.
struct Normed {
    torch::Tensor output;
    std::vector<torch::Tensor> statistics {};
};

/// Weights that a reduced type has no room for.
void spread(torch::nn::Module& module)
{
    const torch::NoGradGuard noGrad;
    for (torch::Tensor& parameter : module.parameters())
        parameter.uniform_(0.5, 1.5);
}

Normed ofLayer(model::Layer& layer, const torch::Tensor& x)
{
    spread(layer);
    layer.train();
    const torch::Tensor output = layer.forward(x);
    return { output, layer.buffers() };
}

Normed layerNorm(const torch::Tensor& x)
{
    return ofLayer(*model::makeLayerNorm({ kNormWidth }), x);
}

Normed sanmNorm(const torch::Tensor& x)
{
    torch::nn::LayerNorm norm = model::sanmNorm(kNormWidth);
    spread(*norm);
    return { norm(x) };
}

Normed batchNorm(const torch::Tensor& x)
{
    return ofLayer(*model::makeBatchNorm1d(kNormWidth), x);
}

Normed synchronisedBatchNorm(const torch::Tensor& x)
{
    const auto layer = model::makeBatchNorm1d(kNormWidth);
    model::synchroniseStatistics(*layer, [](torch::Tensor&) {}); // of a single rank
    return ofLayer(*layer, x);
}

struct Norm {
    const char* name;
    Normed (*run)(const torch::Tensor& x);
};

constexpr Norm kNorms[] = {
    { "LayerNorm", layerNorm },
    { "sanmNorm", sanmNorm },
    { "BatchNorm", batchNorm },
    { "BatchNorm over ranks", synchronisedBatchNorm },
};

/// Far from zero: sums of squares in a reduced type would have no digit right.
torch::Tensor input(at::ScalarType type)
{
    torch::manual_seed(8);
    return (torch::randn({ 6, 40, kNormWidth }) * 3 + 50).to(type);
}

/// With the same weights each time.
Normed run(const Norm& norm, const torch::Tensor& x)
{
    torch::manual_seed(6);
    return norm.run(x);
}

} // namespace

/// What comes between the matrix products is normalised in float32 under autocast: of the same
/// rounded input the same output, but for its own rounding.
class TstNorms final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void norm_isComputedInFloat32_data();
    void norm_isComputedInFloat32();
};

void TstNorms::norm_isComputedInFloat32_data()
{
    QTest::addColumn<int>("norm");
    QTest::addColumn<int>("type");
    for (int norm = 0; norm < static_cast<int>(std::size(kNorms)); ++norm)
        for (const Type type : { Type::Bf16, Type::Fp16 })
            QTest::addRow("%s, %s", kNorms[norm].name, precision::typeName(type).c_str())
                << norm << static_cast<int>(type);
}

void TstNorms::norm_isComputedInFloat32()
{
    QFETCH(int, norm);
    QFETCH(int, type);
    const at::ScalarType reduced
        = static_cast<Type>(type) == Type::Bf16 ? at::kBFloat16 : at::kHalf;
    const Normed wanted = run(kNorms[norm], input(reduced).to(at::kFloat));
    const Autocast autocast(static_cast<Type>(type), at::kCPU);
    const Normed found = run(kNorms[norm], input(reduced));

    const double halfDigit = reduced == at::kBFloat16 ? 1.0 / 256 : 1.0 / 2048;
    const torch::Tensor error = (found.output.to(at::kFloat) - wanted.output).abs();
    const torch::Tensor allowed = wanted.output.abs() * halfDigit + 1e-5;
    QVERIFY2((error <= allowed).all().item<bool>(),
        qPrintable(QString::number((error / allowed).max().item<double>())));
    QCOMPARE(found.statistics.size(), wanted.statistics.size());
    for (size_t i = 0; i < found.statistics.size(); ++i)
        QVERIFY2(torch::allclose(found.statistics[i], wanted.statistics[i], 1e-5, 0),
            qPrintable(QString("statistic %1").arg(i)));
}

EARWRIGHT_TEST(TstNorms)
#include "tst_norms.moc"
