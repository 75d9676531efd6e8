#include "core/data/prepare/text_file.h"

#include "core/base/file.h"
#include "core/base/text.h"

#include <algorithm>

namespace kymo::data {

Result<std::string> readText(const std::filesystem::path& path)
{
    Result<std::string> text = readFile(path);
    if (!text)
        return text;
    if (Status checked = checkText(*text, path); !checked)
        return checked.error();
    return std::string(withoutByteOrderMark(*text));
}

Status checkText(std::string_view text, const std::filesystem::path& path)
{
    const size_t broken = brokenUtf8At(text);
    if (broken == std::string_view::npos)
        return Done {};
    const std::string_view before = text.substr(0, broken);
    const std::string line = std::to_string(1 + std::count(before.begin(), before.end(), '\n'));
    const std::string name = path.string();
    return Error { "'" + name + "', line " + line
        + ": not UTF-8; if it is GBK, 'iconv -f GBK -t UTF-8 " + path.filename().string()
        + " > FILE' makes it so" };
}

} // namespace kymo::data
