#include "core/model/torch_file.h"

#include "core/base/no_weights.h"
#include "core/base/text.h"
#include "core/model/pickle.h"
#include "core/model/torch_archive.h"

#include <algorithm>
#include <array>
#include <fstream>

namespace earwright::model {

namespace {

/// A state_dict of 10,000 tensors has 2 MB.
constexpr uint64_t kMostPickleBytes = uint64_t { 16 } << 20;
/// Of a view that shows numbers more than once, as of an expanded tensor: a copy fits into memory.
constexpr int64_t kMostShown = int64_t { 1 } << 28;
constexpr size_t kMostKeysNamed = 8;

struct StorageType {
    std::string_view name;
    at::ScalarType type;
};
constexpr std::array kStorageTypes = {
    StorageType { "FloatStorage", at::kFloat },
    StorageType { "DoubleStorage", at::kDouble },
    StorageType { "HalfStorage", at::kHalf },
    StorageType { "BFloat16Storage", at::kBFloat16 },
    StorageType { "LongStorage", at::kLong },
    StorageType { "IntStorage", at::kInt },
    StorageType { "ShortStorage", at::kShort },
    StorageType { "CharStorage", at::kChar },
    StorageType { "ByteStorage", at::kByte },
    StorageType { "BoolStorage", at::kBool },
};

at::ScalarType scalarTypeOf(const PickledStorage& storage)
{
    for (const StorageType& candidate : kStorageTypes) {
        if (candidate.name == storage.type)
            return candidate.type;
    }
    return at::ScalarType::Undefined;
}

/// Numbers from the first to the last that a view reaches, from its offset on; -1 where it is no
/// view.
int64_t extentOf(const PickledTensor& tensor)
{
    if (tensor.offset < 0 || tensor.sizes.size() != tensor.strides.size())
        return -1;
    int64_t last = 0;
    for (size_t i = 0; i < tensor.sizes.size(); ++i) {
        int64_t reach = 0;
        if (tensor.sizes[i] < 0 || tensor.strides[i] < 0)
            return -1;
        if (tensor.sizes[i] > 0
            && (__builtin_mul_overflow(tensor.sizes[i] - 1, tensor.strides[i], &reach)
                || __builtin_add_overflow(last, reach, &last)))
            return -1;
    }
    return last == INT64_MAX ? -1 : last + 1;
}

/// The product of the sizes; -1 where it is beyond all storages.
int64_t countOf(const std::vector<int64_t>& sizes)
{
    int64_t count = 1;
    for (const int64_t size : sizes) {
        if (__builtin_mul_overflow(count, size, &count))
            return -1;
    }
    return count;
}

/// Whether a view lies in its storage and is no larger than it, or not much.
bool isInside(const PickledTensor& tensor)
{
    const int64_t extent = extentOf(tensor);
    const int64_t count = countOf(tensor.sizes);
    if (extent < 0 || count < 0 || count > std::max(tensor.storage.numel, kMostShown))
        return false;
    return count == 0
        || (extent <= tensor.storage.numel && tensor.offset <= tensor.storage.numel - extent);
}

/// The tensors of one file.
class TorchFileReader final {
public:
    TorchFileReader(const std::filesystem::path& path, const TorchArchive& archive)
        : m_path(path)
        , m_archive(archive)
    {
    }

    Result<TensorFile> readAll(const PickleDict& states);

private:
    Error broken(const std::string& what) const
    {
        return Error { "cannot read '" + m_path.string() + "': " + what };
    }
    Result<torch::Tensor> tensor(const std::string& name, const PickledTensor& pickled);
    Result<torch::Tensor> storage(const std::string& name, const PickledStorage& pickled);

    const std::filesystem::path& m_path;
    const TorchArchive& m_archive;
    std::map<std::string, torch::Tensor> m_storages; ///< by key
    uint64_t m_bytes = 0; ///< of these
};

Result<torch::Tensor> TorchFileReader::storage(
    const std::string& name, const PickledStorage& pickled)
{
    const at::ScalarType type = scalarTypeOf(pickled);
    const auto known = m_storages.find(pickled.key);
    if (known != m_storages.end()) {
        if (known->second.scalar_type() != type || known->second.numel() != pickled.numel)
            return broken("its storage '" + pickled.key + "' is said to be of two kinds");
        return known->second;
    }
    const std::string record = "data/" + pickled.key;
    const Result<uint64_t> bytes = m_archive.size(record);
    if (!bytes)
        return bytes.error();
    const uint64_t width = c10::elementSize(type);
    if (*bytes % width != 0 || *bytes / width != static_cast<uint64_t>(pickled.numel))
        return broken("tensor " + inQuotes(name) + " needs a storage of "
            + std::to_string(pickled.numel) + " numbers, but '" + record + "' has "
            + std::to_string(*bytes) + " bytes");
    m_bytes += *bytes;
    if (m_bytes > m_archive.fileBytes())
        return broken("its storages hold more bytes than the file: records overlap");
    torch::Tensor whole = torch::empty({ pickled.numel }, type);
    if (const Status read = m_archive.readInto(record, whole.data_ptr(), *bytes); !read)
        return read.error();
    m_storages[pickled.key] = whole;
    return whole;
}

Result<torch::Tensor> TorchFileReader::tensor(const std::string& name, const PickledTensor& pickled)
{
    if (!isInside(pickled))
        return broken("tensor " + inQuotes(name) + " does not lie in its storage of "
            + std::to_string(pickled.storage.numel) + " numbers: its sizes or strides are wrong");
    const Result<torch::Tensor> whole = storage(name, pickled.storage);
    if (!whole)
        return whole.error();
    return whole->as_strided(pickled.sizes, pickled.strides, pickled.offset);
}

Result<TensorFile> TorchFileReader::readAll(const PickleDict& states)
{
    TensorFile file;
    for (const auto& [key, value] : states.entries) {
        const auto* name = key->as<std::string>();
        const auto* pickled = value->as<PickledTensor>();
        if (name == nullptr)
            continue;
        if (const auto* number = value->as<int64_t>())
            file.tensors[*name] = torch::tensor(*number, torch::kLong);
        if (const auto* number = value->as<double>())
            file.tensors[*name] = torch::tensor(*number, torch::kDouble);
        if (pickled == nullptr)
            continue;
        Result<torch::Tensor> read = tensor(*name, *pickled);
        if (!read)
            return read.error();
        file.tensors[*name] = std::move(*read);
    }
    return file;
}

/// The value of the last entry of that name, where it is a dict.
const PickleDict* dictUnder(const PickleDict& dict, std::string_view name)
{
    const PickleDict* found = nullptr;
    for (const auto& [key, value] : dict.entries) {
        const auto* text = key->as<std::string>();
        if (text != nullptr && *text == name)
            found = value->as<PickleDict>();
    }
    return found;
}

/// What FunASR's load_pretrained_model goes into, in its order.
const PickleDict& withoutWrappers(const PickleDict& whole)
{
    const PickleDict* dict = &whole;
    for (const char* name : { "state_dict", "model_state_dict", "model" }) {
        if (const PickleDict* inner = dictUnder(*dict, name))
            dict = inner;
    }
    return *dict;
}

/// As where a training lies under another key than those above, with its epoch beside it.
bool areNumbersBesideDicts(const PickleDict& dict)
{
    const auto holds = [&dict](auto isOne) {
        return std::any_of(dict.entries.begin(), dict.entries.end(),
            [&](const auto& entry) { return isOne(*entry.second); });
    };
    return holds([](const PickleValue& value) { return value.as<PickleDict>() != nullptr; })
        && !holds([](const PickleValue& value) { return value.as<PickledTensor>() != nullptr; });
}

/// "; it has 'epoch', 'net' (a dict of 98)": where the weights may lie instead.
std::string otherKeys(const PickleDict& dict)
{
    std::vector<std::string> names;
    for (const auto& [key, value] : dict.entries) {
        const auto* name = key->as<std::string>();
        if (name == nullptr || names.size() == kMostKeysNamed)
            continue;
        const auto* inner = value->as<PickleDict>();
        names.push_back(inQuotes(*name)
            + (inner ? " (a dict of " + std::to_string(inner->entries.size()) + ")" : ""));
    }
    if (names.empty())
        return "";
    return "; it has " + join(names, ", ") + (names.size() < dict.entries.size() ? ", …" : "")
        + ". Weights are looked for at the top and under state_dict, model_state_dict and model: "
          "save only the model's state_dict, torch.save(model.state_dict(), FILE)";
}

void stripModulePrefix(std::map<std::string, torch::Tensor>& tensors)
{
    constexpr std::string_view kPrefix = "module.";
    std::map<std::string, torch::Tensor> stripped;
    for (const auto& [name, tensor] : tensors) {
        if (!name.starts_with(kPrefix))
            return;
        stripped[name.substr(kPrefix.size())] = tensor;
    }
    tensors = std::move(stripped);
}

Result<std::string> pickleOf(const std::filesystem::path& path, const TorchArchive& archive)
{
    const std::string cannot = "cannot read '" + path.string() + "': ";
    if (archive.has("constants.pkl"))
        return Error { cannot
            + "it is a TorchScript program; save the model's state_dict with torch.save" };
    if (!archive.has("data.pkl"))
        return Error { cannot + "it is a zip archive, but none of torch.save: it has no data.pkl" };
    if (archive.has("byteorder")) {
        const Result<std::string> order = archive.read("byteorder");
        if (!order || *order != "little")
            return Error { cannot + "it was written on a machine of another byte order" };
    }
    const Result<uint64_t> bytes = archive.size("data.pkl");
    if (!bytes)
        return bytes.error();
    if (*bytes > kMostPickleBytes)
        return Error { cannot + "its pickle of " + std::to_string(*bytes)
            + " bytes is larger than any state_dict's" };
    return archive.read("data.pkl");
}

} // namespace

Result<TensorFile> readTorchFile(const std::filesystem::path& path)
{
    const Result<TorchArchive> archive = TorchArchive::open(path);
    if (!archive)
        return archive.error();
    const Result<std::string> bytes = pickleOf(path, *archive);
    if (!bytes)
        return bytes.error();
    const Result<Pickle> pickle = Pickle::parse(*bytes);
    if (!pickle)
        return Error { "cannot read '" + path.string() + "': " + pickle.error().message
            + "; nothing of it was run. Save only the model's state_dict, "
              "torch.save(model.state_dict(), FILE), and read that" };
    const auto* root = pickle->root().as<PickleDict>();
    if (root == nullptr)
        return Error { "cannot read '" + path.string() + "': it holds no dict of tensors by name" };
    const PickleDict& states = withoutWrappers(*root);
    Result<TensorFile> file = TorchFileReader(path, *archive).readAll(states);
    if (!file)
        return file;
    if (file->tensors.empty() || areNumbersBesideDicts(states))
        return Error { "cannot read '" + path.string() + "': it holds no tensors by name"
            + otherKeys(states) };
    stripModulePrefix(file->tensors);
    return file;
}

Result<TensorFile> readWeights(const std::filesystem::path& path)
{
    if (const std::string why = whyNoWeights(path); !why.empty())
        return Error { "cannot read '" + path.string() + "': " + why };
    if (looksLikeSafetensors(path))
        return readTensorFile(path);
    std::array<char, 2> begin {};
    std::ifstream(path, std::ios::binary).read(begin.data(), begin.size());
    const std::string_view first(begin.data(), begin.size());
    return first == "PK" || first.starts_with('\x80') ? readTorchFile(path) : readTensorFile(path);
}

} // namespace earwright::model
