#include "core/base/text.h"
#include "core/check/rules/rules.h"
#include "core/settings/text_fix.h"
#include "core/settings/tree.h"

#include <algorithm>
#include <map>

namespace earwright::check::rules {

using recipe::Severity;

namespace {

const std::vector<std::string> kPrecisions = { "fp32", "tf32", "fp16", "bf16" };

/// What other toolkits call them.
const std::map<std::string, std::string> kOtherNames = { { "float32", "fp32" }, { "32", "fp32" },
    { "full", "fp32" }, { "float16", "fp16" }, { "16", "fp16" }, { "half", "fp16" },
    { "fp16-mixed", "fp16" }, { "bfloat16", "bf16" }, { "bf16-mixed", "bf16" } };

/// The key's own place, or nowhere for a default.
recipe::Span placeOf(const recipe::NodePtr& node)
{
    return node ? node->span : recipe::Span {};
}

/// The place of an override is the line it replaces: what was typed must be named too.
std::string named(const char* key, const recipe::NodePtr& node)
{
    std::string name = inQuotes(key);
    if (node && node->origin >= recipe::Origin::Override)
        name += " (set by " + node->originText + ")";
    return name;
}

void suggest(const Context& context, const recipe::NodePtr& node, const std::string& precision,
    Diagnostics& found)
{
    if (node && !precision.empty())
        found.back().fix = settings::replaceScalar(*node, context.request.fileName, precision);
}

std::string nearestPrecision(const std::string& name)
{
    const auto other = kOtherNames.find(toLower(name));
    return other != kOtherNames.end() ? other->second : nearestName(toLower(name), kPrecisions);
}

struct Refusal {
    std::string why;
    std::string instead;
};

std::optional<Refusal> refusedByCpu(const std::string& precision)
{
    if (precision == "fp16")
        return Refusal { "a CPU cannot train in fp16; use bf16", "bf16" };
    if (precision == "tf32")
        return Refusal { "tf32 is a mode of CUDA GPUs; on a CPU use fp32", "fp32" };
    return {};
}

std::optional<Refusal> refusedByGpu(const std::string& precision, const Gpu& gpu)
{
    if (gpu.capabilityMajor >= 8 || (precision != "tf32" && precision != "bf16"))
        return {};
    const std::string instead = precision == "tf32" ? "fp32" : "fp16";
    return Refusal { precision + " needs compute capability 8.0, and " + gpu.name + " has "
            + std::to_string(gpu.capabilityMajor) + "." + std::to_string(gpu.capabilityMinor)
            + "; use " + instead,
        instead };
}

std::optional<Refusal> refusal(const Context& context, const std::string& precision)
{
    for (const std::string& device : context.devices) {
        const auto found = device == "cpu"
            ? refusedByCpu(precision)
            : refusedByGpu(precision, context.machine.gpus[std::stoul(device.substr(5))]);
        if (found)
            return found;
    }
    return {};
}

void checkOne(const Context& context, const char* key, const std::string& value, Diagnostics& found)
{
    recipe::NodePtr node = recipe::find(context.root, key);
    if (!node)
        node = recipe::findPath(context.root, std::string("train_conf.") + key);
    const std::string name = named(key, node);
    if (std::find(kPrecisions.begin(), kPrecisions.end(), value) == kPrecisions.end()) {
        report(found, Severity::Error, "precision-name",
            name + " must be one of " + join(kPrecisions, ", ") + ", not " + value, placeOf(node));
        suggest(context, node, nearestPrecision(value), found);
    } else if (const auto refused = refusal(context, value)) {
        report(
            found, Severity::Error, "precision-device", name + ": " + refused->why, placeOf(node));
        suggest(context, node, refused->instead, found);
    }
}

} // namespace

void precision(const Context& context, Diagnostics& found)
{
    checkOne(context, "precision", context.options.precision, found);
    checkOne(context, "eval_precision", context.options.evalPrecision, found);
}

} // namespace earwright::check::rules
