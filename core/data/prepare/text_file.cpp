#include "core/data/prepare/text_file.h"

#include "core/base/file.h"
#include "core/base/not_text.h"
#include "core/base/text.h"
#include "core/data/prepare/folder.h"

#include <algorithm>
#include <utility>

namespace earwright::data {

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
    if (const std::string why = whyNoText(text, path.filename().string()); !why.empty())
        return Error { inQuotes(path.string()) + " " + why };
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

Result<Table> readTable(const std::filesystem::path& file, std::vector<std::string>& repeated)
{
    const Result<std::string> text
        = file.filename() == "wav.scp" ? readTextFile(file) : readText(file);
    if (!text)
        return text.error();
    Table table;
    const std::vector<std::string> lines = split(withoutByteOrderMark(*text), '\n');
    for (size_t i = 0; i < lines.size(); ++i) {
        auto [id, rest] = idAndRest(lines[i]);
        const int line = static_cast<int>(i + 1);
        if (!id.empty() && !table.try_emplace(id, TableRow { std::move(rest), line }).second)
            repeated.push_back(id + ", line " + std::to_string(line) + " of " + file.string());
    }
    return table;
}

} // namespace earwright::data
