#include "core/train/optim/encoder_learning.h"

#include "core/base/text.h"

#include <algorithm>
#include <set>
#include <torch/utils.h>

namespace earwright::train {

namespace {

constexpr const char* kRateState = "lr";
constexpr const char* kScheduleState = "schedule";
const std::string kBeforeEpoch = "before_epoch.";
const std::string kOptimizerState = "optimizer.";

torch::Tensor asBytes(const std::string& text)
{
    const torch::Tensor bytes = torch::empty({ std::ssize(text) }, torch::kUInt8);
    std::copy(text.begin(), text.end(), bytes.data_ptr<uint8_t>());
    return bytes;
}

std::string fromBytes(const torch::Tensor& bytes)
{
    const torch::Tensor whole = bytes.to(torch::kUInt8).cpu().contiguous();
    const auto* begin = whole.const_data_ptr<uint8_t>();
    return { begin, begin + whole.numel() };
}

} // namespace

DividedParameters divideParameters(
    const ModuleSet& modules, const settings::OptimizerSettings& settings)
{
    std::set<const void*> ofEncoder;
    for (const std::string& key : settings.ofEncoder ? settings.ofEncoder->layers : Names())
        if (const auto encoder = modules.find(key))
            for (const torch::Tensor& parameter : encoder->parameters())
                ofEncoder.insert(parameter.unsafeGetTensorImpl());
    DividedParameters divided;
    for (const auto& parameter : modules.parameters())
        (ofEncoder.contains(parameter.second.unsafeGetTensorImpl()) ? divided.ofEncoder
                                                                    : divided.others)
            .push_back(parameter);
    return divided;
}

Result<std::unique_ptr<EncoderLearning>> EncoderLearning::make(
    const settings::EncoderOptimizer& settings, const NamedParameters& parameters,
    bool removeVectorWeightDecay)
{
    std::vector<torch::Tensor> tensors;
    for (const auto& [name, tensor] : parameters)
        tensors.push_back(tensor);
    if (tensors.empty())
        return Error { join(settings::encoderOptimizerKeys(), " or ")
            + " has nothing to train: 'freeze_param' freezes all of the pretrained encoder, or it "
              "is not in 'modules'" };
    std::vector<recipe::Diagnostic> found;
    std::unique_ptr<EncoderLearning> learning(new EncoderLearning());
    learning->m_optimizer
        = makeOptimizer(*settings.optimizer, std::move(tensors), found, removeVectorWeightDecay);
    if (auto schedule = makeSchedule(settings.schedule.get(), found))
        learning->m_schedule = std::make_unique<ScaledSchedule>(std::move(schedule));
    if (const Status right = recipe::firstError(found); !right)
        return right.error();
    learning->m_warmupSteps = settings.warmupSteps;
    learning->m_firstRate = learning->rate();
    return learning;
}

void EncoderLearning::start()
{
    setLearningRate(*m_optimizer, m_schedule->firstRate(rate()));
}

void EncoderLearning::afterStep()
{
    setLearningRate(*m_optimizer, m_schedule->afterStep(rate()));
}

void EncoderLearning::afterEpoch(double metric)
{
    setLearningRate(*m_optimizer, m_schedule->afterEpoch(rate(), metric));
}

void EncoderLearning::scale(double ratio)
{
    m_schedule->scale(ratio);
    setLearningRate(*m_optimizer, ratio * rate());
}

std::optional<double> EncoderLearning::layOutAnew()
{
    const std::optional<double> replayed = m_schedule->replayed(m_firstRate);
    if (replayed)
        setLearningRate(*m_optimizer, *replayed);
    return replayed;
}

EncoderLearning::State EncoderLearning::stateOfRate() const
{
    return { { kRateState, torch::tensor({ rate() }, torch::kFloat64) },
        { kScheduleState, asBytes(m_schedule->state()) } };
}

EncoderLearning::State EncoderLearning::state() const
{
    State state = stateOfRate();
    for (const auto& [name, tensor] : m_before)
        state.emplace_back(kBeforeEpoch + name, tensor);
    for (const auto& [name, tensor] : optimizerState(*m_optimizer))
        state.emplace_back(kOptimizerState + name, tensor);
    return state;
}

Status EncoderLearning::restore(const std::map<std::string, torch::Tensor>& state, bool isBefore)
{
    const std::string prefix = isBefore ? kBeforeEpoch : "";
    for (const char* name : { kRateState, kScheduleState })
        if (!state.contains(prefix + name))
            return Error { "the checkpoint has no optimizer of the pretrained encoder (" + prefix
                + name
                + "): it was frozen or had no optimizer of its own. Resume with the settings of "
                  "then, or begin a new run with 'init_param'" };
    State ofOptimizer;
    for (const auto& [name, tensor] : state)
        if (name.starts_with(kOptimizerState))
            ofOptimizer.emplace_back(name.substr(kOptimizerState.size()), tensor);
    restoreOptimizerState(*m_optimizer, ofOptimizer);
    setLearningRate(*m_optimizer, state.at(prefix + kRateState).item<double>());
    m_before.clear();
    if (!isBefore && state.contains(kBeforeEpoch + kRateState)
        && state.contains(kBeforeEpoch + kScheduleState))
        m_before = { { kRateState, state.at(kBeforeEpoch + kRateState) },
            { kScheduleState, state.at(kBeforeEpoch + kScheduleState) } };
    const Status read = m_schedule->restore(fromBytes(state.at(prefix + kScheduleState)));
    return read ? read
                : Status(Error { "the checkpoint's state of the pretrained encoder's schedule is "
                                 "damaged or of another class: "
                    + read.error().message });
}

} // namespace earwright::train
