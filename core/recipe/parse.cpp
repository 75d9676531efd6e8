#include "core/recipe/parse.h"

#include "core/base/not_text.h"
#include "core/base/text.h"
#include "core/recipe/characters.h"
#include "core/recipe/invisible.h"
#include "core/recipe/limits.h"
#include "core/recipe/syntax.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>

namespace earwright::recipe {
namespace {

/// What a file of bytes is, where these say it; none of them is shown.
std::optional<Diagnostic> noText(std::string_view bytes, const std::string& fileName)
{
    std::string why = whyNoText(bytes, std::filesystem::path(fileName).filename().string());
    if (why.empty())
        return std::nullopt;
    if (why.starts_with("is UTF"))
        why = why.substr(0, why.find(';')) + " text; save it as UTF-8";
    return Diagnostic { Severity::Error, "syntax", "the file " + why, { fileName, {}, {} },
        std::nullopt };
}

} // namespace

Parsed parse(std::string_view text, const std::string& fileName, const std::string& key)
{
    if (text.size() > kMaxBytes)
        return { nullptr,
            { { Severity::Error, "too-large",
                "the text has more than " + std::to_string(kMaxBytes >> 20)
                    + " MiB; is it a recipe?",
                { fileName, { 1, 1 }, { 1, 1 } }, std::nullopt } } };
    text = withoutByteOrderMark(text);
    const SourceText source(text);
    if (const auto broken = checkCharacters(source, fileName))
        return { nullptr, { noText(text, fileName).value_or(*broken) } };
    Tree tree = buildTree(source, fileName);
    std::vector<Diagnostic> invisible = tree.root ? invisibleIn(*tree.root, key, source, fileName)
                                                  : invisibleInBroken(source, fileName);
    // What cannot be seen makes lines that fit no other: its syntax error would mislead.
    if (tree.error && invisible.empty())
        tree.diagnostics.push_back(explainSyntax(source, fileName, *tree.error));
    std::move(invisible.begin(), invisible.end(), std::back_inserter(tree.diagnostics));
    return { tree.root, std::move(tree.diagnostics) };
}

} // namespace earwright::recipe
