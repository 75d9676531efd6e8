#include "core/lsp/features.h"

#include "core/base/file.h"
#include "core/language/banner.h"
#include "core/language/completion.h"
#include "core/language/hover.h"
#include "core/language/mention.h"
#include "core/language/symbols.h"
#include "core/lsp/uri.h"

#include <algorithm>
#include <map>

namespace earwright::lsp {
namespace {

recipe::Position placeOf(const Query& query)
{
    return Converter(query.document.text, query.encoding).position(query.params.object("position"));
}

/// Places, which may be in included files, each of which has a text of its own.
class Locations final {
public:
    explicit Locations(const Query& query)
        : m_query(query)
    {
    }
    Json of(const recipe::Span& span)
    {
        const bool isHere = span.file == fileOf(m_query.document.uri);
        const Text& text = m_texts.try_emplace(span.file, span.file, isHere, m_query).first->second;
        return { { "uri", isHere ? m_query.document.uri : uriOf(span.file) },
            { "range", text.converter.range(span) } };
    }

private:
    struct Text {
        std::string text;
        Converter converter;
        Text(const std::string& file, bool isHere, const Query& query)
            : text(isHere ? query.document.text : textOf(file))
            , converter(text, query.encoding)
        {
        }
    };
    static std::string textOf(const std::string& file)
    {
        Result<std::string> text = readFile(file);
        return text ? std::move(*text) : "";
    }

    const Query& m_query;
    std::map<std::string, Text> m_texts; ///< by file: of many places, a text is read once
};

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
bool wantsQuickFixes(JsonReader& params)
{
    JsonReader context = params.object("context");
    std::vector<std::string> only;
    if (!context.has("only") || context.isNull("only"))
        return true;
    context("only", only);
    return std::any_of(only.begin(), only.end(),
        [](const auto& kind) { return kind == "quickfix" || kind.empty(); });
}

/// The client's diagnostics that the fix is of.
Json diagnosticsFor(const recipe::Fix& fix, const Json& params)
{
    static const Json::json_pointer all("/context/diagnostics");
    static const Json::json_pointer title("/data/title");
    Json matching = Json::array();
    for (const Json& diagnostic : params.contains(all) ? params[all] : matching)
        if (diagnostic.contains(title) && diagnostic[title] == fix.title)
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
    return found ? Locations(query).of(*found) : Json(nullptr);
}

Json references(const Query& query)
{
    const recipe::Position at = placeOf(query);
    std::vector<recipe::Span> found = language::references(query.current(), at);
    bool isWanted = true;
    query.params.object("context")("includeDeclaration", isWanted);
    if (!isWanted && !found.empty() && language::definition(query.current(), at))
        found.erase(found.begin());
    Locations locations(query);
    Json list = Json::array();
    for (const recipe::Span& span : found)
        list.push_back(locations.of(span));
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
    std::string newName;
    query.params.require("newName", newName);
    const auto edits = language::rename(query.current(), placeOf(query), newName);
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
                                  .span(query.params.object("range"), fileOf(query.document.uri));
    for (const recipe::Fix& fix : fixesAt(query.current(), span))
        actions.push_back({ { "title", fix.title }, { "kind", "quickfix" },
            { "diagnostics", diagnosticsFor(fix, query.rawParams) },
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
