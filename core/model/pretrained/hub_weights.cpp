#include "core/model/pretrained/hub_weights.h"

#include "core/base/text.h"

#include <algorithm>
#include <sstream>
#include <torch/utils.h>

namespace earwright::model {

namespace {

using StoredTensors = std::map<std::string, torch::Tensor>;

constexpr size_t kMostNamesTold = 5;
constexpr const char* kMaskVector = "masked_spec_embed";

std::string currentName(const std::string& name)
{
    for (const auto& [older, current] :
        { std::pair { ".weight_g", ".parametrizations.weight.original0" },
            std::pair { ".weight_v", ".parametrizations.weight.original1" } })
        if (name.ends_with(older))
            return name.substr(0, name.size() - std::string_view(older).size()) + current;
    return name;
}

std::string sizesOf(const torch::Tensor& tensor)
{
    std::ostringstream text;
    text << tensor.sizes();
    return text.str();
}

template <class List>
Status copyStored(const List& own, StoredTensors& stored, Names& missing)
{
    const torch::NoGradGuard noGrad;
    for (const auto& item : own) {
        const auto found = stored.find(item.key());
        if (found == stored.end()) {
            missing.push_back(item.key());
            continue;
        }
        if (found->second.sizes() != item.value().sizes())
            return Error { "'" + item.key() + "' is stored as " + sizesOf(found->second)
                + ", but config.json makes it " + sizesOf(item.value()) };
        item.value().copy_(found->second);
        stored.erase(found);
    }
    return Done {};
}

} // namespace

HubWeights encoderWeights(const StoredTensors& stored, EncoderFamily family)
{
    const std::string prefix = checkpointPrefix(family);
    const bool holdsMore = std::ranges::any_of(
        stored, [&](const auto& entry) { return entry.first.starts_with(prefix); });
    HubWeights weights;
    for (const auto& [name, tensor] : stored) {
        if (holdsMore && !name.starts_with(prefix))
            weights.leftOver.push_back(name);
        else
            weights.tensors[currentName(holdsMore ? name.substr(prefix.size()) : name)] = tensor;
    }
    return weights;
}

Result<Names> loadHubWeights(torch::nn::Module& encoder, const HubWeights& weights)
{
    StoredTensors stored = weights.tensors;
    Names missing;
    if (Status copied = copyStored(encoder.named_parameters(), stored, missing); !copied)
        return copied.error();
    if (Status copied = copyStored(encoder.named_buffers(), stored, missing); !copied)
        return copied.error();
    const bool drawsMaskVector = std::erase(missing, kMaskVector) > 0;
    if (!missing.empty())
        return Error { "the weights lack " + listFirst(missing, kMostNamesTold) };

    Names told;
    Names unused = weights.leftOver;
    for (const auto& entry : stored)
        unused.push_back(entry.first);
    if (!unused.empty())
        told.push_back("the encoder has no use for " + listFirst(unused, kMostNamesTold)
            + " of the checkpoint: they are left out");
    if (drawsMaskVector)
        told.push_back("the weights lack masked_spec_embed, what masked frames become: it is "
                       "drawn anew");
    return told;
}

} // namespace earwright::model
