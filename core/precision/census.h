#pragma once

#include <array>
#include <map>
#include <string>

namespace earwright::precision {

/// Proof of the precision that ran: the share of matrix-multiply work (mm, addmm, bmm, baddbmm,
/// attention, convolution and RNN kernels with their backward, counted in FLOP from the shapes of
/// the innermost operator) per dtype, over the life of the object. Sees every thread of the
/// process, so also autograd's. Costs a little per operator: meant for one step, not for a whole
/// run. Keys of shares(): "float32", "tf32", "float16", "bfloat16", "float64"; only those with
/// work, adding up to 1. float32 on a GPU counts as tf32 where cuBLAS or cuDNN may use it.
class Census final {
public:
    Census();
    ~Census();
    Census(const Census&) = delete;
    Census& operator=(const Census&) = delete;

    std::map<std::string, double> shares() const; ///< empty where nothing ran
    double flops() const;

    static constexpr size_t kKinds = 5;

private:
    std::array<double, kKinds> worked() const;
    std::array<double, kKinds> m_atStart;
};

} // namespace earwright::precision
