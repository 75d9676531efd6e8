#pragma once

#include "core/base/result.h"
#include "core/train/module_set.h"

#include <cstdint>
#include <map>
#include <string>
#include <torch/types.h>
#include <vector>

namespace earwright::train {

/// Where one tensor of the model is, as it stands on this rank.
struct Placement {
    std::string key; ///< of the recipe: "ctc_lin"
    std::string place; ///< of that key in the recipe: "ctc.yaml:52"; "" where it is not known
    std::string name; ///< upstream's: "w.weight"
    std::string kind; ///< "parameter", "frozen" (does not ask for a gradient) or "buffer"
    std::vector<int64_t> shape;
    c10::ScalarType dtype = c10::kFloat;
    c10::Device device = c10::kCPU;
    bool isInModules = false; ///< reachable from `modules`: moved, optimised, saved
};

/// Every parameter and buffer of every layer that the task uses, under `modules` or not.
/// `places`: Plan::places.
std::vector<Placement> placementsOf(
    const ModuleSet& modules, const std::map<std::string, std::string>& places);

/// What upstream finds out in the middle of a step, or never: each tensor must be on the rank's
/// device, each floating one float32 (autocast casts copies; the weights themselves stay), each
/// parameter that asks for a gradient reachable from `modules`. The error names layer, place and
/// what to do, one line a layer.
Status verifyPlacement(const std::vector<Placement>& placements, c10::Device device);

/// Tab-separated with a header: key, place, name, kind, shape, dtype, device, in_modules.
std::string placementTable(const std::vector<Placement>& placements);

} // namespace earwright::train
