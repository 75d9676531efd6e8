#include "core/catalog/shape.h"

#include "core/catalog/argument_value.h"
#include "core/catalog/catalog.h"
#include "core/catalog/class_table.h"
#include "core/catalog/configs/adapters.h"
#include "core/catalog/given.h"
#include "core/catalog/shape_rules.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace earwright::catalog {

namespace {

using recipe::Node;
using recipe::NodePtr;

/// A class that answers for the layer that one of its arguments is.
struct Wrapper {
    std::string_view name;
    std::string_view argument;
};
constexpr Wrapper kWrapperClasses[]
    = { { "speechbrain.lobes.models.transformer.TransformerASR.EncoderWrapper", "transformer" },
          { kAdaptedModel, "model_to_adapt" } };

constexpr std::string_view kContainers = "speechbrain.nnet.containers.";

int64_t product(const FrameShape& shape)
{
    return std::accumulate(shape.begin(), shape.end(), int64_t(1), std::multiplies<>());
}

const ShapeRules& shapeRules()
{
    static const ShapeRules rules = [] {
        ShapeRules all;
        addConvolutionShapes(all);
        addLinearShapes(all);
        addRecurrentShapes(all);
        addTransformerShapes(all);
        addFeatureShapes(all);
        addFunasrShapes(all);
        for (const RegisteredClass& own : registeredClasses())
            all.emplace(own.info.name, own.shape);
        return all;
    }();
    return rules;
}

std::string_view catalogueName(std::string_view className)
{
    const ClassInfo* info = findClass(className);
    return info ? std::string_view(info->name) : std::string_view();
}

const Wrapper* wrapperOf(std::string_view name)
{
    const auto found = std::find_if(std::begin(kWrapperClasses), std::end(kWrapperClasses),
        [&](const Wrapper& one) { return one.name == name; });
    return found == std::end(kWrapperClasses) ? nullptr : found;
}

/// An argument that nobody has given yet makes every number a guess.
bool isComplete(const Node& layer)
{
    return std::none_of(layer.entries.begin(), layer.entries.end(),
        [](const recipe::Entry& entry) { return isUndetermined(*entry.value); });
}

/// Of a frame of more than one dimension some layers look at the last one only.
bool takesLastOnly(const Node& layer, const std::string& argument)
{
    const std::string_view name = catalogueName(classOf(layer));
    if (name == "speechbrain.nnet.linear.Linear")
        return !Given(layer).flag("combine_dims");
    if (name == "speechbrain.nnet.CNN.Conv2d")
        return argument == "in_channels";
    const bool isWhole = name.ends_with(".LayerNorm") && argument == "input_shape";
    return name == "torch.nn.Linear"
        || (name.starts_with("speechbrain.nnet.normalization.") && !isWhole);
}

/// Without batch and time; empty where a size of it is not given.
FrameShape frameOf(const Node& inputShape)
{
    const std::vector<NodePtr> items = listItems(inputShape);
    FrameShape frame;
    for (size_t i = 2; i < items.size(); ++i)
        frame.push_back(sizeOf(*items[i]));
    return std::count(frame.begin(), frame.end(), 0) == 0 ? frame : FrameShape();
}

/// `input_size: 80`, `input_shape: [null, null, 80]`, or the argument that the class has instead.
void readTaken(const Node& layer, std::string_view sizeArgument, FrameRule& rule)
{
    for (const std::string_view name : { sizeArgument, std::string_view("input_size") })
        if (const NodePtr size = recipe::find(layer, name); size && recipe::asInt(*size)) {
            rule.argument = name;
            rule.taken = *recipe::asInt(*size);
            return;
        }
    const NodePtr shape = recipe::find(layer, "input_shape");
    if (!shape || recipe::isNull(*shape))
        return;
    rule.argument = "input_shape";
    const std::vector<NodePtr> items = listItems(*shape);
    rule.taken = items.size() < 3 ? 0 : 1;
    for (size_t i = takesLastOnly(layer, rule.argument) ? items.size() - 1 : 2;
         rule.taken > 0 && i < items.size(); ++i)
        rule.taken *= sizeOf(*items[i]);
}

int64_t arrivingAt(const Node& layer, const std::string& argument, const FrameShape& input)
{
    if (input.empty())
        return 0;
    if (!takesLastOnly(layer, argument))
        return product(input);
    // A frame of features alone has no channels yet.
    return argument == "in_channels" && input.size() == 1 ? 0 : input.back();
}

/// What the layer asks for, where nobody knows what arrives.
FrameShape asked(const Node& layer, const FrameRule& rule)
{
    const NodePtr shape = recipe::find(layer, "input_shape");
    if (shape && rule.argument == "input_shape")
        return frameOf(*shape);
    return rule.taken > 0 && !takesLastOnly(layer, rule.argument) ? FrameShape { rule.taken }
                                                                  : FrameShape();
}

FrameRule ruleOf(const NodePtr& layer, const FrameShape& input, int& budget);

FrameShape givenBy(const Node& layer, const FrameShape& input, int& budget)
{
    const std::vector<recipe::Entry> members = membersOf(layer);
    if (!members.empty()) {
        FrameShape frame = input;
        for (const recipe::Entry& member : members)
            frame = ruleOf(member.value, frame, budget).given;
        return frame;
    }
    const auto rule = shapeRules().find(catalogueName(classOf(layer)));
    FrameShape given = rule != shapeRules().end() ? rule->second.give(layer, input) : FrameShape();
    const bool isKnown = std::all_of(given.begin(), given.end(), [](int64_t n) { return n > 0; });
    return isKnown ? given : FrameShape();
}

/// `budget`: layers that are looked at, so that containers which hold each other twice over, level
/// by level, end.
FrameRule ruleOf(const NodePtr& layer, const FrameShape& input, int& budget)
{
    const std::string_view name = catalogueName(classOf(*layer));
    if (const Wrapper* wrapper = wrapperOf(name); wrapper && budget > 0)
        if (const NodePtr wrapped = recipe::find(*layer, wrapper->argument))
            return ruleOf(wrapped, input, --budget);
    FrameRule rule { .layer = layer, .argument = {}, .input = {}, .given = {} };
    const bool isByPosition = layer->kind == recipe::Kind::Sequence;
    if (--budget < 0 || name.empty() || isByPosition || !isComplete(*layer))
        return rule;
    const auto entry = shapeRules().find(name);
    readTaken(*layer, entry != shapeRules().end() ? entry->second.sizeArgument : std::string_view(),
        rule);
    rule.arriving = arrivingAt(*layer, rule.argument, input);
    rule.input = input.empty() ? asked(*layer, rule) : input;
    rule.given = givenBy(*layer, rule.input, budget);
    return rule;
}

} // namespace

bool hasShapeRule(std::string_view className)
{
    const std::string_view name = catalogueName(className);
    return shapeRules().count(name) > 0 || wrapperOf(name) || name.starts_with(kContainers);
}

FrameRule frameRule(const NodePtr& layer, const FrameShape& input)
{
    int budget = 1000;
    return ruleOf(layer, input, budget);
}

std::vector<recipe::Entry> membersOf(const Node& layer)
{
    std::vector<recipe::Entry> members;
    if (!classOf(layer).starts_with(kContainers)) // has no aliases
        return members;
    for (const recipe::Entry& entry : layer.entries)
        if (!classOf(*entry.value).empty())
            members.push_back(entry);
    return members;
}

} // namespace earwright::catalog
