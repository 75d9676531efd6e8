#include "core/base/code_point.h"

#include "core/base/text.h"

#include <cstdlib>
#include <memory>
#include <utf8proc.h>

namespace earwright {

namespace {

utf8proc_category_t categoryOf(uint32_t code)
{
    return utf8proc_category(static_cast<utf8proc_int32_t>(code));
}

const utf8proc_uint8_t* bytesOf(std::string_view utf8)
{
    return reinterpret_cast<const utf8proc_uint8_t*>(utf8.data());
}

} // namespace

uint32_t codeOf(std::string_view character)
{
    utf8proc_int32_t code = -1;
    utf8proc_iterate(bytesOf(character), static_cast<utf8proc_ssize_t>(character.size()), &code);
    return code < 0 ? static_cast<unsigned char>(character.front()) : static_cast<uint32_t>(code);
}

std::string utf8Of(uint32_t code)
{
    utf8proc_uint8_t bytes[4];
    const utf8proc_ssize_t size = utf8proc_encode_char(static_cast<utf8proc_int32_t>(code), bytes);
    return { reinterpret_cast<const char*>(bytes), static_cast<size_t>(size) };
}

std::string composed(std::string_view utf8)
{
    utf8proc_uint8_t* bytes = nullptr;
    const utf8proc_ssize_t size
        = utf8proc_map(bytesOf(utf8), static_cast<utf8proc_ssize_t>(utf8.size()), &bytes,
            static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
    const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owned(bytes, &std::free);
    if (size < 0)
        return std::string(utf8);
    return { reinterpret_cast<const char*>(bytes), static_cast<size_t>(size) };
}

bool isLetter(uint32_t code)
{
    switch (categoryOf(code)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_NL:
        return true;
    default:
        return false;
    }
}

bool isCombiningMark(uint32_t code)
{
    switch (categoryOf(code)) {
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
        return true;
    default:
        return false;
    }
}

bool isDigit(uint32_t code)
{
    const utf8proc_category_t category = categoryOf(code);
    return category == UTF8PROC_CATEGORY_ND || category == UTF8PROC_CATEGORY_NO;
}

uint32_t smallLetterOf(uint32_t code)
{
    return static_cast<uint32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(code)));
}

size_t displayWidth(std::string_view utf8)
{
    size_t width = 0;
    for (const std::string& character : codePoints(utf8)) {
        const auto code = static_cast<utf8proc_int32_t>(codeOf(character));
        const bool isBroken = character.size() == 1 && code >= 0x80; // shown as one sign
        width += isBroken ? 1 : static_cast<size_t>(utf8proc_charwidth(code));
    }
    return width;
}

} // namespace earwright
