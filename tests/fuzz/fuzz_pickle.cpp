// What torch.save writes beside the tensors' numbers.
#include "core/model/pickle.h"
#include "tests/fuzz/fuzz.h"

using namespace earwright;

namespace {

/// Whatever a tensor is made of was read, and no list of it is longer than the limit.
void requireSound(const model::PickledTensor& tensor)
{
    fuzz::require(tensor.sizes.size() <= 64 && tensor.strides.size() <= 64, "few dimensions");
    fuzz::require(tensor.storage.key.size() <= 64, "a short key");
    fuzz::require(tensor.storage.type.ends_with("Storage"), "a storage of a known type");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    const auto pickle = model::Pickle::parse(fuzz::textOf(data, size));
    if (!pickle) {
        const std::string& said = pickle.error().message;
        fuzz::require(said.starts_with("its pickle ") && said.ends_with(")"), "says where", said);
        return 0;
    }
    if (const auto* dict = pickle->root().as<model::PickleDict>()) {
        for (const auto& [key, value] : dict->entries) {
            if (const auto* tensor = value->as<model::PickledTensor>())
                requireSound(*tensor);
            fuzz::require(key != nullptr && value != nullptr, "no entry is half");
        }
    }
    return 0;
}
