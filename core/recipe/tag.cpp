#include "core/recipe/tag.h"

#include "core/base/text.h"

#include <algorithm>
#include <vector>

namespace earwright::recipe {
namespace {

constexpr size_t kLongestTag = 100; ///< that is compared and shown

/// A tag that ends in a name.
struct NamingTag {
    std::string_view tag;
    const char* what;
};

constexpr NamingTag kNaming[] = {
    { "!new:", "class" },
    { "!name:", "class or function" },
    { "!apply:", "function" },
    { "!applyref:", "function" },
    { "!module:", "module" },
    { "!include:", "file" },
};

constexpr std::string_view kWhole[] = { "!ref", "!copy", "!tuple", "!PLACEHOLDER" };

// clang-format off
/// Those that ruamel.yaml constructs.
constexpr std::string_view kOfYaml[] = { "!!null", "!!bool", "!!int", "!!float", "!!binary",
    "!!timestamp", "!!omap", "!!pairs", "!!set", "!!str", "!!seq", "!!map", "!!python/none",
    "!!python/bool", "!!python/str", "!!python/unicode", "!!python/bytes", "!!python/int",
    "!!python/long", "!!python/float", "!!python/complex", "!!python/list", "!!python/tuple",
    "!!python/dict" };
constexpr std::string_view kOfPython[] = { "!!python/name:", "!!python/module:",
    "!!python/object:", "!!python/object/apply:", "!!python/object/new:" };
// clang-format on

template <class Tags>
bool contains(const Tags& tags, std::string_view tag)
{
    return std::find(std::begin(tags), std::end(tags), tag) != std::end(tags);
}

bool isKnown(std::string_view tag)
{
    const bool names = std::any_of(std::begin(kNaming), std::end(kNaming),
        [&](const NamingTag& one) { return tag.starts_with(one.tag); });
    const bool isOfPython = std::any_of(std::begin(kOfPython), std::end(kOfPython),
        [&](std::string_view one) { return tag.starts_with(one); });
    return names || isOfPython || contains(kWhole, tag) || contains(kOfYaml, tag);
}

/// "!new" and "!new:", which name nothing; null for any other.
const NamingTag* namingNothing(std::string_view tag)
{
    const auto found
        = std::find_if(std::begin(kNaming), std::end(kNaming), [&](const NamingTag& one) {
              return tag == one.tag || tag == one.tag.substr(0, one.tag.size() - 1);
          });
    return found == std::end(kNaming) ? nullptr : &*found;
}

std::string shownTag(const std::string& tag)
{
    return tag.size() <= kLongestTag ? inQuotes(tag) : inQuotes(tag.substr(0, kLongestTag)) + "…";
}

/// The scalar's text where it may be the name that its tag lacks: "!new: torch.nn.Linear".
std::string nameBehind(const Node& node)
{
    const bool isName = node.kind == Kind::Scalar && node.style == ScalarStyle::Plain
        && node.text.find_first_of(" \t\n<>()") == std::string::npos;
    return isName ? node.text : "";
}

/// By its letters whatever their case, up to its colon; "" where none is near.
std::string nearestTag(const std::string& tag)
{
    if (tag.size() > kLongestTag)
        return "";
    std::vector<std::string> known;
    if (tag.starts_with("!!")) {
        known.assign(std::begin(kOfYaml), std::end(kOfYaml));
    } else {
        known.assign(std::begin(kWhole), std::end(kWhole));
        for (const NamingTag& one : kNaming)
            known.emplace_back(one.tag);
    }
    std::vector<std::string> small;
    for (const std::string& one : known)
        small.push_back(toLower(one));
    const size_t colon = tag.find(':');
    const std::string begin = colon == std::string::npos ? tag : tag.substr(0, colon + 1);
    const auto near = std::find(small.begin(), small.end(), nearestName(toLower(begin), small));
    return near == small.end() ? "" : known[static_cast<size_t>(near - small.begin())];
}

TagFault namesNothing(const NamingTag& naming, const Node& node)
{
    const std::string begin = inQuotes(node.tag) + " names no " + naming.what;
    const std::string name = nameBehind(node);
    if (name.empty())
        return { begin + "; write it right behind " + inQuotes(naming.tag), "" };
    const std::string whole = std::string(naming.tag) + name;
    return { begin + "; write " + inQuotes(whole) + " without a blank", whole, true };
}

TagFault unknownTag(const Node& node)
{
    const std::string begin = "unknown tag " + shownTag(node.tag);
    const std::string near = nearestTag(node.tag);
    if (near.empty())
        return { begin
                + "; write it in quotes, or one of !ref, !copy, !new:, !name:, !apply:, "
                  "!include:, !PLACEHOLDER",
            "" };
    const size_t colon = node.tag.find(':');
    const bool hasColon = colon != std::string::npos;
    const std::string behind = hasColon ? node.tag.substr(colon + 1) : nameBehind(node);
    const bool isNaming = near.ends_with(':');
    const std::string whole = isNaming ? near + behind : near;
    // "!ref:a" has what no tag like it takes, "!nwe" lacks what its own does.
    const bool canReplace = !node.tag.starts_with("!!") && (isNaming ? !behind.empty() : !hasColon);
    return { begin + "; did you mean " + inQuotes(whole) + "?", canReplace ? whole : "",
        isNaming && !hasColon };
}

} // namespace

std::optional<TagFault> faultOfTag(const Node& node)
{
    if (node.tag.empty())
        return std::nullopt;
    if (const NamingTag* naming = namingNothing(node.tag))
        return namesNothing(*naming, node);
    return isKnown(node.tag) ? std::nullopt : std::optional(unknownTag(node));
}

} // namespace earwright::recipe
