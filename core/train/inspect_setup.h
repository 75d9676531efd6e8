#pragma once

#include "core/plan/plan.h"
#include "core/recipe/diagnostic.h"
#include "core/train/module_set.h"

#include <vector>

namespace earwright::train {

/// What a run refuses before its first step, found by the run's own readers: its sets and their
/// batches, its text encoder, its layers against the labels, its optimizer and schedule. The model
/// is built on the CPU. A tokenizer is trained on a MiB of different texts at most; all sets are
/// looked at with it (data::inspectTokens()) where these are all texts that there are. Other rules:
/// label-count and set-up, at the key that they are about. Nothing of manifests that do not exist
/// yet.
std::vector<recipe::Diagnostic> inspectSetUp(const plan::Plan& plan);

/// Layers that are left out now and then are not the same in every step.
Status fitsStaticGraph(const ModuleSet& modules, const plan::RunOptions& options);
bool dropsLayers(const ModuleSet& modules);

} // namespace earwright::train
