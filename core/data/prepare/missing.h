#pragma once

#include "core/data/prepare/report.h"
#include "core/recipe/node.h"

namespace earwright::data {

/// The manifests that a resolved recipe names for train, valid and test and that are not there,
/// made of the corpus in its `data_folder`; those that are there are left alone. Beside the first
/// of them are kept its checksums (checkSums()) and the report (keepReport()), which is empty where
/// nothing was to be made: settings::corpusOf() says of which recipes. `reading` is asked
/// before each file is read, `summing` before its checksum is taken. The CSVs of noises that
/// upstream's script would make of a folder that is there are made too (makeSoundCsvs()). It takes
/// the place of the prepare_… functions of upstream's train scripts.
Result<PrepareReport> prepareMissing(
    const recipe::Node& recipe, const GoOn& reading, const GoOn& summing);

} // namespace earwright::data
