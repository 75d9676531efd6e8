#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <map>
#include <string>
#include <torch/types.h>

namespace earwright::model {

/// A safetensors file: named tensors and a map of text. Format:
/// https://huggingface.co/docs/safetensors
struct TensorFile {
    std::map<std::string, torch::Tensor> tensors; ///< on the CPU, contiguous
    std::map<std::string, std::string> metadata;
};

/// Errors name the path and what is wrong (truncated, header not JSON, offsets outside the file).
Result<TensorFile> readTensorFile(const std::filesystem::path& path);
/// Its map of text, without its tensors; empty of what is no such file.
std::map<std::string, std::string> readMetadata(const std::filesystem::path& path);
/// Atomic (core/base/file.h): a crash or a full disk leaves the previous file whole.
Status writeTensorFile(const std::filesystem::path& path, const TensorFile& file);

} // namespace earwright::model
