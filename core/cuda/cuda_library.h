#pragma once

#include "core/base/result.h"
#include "core/cuda/cuda_part.h"

#include <filesystem>

namespace earwright::cuda {

/// Null where no driver of CUDA is installed, or the part cannot be loaded. The first call loads
/// it; LibTorch knows of CUDA from then on, so it comes before LibTorch is asked for a GPU.
/// Any thread.
const CudaPart* cudaPart();

/// Why cudaPart() is null although a driver is installed; else "".
const std::string& cudaPartFailure();

/// Loads the part from this file. Errors: it is missing, needs what is missing, or is of another
/// version.
Result<const CudaPart*> loadCudaPart(const std::filesystem::path& library);

/// Beside the program: earwright_cuda.so.
std::filesystem::path cudaLibrary();

} // namespace earwright::cuda
