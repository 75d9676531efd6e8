#include "core/train/step_board.h"

namespace kymo::train {

void StepBoard::post(Reading reading, bool stop, bool checkpoint)
{
    m_sums = { torch::tensor(
        { reading.loss, stop ? 1.0 : 0.0, checkpoint ? 1.0 : 0.0 }, torch::kFloat64) };
    m_reading = std::move(reading);
    if (m_group.size() > 1)
        m_work = m_group.processGroup()->allreduce(m_sums);
}

std::optional<BoardEntry> StepBoard::take()
{
    if (!m_reading)
        return {};
    if (m_work) {
        const distributed::Pulse::Wait wait(m_group.pulse(), "the all-reduce of a step's numbers");
        m_work->wait();
    }
    m_work.reset();
    const auto* sums = m_sums.front().data_ptr<double>();
    BoardEntry entry {
        .reading = std::move(*m_reading), .stop = sums[1] > 0, .checkpoint = sums[2] > 0
    };
    entry.reading.loss = sums[0];
    m_reading.reset();
    return entry;
}

} // namespace kymo::train
