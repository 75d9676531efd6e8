#include "app/cli/transcribe_options.h"

#include "core/base/number.h"
#include "core/check/check.h"
#include "core/engine/machine_probe.h"
#include "core/recipe/value_at.h"

#include <cmath>

namespace earwright::cli {

const std::vector<std::string> kTranscribeOptions { "--beam-size", "--nbest", "--lm", "--lm-weight",
    "--word-bonus", "--hotwords", "--hotword-weight", "--count-hotwords", "--batch-size",
    "--max-segment-seconds", "--device", "--data-folder", "--format", "--out", "--alignments",
    "--print-top-wer" };
const std::vector<std::string> kTranscribeFlags { "--timestamps" };

namespace {

constexpr int64_t kMost = 1000000;
constexpr int64_t kUsualBatchSize = 8;
constexpr double kLeastSegmentSeconds = 5; ///< of which the last may have a quarter

/// Reads numbers and remembers the first that is none.
class Numbers final {
public:
    explicit Numbers(const Arguments& arguments)
        : m_arguments(arguments)
    {
    }
    int64_t whole(const std::string& option)
    {
        const double value = real(option, 1);
        if (m_error.empty() && (value < 1 || value != std::floor(value) || value > kMost))
            m_error = option + " takes a whole number from 1 to " + std::to_string(kMost);
        return m_error.empty() ? static_cast<int64_t>(value) : 1;
    }
    double real(const std::string& option, double fallback = 0)
    {
        const auto text = m_arguments.option(option);
        if (!text)
            return fallback;
        const auto value = parseNumber<double>(*text);
        if (!value && m_error.empty())
            m_error = option + " takes a number, not '" + *text + "'";
        return value.value_or(fallback);
    }
    const std::string& error() const { return m_error; }

private:
    const Arguments& m_arguments;
    std::string m_error;
};

} // namespace

Result<Request> decodingAsked(const Arguments& arguments)
{
    const std::string format = arguments.option("--format").value_or("text");
    if (format != "text" && format != "json")
        return Error { "--format is text or json" };
    Numbers numbers(arguments);
    Request request;
    request.isJson = format == "json";
    train::DecodeSetting& setting = request.setting;
    setting.wantsScores = request.isJson;
    setting.languageModel = arguments.option("--lm").value_or("");
    setting.topk = numbers.whole("--nbest");
    if (arguments.has("--beam-size"))
        setting.beamSize = numbers.whole("--beam-size");
    if (arguments.has("--lm-weight"))
        setting.lmWeight = numbers.real("--lm-weight");
    if (arguments.has("--word-bonus"))
        setting.wordBonus = numbers.real("--word-bonus");
    if (arguments.has("--hotword-weight"))
        setting.hotwordWeight = numbers.real("--hotword-weight");
    if (arguments.has("--batch-size"))
        request.batchSize = numbers.whole("--batch-size");
    if (arguments.has("--print-top-wer"))
        request.topErrors = numbers.whole("--print-top-wer");
    if (arguments.has("--max-segment-seconds"))
        setting.maxSegmentSeconds = numbers.real("--max-segment-seconds");
    setting.wantsTimes = arguments.has("--timestamps");
    if (!numbers.error().empty())
        return Error { numbers.error() };
    if (!(setting.maxSegmentSeconds.value_or(kLeastSegmentSeconds) >= kLeastSegmentSeconds))
        return Error { "--max-segment-seconds takes 5 or more" };
    if (setting.wantsTimes && (setting.maxSegmentSeconds || setting.topk > 1))
        return Error { "--timestamps writes one text, and moves through a long sound by it: leave "
                       "out --nbest and --max-segment-seconds" };
    if (setting.beamSize && setting.topk > *setting.beamSize)
        return Error { "--nbest asks for more hypotheses than --beam-size keeps" };
    return request;
}

int64_t testBatchSize(const plan::Plan& plan)
{
    const std::string& loader = plan.settings.data.test.loader;
    const int64_t size = recipe::intAt(*plan.recipe, loader + ".batch_size", 0);
    return size > 0 ? size : kUsualBatchSize;
}

Result<c10::Device> deviceOf(const Arguments& arguments)
{
    const check::Machine machine = engine::probeMachine();
    const std::string asked
        = arguments.option("--device").value_or(machine.gpus.empty() ? "cpu" : "cuda");
    const auto devices = check::parseDevices(asked, machine);
    if (devices && devices->size() == 1)
        return c10::Device(devices->front());
    const std::string why = devices ? "takes one device, not " + std::to_string(devices->size())
                                    : "'" + asked + "': " + devices.error().message;
    return Error { "--device " + why.substr(0, why.find("; accepted are"))
        + "; transcribe takes cpu, cuda or cuda:N" };
}

} // namespace earwright::cli
