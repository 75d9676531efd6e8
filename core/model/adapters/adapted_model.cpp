#include "core/model/adapters/adapted_model.h"

#include "core/base/text.h"
#include "core/model/adapters/linear_adapter.h"
#include "core/model/adapters/register.h"
#include "core/model/layer_table.h"
#include "core/model/transformer/attention.h"

#include <algorithm>
#include <fnmatch.h>
#include <set>

namespace earwright::model {

namespace {

/// A module of a model under its dotted name, "" for the model itself.
struct Part {
    std::string name;
    std::shared_ptr<torch::nn::Module> module;
    bool isOfTorchAttention = false; ///< below one that torch computes by the weights alone
    bool isOfAdapter = false; ///< has an adapter already, or belongs to one
};

/// Parents first, each once, as torch.nn.Module.named_modules().
class Parts final {
public:
    explicit Parts(const std::shared_ptr<torch::nn::Module>& model) { add({ "", model }); }

    const std::vector<Part>& all() const { return m_all; }

private:
    void add(Part part)
    {
        if (!m_seen.insert(part.module.get()).second)
            return;
        const auto* adaptable = dynamic_cast<const Adaptable*>(part.module.get());
        part.isOfAdapter = part.isOfAdapter || (adaptable && adaptable->isAdapted());
        m_all.push_back(part);
        const std::string prefix = part.name.empty() ? "" : part.name + ".";
        const bool isAttention = dynamic_cast<const MultiheadAttention*>(part.module.get());
        for (const auto& child : part.module->named_children())
            add({ prefix + child.key(), child.value(), part.isOfTorchAttention || isAttention,
                part.isOfAdapter });
    }

    std::vector<Part> m_all;
    std::set<const torch::nn::Module*> m_seen;
};

/// For fnmatch(3), to which "[^" means what "[!" means to both.
std::string withLiteralCarets(const std::string& pattern)
{
    std::string escaped;
    for (const char letter : pattern)
        escaped += letter == '^' && escaped.ends_with('[') ? "[.^.]" : std::string(1, letter);
    return escaped;
}

/// Python's fnmatch: "*" takes dots too, "\\" is a letter like others, and so is "^" in brackets.
bool isMatch(const std::string& name, const std::string& pattern)
{
    return fnmatch(withLiteralCarets(pattern).c_str(), name.c_str(), FNM_NOESCAPE) == 0;
}

bool isMatch(const std::string& name, const Names& patterns)
{
    return std::any_of(patterns.begin(), patterns.end(),
        [&](const std::string& pattern) { return isMatch(name, pattern); });
}

void demandMatches(const char* argument, const Names& patterns, const std::vector<Part>& parts)
{
    Names names;
    for (const Part& part : parts)
        if (!part.name.empty())
            names.push_back(part.name);
    for (const std::string& pattern : patterns) {
        const bool isKnown = std::any_of(names.begin(), names.end(),
            [&](const std::string& name) { return isMatch(name, pattern); });
        const std::string near = isKnown ? "" : nearestName(pattern, names);
        TORCH_CHECK(isKnown, "'", argument, "' names '", pattern,
            "', and no layer of model_to_adapt is called so",
            near.empty() ? "; there are " + listFirst(names, 12)
                         : "; did you mean '" + near + "'?");
    }
}

bool isLinear(const Part& part)
{
    return dynamic_cast<const Adaptable*>(part.module.get()) != nullptr;
}

bool isChosen(const Part& part, const catalog::AdaptedModelConfig& config, const Names& targets)
{
    return (config.allLinear && isLinear(part))
        || (!part.name.empty() && isMatch(part.name, targets));
}

/// The modules to adapt. All else is frozen, but for what unfrozen_layers name.
std::vector<Part> choose(
    const catalog::AdaptedModelConfig& config, const std::shared_ptr<Layer>& model, Names& told)
{
    const Names targets = catalog::layerNames(config.targetLayers);
    const Names unfrozen = catalog::layerNames(config.unfrozenLayers);
    const Parts parts(model);
    demandMatches("target_layers", targets, parts.all());
    demandMatches("unfrozen_layers", unfrozen, parts.all());
    for (torch::Tensor& parameter : model->parameters())
        parameter.set_requires_grad(false);
    std::vector<Part> chosen;
    size_t ofTorch = 0;
    for (const Part& part : parts.all()) {
        if (isChosen(part, config, targets)) {
            const bool isLeftOut = part.isOfTorchAttention && isLinear(part);
            ofTorch += isLeftOut ? 1 : 0;
            if (!isLeftOut)
                chosen.push_back(part);
        } else if (isMatch(part.name, unfrozen)) {
            for (torch::Tensor& parameter : part.module->parameters())
                parameter.set_requires_grad(true);
        }
    }
    if (ofTorch > 0)
        told.push_back("output projections of torch's multi-head attention without an adapter, as "
                       "in SpeechBrain: "
            + std::to_string(ofTorch));
    return chosen;
}

MakeAdapter makerOf(const catalog::AdaptedModelConfig& config)
{
    std::vector<recipe::Diagnostic> found;
    checkAdapter(config, found);
    const Status right = recipe::firstError(found);
    TORCH_CHECK(right, right ? "" : right.error().message);
    const recipe::Node adapter = catalog::adapterNode(config);
    return classOf(config.adapterClass, "") == catalog::kLora
        ? loraMaker(catalog::readConfig<catalog::LoraAdapterConfig>(adapter, found))
        : houlsbyMaker(catalog::readConfig<catalog::HoulsbyAdapterConfig>(adapter, found));
}

/// "; name 'one.w'" where a child of the part is a linear layer.
std::string linearChildOf(const Part& part)
{
    for (const auto& child : part.module->named_children())
        if (dynamic_cast<const Adaptable*>(child.value().get()))
            return "; name " + inQuotes(part.name + "." + child.key());
    return "";
}

void adapt(const std::vector<Part>& chosen, const MakeAdapter& make)
{
    for (const Part& part : chosen) {
        auto* adaptable = dynamic_cast<Adaptable*>(part.module.get());
        TORCH_CHECK(adaptable, "'target_layers' names '", part.name,
            "', which is no linear layer: adapters are for these alone", linearChildOf(part));
        TORCH_CHECK(!part.isOfAdapter, "'", part.name,
            "' has an adapter already, and a layer has one: name the others in target_layers");
        adaptable->adapt(make);
    }
}

std::string counted(const Layer& model, size_t adapters)
{
    int64_t all = 0;
    int64_t trained = 0;
    for (const torch::Tensor& parameter : model.parameters()) {
        all += parameter.numel();
        trained += parameter.requires_grad() ? parameter.numel() : 0;
    }
    TORCH_CHECK(trained > 0,
        "an AdaptedModel has nothing to train: 'all_linear' and 'target_layers' find no linear "
        "layer, and 'unfrozen_layers' names none");
    return std::to_string(adapters) + " linear layers have adapters, and " + std::to_string(trained)
        + " of its " + std::to_string(all) + " parameters are trained";
}

} // namespace

AdaptedModel::AdaptedModel(const catalog::AdaptedModelConfig& config, LayerSet& layers)
    : AdaptedModel(config, config.modelToAdapt ? layers.get(*config.modelToAdapt) : nullptr)
{
}

AdaptedModel::AdaptedModel(const catalog::AdaptedModelConfig& config, std::shared_ptr<Layer> model)
    : m_model(std::move(model))
{
    if (!m_model || !config.adapterClass)
        return; // which is reported
    register_module("adapted_model", m_model);
    const MakeAdapter make = makerOf(config);
    const std::vector<Part> chosen = choose(config, m_model, m_told);
    adapt(chosen, make);
    m_told.insert(m_told.begin(), counted(*m_model, chosen.size()));
}

torch::Tensor AdaptedModel::forward(torch::Tensor input, torch::Tensor lengths_B)
{
    return m_model->forward(std::move(input), std::move(lengths_B));
}

std::shared_ptr<Layer> unwrapped(const std::shared_ptr<Layer>& layer)
{
    std::shared_ptr<Layer> found = layer;
    while (const auto wrapper = std::dynamic_pointer_cast<AdaptedModel>(found))
        found = wrapper->adapted();
    return found;
}

std::string nameBeforeAdapting(const std::string& name)
{
    Names parts;
    for (const std::string& part : split(name, '.'))
        if (part != "adapted_model" && part != "pretrained_module" && part != "pretrained_linear")
            parts.push_back(part);
    return join(parts, ".");
}

bool isOfAdapter(const std::string& name)
{
    const Names parts = split(name, '.');
    return std::any_of(parts.begin(), parts.end(), [](const std::string& part) {
        return part == "adapter_down_proj" || part == "adapter_up_proj";
    });
}

void addAdaptedModels(LayerTable& table)
{
    table.add<AdaptedModel, catalog::AdaptedModelConfig>(catalog::kAdaptedModel);
}

} // namespace earwright::model
