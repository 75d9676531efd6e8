#include "core/model/drop_masks.h"

namespace earwright::model {

namespace {

constexpr int64_t kMasks = 16000;
constexpr std::string_view kName = "drop_masks";
/// A layer's other buffers: what evaluation multiplies with, and the initial state [1, hidden].
constexpr std::string_view kMarker = "drop_mask_te";
constexpr std::string_view kInitialState = "h_init";

} // namespace

bool isDropMasks(std::string_view name)
{
    return name.ends_with('.' + std::string(kName));
}

void addDropMasks(std::map<std::string, torch::Tensor>& model)
{
    for (const auto& [name, tensor] : std::map(model)) {
        if (!name.ends_with(kMarker))
            continue;
        const std::string layer = name.substr(0, name.size() - kMarker.size());
        const auto state = model.find(layer + std::string(kInitialState));
        if (state != model.end())
            model[layer + std::string(kName)]
                = torch::ones({ kMasks, state->second.size(-1) }, state->second.options());
    }
}

} // namespace earwright::model
