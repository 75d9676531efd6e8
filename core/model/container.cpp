#include "core/model/container.h"

#include "core/catalog/catalog.h"
#include "core/catalog/shape.h"

#include <algorithm>

namespace earwright::model {

namespace {

bool takesInputShape(const catalog::ClassInfo& info)
{
    return std::any_of(info.fields.begin(), info.fields.end(), [](const catalog::Field& field) {
        return field.name == "input_shape";
    }) || info.name.starts_with("speechbrain.nnet.containers.");
}

/// [null, null, features, …]
recipe::NodePtr inputShape(const catalog::FrameShape& frame)
{
    auto shape = std::make_shared<recipe::Node>();
    shape->kind = recipe::Kind::Sequence;
    shape->items = { recipe::makeScalar("null"), recipe::makeScalar("null") };
    for (const int64_t size : frame)
        shape->items.push_back(recipe::makeScalar(std::to_string(size)));
    return shape;
}

/// Appends the layers of a recipe's container, and follows the shape of a frame through them.
class Filling final {
public:
    Filling(const recipe::Node& node, Sequential& sequence, LayerSet& layers)
        : m_sequence(sequence)
        , m_layers(layers)
        , m_frame(catalog::frameRule(std::make_shared<recipe::Node>(node), {}).input)
    {
    }

    void append(const std::string& name, const recipe::NodePtr& member)
    {
        const recipe::NodePtr shaped = forFrame(member);
        const auto layer = shaped ? m_layers.build(*shaped) : m_layers.get(*member);
        m_frame = catalog::frameRule(member, m_frame).given;
        if (layer)
            m_sequence.append(
                name.empty() ? std::to_string(m_sequence.entries().size()) : name, layer);
    }

private:
    /// A class with the shape that reaches it; null for a layer that is complete.
    recipe::NodePtr forFrame(const recipe::NodePtr& member) const
    {
        const catalog::ClassInfo* info = catalog::findClass(recipe::nameClass(*member));
        const bool isByPosition = member->kind == recipe::Kind::Sequence;
        if (info == nullptr || m_frame.empty() || isByPosition || !takesInputShape(*info))
            return nullptr;
        auto shaped = std::make_shared<recipe::Node>(*member);
        shaped->kind = recipe::Kind::Mapping;
        std::erase_if(shaped->entries,
            [](const recipe::Entry& entry) { return entry.key->text == "input_shape"; });
        shaped->entries.push_back({ recipe::makeScalar("input_shape"), inputShape(m_frame) });
        return shaped;
    }

    Sequential& m_sequence;
    LayerSet& m_layers;
    catalog::FrameShape m_frame; ///< that reaches the next layer; empty = not known
};

template <class Container>
std::shared_ptr<Layer> makeContainer(const recipe::Node& node, LayerSet& layers)
{
    auto sequence = std::make_shared<Container>();
    Filling filling(node, *sequence, layers);
    for (const recipe::NodePtr& item : node.items)
        filling.append("", item);
    for (const recipe::Entry& entry : node.entries)
        if (entry.key->text != "input_shape")
            filling.append(entry.key->text, entry.value);
    return sequence;
}

} // namespace

void Sequential::append(std::string name, std::shared_ptr<Layer> layer)
{
    const auto taken
        = [this](const std::string& wanted) { return named_children().contains(wanted); };
    const std::string stem = name;
    for (int index = 0; taken(name); ++index)
        name = stem + '_' + std::to_string(index);
    register_module(name, layer);
    m_layers.push_back({ std::move(name), std::move(layer) });
}

torch::Tensor Sequential::forward(torch::Tensor input, torch::Tensor)
{
    for (const Entry& entry : m_layers)
        input = entry.layer->forward(std::move(input));
    return input;
}

torch::Tensor LengthsCapableSequential::forward(torch::Tensor input, torch::Tensor lengths_B)
{
    for (const Entry& entry : entries())
        input = entry.layer->forward(std::move(input), lengths_B);
    return input;
}

ModuleList::ModuleList(const catalog::ModuleListConfig& config, LayerSet& layers)
{
    if (config.modules == nullptr)
        return;
    TORCH_CHECK(config.modules->kind == recipe::Kind::Sequence, "a list of modules belongs here");
    size_t index = 0;
    for (const recipe::NodePtr& item : config.modules->items)
        if (const std::shared_ptr<Layer> layer = layers.get(*item))
            register_module(std::to_string(index++), layer);
}

torch::Tensor ModuleList::forward(torch::Tensor, torch::Tensor)
{
    TORCH_CHECK(false, "a torch.nn.ModuleList cannot be called");
}

std::shared_ptr<Layer> makeSequential(const recipe::Node& node, LayerSet& layers)
{
    return makeContainer<Sequential>(node, layers);
}

std::shared_ptr<Layer> makeLengthsCapable(const recipe::Node& node, LayerSet& layers)
{
    return makeContainer<LengthsCapableSequential>(node, layers);
}

} // namespace earwright::model
