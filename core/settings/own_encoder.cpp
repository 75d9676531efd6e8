#include "core/settings/own_encoder.h"

#include "core/catalog/catalog.h"
#include "core/settings/adapted_object.h"
#include "core/settings/layer_keys.h"

#include <algorithm>
#include <string>

namespace earwright::settings {

namespace {

constexpr OwnEncoder kWav2Vec { "SpeechBrain's own wav2vec 2.0", kLatentEncoder, kLatentEncoder,
    "wav2vec_opt_class", "freeze_wav2vec" };
constexpr OwnEncoder kBestRq { "the encoder that BEST-RQ pretrained", "pt_model", "CNN,enc",
    "bestrq_opt_class", "freeze_bestrq" };

/// What stands behind such an encoder, or a key of its optimizer.
bool isOfBestRq(const recipe::Node& recipe)
{
    return findLayer(recipe, kBackEnd)
        || std::any_of(
            recipe.entries.begin(), recipe.entries.end(), [](const recipe::Entry& entry) {
                return entry.key->text.find("bestrq") != std::string::npos;
            });
}

} // namespace

bool hasLatentExtractor(const recipe::Node& recipe)
{
    const recipe::NodePtr layer = adaptedObject(findLayer(recipe, kLatentExtractor));
    const catalog::ClassInfo* info = layer ? catalog::findClass(recipe::newClass(*layer)) : nullptr;
    return info && info->name == "speechbrain.lobes.models.wav2vec.W2VLatentExtractor";
}

const OwnEncoder* ownEncoder(const recipe::Node& recipe)
{
    if (hasLatentExtractor(recipe))
        return &kWav2Vec;
    const recipe::NodePtr list = findLayer(recipe, kBestRq.trained);
    return list && isLayerList(*list) && isOfBestRq(recipe) ? &kBestRq : nullptr;
}

} // namespace earwright::settings
