#include "core/adapter/seaco_layers.h"

#include "core/base/text.h"
#include "core/recipe/value_at.h"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace earwright::adapter {

using recipe::Entry;
using recipe::Node;
using recipe::NodePtr;

namespace {

// What FunASR takes where a configuration says nothing.
constexpr const char* kUsualInnerDim = "256";
constexpr const char* kUsualNoBias = "8377";

constexpr std::string_view kSettings[]
    = { "bias_encoder_type", "bias_encoder_bid", "bias_encoder_dropout_rate", "NO_BIAS" };

NodePtr reference(const char* target)
{
    const NodePtr node = recipe::makeScalar(target);
    node->tag = "!ref";
    return node;
}

Entry object(const char* key, const char* className, std::vector<Entry> arguments)
{
    const NodePtr node = std::make_shared<Node>();
    node->kind = recipe::Kind::Mapping;
    node->tag = std::string("!new:") + className;
    node->entries = std::move(arguments);
    return { recipe::makeScalar(key), node };
}

Entry argument(const char* name, NodePtr value)
{
    return { recipe::makeScalar(name), std::move(value) };
}

Entry biasEncoder(const Node& model, bool looksBothWays)
{
    std::vector<Entry> arguments { argument("input_size", reference("<inner_dim>")),
        argument("hidden_size", reference("<inner_dim>")),
        argument("num_layers", recipe::makeScalar("2")),
        argument("batch_first", recipe::makeScalar("True")) };
    if (const NodePtr rate = recipe::find(model, "bias_encoder_dropout_rate"))
        arguments.push_back(argument("dropout", rate));
    if (looksBothWays)
        arguments.push_back(argument("bidirectional", recipe::makeScalar("True")));
    return object("bias_encoder", "torch.nn.LSTM", std::move(arguments));
}

/// No bias_encoder where `bias_encoder_type` is another than lstm.
std::vector<Entry> layersOf(const Node& model)
{
    std::vector<Entry> layers;
    const std::string type = recipe::textAt(model, "bias_encoder_type");
    const bool looksBothWays = recipe::boolAt(model, "bias_encoder_bid", false);
    if (type.empty() || type == "lstm") {
        layers.push_back(biasEncoder(model, looksBothWays));
        if (looksBothWays)
            layers.push_back(object("lstm_proj", "torch.nn.Linear",
                { argument("in_features", reference("<inner_dim> * 2")),
                    argument("out_features", reference("<inner_dim>")) }));
    }
    layers.push_back(object("hotword_output_layer", "torch.nn.Linear",
        { argument("in_features", reference("<inner_dim>")),
            argument("out_features", reference("<vocab_size>")) }));
    return layers;
}

/// `trained`: dataset_conf's seaco_id, which counts in training, as NO_BIAS in recognising.
void refuseSetting(const Entry& setting, const std::string& trained, RecipeText& recipe)
{
    const std::string& value = setting.value->text;
    if (setting.key->text == "bias_encoder_type" && value != "lstm")
        recipe.refuse(setting,
            "'bias_encoder' is left out: the 'bias_encoder_type' " + inQuotes(value)
                + " has no counterpart");
    if (setting.key->text == "NO_BIAS" && !trained.empty() && value != trained)
        recipe.refuse(setting,
            "'NO_BIAS' is left out: 'seaco_id' is " + trained
                + ", and a recipe has one of them for training and recognising");
}

} // namespace

bool isOfSeacoLayers(const std::string& setting)
{
    return std::find(std::begin(kSettings), std::end(kSettings), setting) != std::end(kSettings);
}

std::vector<std::string> writeSeacoLayers(const Node& adapted, RecipeText& recipe)
{
    const NodePtr model = recipe::find(adapted, "model");
    for (const Entry& setting : model->entries)
        refuseSetting(setting, recipe::textAt(adapted, "dataset_conf.seaco_id"), recipe);
    const NodePtr noBias = recipe::find(*model, "NO_BIAS");
    recipe.put(
        "seaco_id", noBias ? noBias : recipe::makeScalar(kUsualNoBias), "the model's NO_BIAS");
    recipe.put("inner_dim", recipe::makeScalar(kUsualInnerDim), "not given: FunASR's default");
    std::vector<std::string> keys;
    for (const Entry& layer : layersOf(*model)) {
        recipe.put(layer.key->text, layer.value, "a layer that the model makes itself");
        keys.push_back(layer.key->text);
    }
    return keys;
}

} // namespace earwright::adapter
