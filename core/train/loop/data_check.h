#pragma once

#include "core/data/fingerprint.h"
#include "core/train/loop/run_control.h"
#include "core/train/loop/training_state.h"

#include <string>
#include <vector>

namespace earwright::train {

/// Looks at the data before the first step: whether they are what the run read before, and whether
/// every file can be read. All ranks call it together; rank 0 works.
class DataCheck final {
public:
    DataCheck(const TrainerContext& context, const RunControl& control, const TrainingState& state)
        : m_in(context)
        , m_control(control)
        , m_data(state.data)
        , m_progress(state.progress)
    {
    }

    /// What the run was begun with, and each time after a change was told, is in its data.json.
    void compareData();
    /// Every file is opened once before the first step: a broken one is told now, not hours into an
    /// epoch. That takes minutes of a large set, so what is wrong with the model and its weights is
    /// told first. Throws what is wrong on every rank. Stopped where the run is told to stop.
    Outcome inspectData();

private:
    std::vector<data::Fingerprint> fingerprints() const;
    void tellChanged(const data::Fingerprint& set, const std::string& how);
    void inspectSplit(const Split& split);
    void tellShared();

    const TrainerContext& m_in;
    const RunControl& m_control;
    const TrainingData& m_data;
    const Progress& m_progress;
    bool m_hasOtherData = false; ///< than the run read before; rank 0
};

} // namespace earwright::train
