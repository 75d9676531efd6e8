#include "core/precision/tf32.h"

#include <ATen/Context.h>

namespace kymo::precision {

Tf32Scope::Tf32Scope(bool allowed)
    : m_cublas(at::globalContext().allowTF32CuBLAS())
    , m_cudnn(at::globalContext().allowTF32CuDNN())
{
    at::globalContext().setAllowTF32CuBLAS(allowed);
    at::globalContext().setAllowTF32CuDNN(allowed);
}

Tf32Scope::~Tf32Scope()
{
    at::globalContext().setAllowTF32CuBLAS(m_cublas);
    at::globalContext().setAllowTF32CuDNN(m_cudnn);
}

} // namespace kymo::precision
