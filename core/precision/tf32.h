#pragma once

namespace earwright::precision {

/// Allows or forbids TF32 in cuBLAS matrix multiplies, cuDNN convolutions and cuDNN RNNs for the
/// life of the object, in the whole process: autograd's threads read the same switch. Of several
/// alive at once, on any threads, the newest rules; the end of the last restores what was before
/// the first. PyTorch itself starts with cuDNN allowed.
class Tf32Scope final {
public:
    explicit Tf32Scope(bool allowed);
    ~Tf32Scope();
    Tf32Scope(const Tf32Scope&) = delete;
    Tf32Scope& operator=(const Tf32Scope&) = delete;

private:
    struct All;
    static All& all();

    bool m_allowed;
};

} // namespace earwright::precision
