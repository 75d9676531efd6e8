#include "core/model/stored_zip.h"

#include "core/base/text.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <optional>

static_assert(std::endian::native == std::endian::little, "zip is little endian");

namespace earwright::model {

namespace {

// Format: https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, 4.3.12 to 4.3.16 and 4.5.3.
constexpr std::string_view kEntryMark = "PK\1\2";
constexpr std::string_view kEndMark = "PK\5\6";
constexpr std::string_view kLocatorMark = "PK\6\7";
constexpr std::string_view kZip64EndMark = "PK\6\6";
constexpr uint64_t kEntryBytes = 46; ///< and the name, other fields and a comment
constexpr uint64_t kEndBytes = 22; ///< and a comment
constexpr uint64_t kMostCommentBytes = 0xffff;
constexpr uint64_t kLocatorBytes = 20;
constexpr uint64_t kZip64EndBytes = 56;
constexpr uint64_t kMostDirectoryBytes = 0xffffffff; ///< miniz reads no larger one
constexpr uint16_t kZip64Field = 1;
/// Compressed in a TorchScript program, which is told by other records.
constexpr std::string_view kCode = "code/";
constexpr uint32_t kInZip64Field = 0xffffffff;

template <class Number>
Number numberAt(std::string_view bytes, size_t at)
{
    Number number {};
    std::memcpy(&number, bytes.data() + at, sizeof number);
    return number;
}

/// Fewer than `count` where the file ends.
std::string readAt(std::ifstream& file, uint64_t begin, uint64_t count)
{
    std::string bytes(count, '\0');
    file.clear();
    file.seekg(static_cast<std::streamoff>(begin));
    file.read(bytes.data(), static_cast<std::streamsize>(count));
    bytes.resize(static_cast<size_t>(file.gcount()));
    return bytes;
}

struct Directory {
    uint64_t entries;
    uint64_t bytes;
    uint64_t begin;
};

/// Of the record that ends an archive of more than 4 GB, and of all that PyTorch writes.
std::optional<Directory> zip64Directory(std::ifstream& file, uint64_t end)
{
    if (end < kLocatorBytes + kZip64EndBytes)
        return std::nullopt;
    const std::string locator = readAt(file, end - kLocatorBytes, kLocatorBytes);
    if (!locator.starts_with(kLocatorMark))
        return std::nullopt;
    const std::string record = readAt(file, numberAt<uint64_t>(locator, 8), kZip64EndBytes);
    if (record.size() < kZip64EndBytes || !record.starts_with(kZip64EndMark))
        return std::nullopt;
    return Directory { .entries = numberAt<uint64_t>(record, 32),
        .bytes = numberAt<uint64_t>(record, 40),
        .begin = numberAt<uint64_t>(record, 48) };
}

std::optional<Directory> directoryOf(std::ifstream& file, uint64_t fileBytes)
{
    const uint64_t count = std::min(fileBytes, kEndBytes + kMostCommentBytes);
    const std::string tail = readAt(file, fileBytes - count, count);
    if (tail.size() < kEndBytes)
        return std::nullopt;
    const size_t at = tail.rfind(kEndMark, tail.size() - kEndBytes);
    if (at == std::string::npos)
        return std::nullopt;
    if (const auto large = zip64Directory(file, fileBytes - count + at))
        return large;
    return Directory { .entries = numberAt<uint16_t>(tail, at + 10),
        .bytes = numberAt<uint32_t>(tail, at + 12),
        .begin = numberAt<uint32_t>(tail, at + 16) };
}

/// What `fields` of an entry say of a record of 4 GB or more: its size comes first.
uint64_t sizeInFields(std::string_view fields)
{
    while (fields.size() >= 4) {
        const auto id = numberAt<uint16_t>(fields, 0);
        const auto bytes = numberAt<uint16_t>(fields, 2);
        if (id == kZip64Field && bytes >= 8 && fields.size() >= 12)
            return numberAt<uint64_t>(fields, 4);
        fields.remove_prefix(std::min<size_t>(fields.size(), 4u + bytes));
    }
    return kInZip64Field;
}

/// A record, as the entry that `directory` begins with tells it.
struct Entry {
    std::string_view name;
    bool isStored;
    uint64_t size;
    uint32_t sum; ///< CRC-32
    size_t bytes; ///< of the entry
};

std::optional<Entry> entryOf(std::string_view directory)
{
    if (directory.size() < kEntryBytes || !directory.starts_with(kEntryMark))
        return std::nullopt;
    const size_t name = numberAt<uint16_t>(directory, 28);
    const size_t fields = numberAt<uint16_t>(directory, 30);
    const size_t bytes = kEntryBytes + name + fields + numberAt<uint16_t>(directory, 32);
    if (bytes > directory.size())
        return std::nullopt;
    const auto size = numberAt<uint32_t>(directory, 24);
    return Entry { .name = directory.substr(kEntryBytes, name),
        .isStored = numberAt<uint16_t>(directory, 10) == 0,
        .size
        = size == kInZip64Field ? sizeInFields(directory.substr(kEntryBytes + name, fields)) : size,
        .sum = numberAt<uint32_t>(directory, 16),
        .bytes = bytes };
}

/// PyTorch's name of a record.
std::string_view nameInFolder(const Entry& entry)
{
    return entry.name.substr(entry.name.find('/') + 1);
}

/// "" of a record that can be read.
std::string whyNot(const Entry& entry, uint64_t fileBytes)
{
    const std::string_view name = nameInFolder(entry);
    const std::string record = "its record " + inQuotes(name);
    if (entry.size <= fileBytes && (entry.isStored || name.starts_with(kCode)))
        return "";
    if (entry.size <= fileBytes)
        return record + " is compressed, which torch.save does not do, or damaged";
    return record + " says it has " + std::to_string(entry.size)
        + " bytes, more than the file: it is compressed, which torch.save does not do, or damaged";
}

} // namespace

Result<RecordSums> verifyStored(const std::filesystem::path& path)
{
    const Error damaged { "the archive is truncated or damaged (its directory is not whole); copy "
                          "it again" };
    std::error_code problem;
    const uint64_t fileBytes = std::filesystem::file_size(path, problem);
    std::ifstream file(path, std::ios::binary);
    if (problem || !file)
        return damaged;
    const std::optional<Directory> found = directoryOf(file, fileBytes);
    if (!found || found->begin > fileBytes || found->bytes > fileBytes - found->begin
        || found->bytes > kMostDirectoryBytes)
        return damaged;
    const std::string directory = readAt(file, found->begin, found->bytes);
    std::string_view rest = directory;
    RecordSums sums;
    for (uint64_t i = 0; i < found->entries; ++i) {
        const std::optional<Entry> entry = entryOf(rest);
        if (!entry)
            return damaged;
        if (const std::string why = whyNot(*entry, fileBytes); !why.empty())
            return Error { why };
        sums.emplace(nameInFolder(*entry), entry->sum);
        rest.remove_prefix(entry->bytes);
    }
    return sums;
}

} // namespace earwright::model
