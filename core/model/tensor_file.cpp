#include "core/model/tensor_file.h"

#include "core/base/file.h"
#include "core/base/json_fields.h"
#include "core/base/no_weights.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <numeric>

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

constexpr const char* kMetadata = "__metadata__";
constexpr size_t kLengthBytes = 8;
// The reference implementation refuses longer headers too.
constexpr uint64_t kMaxHeaderBytes = 100'000'000;

Error brokenSafetensors(const std::filesystem::path& path, const std::string& what)
{
    return Error { "cannot read '" + path.string() + "' as safetensors: " + what };
}

struct Header {
    JsonReader json;
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
    const std::string text(bytes.substr(kLengthBytes, length));
    Result<JsonReader> json = JsonReader::parse(text);
    if (!json)
        return brokenSafetensors(path, "the header is " + json.error().message);
    return Header { std::move(*json), bytes.substr(kLengthBytes + length) };
}

/// What the header says of a tensor.
struct TensorEntry {
    std::string dtype;
    std::vector<int64_t> shape;
    std::vector<int64_t> offsets; ///< of its bytes: begin and end
};

/// Whether they are sizes with a product that cannot overflow, nor where a size of 0 makes it 0.
bool areSizes(const std::vector<int64_t>& shape)
{
    constexpr size_t kMostSizes = 64; // as many as LibTorch calculates with
    int64_t strides = 1;
    return shape.size() <= kMostSizes && std::all_of(shape.begin(), shape.end(), [&](int64_t size) {
        return size >= 0 && !__builtin_mul_overflow(strides, std::max<int64_t>(size, 1), &strides);
    });
}

Result<TensorEntry> readEntry(JsonReader& header, const std::string& name)
{
    TensorEntry entry;
    JsonReader json = header.object(name.c_str());
    json.require("dtype", entry.dtype);
    json.require("shape", entry.shape);
    json.require("data_offsets", entry.offsets);
    if (Status read = json.status(); !read)
        return read.error();
    if (!areSizes(entry.shape))
        json.refuse("shape", "up to 64 sizes of 0 or more");
    if (entry.offsets.size() != 2 || entry.offsets[0] < 0 || entry.offsets[0] > entry.offsets[1])
        json.refuse("data_offsets", "where its bytes begin and end");
    if (Status read = json.status(); !read)
        return read.error();
    return entry;
}

Result<torch::Tensor> readTensor(
    const std::string& name, const TensorEntry& entry, std::string_view data)
{
    const std::string where = "tensor '" + name + "' ";
    const DtypeName* dtype = findDtype(entry.dtype);
    if (dtype == nullptr)
        return Error { where + "has the unknown dtype '" + entry.dtype + "'" };
    if (static_cast<uint64_t>(entry.offsets[1]) > data.size())
        return Error { where + "lies outside the file, which is truncated or damaged" };
    const int64_t bytes = entry.offsets[1] - entry.offsets[0];
    const auto count = std::accumulate(
        entry.shape.begin(), entry.shape.end(), int64_t { 1 }, std::multiplies<>());
    const auto width = static_cast<int64_t>(c10::elementSize(dtype->type));
    if (count > bytes || count * width != bytes)
        return Error { where + "has a shape that does not fit its " + std::to_string(bytes)
            + " bytes" };
    torch::Tensor tensor = torch::empty(entry.shape, dtype->type);
    if (bytes > 0)
        std::memcpy(tensor.data_ptr(), data.data() + entry.offsets[0], static_cast<size_t>(bytes));
    return tensor;
}

/// Two that share bytes: so a small file could ask for any amount of memory.
Status areApart(const std::vector<std::pair<std::string, TensorEntry>>& entries)
{
    std::vector<const std::pair<std::string, TensorEntry>*> inFile;
    for (const auto& entry : entries)
        if (entry.second.offsets[0] < entry.second.offsets[1])
            inFile.push_back(&entry);
    std::sort(inFile.begin(), inFile.end(),
        [](const auto* a, const auto* b) { return a->second.offsets < b->second.offsets; });
    for (size_t i = 1; i < inFile.size(); ++i)
        if (inFile[i]->second.offsets[0] < inFile[i - 1]->second.offsets[1])
            return Error { "the tensors '" + inFile[i - 1]->first + "' and '" + inFile[i]->first
                + "' share bytes" };
    return Done {};
}

Status readTensors(Header& header, TensorFile& file)
{
    std::vector<std::pair<std::string, TensorEntry>> entries;
    header.json(kMetadata, file.metadata);
    if (Status read = header.json.status(); !read)
        return read;
    for (const std::string& name : header.json.names()) {
        if (name == kMetadata)
            continue;
        Result<TensorEntry> entry = readEntry(header.json, name);
        if (!entry)
            return entry.error();
        entries.emplace_back(name, std::move(*entry));
    }
    if (Status apart = areApart(entries); !apart)
        return apart;
    for (const auto& [name, entry] : entries) {
        Result<torch::Tensor> tensor = readTensor(name, entry, header.data);
        if (!tensor)
            return tensor.error();
        file.tensors[name] = std::move(*tensor);
    }
    return Done {};
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
    Result<Header> header = splitHeader(path, bytes);
    if (header)
        header->json(kMetadata, metadata);
    return metadata;
}

Result<TensorFile> readTensorFile(const std::filesystem::path& path)
{
    const Result<std::string> bytes = readFile(path);
    if (!bytes)
        return bytes.error();
    Result<Header> header = splitHeader(path, *bytes);
    if (!header)
        return header.error();
    TensorFile file;
    if (const Status read = readTensors(*header, file); !read)
        return brokenSafetensors(path, read.error().message);
    return file;
}

Status writeTensorFile(const std::filesystem::path& path, const TensorFile& file)
{
    Json header = Json::object();
    if (!file.metadata.empty())
        header[kMetadata] = file.metadata;
    uint64_t end = 0;
    for (const auto& [name, tensor] : file.tensors) {
        const char* dtype = dtypeName(tensor.scalar_type());
        if (dtype == nullptr)
            return Error { "cannot write '" + path.string() + "': tensor '" + name
                + "' has a type that safetensors lacks" };
        Json entry { { "dtype", dtype }, { "shape", tensor.sizes().vec() },
            { "data_offsets", { end, end + tensor.nbytes() } } };
        // The names differ; to make sure of it, the library would compare each with each.
        header.get_ref<Json::object_t&>().push_back({ name, std::move(entry) });
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
