#include "tests/fuzz/recipe_properties.h"

#include <nlohmann/json.hpp>

namespace earwright::fuzz {

recipe::ResolveOptions includesOf(std::string_view text)
{
    recipe::ResolveOptions options;
    options.readInclude
        = [text = std::string(text)](const std::string& path) -> Result<std::string> {
        if (path == "a.yaml")
            return std::string("x: 1\ny: !ref <x> * 2\nenc: !new:q.R {size: !ref <y>}\n");
        if (path == "b.yaml")
            return std::string("inner: !include:a.yaml\n  x: 3\nz: !ref <inner[y]>\n");
        if (path == "self.yaml")
            return text;
        return Error { "cannot read '" + path + "'" };
    };
    return options;
}

std::string brokenProperty(const recipe::Resolved& resolved, const std::string& text)
{
    for (const recipe::Diagnostic& diagnostic : resolved.diagnostics) {
        const std::string source = diagnostic.span.file == "x.yaml" ? text : "";
        if (diagnostic.message.empty() || diagnostic.rule.empty()
            || recipe::formatDiagnostic(diagnostic, source).empty())
            return "a diagnostic says nothing";
        if (diagnostic.fix)
            recipe::applyFix(text, *diagnostic.fix);
    }
    recipe::diagnosticsToJson(resolved.diagnostics);
    if (recipe::hasErrors(resolved.diagnostics))
        return "";
    if (!resolved.root)
        return "neither a tree nor an error";
    if (!nlohmann::json::accept(recipe::emitJson(*resolved.root)))
        return "the JSON is none";
    const std::string yaml = recipe::emitYaml(*resolved.root);
    const recipe::Resolved again = recipe::resolve(yaml, "again.yaml", {});
    for (const recipe::Diagnostic& diagnostic : again.diagnostics)
        return "what is written does not resolve: " + recipe::formatDiagnostic(diagnostic, yaml)
            + yaml;
    const std::string second = recipe::emitYaml(*again.root);
    return second == yaml
        ? ""
        : "what is written resolves to something else: " + yaml + "-----\n" + second;
}

} // namespace earwright::fuzz
