#include "core/lsp/uri.h"

#include <cctype>
#include <charconv>
#include <string_view>

namespace earwright::lsp {
namespace {

constexpr std::string_view kScheme = "file://";

bool isPlain(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0
        || std::string_view("-._~/").find(c) != std::string_view::npos;
}

} // namespace

std::string fileOf(const std::string& uri)
{
    if (!uri.starts_with(kScheme))
        return uri;
    std::string file;
    for (size_t at = kScheme.size(); at < uri.size(); ++at) {
        unsigned value = 0;
        const char* const digits = uri.data() + at + 1;
        const bool isEscape = uri[at] == '%' && at + 2 < uri.size()
            && std::from_chars(digits, digits + 2, value, 16).ptr == digits + 2;
        file += isEscape ? static_cast<char>(value) : uri[at];
        at += isEscape ? 2 : 0;
    }
    return file;
}

std::string uriOf(const std::string& file)
{
    if (!file.starts_with('/'))
        return file;
    std::string uri(kScheme);
    for (const char c : file) {
        constexpr const char* kDigits = "0123456789ABCDEF";
        const auto byte = static_cast<unsigned char>(c);
        if (isPlain(c))
            uri += c;
        else
            uri += { '%', kDigits[byte >> 4], kDigits[byte & 0xf] };
    }
    return uri;
}

} // namespace earwright::lsp
