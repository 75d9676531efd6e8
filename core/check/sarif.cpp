#include "core/check/sarif.h"

#include "core/check/rule_table.h"

#include <nlohmann/json.hpp>

namespace earwright::check {

using nlohmann::ordered_json;
using recipe::Diagnostic;
using recipe::Span;

namespace {

const char* levelOf(recipe::Severity severity)
{
    switch (severity) {
    case recipe::Severity::Error:
        return "error";
    case recipe::Severity::Warning:
        return "warning";
    case recipe::Severity::Info:
        break;
    }
    return "note";
}

/// A path as the reference that a URI allows: what RFC 3986 reserves is escaped byte by byte.
std::string uriOf(const std::string& path)
{
    static const char* const kHex = "0123456789ABCDEF";
    std::string uri = path.starts_with('/') ? "file://" : "";
    for (const char c : path) {
        const auto byte = static_cast<unsigned char>(c);
        if (std::isalnum(byte) || std::string_view("-._~/").find(c) != std::string_view::npos)
            uri += c;
        else
            uri += { '%', kHex[byte >> 4], kHex[byte & 15] };
    }
    return uri;
}

/// Its columns begin with 1 and its end is after the last character, as ours are.
ordered_json regionOf(const Span& span)
{
    ordered_json region { { "startLine", span.begin.line },
        { "startColumn", std::max(1, span.begin.column) } };
    if (span.end >= span.begin) {
        region["endLine"] = span.end.line;
        region["endColumn"] = std::max(1, span.end.column);
    }
    return region;
}

ordered_json locationsOf(const Span& span)
{
    auto locations = ordered_json::array();
    if (span.file.empty())
        return locations;
    ordered_json physical { { "artifactLocation", { { "uri", uriOf(span.file) } } } };
    if (span.begin.line > 0)
        physical["region"] = regionOf(span);
    locations.push_back({ { "physicalLocation", std::move(physical) } });
    return locations;
}

/// One change of an artifact takes all replacements in it.
ordered_json fixOf(const recipe::Fix& fix)
{
    std::map<std::string, ordered_json> changes;
    for (const recipe::Edit& edit : fix.edits) {
        ordered_json& change = changes[edit.span.file];
        change["artifactLocation"] = { { "uri", uriOf(edit.span.file) } };
        change["replacements"].push_back({ { "deletedRegion", regionOf(edit.span) },
            { "insertedContent", { { "text", edit.text } } } });
    }
    auto list = ordered_json::array();
    for (auto& [file, change] : changes)
        list.push_back(std::move(change));
    return { { "description", { { "text", fix.title } } }, { "artifactChanges", std::move(list) } };
}

ordered_json resultOf(const Diagnostic& diagnostic)
{
    ordered_json result { { "ruleId", diagnostic.rule } };
    if (const RuleInfo* rule = findRule(diagnostic.rule))
        result["ruleIndex"] = rule - ruleTable().data();
    result["level"] = levelOf(diagnostic.severity);
    result["message"] = { { "text", diagnostic.message } };
    result["locations"] = locationsOf(diagnostic.span);
    for (const recipe::Fix& fix : recipe::fixesOf(diagnostic))
        result["fixes"].push_back(fixOf(fix));
    return result;
}

ordered_json driverOf(const std::string& version)
{
    auto rules = ordered_json::array();
    for (const RuleInfo& rule : ruleTable())
        rules.push_back({ { "id", rule.id }, { "shortDescription", { { "text", rule.help } } } });
    return { { "name", "earwright" }, { "version", version }, { "rules", std::move(rules) } };
}

} // namespace

std::string diagnosticsToSarif(
    const std::vector<Diagnostic>& diagnostics, const std::string& version)
{
    auto results = ordered_json::array();
    for (const Diagnostic& diagnostic : diagnostics)
        results.push_back(resultOf(diagnostic));
    ordered_json run { { "tool", { { "driver", driverOf(version) } } },
        { "columnKind", "unicodeCodePoints" }, { "results", std::move(results) } };
    const ordered_json log { { "$schema", "https://json.schemastore.org/sarif-2.1.0.json" },
        { "version", "2.1.0" }, { "runs", ordered_json::array({ std::move(run) }) } };
    return log.dump(2, ' ', false, ordered_json::error_handler_t::replace);
}

} // namespace earwright::check
