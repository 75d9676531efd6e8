#pragma once

#include "core/base/result.h"
#include "core/catalog/run_options.h"
#include "core/recipe/node.h"
#include "core/train/module_set.h"
#include "core/train/task/unmatched.h"

#include <filesystem>
#include <map>
#include <string>
#include <torch/types.h>
#include <vector>

namespace earwright::train {

/// Paths whose weights are averaged; one is taken as it is.
using WeightSource = std::vector<std::filesystem::path>;

/// What `init_param` names: paths separated by commas, or one whose name has them. A run of
/// Earwright is what it is judged by: its best checkpoint, or the last where none was judged, and
/// with avg_checkpoints the best, newest first, as the test takes their mean. A run that still
/// trains may give another answer a moment later.
std::vector<WeightSource> initialSources(const std::string& initParam);

/// The weights of one path, on the CPU, as far as possible under the names of the recipe's
/// `modules` (Checkpoint::model). `path` is
/// - a safetensors file or one of torch.save: a checkpoint's, FunASR's model.pt;
/// - a file NAME.ckpt of SpeechBrain. Where the recipe's checkpointer has NAME among its
///   `recoverables`, and else where any of these is a torch.nn.ModuleList, "0.…" means the list's
///   first object; a normalizer.ckpt is the statistics of the recipe's input normalisation;
/// - a checkpoint of Earwright, a folder with model.safetensors, or a capsule of earwright export;
/// - one of SpeechBrain, a folder CKPT+…: NAME.ckpt of each of the `recoverables` that is one of
///   `modules`, a list of them or the input normalisation. One of its hub names the list asr.ckpt,
///   or has a single file that nothing else explains.
/// Errors name the file; nothing in it is executed (core/model/torch_file.h).
Result<std::map<std::string, torch::Tensor>> readInitialWeights(
    const std::filesystem::path& path, const recipe::Node& recipe);

/// Of a source. The mean is averageCheckpoints()'.
Result<std::map<std::string, torch::Tensor>> readInitialWeights(
    const WeightSource& source, const recipe::Node& recipe);

/// Of what the recipe's `pretrainer` loads (readLoadedLayers()), then of all sources; of a name
/// that several have, the last one's. What a source calls as the modules would without their
/// adapters is theirs (model::nameBeforeAdapting()). Errors too: NaN in a tensor that the modules
/// or the input normalisation take.
Result<std::map<std::string, torch::Tensor>> readInitialWeights(
    const std::vector<WeightSource>& sources, const recipe::Node& recipe, const ModuleSet& modules);

/// For people: the path, or "the mean of RUN/checkpoints/step-9, step-8".
std::string nameOf(const WeightSource& source);
std::string nameOf(const std::vector<WeightSource>& sources);

/// "" where a training can start from weights that differ so from the modules', else
/// " has none of the recipe's weights …". What is drawn in their place must not be frozen.
std::string whyNoStart(
    const Unmatched& unmatched, const ModuleSet& modules, const catalog::RunOptions& options);

/// Whether the recipe normalises by statistics of its training that these weights do not have.
bool lackStatistics(
    const std::map<std::string, torch::Tensor>& weights, const recipe::Node& recipe);

} // namespace earwright::train
