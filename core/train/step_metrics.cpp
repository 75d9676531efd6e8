#include "core/train/step_metrics.h"

#include "core/base/text.h"
#include "core/train/clock.h"

#include <algorithm>
#include <c10/core/Event.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <cmath>

namespace earwright::train {

namespace {

constexpr size_t kNamed = 3; ///< utterances of a batch that a line of the log names

} // namespace

/// A point in the device's work; on the CPU, in the host's time.
struct StepMetrics::Moment {
    double host = 0;
    std::unique_ptr<c10::Event> device;

    double secondsUntil(const Moment& later) const
    {
        return device ? device->elapsedTime(*later.device) / 1000 : later.host - host;
    }
};

struct StepMetrics::Pending {
    Reading known;
    torch::Tensor values;
    std::shared_ptr<Moment> begin;
    std::shared_ptr<Moment> end;
};

std::string named(const std::vector<std::string>& utterances)
{
    std::vector<std::string> quoted;
    for (const std::string& id : utterances)
        quoted.push_back(inQuotes(id));
    return listFirst(std::move(quoted), kNamed);
}

std::shared_ptr<StepMetrics::Moment> StepMetrics::moment() const
{
    auto moment = std::make_shared<Moment>();
    moment->host = now();
    if (m_device.is_cuda()) {
        moment->device
            = std::make_unique<c10::Event>(m_device.type(), c10::EventFlag::BACKEND_DEFAULT);
        moment->device->record(c10::impl::VirtualGuardImpl(m_device.type()).getStream(m_device));
    }
    return moment;
}

void StepMetrics::start()
{
    m_lastDone = moment();
}

void StepMetrics::push(Reading known, const std::vector<torch::Tensor>& values)
{
    auto pending = std::make_shared<Pending>();
    pending->known = std::move(known);
    std::vector<torch::Tensor> wide;
    for (const torch::Tensor& value : values)
        wide.push_back(value.detach().to(m_device, torch::kFloat64));
    const torch::Tensor stacked = torch::stack(wide);
    if (m_device.is_cuda()) {
        pending->values = torch::empty(
            stacked.sizes(), torch::TensorOptions(torch::kFloat64).pinned_memory(true));
        pending->values.copy_(stacked, true);
    } else {
        pending->values = stacked;
    }
    pending->begin = m_lastDone;
    pending->end = m_lastDone = moment();
    m_pending.push_back(std::move(pending));
}

std::optional<Reading> StepMetrics::pop()
{
    if (m_pending.empty())
        return {};
    const std::shared_ptr<Pending> pending = m_pending.front();
    m_pending.pop_front();
    if (pending->end->device)
        pending->end->device->synchronize();
    Reading reading = pending->known;
    const auto* values = pending->values.data_ptr<double>();
    reading.loss = values[0];
    reading.isLossFinite = std::isfinite(reading.loss);
    reading.gradNorm = values[1];
    reading.foundInf = values[2] != 0;
    reading.lossScale = values[3];
    reading.seconds = pending->begin->secondsUntil(*pending->end);
    for (double* waited : { &reading.dataWait, &reading.reduceWait })
        *waited = reading.seconds > 0 ? std::min(1.0, *waited / reading.seconds) : 0;
    return reading;
}

} // namespace earwright::train
