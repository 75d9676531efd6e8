#include "core/lsp/open_document.h"

#include "core/lsp/uri.h"

#include <filesystem>

namespace earwright::lsp {
namespace {

int severityOf(recipe::Severity severity)
{
    constexpr int kFirst = 1; // Error, Warning, Information
    return kFirst + static_cast<int>(severity);
}

bool isElsewhere(const recipe::Span& span, const OpenDocument& document)
{
    return !span.file.empty() && span.file != fileOf(document.uri);
}

std::string messageOf(const recipe::Diagnostic& diagnostic, const OpenDocument& document)
{
    if (!isElsewhere(diagnostic.span, document))
        return diagnostic.message;
    return std::filesystem::path(diagnostic.span.file).filename().string() + ":"
        + std::to_string(diagnostic.span.begin.line) + ": " + diagnostic.message;
}

Json jsonOf(
    const recipe::Diagnostic& diagnostic, const OpenDocument& document, const Converter& converter)
{
    const recipe::Span top { "", { 1, 1 }, { 1, 1 } };
    const bool isElse = isElsewhere(diagnostic.span, document);
    Json json { { "range", converter.range(isElse ? top : diagnostic.span) },
        { "severity", severityOf(diagnostic.severity) }, { "code", diagnostic.rule },
        { "source", "earwright" }, { "message", messageOf(diagnostic, document) } };
    if (diagnostic.fix)
        json["data"] = { { "title", diagnostic.fix->title },
            { "edits", converter.edits(diagnostic.fix->edits) } };
    return json;
}

} // namespace

check::Request OpenDocument::request() const
{
    check::Request request;
    request.text = text;
    request.fileName = fileOf(uri);
    request.tokenRule = tokenRule;
    return request;
}

const language::Document& OpenDocument::current(const check::Machine& machine)
{
    if (!isChecked)
        analysed = language::analyse(request(), machine, analysed);
    isChecked = true;
    return *analysed;
}

void applyChanges(OpenDocument& document, JsonReader& params, Encoding encoding)
{
    std::string whole = document.text;
    if (!params.has("contentChanges"))
        params.refuse("contentChanges", "a list of changes");
    for (JsonReader& change : params.objects("contentChanges")) {
        std::string text;
        change.require("text", text);
        if (!change.has("range")) {
            whole = text;
            continue;
        }
        JsonReader range = change.object("range");
        const Converter converter(whole, encoding);
        const size_t begin = converter.offset(range.object("start"));
        const size_t end = converter.offset(range.object("end"));
        whole.replace(begin, end > begin ? end - begin : 0, text);
    }
    if (!params.status())
        return;
    document.text = std::move(whole);
    document.isChecked = false;
}

Json diagnosticsOf(const OpenDocument& document, Encoding encoding)
{
    const Converter converter(document.text, encoding);
    Json list = Json::array();
    for (const recipe::Diagnostic& diagnostic : document.analysed->findings.diagnostics)
        list.push_back(jsonOf(diagnostic, document, converter));
    return { { "uri", document.uri }, { "version", document.version }, { "diagnostics", list } };
}

} // namespace earwright::lsp
