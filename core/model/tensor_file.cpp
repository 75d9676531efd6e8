#include "core/model/tensor_file.h"

#include "core/base/file.h"
#include "core/base/json_depth.h"
#include "core/base/no_weights.h"

#include <array>
#include <bit>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

static_assert(std::endian::native == std::endian::little, "safetensors is little endian");

namespace earwright::model {

namespace {

using Json = nlohmann::ordered_json;

struct DtypeName {
    const char* name;
    at::ScalarType type;
};

constexpr std::array kDtypes = {
    DtypeName { "F32", at::kFloat },
    DtypeName { "F64", at::kDouble },
    DtypeName { "F16", at::kHalf },
    DtypeName { "BF16", at::kBFloat16 },
    DtypeName { "I64", at::kLong },
    DtypeName { "I32", at::kInt },
    DtypeName { "I16", at::kShort },
    DtypeName { "I8", at::kChar },
    DtypeName { "U8", at::kByte },
    DtypeName { "BOOL", at::kBool },
};

const DtypeName* findDtype(const std::string& name)
{
    for (const DtypeName& dtype : kDtypes)
        if (name == dtype.name)
            return &dtype;
    return nullptr;
}

const char* dtypeName(at::ScalarType type)
{
    for (const DtypeName& dtype : kDtypes)
        if (type == dtype.type)
            return dtype.name;
    return nullptr;
}

constexpr size_t kLengthBytes = 8;
// The reference implementation refuses longer headers too.
constexpr uint64_t kMaxHeaderBytes = 100'000'000;

Error brokenSafetensors(const std::filesystem::path& path, const std::string& what)
{
    return Error { "cannot read '" + path.string() + "' as safetensors: " + what };
}

struct Header {
    Json json;
    std::string_view data;
};

Result<Header> splitHeader(const std::filesystem::path& path, std::string_view bytes)
{
    if (bytes.size() < kLengthBytes)
        return brokenSafetensors(
            path, "the file has " + std::to_string(bytes.size()) + " bytes and is truncated");
    uint64_t length = 0;
    std::memcpy(&length, bytes.data(), kLengthBytes);
    if (length > kMaxHeaderBytes || length > bytes.size() - kLengthBytes)
        return brokenSafetensors(path,
            "the header of " + std::to_string(length)
                + " bytes does not fit: the file is truncated or of another format");
    const std::string_view text = bytes.substr(kLengthBytes, length);
    Json json = parseShallow<Json>(text);
    if (!json.is_object())
        return brokenSafetensors(path, "the header is not a JSON object");
    return Header { std::move(json), bytes.substr(kLengthBytes + length) };
}

/// The sizes of `shape`, and whether they are whole numbers with a product that cannot overflow.
bool readShape(const Json& shape, std::vector<int64_t>& sizes, uint64_t& count)
{
    if (!shape.is_array())
        return false;
    count = 1;
    uint64_t strides = 1; // overflow too where a size of 0 makes the product 0
    for (const Json& size : shape) {
        if (!size.is_number_unsigned() || size.get<uint64_t>() > (uint64_t { 1 } << 40))
            return false;
        if (__builtin_mul_overflow(strides, std::max<uint64_t>(size.get<uint64_t>(), 1), &strides)
            || strides > (uint64_t { 1 } << 60))
            return false;
        count *= size.get<uint64_t>();
        sizes.push_back(size.get<int64_t>());
    }
    return true;
}

bool readOffsets(const Json& offsets, std::array<uint64_t, 2>& range)
{
    if (!offsets.is_array() || offsets.size() != 2 || !offsets[0].is_number_unsigned()
        || !offsets[1].is_number_unsigned())
        return false;
    range = { offsets[0].get<uint64_t>(), offsets[1].get<uint64_t>() };
    return range[0] <= range[1];
}

Result<torch::Tensor> readTensor(const std::filesystem::path& path, const std::string& name,
    const Json& entry, std::string_view data)
{
    const std::string where = "tensor '" + name + "' ";
    if (!entry.is_object() || !entry.contains("dtype") || !entry["dtype"].is_string())
        return brokenSafetensors(path, where + "has no dtype");
    const DtypeName* dtype = findDtype(entry["dtype"].get<std::string>());
    if (dtype == nullptr)
        return brokenSafetensors(path, where + "has the unknown dtype " + entry["dtype"].dump());
    std::vector<int64_t> sizes;
    uint64_t count = 0;
    if (!readShape(entry.value("shape", Json()), sizes, count))
        return brokenSafetensors(path, where + "has no valid shape");
    std::array<uint64_t, 2> range {};
    if (!readOffsets(entry.value("data_offsets", Json()), range) || range[1] > data.size())
        return brokenSafetensors(
            path, where + "lies outside the file, which is truncated or damaged");
    const uint64_t bytes = range[1] - range[0];
    if (count > bytes || count * c10::elementSize(dtype->type) != bytes)
        return brokenSafetensors(
            path, where + "has a shape that does not fit its " + std::to_string(bytes) + " bytes");
    torch::Tensor tensor = torch::empty(sizes, dtype->type);
    if (bytes > 0)
        std::memcpy(tensor.data_ptr(), data.data() + range[0], bytes);
    return tensor;
}

void addMetadata(const Json& entries, std::map<std::string, std::string>& metadata)
{
    for (const auto& [key, value] : entries.items())
        metadata[key] = value.is_string() ? value.get<std::string>() : value.dump();
}

torch::Tensor onCpu(const torch::Tensor& tensor)
{
    return tensor.detach().to(at::kCPU).contiguous();
}

} // namespace

std::map<std::string, std::string> readMetadata(const std::filesystem::path& path)
{
    std::map<std::string, std::string> metadata;
    if (!looksLikeSafetensors(path))
        return metadata;
    std::ifstream file(path, std::ios::binary);
    std::string bytes(kLengthBytes, '\0');
    uint64_t length = 0;
    file.read(bytes.data(), kLengthBytes);
    std::memcpy(&length, bytes.data(), kLengthBytes);
    if (length > kMaxHeaderBytes)
        return metadata;
    bytes.resize(kLengthBytes + length);
    file.read(bytes.data() + kLengthBytes, static_cast<std::streamsize>(length));
    const Result<Header> header = splitHeader(path, bytes);
    if (header && header->json.contains("__metadata__"))
        addMetadata(header->json["__metadata__"], metadata);
    return metadata;
}

Result<TensorFile> readTensorFile(const std::filesystem::path& path)
{
    const Result<std::string> bytes = readFile(path);
    if (!bytes)
        return bytes.error();
    const Result<Header> header = splitHeader(path, *bytes);
    if (!header)
        return header.error();
    TensorFile file;
    for (const auto& [name, entry] : header->json.items()) {
        if (name == "__metadata__") {
            addMetadata(entry, file.metadata);
            continue;
        }
        Result<torch::Tensor> tensor = readTensor(path, name, entry, header->data);
        if (!tensor)
            return tensor.error();
        file.tensors[name] = *tensor;
    }
    return file;
}

Status writeTensorFile(const std::filesystem::path& path, const TensorFile& file)
{
    Json header = Json::object();
    if (!file.metadata.empty())
        header["__metadata__"] = file.metadata;
    uint64_t end = 0;
    for (const auto& [name, tensor] : file.tensors) {
        const char* dtype = dtypeName(tensor.scalar_type());
        if (dtype == nullptr)
            return Error { "cannot write '" + path.string() + "': tensor '" + name
                + "' has a type that safetensors lacks" };
        header[name]["dtype"] = dtype;
        header[name]["shape"] = tensor.sizes().vec();
        header[name]["data_offsets"] = { end, end + tensor.nbytes() };
        end += tensor.nbytes();
    }
    std::string text = header.dump();
    text.resize((text.size() + kLengthBytes - 1) / kLengthBytes * kLengthBytes, ' ');

    const uint64_t length = text.size();
    std::string bytes(kLengthBytes, '\0');
    bytes.reserve(kLengthBytes + length + end);
    std::memcpy(bytes.data(), &length, kLengthBytes);
    bytes += text;
    for (const auto& [name, tensor] : file.tensors) {
        const torch::Tensor flat = onCpu(tensor);
        bytes.append(static_cast<const char*>(flat.const_data_ptr()), flat.nbytes());
    }
    return writeFileAtomically(path, bytes);
}

} // namespace earwright::model
