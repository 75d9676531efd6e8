#include "core/train/step_reducer.h"

namespace earwright::train {

void StepReducer::begin(std::optional<Reading> reading, const Votes& votes)
{
    m_sums = { torch::tensor(
        { reading ? reading->loss : 0.0, votes.stop ? 1.0 : 0.0, votes.checkpoint ? 1.0 : 0.0,
            votes.pause ? 1.0 : 0.0, votes.learningRate },
        torch::kFloat64) };
    m_reading = std::move(reading);
    if (m_group.size() > 1)
        m_work = m_group.processGroup()->allreduce(m_sums);
}

ReducedStep StepReducer::finish()
{
    if (m_work) {
        const distributed::Pulse::Wait wait(m_group.pulse(), "the all-reduce of a step's numbers");
        m_work->wait();
    }
    m_work.reset();
    const auto* sums = m_sums.front().data_ptr<double>();
    ReducedStep entry { .reading = std::move(m_reading),
        .votes = { .stop = sums[1] > 0,
            .checkpoint = sums[2] > 0,
            .pause = sums[3] > 0,
            .learningRate = sums[4] } };
    if (entry.reading)
        entry.reading->loss = sums[0];
    return entry;
}

} // namespace earwright::train
