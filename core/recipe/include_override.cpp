#include "core/base/text.h"
#include "core/recipe/apply_override.h"

namespace earwright::recipe {
namespace {

class BodyCheck final {
public:
    BodyCheck(const std::string& fileName, const ResolveOptions& options,
        std::vector<Diagnostic>& diagnostics)
        : m_fileName(fileName)
        , m_options(options)
        , m_diagnostics(diagnostics)
    {
    }

    void check(const Node& body, const Node& file)
    {
        for (const Entry& entry : body.entries) {
            const NodePtr found = find(file, entry.key->text);
            m_path.push_back(entry.key->text);
            if (!found && entry.key->origin >= Origin::Override)
                checkNew(entry, file);
            else if (found && found->kind == Kind::Mapping && !found->tag.starts_with("!include:"))
                check(*entry.value, *found);
            m_path.pop_back();
        }
    }

private:
    void checkNew(const Entry& entry, const Node& mapping)
    {
        const std::string& name = m_path.back();
        const std::vector<std::string> path(m_path.begin(), m_path.end() - 1);
        std::optional<std::vector<std::string>> names { std::in_place };
        if (!path.empty())
            names = m_options.acceptedKeys ? m_options.acceptedKeys(path, mapping, name)
                                           : std::nullopt;
        if (!names || std::find(names->begin(), names->end(), name) != names->end())
            return;
        for (const Entry& known : mapping.entries)
            names->push_back(known.key->text);
        const std::string where = path.empty()
            ? inQuotes(m_fileName)
            : inQuotes(join(path, ".")) + " of " + inQuotes(m_fileName);
        m_diagnostics.push_back({ Severity::Error, "unknown-override",
            inQuotes(entry.key->originText) + ": " + where + " has no key '" + name + "'"
                + suggestion(name, *names),
            entry.key->span, std::nullopt });
    }

    const std::string& m_fileName;
    const ResolveOptions& m_options;
    std::vector<Diagnostic>& m_diagnostics;
    std::vector<std::string> m_path; ///< in the included file
};

} // namespace

void checkIncludeOverrides(const Node& body, const Node& file, const ResolveOptions& options,
    std::vector<Diagnostic>& diagnostics)
{
    BodyCheck(file.span.file, options, diagnostics).check(body, file);
}

} // namespace earwright::recipe
