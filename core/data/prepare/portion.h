#pragma once

#include "core/data/prepare/extent.h"
#include "core/data/prepare/own_columns.h"

#include <string>

namespace earwright::data {

/// How much of its file a row of a list is.
struct Portion {
    Share share = Share::Unsaid;
    Cut cut = {}; ///< of a part, with its end
    std::string whyNone = {}; ///< why it is not read
    bool isReadable = true; ///< the file
};

/// Opens the file only where the row says where it begins or ends in it.
Portion portionOf(const OwnRow& row);

/// "-0001500-0003250", in milliseconds: parts of one file sorted by it are in their order.
std::string suffixOf(const Cut& cut);

} // namespace earwright::data
