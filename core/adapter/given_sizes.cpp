#include "core/adapter/given_sizes.h"

#include "core/catalog/catalog.h"
#include "core/recipe/value_at.h"

namespace earwright::adapter {

using recipe::Node;
using recipe::NodePtr;

namespace {

NodePtr referenceTo(const std::string& target)
{
    const NodePtr node = recipe::makeScalar("<" + target + ">");
    node->tag = "!ref";
    return node;
}

/// Features per frame that reach the encoder: low frame rate stacks `lfr_m` frames.
NodePtr inputSize(const Node& root)
{
    const int64_t mels = recipe::intAt(root, "frontend.n_mels", 0);
    const int64_t size = mels > 0 ? mels * recipe::intAt(root, "frontend.lfr_m", 1)
                                  : recipe::intAt(root, "dataset_conf.fbank_conf.num_mel_bins", 0);
    return size > 0 ? recipe::makeScalar(std::to_string(size)) : nullptr;
}

/// The width that a decoder is given, and CTC: of the encoder, or of the hotwords' path where it is
/// not the first decoder.
NodePtr decoderInput(const Node& root, const std::string& section)
{
    const NodePtr model = recipe::find(root, "model");
    const bool isSeaco = model && recipe::nameClass(*model).ends_with(".SeacoParaformer");
    if (section == "seaco_decoder" && isSeaco)
        return referenceTo("inner_dim");
    const NodePtr encoder = recipe::find(root, "encoder");
    if (encoder && recipe::find(*encoder, "output_size"))
        return referenceTo("encoder[output_size]");
    const catalog::ClassInfo* info
        = encoder ? catalog::findClass(recipe::nameClass(*encoder)) : nullptr;
    if (info)
        for (const catalog::Field& field : info->fields)
            if (field.name == "output_size" && !field.facts.required)
                return recipe::makeScalar(field.defaultText);
    return nullptr;
}

NodePtr valueOf(const Node& root, const std::string& section, const std::string& argument)
{
    if (argument == "input_size" || argument == "idim")
        return inputSize(root);
    if (argument == "encoder_output_size")
        return decoderInput(root, section);
    const bool isTokens = argument == "vocab_size" || argument == "odim";
    return isTokens ? referenceTo("vocab_size") : nullptr;
}

} // namespace

std::vector<recipe::Entry> givenSizes(
    const Node& adapted, const std::string& section, const Node& object)
{
    std::vector<recipe::Entry> given;
    const catalog::ClassInfo* info = catalog::findClass(recipe::nameClass(object));
    if (!info)
        return given;
    for (const catalog::Field& field : info->fields)
        if (field.facts.required && !recipe::find(object, field.name))
            given.push_back(
                { recipe::makeScalar(field.name), valueOf(adapted, section, field.name) });
    return given;
}

} // namespace earwright::adapter
