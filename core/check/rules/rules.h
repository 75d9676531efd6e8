#pragma once

#include "core/check/context.h"

namespace earwright::check::rules {

/// coverage-not-in-modules, coverage-not-checkpointed, coverage-evaluation-only,
/// coverage-decoder-copy, evaluation-only-name
void coverage(const Context& context, Diagnostics& found);
/// unused-module
void unusedModules(const Context& context, Diagnostics& found);
/// precision-name, precision-device
void precision(const Context& context, Diagnostics& found);
/// backend-device
void distributedBackend(const Context& context, Diagnostics& found);
/// version-driver, version-cuda, version-nccl, device-too-old; only where a GPU is used
void versions(const Context& context, Diagnostics& found);
/// device-lost, device-in-use: what the driver says of the GPUs that are asked for
void gpuState(const Context& context, Diagnostics& found);
/// tf32-switch
void tf32Switches(const Context& context, Diagnostics& found);
/// option-type, option-range of what the data side reads; no-effect: an override of what it does
/// not
void dataSettings(const Context& context, Diagnostics& found);
/// unread-key
void unreadKeys(const Context& context, Diagnostics& found);
/// unread-key: a key that another task reads
void otherTasks(const Context& context, Diagnostics& found);
/// class-not-supported: what upstream trains by scripts that no task follows, in one sentence.
/// Layers that are missing here for that reason are not reported again.
void otherProcedureIn(const Context& context, Diagnostics& found);
/// augmentation: what upstream's scripts run by themselves, and what nothing runs
void loneAugmentations(const Context& context, Diagnostics& found);
/// look-alike-key
void lookAlikes(const Context& context, Diagnostics& found);
/// number-in-quotes, decimal-comma, number-without-point
void numbers(const Context& context, Diagnostics& found);
/// tuple-tag
void tuples(const Context& context, Diagnostics& found);
/// full-width; of the text, since a full-width colon leaves nothing to resolve
void fullWidth(const Request& request, Diagnostics& found);
/// missing-file
void missingFiles(const Context& context, Diagnostics& found);
/// pretrained-folder
void pretrainedFolder(const Context& context, Diagnostics& found);
/// unknown-class
void classes(const Context& context, Diagnostics& found);
/// argument-type, argument-range, unknown-argument, missing-argument
void arguments(const Context& context, Diagnostics& found);
/// task-unnamed, task-inferred, task-unknown, task-missing, class-not-supported
void task(const Context& context, Diagnostics& found);
/// Those of the task that the recipe names: argument-type, argument-range, search, task-missing,
/// class-not-supported, shape-mismatch
void ownRules(const Context& context, Diagnostics& found);
/// shape-mismatch
void shapes(const Context& context, Diagnostics& found);
/// shape-multiple, shape-vocabulary
void layerSizes(const Context& context, Diagnostics& found);
/// A list, neither of a class nor of another tag.
bool isPlainList(const recipe::Node& node);
/// option-type, of keys that are read as text; by manifests()
void textKeys(const Context& context, Diagnostics& found);
/// manifest-missing-file, manifest-missing-column, data-manifest (it is no text)
void manifests(const Context& context, Diagnostics& found);

/// optim-param-groups
void parameterGroups(const Context& context, Diagnostics& found);
/// freeze-param
void frozenParameters(const Context& context, Diagnostics& found);

/// augmentation
void augmentations(const Context& context, Diagnostics& found);

/// argument-range: an input normalisation that would have no statistics
void normalization(const Context& context, Diagnostics& found);

/// option-conflict, no-effect: what upstream's scripts read beside the objects
void scriptSettings(const Context& context, Diagnostics& found);

/// no-effect: an argument that another one overrules, or that no run follows
void effects(const Context& context, Diagnostics& found);

} // namespace earwright::check::rules
