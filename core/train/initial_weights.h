#pragma once

#include "core/base/result.h"
#include "core/recipe/node.h"

#include <filesystem>
#include <map>
#include <string>
#include <torch/torch.h>

namespace kymo::train {

/// The weights that `init_param` names, on the CPU, as far as possible under the names of the
/// recipe's `modules` (Checkpoint::model). `path` is
/// - a safetensors file or one of torch.save: a checkpoint's, FunASR's model.pt;
/// - a file NAME.ckpt of SpeechBrain. Where the recipe's checkpointer has NAME among its
///   `recoverables`, and else where any of these is a torch.nn.ModuleList, "0.…" means the list's
///   first object;
/// - a checkpoint of Kymo, a folder with model.safetensors;
/// - one of SpeechBrain, a folder CKPT+…: NAME.ckpt of each of the `recoverables` that is one of
///   `modules`, a list of them or the input normalisation.
/// Errors name the file; nothing in it is executed (core/model/torch_file.h).
Result<std::map<std::string, torch::Tensor>> readInitialWeights(
    const std::filesystem::path& path, const recipe::Node& recipe);

/// Of a run of Kymo its best checkpoint, or the last where none was judged; else `given` itself. A
/// run that still trains may give another one a moment later.
std::filesystem::path initialWeightsPath(const std::filesystem::path& given);

} // namespace kymo::train
