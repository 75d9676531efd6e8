#pragma once

namespace kymo::precision {

/// Allows or forbids TF32 in cuBLAS matrix multiplies, cuDNN convolutions and cuDNN RNNs for the
/// life of the object, in the whole process: autograd's threads read the same switch. Restores what
/// was before. PyTorch itself starts with cuDNN allowed.
class Tf32Scope final {
public:
    explicit Tf32Scope(bool allowed);
    ~Tf32Scope();
    Tf32Scope(const Tf32Scope&) = delete;
    Tf32Scope& operator=(const Tf32Scope&) = delete;

private:
    bool m_cublas;
    bool m_cudnn;
};

} // namespace kymo::precision
