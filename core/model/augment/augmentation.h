#pragma once

#include "core/base/result.h"
#include "core/model/augment/random_source.h"
#include "core/recipe/node.h"

#include <memory>
#include <string>
#include <vector>

// Shapes: B rows, T samples or frames, F features.

namespace earwright::model {

struct Augmented {
    torch::Tensor x;
    torch::Tensor lengths_B; ///< relative, on the CPU
    torch::Tensor rows_B {}; ///< int64 on the CPU: the input's row that each row was made of;
                             ///< undefined: they are the input's rows
};

/// One of speechbrain.augment's classes. Nothing is changed in place, as upstream's SpectrogramDrop
/// and Warping do. Draws are made on the CPU, whatever the device of x.
class Augmentation {
public:
    virtual ~Augmentation() = default;
    /// x: waves [B, T] or features [B, T, F], whichever the class documents. lengths_B: relative,
    /// on the CPU. Nothing makes the host wait for the device of x.
    virtual Augmented apply(
        const torch::Tensor& x, const torch::Tensor& lengths_B, RandomSource& random)
        = 0;
};

/// Where a SpeedPerturb's speed is drawn: where it is applied, or, of the one that
/// settings::perUtteranceSpeed() tells, while the utterances are read: that one is left out.
enum class Speeds { Here, WhileReading };

/// The classes that makeAugmentation() builds, as the catalogue names them.
std::vector<std::string> augmentationClasses();

/// The augmentation of a resolved `!new:` node, an Augmenter with all that it holds. Errors carry
/// the place in the recipe. Whether a training can do with it: settings::refusalsOf(). Noises and
/// impulse responses are resampled to `sampleRateHz`, 0 = to their `clean_sample_rate`.
Result<std::unique_ptr<Augmentation>> makeAugmentation(
    const recipe::Node& node, Speeds speeds = Speeds::Here, int sampleRateHz = 0);

} // namespace earwright::model
