#include "core/base/not_text.h"

#include "core/base/file.h"
#include "core/base/text.h"

#include <cstddef>
#include <utility>

namespace earwright {
namespace {

using namespace std::string_view_literals;

/// How files of a kind begin, what they are, and the command that writes their text.
struct Signature {
    std::string_view begin;
    const char* what;
    const char* command; ///< with the file's name behind it; "" = none
};

// UTF-32's mark begins as UTF-16's does.
constexpr Signature kSignatures[] = {
    { "\xff\xfe\0\0"sv, "UTF-32", "iconv -f UTF-32 -t UTF-8" },
    { "\0\0\xfe\xff"sv, "UTF-32", "iconv -f UTF-32 -t UTF-8" },
    { "\xff\xfe"sv, "UTF-16", "iconv -f UTF-16 -t UTF-8" },
    { "\xfe\xff"sv, "UTF-16", "iconv -f UTF-16 -t UTF-8" },
    { "\x1f\x8b"sv, "packed by gzip", "gunzip -c" },
    { "BZh"sv, "packed by bzip2", "bunzip2 -c" },
    { "\xfd"
      "7zXZ\0"sv,
        "packed by xz", "unxz -c" },
    { "\x28\xb5\x2f\xfd"sv, "packed by zstd", "unzstd -c" },
    { "PK\x03\x04"sv, "a zip archive or a spreadsheet", "" },
    { "\xd0\xcf\x11\xe0"sv, "a spreadsheet", "" },
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

std::string withCommand(const std::string& what, const std::string& command, std::string_view name)
{
    return "is " + what + "; '" + command + " " + std::string(name) + " > FILE' makes it UTF-8";
}

} // namespace

std::string whyNoText(std::string_view bytes, std::string_view name)
{
    for (const auto& [begin, what, command] : kSignatures) {
        if (!bytes.starts_with(begin))
            continue;
        return *command == 0 ? "is " + std::string(what) + "; save it as text in UTF-8"
                             : withCommand(what, command, name);
    }
    const char* encoding = markless(bytes);
    return encoding == nullptr
        ? ""
        : withCommand("UTF-16", "iconv -f " + std::string(encoding) + " -t UTF-8", name);
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
