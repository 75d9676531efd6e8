#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace earwright::model {

/// How the encoders on this thread choose the layers that a training forward leaves out
/// (layerdrop_prob), while it lives; they may be nested. Without one each forward draws from
/// LibTorch's generator.
///
/// Upstream seeds all ranks alike, so that all leave out the same layers of a batch. Ranks of
/// Earwright draw dropout masks of their own, so the layers are drawn from a seed of the batch:
/// every rank, every part that a batch is computed in and a resumed run leave out the same.
class LayerChoice final {
public:
    LayerChoice(); ///< none is left out
    explicit LayerChoice(uint64_t seed); ///< drawn from it; alike for encoders of as many layers
    ~LayerChoice();
    LayerChoice(const LayerChoice&) = delete;
    LayerChoice& operator=(const LayerChoice&) = delete;

private:
    friend std::vector<bool> droppedLayers(int64_t count, double share);
    friend std::optional<uint64_t> seedOfBatch();

    const std::optional<uint64_t> m_seed;
    const LayerChoice* const m_outer;
};

/// By layer, whether this forward leaves it out, each with the chance `share`.
std::vector<bool> droppedLayers(int64_t count, double share);

/// The seed of the LayerChoice in force, for other draws that all parts of a batch share. Empty
/// without a LayerChoice, or where it leaves out no layer.
std::optional<uint64_t> seedOfBatch();

} // namespace earwright::model
