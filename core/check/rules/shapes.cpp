
#include "core/base/text.h"
#include "core/catalog/shape.h"
#include "core/check/rules/rules.h"
#include "core/check/text_fix.h"
#include "core/check/tree.h"

#include <algorithm>

namespace kymo::check::rules {

using catalog::FrameRule;
using catalog::FrameShape;
using recipe::NodePtr;
using recipe::Severity;

namespace {

/// What a batch passes, by the names that recipes give it; a ModuleList of that name is no layer.
struct Link {
    std::vector<std::string> names;
    bool isAlwaysThere = false; ///< where no name is found, what passes is not known
};
const std::vector<Link> kChain = { { { "compute_features" } }, { { "normalize", "normalizer" } },
    { { "CNN" } }, { { "enc", "encoder", "Transformer", "model" }, true },
    { { "ctc_lin", "output" } }, { { "log_softmax" } } };

/// A layer between features and encoder that no name of the chain tells of.
const std::vector<std::string> kOtherFronts
    = { "wav2vec2", "whisper", "ssl_model", "weighted_ssl_model", "src_embedding" };

class Chain final {
public:
    Chain(const Context& context, Diagnostics& found)
        : m_context(context)
        , m_found(found)
        , m_isSure(context.options.task == "ctc")
    {
    }

    void follow()
    {
        for (const Link& link : kChain)
            if (!passAny(link) && link.isAlwaysThere)
                m_shape.clear();
    }

private:
    bool passAny(const Link& link)
    {
        for (const std::string& name : link.names) {
            const NodePtr node = recipe::find(m_context.root, name);
            // A transducer's `output` comes after its joint network.
            if (!node || shortName(recipe::newClass(*node)) == "ModuleList"
                || recipe::newClass(*node).empty() || (name == "output" && !m_isSure))
                continue;
            pass(name, node);
            return true;
        }
        return false;
    }

    void pass(const std::string& name, const NodePtr& layer)
    {
        const FrameRule rule = catalog::frameRule(layer, m_shape);
        const bool fits = rule.taken == 0 || rule.arriving == 0 || rule.taken == rule.arriving;
        if (!fits)
            report(name, rule);
        const auto members = catalog::membersOf(*layer);
        for (const recipe::Entry& member : members)
            pass(name + "[" + member.key->text + "]", member.value);
        if (members.empty())
            m_shape = rule.given;
        m_from = name;
    }

    void report(const std::string& name, const FrameRule& rule)
    {
        const recipe::Entry* argument = findEntry(*rule.layer, rule.argument);
        const std::string taken = std::to_string(rule.taken);
        const std::string arriving = std::to_string(rule.arriving);
        auto& diagnostic = check::report(m_found, m_isSure ? Severity::Error : Severity::Warning,
            "shape-mismatch",
            inQuotes(name) + " takes " + taken + " features a frame (" + rule.argument + "), but "
                + inQuotes(m_from) + " gives " + arriving,
            argument->key->span);
        diagnostic.fix = fixOf(*argument, arriving);
    }

    /// Only a number that stands there itself: behind a reference the other users would change too.
    std::optional<recipe::Fix> fixOf(const recipe::Entry& argument, const std::string& size) const
    {
        recipe::NodePtr number = argument.value;
        if (number->kind == recipe::Kind::Sequence)
            number = number->items.back();
        const bool isHere = number->span.begin.line == argument.key->span.begin.line;
        return isHere ? replaceScalar(*number, m_context.request.fileName, size) : std::nullopt;
    }

    const Context& m_context;
    Diagnostics& m_found;
    const bool m_isSure; ///< another procedure may put layers between these
    FrameShape m_shape;
    std::string m_from;
};

} // namespace

void shapes(const Context& context, Diagnostics& found)
{
    const bool hasOtherFront = std::any_of(kOtherFronts.begin(), kOtherFronts.end(),
        [&](const std::string& key) { return recipe::find(context.root, key) != nullptr; });
    if (!hasOtherFront || context.options.task == "ctc")
        Chain(context, found).follow();
}

} // namespace kymo::check::rules
