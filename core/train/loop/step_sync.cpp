#include "core/train/loop/step_sync.h"

namespace earwright::train {

void StepSync::beginStepSync()
{
    std::optional<distributed::Pulse::Wait> wait;
    if (!m_in.device.is_cpu() && m_in.group.size() > 1)
        // The host waits here for the device, and the device for the other ranks.
        wait.emplace(m_in.group.pulse(),
            "the all-reduces on the device before step " + std::to_string(m_progress.step));
    std::optional<Reading> reading = m_metrics.pop();
    wait.reset();
    m_reducer.begin(std::move(reading), m_to.control.votes());
}

Status StepSync::finishStepSync()
{
    const ReducedStep entry = m_reducer.finish();
    m_to.control.agree(entry.votes);
    if (!entry.reading)
        return Done {};
    m_to.reporter.reportReading(*entry.reading);
    return m_to.nonFinite.check(*entry.reading);
}

Status StepSync::flushMetrics()
{
    beginStepSync();
    return finishStepSync();
}

} // namespace earwright::train
