#include <QTest>

#include "core/decode/s2s_search.h"
#include "core/model/ctc_loss.h"
#include "core/model/input_normalization.h"
#include "core/model/label_loss.h"
#include "core/model/paraformer/cif_predictor.h"
#include "core/precision/precision.h"
#include "tests/model/layers.h"
#include "tests/precision/operator_calls.h"
#include "tests/registry.h"

#include <functional>

using namespace earwright;
using precision::Autocast;
using precision::Type;
using tests::layerOf;

namespace {

using Tensors = std::vector<torch::Tensor>;
/// How a part is given its input: in the type of autocast, or the same numbers in float32.
using Give = std::function<torch::Tensor(const torch::Tensor&)>;

torch::Tensor lengths()
{
    return torch::tensor({ 1.0F, 0.75F });
}

// ---- features

Tensors fbank(const Give& give)
{
    const auto layer = layerOf("x: !new:speechbrain.lobes.features.Fbank\n    n_mels: 20\n"
                               "    deltas: True\n    context: True\n");
    return { layer->forward(give(torch::randn({ 2, 8000 }) * 0.1)) };
}

/// As inside a model that learns from the wave.
Tensors differentiableFbank(const Give& give)
{
    const auto layer = layerOf("x: !new:speechbrain.lobes.features.Fbank\n    n_mels: 20\n");
    const torch::Tensor wave = give(torch::randn({ 2, 8000 }) * 0.1);
    return { layer->forward(wave.detach().set_requires_grad(true)).detach() };
}

Tensors wavFrontend(const Give& give)
{
    const auto layer = layerOf("x: !new:funasr.frontends.wav_frontend.WavFrontend\n"
                               "    n_mels: 20\n    lfr_m: 3\n    lfr_n: 2\n    dither: 0.0\n");
    return { layer->forward(give(torch::randn({ 2, 8000 }) * 0.1), lengths()) };
}

/// What it gives, and the statistics that it keeps.
Tensors normalized(const Give& give, const std::string& normType)
{
    const auto layer = std::dynamic_pointer_cast<model::InputNormalization>(
        layerOf("x: !new:speechbrain.processing.features.InputNormalization\n    norm_type: "
            + normType + "\n"));
    Tensors found { layer->forward(give(torch::randn({ 2, 40, 20 }) * 3 + 5), lengths()) };
    for (const auto& [name, tensor] : layer->state())
        if (name != "count")
            found.push_back(tensor);
    return found;
}

// ---- losses

/// Of many classes, whose probabilities are far apart.
torch::Tensor logits()
{
    return torch::randn({ 2, 24, 40 }) * 4;
}

torch::Tensor labels()
{
    return torch::randint(1, 40, { 2, 24 }, torch::kLong);
}

Tensors ctc(const Give& give)
{
    Tensors found;
    const torch::Tensor logProbs = give(logits().log_softmax(-1));
    const torch::Tensor targets = torch::randint(1, 40, { 2, 6 }, torch::kLong);
    for (const char* reduction : { "mean", "sum", "none", "batch", "batchmean" }) {
        catalog::CtcLossConfig config;
        config.reduction = reduction;
        found.push_back(model::ctcLoss(logProbs, targets, lengths(), torch::ones({ 2 }), config));
    }
    return found;
}

Tensors nll(const Give& give)
{
    const torch::Tensor logProbs = give(logits().log_softmax(-1));
    const torch::Tensor targets = labels();
    return { model::nllLoss(logProbs, targets, lengths(), {}),
        model::nllLoss(logProbs, targets, lengths(), { .labelSmoothing = 0.1 }) };
}

Tensors kldiv(const Give& give)
{
    return { model::kldivLoss(
        give(logits().log_softmax(-1)), labels(), lengths(), { .labelSmoothing = 0.1 }) };
}

Tensors labelSmoothing(const Give& give)
{
    return { model::labelSmoothingLoss(give(logits()), labels(), { .smoothing = 0.1 }, false) };
}

// ---- softmax over the vocabulary

Tensors softmax(const Give& give)
{
    Tensors found;
    for (const char* layer : { "speechbrain.nnet.activations.Softmax\n    apply_log: True\n",
             "speechbrain.nnet.activations.Softmax\n    apply_log: False\n",
             "torch.nn.LogSoftmax\n    dim: -1\n", "torch.nn.Softmax\n    dim: -1\n" })
        found.push_back(layerOf(std::string("x: !new:") + layer)->forward(give(logits())));
    return found;
}

// ---- integrate and fire

constexpr int64_t kWidth = 12;

std::shared_ptr<model::CifPredictor> predictor(const std::string& version)
{
    const std::string module = version == "V3" ? "bicif_paraformer" : "paraformer";
    return std::dynamic_pointer_cast<model::CifPredictor>(
        layerOf("x: !new:funasr.models." + module + ".cif_predictor.CifPredictor" + version
            + "\n    idim: 12\n    l_order: 1\n    r_order: 1\n    dropout: 0.0\n"
              "    tail_threshold: 0.45\n"));
}

torch::Tensor frames()
{
    return torch::randn({ 2, 30, kWidth });
}

torch::Tensor valid()
{
    return torch::arange(30).unsqueeze(0) < torch::tensor({ 30, 22 }).unsqueeze(1);
}

/// With targets, as in training, and counted with a tail, as in recognition.
Tensors cif(const Give& give, const std::string& version)
{
    const auto layer = predictor(version);
    const torch::Tensor hidden = give(frames());
    Tensors found;
    for (const auto& targets : { std::optional(model::TokenTargets { torch::tensor({ 7, 5 }), 7 }),
             std::optional<model::TokenTargets>() }) {
        const model::CifPrediction predicted = layer->predict(hidden, valid(), targets);
        for (const torch::Tensor& tensor :
            { predicted.embeds_BUD, predicted.tokens_B, predicted.alphas_BT, predicted.peaks_BT })
            found.push_back(tensor);
        if (predicted.tokens2_B.defined())
            found.push_back(predicted.tokens2_B);
    }
    return found;
}

Tensors tokenTimes(const Give& give)
{
    const auto layer = std::dynamic_pointer_cast<model::CifPredictorV3>(predictor("V3"));
    const model::TokenTimes times
        = layer->times(give(frames()), valid(), torch::tensor({ 7.0F, 5.0F }));
    return { times.alphas_BT, times.peaks_BT, times.fineAlphas_BT, times.finePeaks_BT };
}

// ---- searches

/// Logits of the next token by the last one.
class TableDecoder final : public decode::StepDecoder {
public:
    explicit TableDecoder(torch::Tensor logits_VV)
        : m_logits_VV(std::move(logits_VV))
    {
    }
    void start(const torch::Tensor&, const torch::Tensor&, int64_t) override { }
    torch::Tensor next(const torch::Tensor& tokens_N) override
    {
        return m_logits_VV.index_select(0, tokens_N);
    }
    void reorder(const torch::Tensor&) override { }

private:
    torch::Tensor m_logits_VV;
};

Tensors searched(const Give& give)
{
    TableDecoder decoder(give(torch::randn({ 30, 30 }) * 4));
    const torch::Tensor encoder = give(torch::randn({ 2, 12, kWidth }));
    const decode::S2SOptions limits { .bosIndex = 1, .eosIndex = 2 };
    const auto greedy = decode::greedyS2S(decoder, limits, encoder, lengths(), true);
    decode::S2SBeamOptions options;
    options.bosIndex = 1;
    options.eosIndex = 2;
    const auto beams = decode::beamS2S(decoder, options, encoder, lengths());
    return { greedy.scores_BK, greedy.logProbs_BKLV, beams.scores_BK, beams.logProbs_BKL };
}

/// What autocast makes of a layer's output.
at::ScalarType typeUnder(Type precision)
{
    if (precision == Type::Tf32)
        return at::kFloat;
    return precision == Type::Bf16 ? at::kBFloat16 : at::kHalf;
}

struct Part {
    const char* name;
    std::function<Tensors(const Give&)> run;
    /// One of its own that autocast must be off for, though it would leave it alone on a CPU; "":
    /// none.
    const char* operation = "";
};

const Part kParts[] = {
    { "Fbank", fbank, "aten::fft_rfft" },
    { "Fbank, differentiable", differentiableFbank, "aten::fft_rfft" },
    { "WavFrontend", wavFrontend, "aten::fft_rfft" },
    { "InputNormalization, sentence", [](const Give& give) { return normalized(give, "sentence"); },
        "aten::sub" },
    { "InputNormalization, batch", [](const Give& give) { return normalized(give, "batch"); },
        "aten::sub" },
    { "InputNormalization, global", [](const Give& give) { return normalized(give, "global"); },
        "aten::sub" },
    { "ctc_loss", ctc, "aten::ctc_loss" },
    { "nll_loss", nll, "aten::gather" },
    { "kldiv_loss", kldiv, "aten::gather" },
    { "LabelSmoothingLoss", labelSmoothing, "aten::kl_div" },
    { "softmax", softmax },
    { "CIF", [](const Give& give) { return cif(give, ""); }, "aten::sigmoid" },
    { "CIF V2", [](const Give& give) { return cif(give, "V2"); }, "aten::sigmoid" },
    { "CIF V3", [](const Give& give) { return cif(give, "V3"); }, "aten::sigmoid" },
    { "times of tokens", tokenTimes, "aten::sigmoid" },
    { "searches", searched },
};

/// With the same draws each time.
Tensors run(const Part& part, const Give& give)
{
    torch::manual_seed(6);
    return part.run(give);
}

} // namespace

/// What stays in float32 under every precision: the same bits as without autocast, of an input that
/// is rounded alike, and autocast is off inside.
class TstFloat32Parts final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void part_isComputedInFloat32_data();
    void part_isComputedInFloat32();
};

void TstFloat32Parts::part_isComputedInFloat32_data()
{
    QTest::addColumn<int>("part");
    QTest::addColumn<int>("type");
    for (int part = 0; part < static_cast<int>(std::size(kParts)); ++part)
        for (const Type type : { Type::Tf32, Type::Bf16, Type::Fp16 })
            QTest::addRow("%s, %s", kParts[part].name, precision::typeName(type).c_str())
                << part << static_cast<int>(type);
}

void TstFloat32Parts::part_isComputedInFloat32()
{
    QFETCH(int, part);
    QFETCH(int, type);
    const auto precision = static_cast<Type>(type);
    const at::ScalarType reduced = typeUnder(precision);
    const Tensors wanted
        = run(kParts[part], [&](const torch::Tensor& x) { return x.to(reduced).to(at::kFloat); });
    const tests::OperatorCalls observed;
    const Autocast autocast(precision, at::kCPU);
    const Tensors found = run(kParts[part], [&](const torch::Tensor& x) { return x.to(reduced); });
    const std::string operation = kParts[part].operation;
    QVERIFY(operation.empty() || !tests::OperatorCalls::typesOf(operation).isEmpty());
    QVERIFY(!tests::OperatorCalls::isUnderAutocast(operation));
    QCOMPARE(found.size(), wanted.size());
    for (size_t i = 0; i < found.size(); ++i) {
        QCOMPARE(found[i].scalar_type(), at::kFloat);
        QVERIFY2(torch::equal(found[i], wanted[i]), qPrintable(QString("tensor %1").arg(i)));
    }
}

EARWRIGHT_TEST(TstFloat32Parts)
#include "tst_float32_parts.moc"
