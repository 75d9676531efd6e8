#pragma once

#include "core/model/tensor_file.h"

namespace earwright::model {

/// The weights in a file that torch.save wrote (PyTorch 1.6 or later): a state_dict, or a training
/// of FunASR with one under "state_dict", "model_state_dict" or "model". A prefix "module." of all
/// names, DistributedDataParallel's, is taken off. Numbers beside the tensors become tensors of no
/// dimension; everything else is left.
///
/// Nothing in the file is executed (core/model/pickle.h), and nothing is taken on trust: a tensor
/// that its storage does not hold, or storages of more bytes than the file, are an Error. Tensors
/// are on the CPU and views of their storages: tied weights stay tied, and strides as they were.
Result<TensorFile> readTorchFile(const std::filesystem::path& path);

/// The same of safetensors too, told by what the file begins with, whatever its name is.
Result<TensorFile> readWeights(const std::filesystem::path& path);

} // namespace earwright::model
