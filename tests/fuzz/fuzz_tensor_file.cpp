// Weights as safetensors.
#include "core/model/tensor_file.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/input_file.h"

#include <cstring>

using namespace earwright;

namespace {

/// The header up to the first NUL with its length before it, then the data.
std::string mended(std::string_view input)
{
    const std::string_view header = input.substr(0, input.find('\0'));
    const uint64_t length = header.size();
    std::string bytes(sizeof(length), '\0');
    std::memcpy(bytes.data(), &length, sizeof(length));
    bytes += header;
    return bytes.append(input.substr(std::min(header.size() + 1, input.size())));
}

bool areSame(const torch::Tensor& a, const torch::Tensor& b)
{
    return a.sizes() == b.sizes() && a.scalar_type() == b.scalar_type()
        && (a.nbytes() == 0
            || std::memcmp(a.const_data_ptr(), b.const_data_ptr(), a.nbytes()) == 0);
}

void read(std::string_view bytes)
{
    const std::filesystem::path path = fuzz::fileWith(bytes);
    const auto metadata = model::readMetadata(path);
    const Result<model::TensorFile> file = model::readTensorFile(path);
    if (!file) {
        const std::string& said = file.error().message;
        fuzz::require(said.starts_with("cannot read '"), "an error names the file", said);
        return;
    }
    fuzz::require(metadata.empty() || metadata == file->metadata, "both read the same texts");
    const std::filesystem::path copy = fuzz::folder() / "copy";
    fuzz::require(bool(model::writeTensorFile(copy, *file)), "what was read can be written");
    const Result<model::TensorFile> again = model::readTensorFile(copy);
    fuzz::require(bool(again), "and read", again ? "" : again.error().message);
    fuzz::require(
        again->metadata == file->metadata && again->tensors.size() == file->tensors.size(),
        "as it was");
    for (const auto& [name, tensor] : file->tensors)
        fuzz::require(again->tensors.contains(name) && areSame(again->tensors.at(name), tensor),
            "with its numbers", name);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    const std::string_view input = fuzz::textOf(data, size);
    read(input);
    read(mended(input));
    return 0;
}
