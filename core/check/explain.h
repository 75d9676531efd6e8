#pragma once

#include "core/check/check.h"

#include <string>
#include <vector>

namespace earwright::check {

/// Where one effective setting comes from and who reads it. Of a run option the provenance is the
/// one that the plan keeps.
struct Explanation {
    Provenance setting; ///< `key` is a run option or a dotted path ("opt_class.lr")
    std::vector<std::string> chain; ///< "ctc.yaml:31: opt_class.lr: !ref <lr>", to where it ends
    std::vector<std::string> usedBy; ///< references to it: "ctc.yaml:31: opt_class.lr"
};

/// Every setting: devices and run options first, then the recipe's own in its order, with what the
/// classes' defaults add.
std::vector<Explanation> explainAll(const Request& request, const Findings& findings);

/// One of them; a section or an object is a setting too. The error names the nearest key.
Result<Explanation> explain(
    const Request& request, const Findings& findings, const std::string& key);

/// A line a setting: key, value, source, place, consumer.
std::string explanationTable(const std::vector<Explanation>& explanations);
/// A paragraph a setting, with its chain and its uses.
std::string explanationText(const Explanation& explanation);
/// {"settings": [{key, value, source, place, consumer, chain, used_by}]}
std::string explanationsToJson(const std::vector<Explanation>& explanations);

} // namespace earwright::check
