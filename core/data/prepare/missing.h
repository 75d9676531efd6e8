#pragma once

#include "core/data/prepare/report.h"
#include "core/recipe/node.h"

namespace kymo::data {

/// The manifests that a resolved recipe names for train, valid and test and that are not there,
/// made of the corpus in its `data_folder`; those that are there are left alone. The report is kept
/// beside the first of them (keepReport()), and empty where nothing was to be made:
/// check::makesManifests() says of which recipes. It takes the place of the prepare_… functions of
/// upstream's train scripts.
Result<PrepareReport> prepareMissing(const recipe::Node& recipe, const GoOn& goOn);

} // namespace kymo::data
