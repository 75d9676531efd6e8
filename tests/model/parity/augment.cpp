#include "tests/model/parity/runners.h"

#include "core/catalog/read.h"
#include "core/data/resample.h"
#include "core/model/augment/amplitude.h"
#include "core/model/augment/augmentation.h"
#include "core/model/augment/drop_frequency.h"
#include "core/model/augment/noise.h"
#include "core/model/augment/reverb.h"
#include "core/model/augment/speed.h"

namespace earwright::tests {

namespace {

using model::Amplitude;
using model::Augmented;

const std::string kTime = "speechbrain.augment.time_domain.";
const std::string kFrequency = "speechbrain.augment.freq_domain.";

/// A size as recorded: 3, [3], [3, [2]], its parts tensors or numbers.
std::vector<int64_t> shapeOf(const Json& size)
{
    std::vector<int64_t> shape;
    if (size.is_number())
        return { size.get<int64_t>() };
    for (const Json& part : size)
        for (const int64_t extent : shapeOf(part))
            shape.push_back(extent);
    return shape;
}

/// What upstream drew, in its order. Another question than upstream's is an error.
class Recorded final : public model::RandomSource {
public:
    /// Draws too long for the JSON are in the tensor PREFIX_i.
    Recorded(const Case& test, const Json& draws, std::string prefix)
        : m_test(test)
        , m_draws(draws)
        , m_prefix(std::move(prefix))
    {
    }

    torch::Tensor integers(int64_t low, int64_t high, at::IntArrayRef shape) override
    {
        const Json& draw = next("torch.randint");
        Json given = Json::array(); // low, high, size
        for (const Json& argument : draw.at("args"))
            given.push_back(
                argument.is_array() && argument.front().is_string() ? argument.back() : argument);
        TORCH_CHECK(
            given.at(0) == low && given.at(1) == high && shapeOf(given.at(2)) == shape.vec(),
            "draw ", m_next - 1, " is randint ", given.dump(), " upstream, here ", low, " to ",
            high, ", ", shape);
        return values(draw, at::kLong).view(shape);
    }
    torch::Tensor uniform(at::IntArrayRef shape) override
    {
        const bool isLike = m_next < m_draws.size()
            && m_draws.at(m_next).at("fn").get<std::string>() == "torch.rand_like";
        const Json& draw = next(isLike ? "torch.rand_like" : "torch.rand");
        TORCH_CHECK(shapeOf(draw.at("args")) == shape.vec(), "draw ", m_next - 1, " is rand ",
            draw.at("args").dump(), " upstream, here ", shape);
        return values(draw, at::kFloat).view(shape);
    }
    torch::Tensor permutation(int64_t count) override
    {
        const torch::Tensor order = values(next("torch.randperm"), at::kLong);
        TORCH_CHECK(order.numel() == count, "a permutation of ", order.numel(), ", not ", count);
        return order;
    }
    bool isUsedUp() const { return m_next == m_draws.size(); }

private:
    const Json& next(const std::string& function)
    {
        TORCH_CHECK(m_next < m_draws.size(), "upstream made no draw ", m_next);
        const Json& draw = m_draws.at(m_next++);
        TORCH_CHECK(draw.at("fn") == function, "draw ", m_next - 1, " is ", draw.at("fn").dump(),
            " upstream, here ", function);
        return draw;
    }

    torch::Tensor values(const Json& draw, at::ScalarType type) const
    {
        if (draw.at("values").is_string())
            return m_test.hostTensor(m_prefix + "_" + std::to_string(m_next - 1));
        std::vector<double> flat;
        for (const Json& value : draw.at("values").flatten())
            flat.push_back(value.get<double>());
        return torch::tensor(flat, at::kDouble).to(type);
    }

    const Case& m_test;
    const Json& m_draws;
    std::string m_prefix;
    size_t m_next = 0;
};

std::unique_ptr<model::Augmentation> make(const recipe::Node& node)
{
    Result<std::unique_ptr<model::Augmentation>> made = model::makeAugmentation(node);
    TORCH_CHECK(made, made ? "" : made.error().message);
    return std::move(*made);
}

/// One of a case's calls: of `className` with these arguments, on `x`.
struct Call {
    std::string className;
    Json arguments;
    torch::Tensor x;
    torch::Tensor lengths_B;
    std::string output; ///< "out.y_seed1"
    std::string prefix; ///< of the tensors of long draws
};

Augmented run(const Case& test, const Call& call, const Json& draws, Comparison& compare)
{
    Recorded random(test, draws, call.prefix);
    const torch::Tensor before = call.x.clone();
    const auto augmentation = make(*constructorNode(call.className, call.arguments));
    const Augmented augmented = augmentation->apply(call.x, call.lengths_B, random);
    compare.tensors(call.output, augmented.x, test.tensor(call.output), test.tolerance());
    compare.check(call.output + ": draws left over", random.isUsedUp());
    compare.check(call.output + ": its input was changed", torch::equal(before, call.x));
    return augmented;
}

torch::Tensor fullLengths(const torch::Tensor& x)
{
    return torch::ones({ x.size(0) });
}

void runSpectrogramDrop(const Case& test, Comparison& compare)
{
    const torch::Tensor x = test.tensor("in.x");
    for (const Json& one : test.json.at("cases")) {
        const std::string output = one.at("out").get<std::string>();
        run(test,
            { kFrequency + "SpectrogramDrop", one.at("constructor"), x, fullLengths(x), output,
                "draw" + output.substr(3) },
            one.at("draws"), compare);
    }
}

void runWarping(const Case& test, Comparison& compare)
{
    const torch::Tensor x = test.tensor("in.x");
    for (const Json& one : test.json.at("cases")) {
        const std::string output = one.at("out").get<std::string>();
        const bool isShift = output.starts_with("out.shift");
        const Augmented augmented = run(test,
            { kFrequency + (isShift ? "RandomShift" : "Warping"), one.at("constructor"), x,
                torch::tensor({ 1.0F, 0.6F }), output, "" },
            one.at("draws"), compare);
        if (isShift)
            compare.tensors(output + "_len", augmented.lengths_B, test.tensor(output + "_len"),
                test.tolerance());
    }
}

void runDropChunk(const Case& test, Comparison& compare)
{
    for (const Json& one : test.json.at("cases")) {
        const std::string seed = "seed" + one.at("seed").dump();
        run(test,
            { kTime + "DropChunk", one.at("constructor"), test.tensor("in.wav"),
                test.hostTensor("in.lens"), "out.y_" + seed, "draw." + seed },
            one.at("draws"), compare);
    }
}

/// "notch_0.05", or "notch_width0.1_0.3". Where upstream gives NaN, Earwright gives numbers.
void compareNotch(const Case& test, const std::string& name, Comparison& compare)
{
    const size_t last = name.rfind('_');
    const size_t width = name.find("width");
    const torch::Tensor taps = model::notchFilter(std::stod(name.substr(last + 1)),
        width == std::string::npos ? 0.05 : std::stod(name.substr(width + 5)));
    const torch::Tensor expected = test.tensor("out." + name).view(-1);
    if (expected.isnan().any().item<bool>())
        compare.check(name + " is finite", taps.isfinite().all().item<bool>());
    else
        compare.tensors(name, taps, expected, test.tolerance());
}

void runDropFreq(const Case& test, Comparison& compare)
{
    const torch::Tensor x = test.tensor("in.wav");
    for (const auto& [name, tensor] : test.under("out"))
        if (name.starts_with("notch"))
            compareNotch(test, name, compare);
    for (const Json& one : test.json.at("cases"))
        run(test,
            { kTime + "DropFreq", one.at("constructor"), x, fullLengths(x),
                "out.y_seed" + one.at("seed").dump(), "" },
            one.at("draws"), compare);
}

void runNoise(const Case& test, Comparison& compare)
{
    const torch::Tensor x = test.tensor("in.wav");
    const torch::Tensor lengths_B = test.hostTensor("in.lens");
    const torch::Tensor samples_B1 = (lengths_B * x.size(1)).unsqueeze(1).to(x.device());
    for (const Json& one : test.json.at("cases")) {
        std::vector<recipe::Diagnostic> diagnostics;
        const auto config = catalog::readConfig<catalog::AddNoiseConfig>(
            *constructorNode(kTime + "AddNoise", one.at("constructor")), diagnostics);
        Recorded random(test, one.at("draws"), "");
        const std::string output = "out.y_seed" + one.at("seed").dump();
        compare.tensors(output,
            model::mixNoise(x, lengths_B, { test.tensor("in.noise"), samples_B1 }, config, random),
            test.tensor(output), test.tolerance());
        compare.check(output + ": draws left over", random.isUsedUp());
    }
    const std::pair<const char*, std::optional<Amplitude>> kRescaled[]
        = { { "avg", Amplitude::Average }, { "peak", Amplitude::Peak }, { "None", std::nullopt } };
    for (const auto& [name, kind] : kRescaled)
        compare.tensors(std::string("reverb_") + name,
            model::reverberate(x, test.hostTensor("in.rir"), kind),
            test.tensor(std::string("out.reverb_") + name), test.tolerance());
    const std::pair<const char*, Amplitude> kAmplitudes[] = { { "avg", Amplitude::Average },
        { "rms", Amplitude::RootMeanSquare }, { "peak", Amplitude::Peak } };
    for (const auto& [name, kind] : kAmplitudes)
        compare.tensors(std::string("amp_") + name, model::amplitudeOf(x, kind, samples_B1),
            test.tensor(std::string("out.amp_") + name), test.tolerance());
}

void compareResampler(
    const Case& test, const torch::Tensor& x, const Finding& one, Comparison& compare)
{
    const std::string& name = one.key();
    const int from = one.at("orig_freq").as<int>();
    const data::Ratio ratio = data::rateRatio(from, one.at("new_freq").as<int>());
    const torch::Tensor resampled = model::resampleRows(x, ratio);
    compare.tensors(name, resampled, test.tensor("out." + name), test.tolerance());
    compare.equal(name + "'s divisor", from / ratio.from, one.at("gcd").whole());
    compare.equal(name + "'s length", resampled.size(-1), one.at("out_len").whole());
}

/// Upstream rounds a speed of half a percent to whole samples of its rate, Earwright does not: its
/// kernel for 97.5 % has 1641 filters of 1614 taps, where 40 do.
void compareSpeed(const Finding& one, double rounding, Comparison& compare)
{
    const double speed = one.at("speed").number();
    const data::Ratio ratio = data::speedRatio(speed / 100);
    compare.values("speed " + std::to_string(speed), static_cast<double>(ratio.from) / ratio.to,
        one.at("orig").number() / one.at("new").number(), { rounding, 0 });
}

void runResample(const Case& test, Comparison& compare)
{
    const torch::Tensor x = test.tensor("in.wav");
    for (const Finding& one : test.finding("resamplers").items())
        compareResampler(test, x, one, compare);
    run(test,
        { kTime + "SpeedPerturb", { { "orig_freq", 16000 }, { "speeds", { 95, 100, 105 } } }, x,
            fullLengths(x), "out.speedperturb_seed5", "" },
        test.json.at("draws"), compare);
    for (const Finding& one : test.finding("speedperturb_ratio").items())
        compareSpeed(one, 0, compare);
    for (const Finding& one : test.finding("speedperturb_ratio_fractional").items())
        compareSpeed(one, 1e-4, compare);
    const data::Ratio slow = data::speedRatio(0.975);
    compare.check("97.5 % in smallest terms", slow.from == 39 && slow.to == 40);
}

/// Upstream draws the type by Python's generator, which is not recorded: one of the three it is.
void compareRandomType(const Case& test, Comparison& compare)
{
    const torch::Tensor x = test.tensor("in.wav");
    model::RandomSource random;
    bool isOne = false;
    for (const char* type : { "int16", "int8", "float16" }) {
        const auto augmentation
            = make(*constructorNode(kTime + "DropBitResolution", { { "target_dtype", type } }));
        const torch::Tensor y = augmentation->apply(x, fullLengths(x), random).x;
        isOne = isOne || torch::allclose(y, test.tensor("out.bitres"), 1e-5, 1e-6);
    }
    compare.check("out.bitres: of no type", isOne);
}

void runMisc(const Case& test, Comparison& compare)
{
    const std::map<std::string, std::pair<std::string, Json>> kCalls = {
        { "doclip", { "DoClip", { { "clip_low", 0.3 }, { "clip_high", 0.5 } } } },
        { "randamp", { "RandAmp", { { "amp_low", 0.5 }, { "amp_high", 1.5 } } } },
        { "bitres_int8", { "DropBitResolution", { { "target_dtype", "int8" } } } },
        { "bitres_fp16", { "DropBitResolution", { { "target_dtype", "float16" } } } },
        { "signflip", { "SignFlip", { { "flip_prob", 0.5 } } } },
        { "fastdropchunk",
            { "FastDropChunk",
                { { "drop_length_low", 100 }, { "drop_length_high", 300 }, { "drop_count_low", 1 },
                    { "drop_count_high", 3 }, { "n_masks", 4 } } } },
    };
    const torch::Tensor x = test.tensor("in.wav");
    for (const Json& one : test.json.at("cases")) {
        const std::string output = one.at("out").get<std::string>();
        if (output == "out.bitres") {
            compareRandomType(test, compare);
            continue;
        }
        const auto& [className, arguments] = kCalls.at(output.substr(4));
        run(test, { kTime + className, arguments, x, fullLengths(x), output, "" }, one.at("draws"),
            compare);
    }
}

recipe::NodePtr augmenterNode(const Json& arguments)
{
    const auto parts = std::make_shared<recipe::Node>();
    parts->kind = recipe::Kind::Sequence;
    parts->items = { constructorNode(kTime + "SpeedPerturb",
                         { { "orig_freq", 16000 }, { "speeds", { 90, 110 } } }),
        constructorNode(kTime + "DropChunk",
            { { "drop_length_low", 50 }, { "drop_length_high", 100 }, { "drop_count_low", 1 },
                { "drop_count_high", 1 } }) };
    recipe::NodePtr node = constructorNode("speechbrain.augment.augmenter.Augmenter", arguments);
    node->entries.push_back({ recipe::makeScalar("augmentations"), parts });
    return node;
}

void runAugmenter(const Case& test, Comparison& compare)
{
    for (const Finding& one : test.finding("cases").items()) {
        const std::string output = one.at("out").as<std::string>();
        Recorded random(test, one.at("draws").whole(), "");
        const Augmented augmented
            = make(*augmenterNode(one.at("constructor").whole()))
                  ->apply(test.tensor("in.wav"), test.hostTensor("in.lens"), random);
        compare.tensors(output, augmented.x, test.tensor(output), test.tolerance());
        compare.tensors(
            output + "_len", augmented.lengths_B, test.tensor(output + "_len"), test.tolerance());
        compare.tensors(output + ": rows", augmented.rows_B,
            torch::tensor(one.at("replicated_labels_of_[0,1,2]").as<std::vector<int64_t>>()), {});
        compare.check(output + ": draws left over", random.isUsedUp());
    }
}

} // namespace

Runners augmentRunners()
{
    return {
        { "speechbrain.augment.augmenter.Augmenter([SpeedPerturb 90/110, DropChunk])",
            runAugmenter },
        { kFrequency + "SpectrogramDrop", runSpectrogramDrop },
        { kFrequency + "{Warping,RandomShift}", runWarping },
        { kTime + "AddNoise / processing.signal_processing.{reverberate,compute_amplitude}",
            runNoise },
        { kTime + "DropChunk", runDropChunk },
        { kTime + "DropFreq / processing.signal_processing.notch_filter", runDropFreq },
        { kTime + "{DoClip,RandAmp,DropBitResolution,SignFlip,FastDropChunk}", runMisc },
        { kTime + "{Resample,SpeedPerturb}", runResample },
    };
}

} // namespace earwright::tests
