#pragma once

#include "core/base/result.h"
#include "core/recipe/node.h"

#include <string>
#include <vector>

namespace earwright::train {

/// The phrases of the recipe's `hotword`, FunASR's option: a file with one a line (behind a tab
/// perhaps its weight, for a search; check/hotword_file.h), words between blanks, or a sequence of
/// phrases. None where the recipe has no such key. Errors name the file.
Result<std::vector<std::string>> recipeHotwords(const recipe::Node& recipe);

/// A task whose model itself listens for hotwords.
class HotwordListener {
public:
    virtual ~HotwordListener() = default;
    /// Instead of the recipe's. A phrase with a character that no token stands for is left out.
    /// Errors: the task at hand has no layers for it.
    virtual Status listenFor(const std::vector<std::string>& phrases) = 0;
    /// Nats by which any of them, as a whole, is preferred to what is heard otherwise, instead of
    /// the recipe's. Errors: as above; more than decode::kMostHotwordWeight.
    virtual Status prefer(double nats) = 0;
    /// Those of the latest list, the recipe's or a later one.
    virtual const std::vector<std::string>& leftOut() const = 0;
    /// Whether some of them could be written in the other case: what to try. "" = none.
    virtual const std::string& hint() const = 0;
};

/// What a user is to know of them; "" where there are none.
std::string leftOutText(const std::vector<std::string>& phrases);

} // namespace earwright::train
