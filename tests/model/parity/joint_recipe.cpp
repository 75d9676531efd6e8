#include "tests/model/parity/joint_recipe.h"

namespace earwright::tests {

void Recipe::add(const std::string& key, const recipe::NodePtr& value)
{
    m_root->entries.push_back({ recipe::makeScalar(key), value });
}

void Recipe::addObject(const std::string& key, const std::string& className, const Json& arguments)
{
    add(key, constructorNode(className, arguments));
}

void Recipe::addFunction(const std::string& key, const std::string& name, const Json& arguments)
{
    addObject(key, name, arguments);
    m_root->entries.back().value->tag = "!name:" + name;
}

void Recipe::addModules(const std::vector<std::string>& keys)
{
    Recipe modules;
    for (const std::string& key : keys)
        modules.add(key, recipe::find(*m_root, key));
    add("modules", modules.m_root);
}

recipe::NodePtr Recipe::mapping()
{
    const auto node = std::make_shared<recipe::Node>();
    node->kind = recipe::Kind::Mapping;
    return node;
}

Recipe jointRecipe(const Json& constructor)
{
    const std::string lobes = "speechbrain.lobes.";
    Recipe recipe;
    recipe.addObject("compute_features", lobes + "features.Fbank", constructor.at("Fbank"));
    recipe.addObject("normalize", "speechbrain.processing.features.InputNormalization",
        constructor.at("InputNormalization"));
    recipe.addObject("CNN", lobes + "models.convolution.ConvolutionFrontEnd",
        constructor.at("ConvolutionFrontEnd"));
    recipe.addObject("Transformer", lobes + "models.transformer.TransformerASR.TransformerASR",
        constructor.at("TransformerASR"));
    for (const char* key : { "ctc_lin", "seq_lin" })
        recipe.addObject(
            key, "speechbrain.nnet.linear.Linear", constructor.at("Linear seq_lin/ctc_lin"));
    recipe.addObject("log_softmax", "torch.nn.LogSoftmax", { { "dim", -1 } });
    recipe.addFunction("ctc_cost", "speechbrain.nnet.losses.ctc_loss",
        { { "blank_index", 0 }, { "reduction", "batchmean" } });
    recipe.addFunction("seq_cost", "speechbrain.nnet.losses.kldiv_loss",
        { { "label_smoothing", kLabelSmoothing }, { "reduction", "batchmean" } });
    recipe.add("ctc_weight", recipe::makeScalar(std::to_string(kCtcWeight)));
    recipe.add("bos_index", recipe::makeScalar(std::to_string(kBos)));
    recipe.add("eos_index", recipe::makeScalar(std::to_string(kEos)));
    recipe.addModules({ "CNN", "Transformer", "seq_lin", "ctc_lin", "normalize" });
    return recipe;
}

} // namespace earwright::tests
