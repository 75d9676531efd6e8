#include <QTest>
#include <torch/utils.h>

#include "core/catalog/catalog.h"
#include "core/catalog/shape.h"
#include "core/model/adapters/adapted_model.h"
#include "core/model/adapters/merged_weights.h"
#include "core/model/transformer/transformer_asr.h"
#include "core/settings/adapted_object.h"
#include "tests/model/layers.h"
#include "tests/registry.h"

using namespace earwright;

namespace {

const std::string kTransformerNet
    = "net: !new:speechbrain.lobes.models.transformer.TransformerASR.TransformerASR\n"
      "    tgt_vocab: 5\n    input_size: 6\n    d_model: 8\n    nhead: 2\n"
      "    num_encoder_layers: 1\n    num_decoder_layers: 0\n    d_ffn: 12\n    dropout: 0.0\n"
      "    normalize_before: True\n    causal: False\n";
const std::string kLinears = "net: !new:speechbrain.nnet.containers.Sequential\n"
                             "    one: !new:speechbrain.nnet.linear.Linear\n"
                             "        input_size: 6\n        n_neurons: 4\n"
                             "    norm: !new:speechbrain.nnet.normalization.LayerNorm\n"
                             "        input_size: 4\n"
                             "    two: !new:torch.nn.Linear {in_features: 4, out_features: 3}\n";

std::string adapted(const std::string& net, const std::string& arguments,
    const std::string& adapter = "LoRA\n    adapter_kwargs: {rank: 2}")
{
    return net + "x: !new:speechbrain.nnet.adapters.AdaptedModel\n    model_to_adapt: !ref <net>\n"
        + "    adapter_class: !name:speechbrain.nnet.adapters." + adapter + "\n    " + arguments
        + "\n";
}

std::string unadapted(const std::string& net)
{
    return net + "x: !ref <net>\n";
}

std::shared_ptr<model::Layer> layerDrawnOf(const std::string& recipe)
{
    torch::manual_seed(3);
    const auto layer = tests::layerOf(recipe);
    layer->eval();
    return layer;
}

/// "" or why the layer of key `x` is not built.
std::string whyNotAdapted(const std::string& recipe)
{
    const recipe::Resolved resolved = recipe::resolve(recipe, "t.yaml", {});
    std::vector<recipe::Diagnostic> found;
    return model::LayerSet(found).get(*recipe::find(*resolved.root, "x")) ? ""
                                                                          : found.front().message;
}

QStringList weightsThat(const model::Layer& layer, bool areTrained)
{
    QStringList names;
    for (const auto& parameter : layer.named_parameters())
        if (parameter.value().requires_grad() == areTrained)
            names << QString::fromStdString(parameter.key());
    return names;
}

/// Adapters that do something: LoRA's begin at 0.
void drawUps(model::Layer& layer)
{
    const torch::NoGradGuard noGrad;
    for (const auto& parameter : layer.named_parameters())
        if (parameter.key().find("adapter_up_proj") != std::string::npos)
            parameter.value().normal_();
}

} // namespace

class TstAdaptedModel final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void newLora_changesNothing();
    void adapters_areTrainedAlone();
    void unfrozenLayers_areTrainedAsTheyAre();
    void torchsAttention_hasNoAdapter();
    void houlsby_actsOnTheOutput();
    void loraOfRecurrentWeights_isTheirSum();
    void encoderWrapper_runsTheAdaptedTransformer();
    void shapes_areThoseOfTheModel();
    void wrongArguments_areRefused_data();
    void wrongArguments_areRefused();
    void layersThatAnAdapterWouldBreak_areRefused_data();
    void layersThatAnAdapterWouldBreak_areRefused();
    void wrongAdapterArguments_areReportedByTheCheck_data();
    void wrongAdapterArguments_areReportedByTheCheck();
    void frozenPretrained_isRefused();
    void nameBeforeAdapting_isThatOfTheModel();
    void mergedWeights_areThoseOfOneModel();
};

void TstAdaptedModel::newLora_changesNothing()
{
    torch::manual_seed(5);
    const torch::Tensor x = torch::randn({ 2, 7, 6 });
    const auto before = layerDrawnOf(unadapted(kLinears));
    const auto layer = layerDrawnOf(adapted(kLinears, "all_linear: True"));
    QVERIFY(torch::equal(before->forward(x), layer->forward(x)));
    drawUps(*layer);
    QVERIFY(!torch::allclose(before->forward(x), layer->forward(x)));
}

void TstAdaptedModel::adapters_areTrainedAlone()
{
    const auto layer = layerDrawnOf(adapted(kLinears, "all_linear: True"));
    QCOMPARE(weightsThat(*layer, true).join(' '),
        QString("adapted_model.one.w.adapter_down_proj.weight "
                "adapted_model.one.w.adapter_up_proj.weight "
                "adapted_model.two.adapter_down_proj.weight "
                "adapted_model.two.adapter_up_proj.weight"));
    QCOMPARE(weightsThat(*layer, false).join(' '),
        QString("adapted_model.one.w.pretrained_module.weight "
                "adapted_model.one.w.pretrained_module.bias adapted_model.norm.norm.weight "
                "adapted_model.norm.norm.bias adapted_model.two.pretrained_module.weight "
                "adapted_model.two.pretrained_module.bias"));
    const auto& told = std::dynamic_pointer_cast<model::AdaptedModel>(layer)->told();
    QCOMPARE(told.front(),
        std::string("2 linear layers have adapters, and 34 of its 85 parameters are trained"));
    layer->forward(torch::randn({ 2, 7, 6 })).sum().backward();
    for (const auto& parameter : layer->named_parameters())
        QCOMPARE(parameter.value().grad().defined(), parameter.value().requires_grad());
}

void TstAdaptedModel::unfrozenLayers_areTrainedAsTheyAre()
{
    const auto layer
        = layerDrawnOf(adapted(kLinears, "target_layers: [two]\n    unfrozen_layers: ['n[!x]*']"));
    QCOMPARE(weightsThat(*layer, true).join(' '),
        QString("adapted_model.norm.norm.weight adapted_model.norm.norm.bias "
                "adapted_model.two.adapter_down_proj.weight "
                "adapted_model.two.adapter_up_proj.weight"));
}

/// Upstream leaves it out too: its kernel reads the weights.
void TstAdaptedModel::torchsAttention_hasNoAdapter()
{
    const auto layer = layerDrawnOf(adapted(kTransformerNet, "all_linear: True"));
    const QString names = weightsThat(*layer, true).join(' ');
    QVERIFY(names.contains("adapter_up_proj"));
    QVERIFY(!names.contains("out_proj.adapter"));
    const auto& told = std::dynamic_pointer_cast<model::AdaptedModel>(layer)->told();
    QCOMPARE(told.size(), size_t(2));
    QCOMPARE(told.back(),
        std::string("output projections of torch's multi-head attention without an adapter, as in "
                    "SpeechBrain: 1"));
}

void TstAdaptedModel::houlsby_actsOnTheOutput()
{
    const torch::Tensor x = torch::randn({ 2, 7, 6 });
    const auto before = layerDrawnOf(unadapted(kLinears));
    const auto layer = layerDrawnOf(adapted(kLinears, "target_layers: [two]",
        "HoulsbyAdapterLinear\n    adapter_kwargs:\n"
        "        projection_size: 2\n        activation: !name:torch.nn.Tanh"));
    const auto weights = layer->named_parameters();
    const auto of = [&](const char* name) {
        return weights["adapted_model.two.adapter_" + std::string(name)];
    };
    const torch::Tensor y = before->forward(x);
    const torch::Tensor inner
        = torch::linear(y, of("down_proj.weight"), of("down_proj.bias")).tanh();
    const torch::Tensor expected
        = torch::linear(inner, of("up_proj.weight"), of("up_proj.bias")) + y;
    QVERIFY(torch::allclose(layer->forward(x), expected, 1e-5, 1e-6));
}

/// The loop over frames takes a matrix.
void TstAdaptedModel::loraOfRecurrentWeights_isTheirSum()
{
    const std::string net = "net: !new:speechbrain.nnet.RNN.LiGRU\n    hidden_size: 4\n"
                            "    input_shape: [null, null, 6]\n";
    const torch::Tensor x = torch::randn({ 2, 7, 6 });
    const auto layer = layerDrawnOf(adapted(net, "target_layers: ['*.u']"));
    const torch::Tensor untouched = layer->forward(x);
    drawUps(*layer);
    const torch::Tensor y = layer->forward(x);
    QVERIFY(!torch::allclose(untouched, y));
    const auto merged = layerDrawnOf(unadapted(net));
    const auto weights = layer->named_parameters();
    const std::string u = "adapted_model.rnn.0.u.";
    const torch::NoGradGuard noGrad;
    merged->named_parameters()["rnn.0.u.weight"].add_(
        torch::mm(weights[u + "adapter_up_proj.weight"], weights[u + "adapter_down_proj.weight"])
        / 2);
    QVERIFY(torch::allclose(merged->forward(x), y, 1e-5, 1e-6));
}

void TstAdaptedModel::encoderWrapper_runsTheAdaptedTransformer()
{
    std::string text = adapted(kTransformerNet, "all_linear: True");
    text.replace(text.find("x: "), 3, "adapted: ");
    const auto wrapper = layerDrawnOf(text
        + "x: !new:speechbrain.lobes.models.transformer.TransformerASR.EncoderWrapper\n"
          "    transformer: !ref <adapted>\n");
    const torch::Tensor x = torch::randn({ 2, 7, 6 });
    const torch::Tensor before = wrapper->forward(x);
    drawUps(*wrapper);
    QVERIFY(!torch::allclose(before, wrapper->forward(x)));
    const auto layer = layerDrawnOf(adapted(kTransformerNet, "all_linear: True"));
    QVERIFY(std::dynamic_pointer_cast<model::TransformerAsr>(model::unwrapped(layer)));
    QVERIFY(model::unwrapped(wrapper) == wrapper);
}

void TstAdaptedModel::shapes_areThoseOfTheModel()
{
    const recipe::Resolved resolved
        = recipe::resolve(adapted(kLinears, "all_linear: True"), "t.yaml", {});
    const recipe::NodePtr node = recipe::find(*resolved.root, "x");
    QVERIFY(catalog::frameRule(node, { 6 }).given == catalog::FrameShape { 3 });
    QVERIFY(settings::adaptedObject(node) == recipe::find(*resolved.root, "net"));
}

void TstAdaptedModel::wrongArguments_areRefused_data()
{
    QTest::addColumn<std::string>("arguments");
    QTest::addColumn<std::string>("why");
    const auto row = [](const char* name, const char* arguments, const char* why) {
        QTest::newRow(name) << std::string(arguments) << std::string(why);
    };
    row("unknown target", "target_layers: [onee]",
        "'target_layers' names 'onee', and no layer of model_to_adapt is called so; did you mean "
        "'one'?");
    row("unknown unfrozen layer", "all_linear: True\n    unfrozen_layers: ['*.conv']",
        "'unfrozen_layers' names '*.conv', and no layer of model_to_adapt is called so; there are "
        "one, one.w, norm, norm.norm, two");
    row("no linear layer", "target_layers: [norm.*]",
        "'target_layers' names 'norm.norm', which is no linear layer: adapters are for these "
        "alone");
    row("around a linear layer", "target_layers: [one]",
        "'target_layers' names 'one', which is no linear layer: adapters are for these alone; name "
        "'one.w'");
    row("a caret is no negation", "target_layers: ['[^x]*']",
        "'target_layers' names '[^x]*', and no layer of model_to_adapt is called so; there are "
        "one, one.w, norm, norm.norm, two");
    row("nothing to train", "all_linear: False",
        "an AdaptedModel has nothing to train: 'all_linear' and 'target_layers' find no linear "
        "layer, and 'unfrozen_layers' names none");
}

void TstAdaptedModel::wrongArguments_areRefused()
{
    QFETCH(std::string, arguments);
    QFETCH(std::string, why);
    QCOMPARE(whyNotAdapted(adapted(kLinears, arguments)), why);
}

/// When it is built, not in the first step.
void TstAdaptedModel::layersThatAnAdapterWouldBreak_areRefused_data()
{
    QTest::addColumn<std::string>("net");
    QTest::addColumn<std::string>("adapter");
    QTest::addColumn<QString>("why"); // "" = it is built
    const std::string recurrent = "net: !new:speechbrain.nnet.RNN.LiGRU\n    hidden_size: 4\n"
                                  "    input_shape: [null, null, 6]\n";
    const std::string linear = "net: !new:speechbrain.nnet.linear.Linear\n"
                               "    input_size: 6\n    n_neurons: 4\n";
    const std::string lora = "LoRA\n    adapter_kwargs: {rank: 2}";
    const std::string houlsby = "HoulsbyAdapterLinear\n    adapter_kwargs: {projection_size: 2}";
    QTest::newRow("recurrent weights") << recurrent << houlsby
                                       << "HoulsbyAdapterLinear is no linear map, which the "
                                          "recurrent weights 'u' of a LiGRU must be: ";
    QTest::newRow("recurrent weights with LoRA") << recurrent << lora << "";
    QTest::newRow("weights with a norm")
        << linear + "    max_norm: 1.0\n"
        << lora
        << "'max_norm' of Linear changes the weights in each step, and those below an adapter ";
    QTest::newRow("weights without it") << linear << houlsby << "";
}

void TstAdaptedModel::layersThatAnAdapterWouldBreak_areRefused()
{
    QFETCH(std::string, net);
    QFETCH(std::string, adapter);
    QFETCH(QString, why);
    const std::string found = whyNotAdapted(adapted(net, "all_linear: True", adapter));
    QVERIFY2(QString::fromStdString(found).startsWith(why), found.c_str());
    QCOMPARE(found.empty(), why.isEmpty());
}

void TstAdaptedModel::wrongAdapterArguments_areReportedByTheCheck_data()
{
    QTest::addColumn<std::string>("adapter");
    QTest::addColumn<std::string>("why");
    const auto row = [](const char* name, const char* adapter, const char* why) {
        QTest::newRow(name) << std::string(adapter) << std::string(why);
    };
    row("misspelt", "LoRA\n    adapter_kwargs: {rnak: 4}",
        "LoRA has no argument 'rnak'; did you mean 'rank'?");
    row("rank", "LoRA\n    adapter_kwargs: {rank: 0}", "'rank' of LoRA must be at least 1, not 0");
    row("target", "LoRA\n    adapter_kwargs: {target_module: 1}",
        "'target_module' is given by AdaptedModel for each layer: leave it out");
    row("no size", "HoulsbyAdapterLinear",
        "HoulsbyAdapterLinear needs the argument 'projection_size': write it in "
        "'adapter_kwargs' of AdaptedModel");
    row("text for a list", "LoRA\n    target_layers: one",
        "'target_layers' of AdaptedModel must be a list of names, such as [\"*.q_proj\"], not "
        "one");
    row("convolutions", "LoRA\n    all_conv: True",
        "'all_conv' of AdaptedModel must be False, not True: Earwright has no other (adapters are "
        "for linear layers; name these by target_layers or all_linear)");
}

void TstAdaptedModel::wrongAdapterArguments_areReportedByTheCheck()
{
    QFETCH(std::string, adapter);
    QFETCH(std::string, why);
    const recipe::Resolved resolved
        = recipe::resolve(adapted(kLinears, "all_linear: True", adapter), "t.yaml", {});
    const recipe::NodePtr node = recipe::find(*resolved.root, "x");
    std::vector<recipe::Diagnostic> found;
    catalog::findClass(recipe::newClass(*node))->checkArguments(*node, found);
    QCOMPARE(found.size(), size_t(1));
    QCOMPARE(found.front().message, why);
}

/// Its output has no gradient, so that its adapters would stay as they are.
void TstAdaptedModel::frozenPretrained_isRefused()
{
    const std::string net = "net: !new:speechbrain.integrations.huggingface.wav2vec2.Wav2Vec2\n"
                            "    source: nowhere\n    save_path: nowhere\n    freeze: True\n";
    const recipe::Resolved resolved
        = recipe::resolve(adapted(net, "all_linear: True"), "t.yaml", {});
    const recipe::NodePtr node = recipe::find(*resolved.root, "x");
    std::vector<recipe::Diagnostic> found;
    catalog::findClass(recipe::newClass(*node))->checkArguments(*node, found);
    QCOMPARE(found.size(), size_t(1));
    QVERIFY(QString::fromStdString(found.front().message)
                .startsWith("'freeze' of Wav2Vec2 must be False where an AdaptedModel adapts it"));
    QCOMPARE(found.front().span.begin.line, 4);
}

void TstAdaptedModel::nameBeforeAdapting_isThatOfTheModel()
{
    for (const auto& [name, before] :
        { std::pair { "enc.adapted_model.w.pretrained_module.weight", "enc.w.weight" },
            std::pair { "adapted_model.0.pretrained_linear.bias", "0.bias" },
            std::pair { "enc.w.weight", "enc.w.weight" } })
        QCOMPARE(model::nameBeforeAdapting(name), std::string(before));
    QVERIFY(model::isOfAdapter("enc.adapted_model.w.adapter_up_proj.weight"));
    QVERIFY(!model::isOfAdapter("enc.adapted_model.w.pretrained_module.weight"));
}

/// A model without adapters computes the same with them. Houlsby's have no such weights.
void TstAdaptedModel::mergedWeights_areThoseOfOneModel()
{
    const torch::NoGradGuard noGrad;
    for (const std::string& net : { kLinears, kTransformerNet }) {
        const auto layer = layerDrawnOf(adapted(net, "all_linear: True"));
        drawUps(*layer);
        QVERIFY(!model::hasUnmergeable(*layer));
        const model::MergedWeights merged = model::mergedWeights(*model::unwrapped(layer));
        QVERIFY(merged.adapters > 1);
        const auto plain = layerDrawnOf(unadapted(net));
        size_t parameters = 0;
        for (const auto& parameter : plain->named_parameters()) {
            const auto found = merged.tensors.find(parameter.key());
            QVERIFY2(found != merged.tensors.end(), parameter.key().c_str());
            parameter.value().copy_(found->second);
            ++parameters;
        }
        QCOMPARE(parameters + plain->named_buffers().size(), merged.tensors.size());
        const torch::Tensor x = torch::randn({ 2, 7, 6 });
        QVERIFY(torch::allclose(plain->forward(x), layer->forward(x), 1e-4, 1e-5));
    }
    const auto houlsby = layerDrawnOf(adapted(kLinears, "all_linear: True",
        "HoulsbyAdapterLinear\n    adapter_kwargs: {projection_size: 2}"));
    QVERIFY(model::hasUnmergeable(*houlsby));
    QVERIFY_THROWS_EXCEPTION(c10::Error, model::mergedWeights(*houlsby));
}

EARWRIGHT_TEST(TstAdaptedModel)
#include "tst_adapted_model.moc"
