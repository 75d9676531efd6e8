#pragma once

#include "core/settings/data_settings.h"
#include "core/settings/hotword_sampling.h"
#include "core/settings/labels.h"
#include "core/settings/optimizer_settings.h"

#include <optional>
#include <vector>

namespace earwright::settings {

/// What a model hears of an utterance.
struct FeatureSettings {
    int sampleRateHz = 16000; ///< `sample_rate`, that of DataSettings
    std::optional<double> heardSeconds {}; ///< heardSeconds(); none: all
    std::optional<double> encodableSeconds {}; ///< a longer one is an error; none: any length
};

/// What the recipe's task makes of the keys that others read too.
struct TaskSettings {
    OutputClasses classes {};
    std::vector<UtteranceLabel> utteranceLabels {}; ///< that its batches have
    std::optional<HotwordSampling> hotwords {}; ///< none where it does not listen for them
    bool trainsOnPhones = false; ///< trainsOnPhones()
};

/// What a resolved recipe says, read once (tasks/read_settings.h). Run options are
/// catalog::RunOptions. What lies in files of the Hub, and searches, whose files a run keeps copies
/// of, are read where they are opened.
struct Settings {
    DataSettings data {};
    FeatureSettings features {};
    OptimizerSettings optimizer {};
    TaskSettings task {};
};

} // namespace earwright::settings
