#pragma once

#include <string_view>

namespace earwright::data {

// resources/templates, compiled into the library: writeFineTuning() fills in what stands as
// {{name}}.

std::string_view ctcTemplate(); ///< fine_tune_ctc.yaml
std::string_view whisperTemplate(); ///< fine_tune_whisper.yaml

} // namespace earwright::data
