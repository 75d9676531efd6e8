#include "core/base/text.h"
#include "core/check/options.h"
#include "core/settings/provenance.h"
#include "core/settings/text_fix.h"
#include "core/settings/tree.h"

#include <algorithm>

namespace earwright::check {

using recipe::Node;
using recipe::NodePtr;
using recipe::Severity;

namespace {

/// Upstream reads lower case only: Earwright understands `CUDA:0`, but the recipe would not run
/// there.
void spelling(const Node& node, const std::string& fileName, Diagnostics& found)
{
    const std::string lower = toLower(node.text);
    if (lower == node.text)
        return;
    report(found, Severity::Warning, "device-spelling",
        "device '" + node.text + "' is read as '" + lower
            + "'; SpeechBrain accepts lower case only",
        node.span)
        .fix
        = settings::replaceScalar(node, fileName, lower);
}

std::string likelyDevice(const std::string& text, size_t gpuCount)
{
    const std::string word = toLower(text);
    if (gpuCount == 0)
        return "cpu";
    return word == "gpu" || word == "nvidia" || word.starts_with("cuda") ? "cuda" : "";
}

/// [cuda:0, cuda:1] as "cuda:0,cuda:1", [cpu, cpu] as "cpu:2", a single value as it stands.
std::string spelled(const Node& node)
{
    if (node.kind == recipe::Kind::Scalar)
        return node.text;
    std::vector<std::string> words;
    for (const NodePtr& item : node.items)
        words.push_back(item->text);
    const bool isCpu = std::all_of(words.begin(), words.end(),
        [](const std::string& word) { return toLower(trim(word)) == "cpu"; });
    return isCpu ? "cpu:" + std::to_string(words.size()) : join(words, ",");
}

/// The recipe's key where it says something: a single value or a list of such.
NodePtr deviceKey(const Node& root)
{
    const NodePtr node = recipe::find(root, "device");
    const bool isList = node && node->kind == recipe::Kind::Sequence && !node->items.empty();
    return isList || !settings::plainText(node).empty() ? node : nullptr;
}

void checkSpelling(const Node& node, const std::string& fileName, Diagnostics& found)
{
    if (node.kind == recipe::Kind::Scalar)
        spelling(node, fileName, found);
    for (const NodePtr& item : node.items)
        spelling(*item, fileName, found);
}

} // namespace

void readDevices(const Request& request, const Machine& machine, Findings& findings)
{
    const NodePtr node = request.devices == "auto" ? deviceKey(*findings.recipe) : nullptr;
    const std::string text = node ? spelled(*node) : request.devices;
    const auto devices = parseDevices(text, machine);
    Provenance provenance
        = settings::provenanceOf("devices", node ? toLower(text) : text, node.get(), "engine");
    if (!node && request.devices != "auto") {
        provenance.source = "option";
        provenance.place = "--devices=" + text;
    }
    findings.provenance.push_back(provenance);
    if (devices) {
        findings.devices = *devices;
        if (node)
            checkSpelling(*node, request.fileName, findings.diagnostics);
        return;
    }
    auto& diagnostic = report(findings.diagnostics, Severity::Error, "device-spelling",
        devices.error().message, node ? node->span : recipe::Span { request.fileName, {}, {} });
    if (const auto likely = likelyDevice(text, machine.gpus.size()); node && !likely.empty())
        diagnostic.fix = settings::replaceScalar(*node, request.fileName, likely);
}

} // namespace earwright::check
