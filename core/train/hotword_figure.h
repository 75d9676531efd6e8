#pragma once

#include <string>
#include <vector>

namespace earwright::train {

/// Why the figure that `max_key` names can choose no best checkpoint: no hotword is listed, or none
/// of them spoken in the validation. "" = it can, or needs none.
std::string whyNoFigure(const std::string& maxKey, const std::vector<std::string>& hotwords,
    const std::vector<std::string>& validTexts);

} // namespace earwright::train
