#pragma once

#include "core/recipe/node.h"

#include <cstdint>
#include <string>
#include <vector>

namespace earwright::tasks::paraformer {

/// A size of a Paraformer's layers that does not go with another one's.
struct SizeMisfit {
    recipe::NodePtr layer;
    std::string argument; ///< of the layer
    std::string message;
    int64_t fitting = 0; ///< what would fit there; 0 = not for others to say
};

/// Of the tasks paraformer and seaco_paraformer: the decoder and, with a CTC loss, the CTC branch
/// are as wide as the encoder, and score the same tokens. Layers are left out as below.
std::vector<SizeMisfit> recogniserSizeMisfits(const recipe::Node& root);

/// Of a task seaco_paraformer: hotwords are embedded by the decoder, become vectors as wide as it,
/// and end as scores of its tokens. The first is what the others may follow from. A layer that is
/// not given, of another class or with arguments that cannot be read is left out.
std::vector<SizeMisfit> seacoSizeMisfits(const recipe::Node& root);

} // namespace earwright::tasks::paraformer
