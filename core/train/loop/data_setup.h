#pragma once

#include "core/train/loop/run_control.h"
#include "core/train/loop/training_state.h"

#include <filesystem>

namespace earwright::train {

/// Reads what a run is trained on: manifests, which rank 0 makes where they are missing, the text
/// encoder and the hotwords. All ranks call it together.
class DataSetup final {
public:
    DataSetup(const TrainerContext& context, const RunControl& control, TrainingData& data)
        : m_in(context)
        , m_control(control)
        , m_data(data)
    {
    }

    /// Fills the data. Stopped where the run is told to stop meanwhile. Errors name file and line;
    /// what rank 0 meets alone is thrown on every rank.
    Result<Outcome> readData();

private:
    Outcome makeManifests();
    void awaitManifests();
    Status readManifests();
    Status readEncoder();
    void makeEncoderFile(const std::filesystem::path& file);
    Status readHotwords();
    void tellSpoken();

    const TrainerContext& m_in;
    const RunControl& m_control;
    TrainingData& m_data;
};

} // namespace earwright::train
