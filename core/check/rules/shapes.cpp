#include "core/base/text.h"
#include "core/catalog/shape.h"
#include "core/check/rules/rules.h"
#include "core/check/shape_flows.h"
#include "core/recipe/source.h"
#include "core/settings/layer_keys.h"
#include "core/settings/text_fix.h"
#include "core/settings/tree.h"
#include "core/tasks/spec.h"

#include <algorithm>
#include <set>

namespace earwright::check::rules {

using catalog::FrameRule;
using catalog::FrameShape;
using recipe::NodePtr;

namespace {

/// What reaches a layer, and from where: "'CNN' gives".
struct Arrival {
    std::string from;
    FrameShape shape; ///< empty = not known
};

/// Two flows may lead round in a circle of names.
constexpr int kMaxDepth = 16;

class Shapes final {
public:
    Shapes(const Context& context, Diagnostics& found)
        : m_context(context)
        , m_found(found)
    {
    }

    void follow()
    {
        for (const tasks::Flow& flow : shapeFlows())
            for (const std::string& name : flow.layers)
                if (const NodePtr layer = settings::findLayer(m_context.root, name);
                    layer && !catalog::classOf(*layer).empty())
                    followTo(flow, name, layer);
        // A container that no flow names: its members follow each other all the same.
        settings::NodeSet seen;
        for (const recipe::Entry& entry : m_context.root.entries)
            settings::walk(entry.value, [&](const NodePtr& node) {
                const bool isNew = seen.insert(node.get()).second;
                if (isNew)
                    passMembers(entry.key->text, node, Arrival());
                return isNew;
            });
    }

private:
    std::vector<Arrival> arrivals(const tasks::Flow& flow, const NodePtr& layer, int depth) const
    {
        std::vector<Arrival> all;
        for (const Source& source : sourcesOf(flow, layer, m_context.root))
            all.push_back({ inQuotes(source.name) + " gives", given(source, depth) });
        return all;
    }

    FrameShape given(const Source& source, int depth) const
    {
        FrameShape input;
        for (const tasks::Flow& flow : shapeFlows()) {
            const bool isFed = flow.argument.empty() && depth < kMaxDepth
                && std::count(flow.layers.begin(), flow.layers.end(), source.name) > 0;
            const auto fed
                = isFed ? arrivals(flow, source.layer, depth + 1) : std::vector<Arrival>();
            const bool isSame = std::all_of(fed.begin(), fed.end(),
                [&](const Arrival& one) { return one.shape == fed.front().shape; });
            if (!fed.empty() && isSame)
                input = fed.front().shape;
        }
        return catalog::frameRule(source.layer, input).given;
    }

    /// Any of those who may feed the layer may fit.
    void followTo(const tasks::Flow& flow, const std::string& name, const NodePtr& layer)
    {
        const std::vector<Arrival> all = arrivals(flow, layer, 0);
        const bool fits = std::any_of(all.begin(), all.end(), [&](const Arrival& arrival) {
            const FrameRule rule = ruleOf(flow, layer, arrival.shape);
            return rule.taken == 0 || rule.arriving == 0 || rule.taken == rule.arriving;
        });
        if (!all.empty() && !fits)
            report(name, ruleOf(flow, layer, all.front().shape), all.front());
        if (flow.argument.empty())
            passMembers(name, layer, all.empty() ? Arrival() : all.front());
    }

    static FrameRule ruleOf(const tasks::Flow& flow, const NodePtr& layer, const FrameShape& shape)
    {
        FrameRule rule = catalog::frameRule(layer, shape);
        if (flow.argument.empty())
            return rule;
        const NodePtr size = recipe::find(*layer, flow.argument);
        rule.argument = flow.argument;
        rule.taken = size ? recipe::asInt(*size).value_or(0) : 0;
        rule.arriving = shape.empty() ? 0 : shape.back();
        return rule;
    }

    void passMembers(const std::string& name, const NodePtr& layer, Arrival arrival)
    {
        const std::vector<recipe::Entry> members = catalog::membersOf(*layer);
        if (members.empty() || !m_passed.insert(layer.get()).second)
            return;
        if (arrival.shape.empty())
            arrival = { inQuotes(name) + " asks for", catalog::frameRule(layer, {}).input };
        for (const recipe::Entry& member : members) {
            const std::string memberName = name + "[" + member.key->text + "]";
            const FrameRule rule = catalog::frameRule(member.value, arrival.shape);
            if (rule.taken != 0 && rule.arriving != 0 && rule.taken != rule.arriving)
                report(memberName, rule, arrival);
            passMembers(memberName, member.value, arrival);
            arrival = { inQuotes(memberName) + " gives", rule.given };
        }
    }

    void report(const std::string& name, const FrameRule& rule, const Arrival& arrival)
    {
        const recipe::Entry* argument = settings::findEntry(*rule.layer, rule.argument);
        if (!m_reported.insert(argument).second)
            return;
        const std::string arriving = std::to_string(rule.arriving);
        auto& diagnostic = check::report(m_found, recipe::Severity::Error, "shape-mismatch",
            inQuotes(name) + " takes " + std::to_string(rule.taken) + " features a frame ("
                + rule.argument + "), but " + arrival.from + " " + arriving,
            argument->key->span);
        diagnostic.fix = fixOf(*argument, arriving);
    }

    /// Only a number that stands there itself: behind a reference the other users would change too.
    std::optional<recipe::Fix> fixOf(const recipe::Entry& argument, const std::string& size) const
    {
        const recipe::Node& value = *argument.value;
        const bool isList = value.kind == recipe::Kind::Sequence;
        const recipe::Node& number = isList ? *value.items.back() : value;
        if (number.span.begin.line != argument.key->span.begin.line)
            return std::nullopt;
        const auto fix = settings::replaceScalar(number, m_context.request.fileName, size);
        // The items of a tuple have its place: "(8, 10, 80)" is one scalar of the text.
        const bool isTuple = fix && isList && number.span.begin == value.items.front()->span.begin;
        return isTuple ? settings::replaceScalar(
                   number, m_context.request.fileName, withLastNumber(textAt(number.span), size))
                       : fix;
    }

    std::string textAt(const recipe::Span& span) const
    {
        const recipe::SourceText source(m_context.request.text);
        const size_t begin = source.offset(span.begin);
        return m_context.request.text.substr(begin, source.offset(span.end) - begin);
    }

    static std::string withLastNumber(std::string tuple, const std::string& number)
    {
        constexpr const char* kDigits = "0123456789";
        const size_t last = tuple.find_last_of(kDigits);
        const size_t before = tuple.find_last_not_of(kDigits, last);
        return last == std::string::npos ? tuple : tuple.replace(before + 1, last - before, number);
    }

    const Context& m_context;
    Diagnostics& m_found;
    settings::NodeSet m_passed; ///< containers
    std::set<const recipe::Entry*> m_reported; ///< a wrapper and what it wraps say the same
};

} // namespace

void shapes(const Context& context, Diagnostics& found)
{
    Shapes(context, found).follow();
}

} // namespace earwright::check::rules
