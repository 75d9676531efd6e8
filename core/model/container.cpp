#include "core/model/container.h"

namespace kymo::model {

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
    auto sequence = std::make_shared<Sequential>();
    for (const recipe::NodePtr& item : node.items)
        if (const std::shared_ptr<Layer> layer = layers.get(*item))
            sequence->append(layer);
    for (const recipe::Entry& entry : node.entries) {
        if (entry.key->text == "input_shape")
            continue;
        if (const std::shared_ptr<Layer> layer = layers.get(*entry.value))
            sequence->append(entry.key->text, layer);
    }
    return sequence;
}

} // namespace kymo::model
