#include "core/base/not_text.h"

#include "core/base/bytes.h"
#include "core/base/file.h"
#include "core/base/text.h"

#include <cstddef>
#include <utility>

namespace earwright {
namespace {

using namespace std::string_view_literals;

/// How files of an encoding, or of a program that packs, begin, and the command that writes their
/// text.
struct Encoded {
    std::string_view begin;
    const char* what;
    const char* command; ///< with the file's name behind it
};

// UTF-32's mark begins as UTF-16's does.
constexpr Encoded kEncodings[] = {
    { "\xff\xfe\0\0"sv, "UTF-32", "iconv -f UTF-32 -t UTF-8" },
    { "\0\0\xfe\xff"sv, "UTF-32", "iconv -f UTF-32 -t UTF-8" },
    { "\xff\xfe"sv, "UTF-16", "iconv -f UTF-16 -t UTF-8" },
    { "\xfe\xff"sv, "UTF-16", "iconv -f UTF-16 -t UTF-8" },
};

constexpr Encoded kPacked[] = {
    { "\x1f\x8b"sv, "packed by gzip", "gunzip -c" },
    { "\x1f\x9d"sv, "packed by compress", "gunzip -c" },
    { "BZh"sv, "packed by bzip2", "bunzip2 -c" },
    { "\xfd"
      "7zXZ\0"sv,
        "packed by xz", "unxz -c" },
    { "\x5d\0\0"sv, "packed by lzma", "unlzma -c" },
    { "\x28\xb5\x2f\xfd"sv, "packed by zstd", "unzstd -c" },
    { "\x04\x22\x4d\x18"sv, "packed by lz4", "unlz4 -c" },
};

constexpr const char* kSave = "save it as text in UTF-8";
constexpr const char* kUnpack = "unpack it and name a file of it";

/// What holds no text as it is.
struct Container {
    std::string_view sign;
    const char* what;
    const char* advice = kSave;
    size_t at = 0; ///< where the sign stands
};

// A Parquet table goes on with the first field of a header.
constexpr Container kContainers[] = {
    { "PK\x03\x04"sv, "a zip archive or a spreadsheet" },
    { "\xd0\xcf\x11\xe0"sv, "a spreadsheet" },
    { "PAR1\x15"sv, "a Parquet table" },
    { "ARROW1\0\0"sv, "an Arrow table" },
    { "\x89HDF\r\n"sv, "an HDF5 file" },
    { "SQLite format 3\0"sv, "an SQLite database" },
    { "%PDF-"sv, "a PDF document" },
    { "7z\xbc\xaf\x27\x1c"sv, "a 7z archive", kUnpack },
    { "Rar!\x1a\x07"sv, "a RAR archive", kUnpack },
    { "ustar"sv, "a tar archive", kUnpack, 257 },
};

/// Letters of ASCII have a zero beside each in UTF-16, which need not begin with a mark.
const char* markless(std::string_view bytes)
{
    constexpr size_t kLooked = 4;
    if (bytes.size() < kLooked)
        return nullptr;
    const auto areZero = [&](size_t first) {
        return bytes[first] == 0 && bytes[first + 2] == 0 && bytes[1 - first] != 0
            && bytes[3 - first] != 0;
    };
    return areZero(1) ? "UTF-16LE" : areZero(0) ? "UTF-16BE" : nullptr;
}

/// `result`: what the command does.
std::string withCommand(
    const std::string& what, const std::string& command, std::string_view name, const char* result)
{
    return "is " + what + "; '" + command + " " + std::string(name) + " > FILE' " + result;
}

constexpr const char* kToUtf8 = "makes it UTF-8";

std::string packedBy(std::string_view bytes, std::string_view name)
{
    for (const auto& [begin, what, command] : kPacked)
        if (bytes.starts_with(begin))
            return withCommand(what, command, name, "unpacks it");
    return {};
}

} // namespace

std::string whyNoText(std::string_view bytes, std::string_view name)
{
    for (const auto& [begin, what, command] : kEncodings)
        if (bytes.starts_with(begin))
            return withCommand(what, command, name, kToUtf8);
    if (std::string packed = packedBy(bytes, name); !packed.empty())
        return packed;
    for (const auto& [sign, what, advice, at] : kContainers)
        if (bytes.size() > at && bytes.substr(at).starts_with(sign))
            return std::string("is ") + what + "; " + advice;
    const char* encoding = markless(bytes);
    return encoding == nullptr
        ? ""
        : withCommand("UTF-16", "iconv -f " + std::string(encoding) + " -t UTF-8", name, kToUtf8);
}

std::string whyPacked(const std::filesystem::path& path)
{
    const auto file = FileBytes::open(path);
    return file ? packedBy((*file)->ahead(), path.filename().string()) : "";
}

Result<std::string> readTextFile(const std::filesystem::path& path)
{
    Result<std::string> bytes = readFile(path);
    if (!bytes)
        return bytes;
    const std::string why = whyNoText(*bytes, path.filename().string());
    return why.empty() ? std::move(bytes) : Error { inQuotes(path.string()) + " " + why };
}

} // namespace earwright
