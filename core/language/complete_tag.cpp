#include "core/catalog/argument_value.h"
#include "core/catalog/catalog.h"
#include "core/language/complete_impl.h"

#include <filesystem>
#include <set>

namespace earwright::language {
namespace {

struct TagHelp {
    const char* tag;
    const char* detail;
};

constexpr TagHelp kTags[] = {
    { "!ref ", "the value of another key, or a text or sum made of several" },
    { "!new:", "an object of a class" },
    { "!name:", "a class or function with some of its arguments" },
    { "!apply:", "what a function returns" },
    { "!copy ", "a copy of another key's value" },
    { "!include:", "another file in this place" },
    { "!PLACEHOLDER", "a value that must be given on the command line" },
    { "!tuple ", "a tuple" },
    { "!module:", "a Python module" },
    { "!applyref:", "what a function returns, once for the whole recipe" },
};

std::vector<Completion> tags(const Asked& asked)
{
    Candidates candidates(asked, asked.place.begin, asked.place.end);
    for (const TagHelp& help : kTags)
        candidates.add(CompletionKind::Value, help.tag, help.detail);
    return std::move(candidates).ranked();
}

std::string moduleOf(const std::string& name)
{
    const size_t dot = name.rfind('.');
    return dot == std::string::npos ? "" : name.substr(0, dot);
}

/// Of a recipe's own packages; the others' classes come with converted configurations.
bool isUsual(const std::string& name)
{
    return name.starts_with("speechbrain.") || name.starts_with("torch.");
}

/// Among equals what Earwright can build is first.
std::vector<std::string> orderedClasses()
{
    std::vector<std::string> names = catalog::trainableClassNames();
    const std::set<std::string> trainable(names.begin(), names.end());
    for (const bool usual : { true, false })
        for (const std::string& name : catalog::classNames())
            if (isUsual(name) == usual && !trainable.contains(name))
                names.push_back(name);
    return names;
}

std::vector<Completion> classes(const Asked& asked, size_t begin)
{
    static const std::vector<std::string> names = orderedClasses();
    Candidates candidates(asked, begin, asked.place.end);
    for (const std::string& name : names)
        candidates.add(CompletionKind::Class, catalog::lastPart(name), moduleOf(name), "", name);
    return std::move(candidates).ranked();
}

} // namespace

std::vector<Completion> completeTag(const Asked& asked)
{
    const std::string_view typed
        = asked.text().substr(asked.place.begin, asked.caret - asked.place.begin);
    const size_t colon = typed.find(':');
    if (colon == std::string_view::npos)
        return tags(asked);
    const size_t begin = asked.place.begin + colon + 1;
    if (!typed.starts_with("!include:"))
        return classes(asked, begin);
    const std::filesystem::path file = asked.document.request.fileName;
    return completePath(asked, begin, typed.substr(colon + 1), file.parent_path().string());
}

} // namespace earwright::language
