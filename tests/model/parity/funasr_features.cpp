#include "tests/model/parity/runners.h"

#include "core/catalog/read.h"
#include "core/model/paraformer/spec_aug_lfr.h"
#include "core/model/paraformer/wav_frontend.h"

#include <deque>

namespace earwright::tests {

namespace {

template <class Config>
Config configOf(const Case& test, const Json& arguments)
{
    std::vector<recipe::Diagnostic> diagnostics;
    const auto config = catalog::readConfig<Config>(
        *constructorNode(test.json.at("upstream").get<std::string>(), arguments), diagnostics);
    if (!diagnostics.empty())
        throw std::runtime_error(diagnostics.front().message);
    return config;
}

void compareFeatures(const Case& test, const std::string& name, const Json& arguments,
    const torch::Tensor& wav, Comparison& compare)
{
    model::WavFrontend frontend(configOf<catalog::WavFrontendConfig>(test, arguments));
    const torch::Tensor samples = test.hostTensor("in.lens");
    const Tolerance tolerance = test.tolerance();
    compare.tensors("out." + name, frontend.forward(wav, samples.to(torch::kDouble) / wav.size(1)),
        test.tensor("out." + name), tolerance);
    compare.tensors("out." + name + "_lens", frontend.frameCounts(samples),
        test.tensor("out." + name + "_lens"), {});
}

void runFrontend(const Case& test, Comparison& compare)
{
    constexpr int kLongest = 15;
    Json arguments = test.json.at("constructor");
    arguments["cmvn_file"] = (test.folder / arguments.at("cmvn_file").get<std::string>()).string();
    const torch::Tensor& wav = test.tensor("in.wav");
    compareFeatures(test, "lfr_cmvn", arguments, wav, compare);
    arguments.erase("cmvn_file");
    compareFeatures(test, "lfr", arguments, wav, compare);
    arguments["lfr_m"] = arguments["lfr_n"] = 1;
    compareFeatures(test, "fbank", arguments, wav, compare);
    for (int frames = 1; frames <= kLongest; ++frames) {
        const std::string count = std::to_string(frames);
        const torch::Tensor x = test.tensor("in.lfrx" + count).unsqueeze(0);
        compare.tensors("lfr of " + count + " frames",
            model::stackFrames(x, torch::tensor({ frames }, torch::kLong), 7, 6).squeeze(0),
            test.tensor("out.lfry" + count), {});
    }
}

/// Plays the recorded draws back, and compares what is asked for.
class Playback final : public model::RandomSource {
public:
    Playback(const Json& calls, Comparison& compare)
        : m_left(calls.begin(), calls.end())
        , m_compare(compare)
    {
    }

    torch::Tensor integers(int64_t low, int64_t high, at::IntArrayRef shape) override
    {
        if (m_left.empty())
            throw std::runtime_error("more draws than upstream's");
        const Json call = m_left.front();
        m_left.pop_front();
        const Json asked { low, high, shape.vec() };
        m_compare.check("draw " + asked.dump() + ", upstream's " + call.at("args").dump(),
            asked == call.at("args"));
        torch::Tensor values = torch::zeros(shape, torch::kLong);
        for (int64_t row = 0; row < shape[0]; ++row)
            for (int64_t mask = 0; mask < shape[1]; ++mask)
                values[row][mask] = call.at("values")
                                        .at(static_cast<size_t>(row))
                                        .at(static_cast<size_t>(mask))
                                        .get<int64_t>();
        return values;
    }
    bool isUsedUp() const { return m_left.empty(); }

private:
    std::deque<Json> m_left;
    Comparison& m_compare;
};

void runSpecAug(const Case& test, Comparison& compare)
{
    for (const auto& [name, recorded] : test.json.at("cases").items()) {
        const auto draws = std::make_shared<Playback>(recorded.at("randint_calls"), compare);
        model::SpecAugLfr masking(
            configOf<catalog::SpecAugLfrConfig>(test, recorded.at("constructor")), draws);
        masking.train();
        const torch::Tensor x = test.tensor("in.x_" + name).to(torch::kFloat);
        const torch::Tensor expected = test.tensor("out.zero_mask_" + name).to(torch::kBool);
        compare.tensors(name, masking.forward(x), x.masked_fill(expected, 0), {});
        compare.check(name + ": draws left over", draws->isUsedUp());
        masking.eval();
        compare.tensors(name + " in evaluation", masking.forward(x), x, {});
    }
}

} // namespace

Runners funasrFeatureRunners()
{
    return { { "funasr.frontends.wav_frontend.WavFrontend", runFrontend },
        { "funasr.models.specaug.specaug.SpecAugLFR", runSpecAug } };
}

} // namespace earwright::tests
