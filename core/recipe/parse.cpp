#include "core/recipe/parse.h"

#include "core/base/text.h"
#include "core/recipe/invisible.h"
#include "core/recipe/limits.h"
#include "core/recipe/syntax.h"

#include <algorithm>
#include <iterator>

namespace earwright::recipe {

Parsed parse(std::string_view text, const std::string& fileName)
{
    if (text.size() > kMaxBytes)
        return { nullptr,
            { { Severity::Error, "too-large",
                "the text has more than " + std::to_string(kMaxBytes >> 20)
                    + " MiB; is it a recipe?",
                { fileName, { 1, 1 }, { 1, 1 } }, std::nullopt } } };
    text = withoutByteOrderMark(text);
    const SourceText source(text);
    if (auto broken = checkCharacters(source, fileName))
        return { nullptr, { std::move(*broken) } };
    Tree tree = buildTree(source, fileName);
    std::vector<Diagnostic> invisible = tree.root ? invisibleIn(*tree.root, source, fileName)
                                                  : invisibleInBroken(source, fileName);
    // What cannot be seen makes lines that fit no other: its syntax error would mislead.
    if (tree.error && invisible.empty())
        tree.diagnostics.push_back(explainSyntax(source, fileName, *tree.error));
    std::move(invisible.begin(), invisible.end(), std::back_inserter(tree.diagnostics));
    return { tree.root, std::move(tree.diagnostics) };
}

} // namespace earwright::recipe
