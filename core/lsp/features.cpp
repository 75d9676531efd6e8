#include "core/lsp/features.h"

#include "core/base/file.h"
#include "core/language/banner.h"
#include "core/language/completion.h"
#include "core/language/hover.h"
#include "core/language/mention.h"
#include "core/language/symbols.h"
#include "core/lsp/uri.h"

#include <algorithm>

namespace earwright::lsp {
namespace {

recipe::Position placeOf(const Query& query)
{
    return Converter(query.document.text, query.encoding).position(query.params.at("position"));
}

/// A place may be in an included file, which has a text of its own.
Json locationOf(const Query& query, const recipe::Span& span)
{
    if (span.file == fileOf(query.document.uri))
        return { { "uri", query.document.uri },
            { "range", Converter(query.document.text, query.encoding).range(span) } };
    const Result<std::string> text = readFile(span.file);
    return { { "uri", uriOf(span.file) },
        { "range", Converter(text ? *text : "", query.encoding).range(span) } };
}

Json workspaceEdit(const Query& query, const std::vector<recipe::Edit>& edits)
{
    const Converter converter(query.document.text, query.encoding);
    return { { "changes", { { query.document.uri, converter.edits(edits) } } } };
}

/// CompletionItemKind of LSP: Property, Class, Field, Reference, Value, File.
int kindOf(language::CompletionKind kind)
{
    static constexpr int kKinds[] = { 10, 7, 5, 18, 12, 17 };
    return kKinds[static_cast<int>(kind)];
}

Json itemOf(const language::Completion& found, size_t order, const Converter& converter)
{
    std::string rank = std::to_string(order);
    rank.insert(0, 6 - std::min<size_t>(rank.size(), 6), '0');
    // A class is found by any part of its whole name.
    const bool isClass = found.kind == language::CompletionKind::Class;
    Json item { { "label", found.label }, { "kind", kindOf(found.kind) }, { "sortText", rank },
        { "filterText", isClass ? found.edit.text : found.label },
        { "textEdit",
            { { "range", converter.range(found.edit.span) }, { "newText", found.edit.text } } } };
    if (!found.detail.empty())
        item["detail"] = found.detail;
    if (!found.help.empty())
        item["documentation"] = found.help;
    return item;
}

/// SymbolKind of LSP: an object of a class, a mapping, a single value.
int kindOf(const language::Symbol& symbol)
{
    enum { Class = 5, Property = 7, Object = 19 };
    if (symbol.tag.starts_with("!new:"))
        return Class;
    return symbol.children.empty() ? Property : Object;
}

Json symbolsOf(const std::vector<language::Symbol>& symbols, const Converter& converter)
{
    Json list = Json::array();
    for (const language::Symbol& symbol : symbols) {
        list.push_back(
            { { "name", symbol.name.empty() ? "\"\"" : symbol.name }, { "detail", symbol.detail },
                { "kind", kindOf(symbol) }, { "range", converter.range(symbol.span) },
                { "selectionRange", converter.range(symbol.nameSpan) },
                { "children", symbolsOf(symbol.children, converter) } });
    }
    return list;
}

Json fold(int firstLine, int lastLine, const char* kind)
{
    Json range { { "startLine", firstLine - 1 }, { "endLine", lastLine - 1 } };
    if (*kind)
        range["kind"] = kind;
    return range;
}

void addFolds(const std::vector<language::Symbol>& symbols, Json& folds)
{
    for (const language::Symbol& symbol : symbols) {
        if (symbol.span.end.line > symbol.span.begin.line)
            folds.push_back(fold(symbol.span.begin.line, symbol.span.end.line, ""));
        addFolds(symbol.children, folds);
    }
}

/// From a banner to the line before the next one.
void addSections(const std::string& text, Json& folds)
{
    const std::vector<language::Banner> banners = language::bannersOf(text);
    const int lines = static_cast<int>(std::count(text.begin(), text.end(), '\n'));
    for (size_t i = 0; i < banners.size(); ++i) {
        const int last = i + 1 < banners.size() ? banners[i + 1].line - 1 : lines;
        if (last > banners[i].line)
            folds.push_back(fold(banners[i].line, last, "region"));
    }
}

/// The client may ask for other kinds of actions only.
bool wantsQuickFixes(const Json& params)
{
    const Json context = params.value("context", Json::object());
    if (!context.contains("only"))
        return true;
    const Json& only = context.at("only");
    return std::any_of(only.begin(), only.end(),
        [](const Json& kind) { return kind == "quickfix" || kind == ""; });
}

/// The client's diagnostics that the fix is of.
Json diagnosticsFor(const recipe::Fix& fix, const Json& params)
{
    Json matching = Json::array();
    for (const Json& diagnostic : params.at("context").value("diagnostics", Json::array()))
        if (diagnostic.value("data", Json::object()).value("title", "") == fix.title)
            matching.push_back(diagnostic);
    return matching;
}

} // namespace

Json completion(const Query& query)
{
    const Converter converter(query.document.text, query.encoding);
    const language::Document none;
    const auto found = language::complete(query.document.text, placeOf(query),
        query.document.analysed ? *query.document.analysed : none, language::entriesOf);
    Json items = Json::array();
    for (size_t i = 0; i < found.size(); ++i)
        items.push_back(itemOf(found[i], i, converter));
    // What fits depends on the place more than on the word: ask again.
    return { { "isIncomplete", true }, { "items", items } };
}

Json hover(const Query& query)
{
    const auto found = language::hover(query.current(), placeOf(query));
    if (!found)
        return nullptr;
    return { { "contents", { { "kind", "markdown" }, { "value", toMarkdown(*found) } } },
        { "range", Converter(query.document.text, query.encoding).range(found->span) } };
}

Json definition(const Query& query)
{
    const auto found = language::definition(query.current(), placeOf(query));
    return found ? locationOf(query, *found) : Json(nullptr);
}

Json references(const Query& query)
{
    const recipe::Position at = placeOf(query);
    std::vector<recipe::Span> found = language::references(query.current(), at);
    const bool isWanted
        = query.params.value("context", Json::object()).value("includeDeclaration", true);
    if (!isWanted && !found.empty() && language::definition(query.current(), at))
        found.erase(found.begin());
    Json list = Json::array();
    for (const recipe::Span& span : found)
        list.push_back(locationOf(query, span));
    return list;
}

Json prepareRename(const Query& query)
{
    const language::Document& document = query.current();
    const auto mention = document.isCurrent ? mentionAt(document, placeOf(query)) : std::nullopt;
    if (!mention || (!mention->target.entry && mention->anchor == 0))
        return nullptr;
    return { { "range", Converter(query.document.text, query.encoding).range(mention->span) },
        { "placeholder", mention->name } };
}

Result<Json> rename(const Query& query)
{
    const auto edits = language::rename(
        query.current(), placeOf(query), query.params.at("newName").get<std::string>());
    if (!edits)
        return edits.error();
    return workspaceEdit(query, *edits);
}

Json codeAction(const Query& query)
{
    Json actions = Json::array();
    if (!wantsQuickFixes(query.params))
        return actions;
    const recipe::Span span = Converter(query.document.text, query.encoding)
                                  .span(query.params.at("range"), fileOf(query.document.uri));
    for (const recipe::Fix& fix : fixesAt(query.current(), span))
        actions.push_back({ { "title", fix.title }, { "kind", "quickfix" },
            { "diagnostics", diagnosticsFor(fix, query.params) },
            { "edit", workspaceEdit(query, fix.edits) } });
    return actions;
}

Json documentSymbol(const Query& query)
{
    return symbolsOf(outline(query.current()), Converter(query.document.text, query.encoding));
}

Json foldingRange(const Query& query)
{
    Json folds = Json::array();
    addFolds(outline(query.current()), folds);
    addSections(query.document.text, folds);
    return folds;
}

} // namespace earwright::lsp
