#include "core/lsp/framing.h"

#include "core/base/text.h"

#include <charconv>

namespace earwright::lsp {
namespace {

constexpr size_t kMaxBytes = size_t { 64 } << 20;

std::optional<size_t> lengthIn(const std::string& line)
{
    const size_t colon = line.find(':');
    if (colon == std::string::npos || toLower(trim(line.substr(0, colon))) != "content-length")
        return std::nullopt;
    const std::string number(trim(std::string_view(line).substr(colon + 1)));
    size_t value = 0;
    const char* const end = number.data() + number.size();
    const auto [at, error] = std::from_chars(number.data(), end, value);
    const bool isUsable = error == std::errc() && at == end && value <= kMaxBytes;
    return isUsable ? std::optional(value) : std::nullopt;
}

} // namespace

std::optional<std::string> readMessage(std::istream& in)
{
    std::optional<size_t> length;
    std::string line;
    bool hasHeader = false;
    while (std::getline(in, line)) {
        if (trim(line).empty()) {
            if (!hasHeader)
                continue;
            std::string body(length.value_or(0), '\0');
            in.read(body.data(), static_cast<std::streamsize>(body.size()));
            return in.gcount() == static_cast<std::streamsize>(body.size()) ? std::optional(body)
                                                                            : std::nullopt;
        }
        hasHeader = true;
        if (const auto found = lengthIn(line))
            length = found;
    }
    return std::nullopt;
}

void writeMessage(std::ostream& out, const Json& message)
{
    // A file name need not be UTF-8; a broken byte in it must not stop the answer.
    const std::string body = message.dump(-1, ' ', false, Json::error_handler_t::replace);
    out << "Content-Length: " << body.size() << "\r\n\r\n" << body << std::flush;
}

} // namespace earwright::lsp
