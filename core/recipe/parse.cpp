#include "core/recipe/parse.h"

#include "core/base/text.h"
#include "core/recipe/syntax.h"

namespace earwright::recipe {

Parsed parse(std::string_view text, const std::string& fileName)
{
    text = withoutByteOrderMark(text);
    const SourceText source(text);
    if (auto broken = checkCharacters(source, fileName))
        return { nullptr, { std::move(*broken) } };
    Tree tree = buildTree(source, fileName);
    if (tree.error)
        tree.diagnostics.push_back(explainSyntax(source, fileName, *tree.error));
    return { tree.root, std::move(tree.diagnostics) };
}

} // namespace earwright::recipe
