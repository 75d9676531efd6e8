#include "../data/parity_case.h"

#include "core/catalog/catalog.h"
#include "core/catalog/shape.h"
#include "core/recipe/parse.h"
#include "tests/registry.h"

#include <QTest>

#include <map>
#include <set>

using namespace earwright;
using namespace earwright::tests;
using catalog::FrameShape;
using nlohmann::ordered_json;

// Runs over upstream's recorded inputs and outputs: only the sizes of the tensors are looked at.

namespace {

/// Layers of which a case cannot show a shape rule, and why.
const std::map<std::string, const char*> kWithoutRule {
    { "funasr.models.bicif_paraformer.model.BiCifParaformer",
        "a model: what it gives is its loss" },
    { "funasr.models.paraformer.model.Paraformer", "a model: what it gives is its loss" },
    { "funasr.models.seaco_paraformer.model.SeacoParaformer",
        "a model: what it gives is its loss" },
    { "speechbrain.augment.augmenter.Augmenter", "what it augments, waveforms or frames, tells" },
    { "speechbrain.augment.time_domain.DropChunk", "of waveforms, which have no frames" },
    { "speechbrain.augment.time_domain.DropFreq", "of waveforms, which have no frames" },
    { "speechbrain.augment.time_domain.Resample", "of waveforms, which have no frames" },
    { "speechbrain.augment.time_domain.SpeedPerturb", "of waveforms, which have no frames" },
};

/// The sizes of a case's tensors, from the header of its .safetensors.
std::map<std::string, std::vector<int64_t>> tensorSizes(const QString& name)
{
    const Result<std::string> file
        = readFile(parityFolder() / (name.toStdString() + ".safetensors"));
    std::map<std::string, std::vector<int64_t>> sizes;
    if (!file || file->size() < 8)
        return sizes;
    uint64_t length = 0;
    for (int i = 7; i >= 0; --i) // little endian
        length = length << 8 | static_cast<unsigned char>((*file)[static_cast<size_t>(i)]);
    const ordered_json header = ordered_json::parse(file->substr(8, length));
    for (const auto& [tensor, facts] : header.items())
        if (facts.contains("shape"))
            sizes[tensor] = facts.at("shape").get<std::vector<int64_t>>();
    return sizes;
}

/// As a recipe writes it: "!name:torch.nn.GELU" is a tag, null is null.
std::string yamlOf(const ordered_json& value)
{
    const bool isTag = value.is_string() && value.get<std::string>().starts_with("!name:");
    if (isTag)
        return value.get<std::string>();
    if (value.is_array()) {
        std::string items;
        for (const ordered_json& item : value)
            items += (items.empty() ? "" : ", ") + yamlOf(item);
        return "[" + items + "]";
    }
    return value.dump();
}

recipe::NodePtr layerOf(std::string className, const ordered_json& constructor)
{
    std::string text = "x: !new:" + className + "\n";
    std::string indent = "    ";
    if (className.ends_with("EncoderWrapper(TransformerASR)")) {
        const std::string package = "speechbrain.lobes.models.transformer.TransformerASR.";
        text = "x: !new:" + package + "EncoderWrapper\n    transformer: !new:" + package
            + "TransformerASR\n";
        indent += indent;
    }
    for (const auto& [name, value] : constructor.items())
        text += indent + name + ": " + yamlOf(value) + "\n";
    const recipe::Parsed parsed = recipe::parse(text, "case.yaml");
    return parsed.root ? recipe::find(*parsed.root, "x") : nullptr;
}

FrameShape frameOf(const std::vector<int64_t>& sizes)
{
    return sizes.size() < 3 ? FrameShape() : FrameShape(sizes.begin() + 2, sizes.end());
}

/// A layer of frames: neither a loss nor a searcher, an optimizer …
bool isLayer(const std::string& className)
{
    const catalog::ClassInfo* info = catalog::findClass(className);
    return info
        && (info->role == catalog::Role::Module || info->role == catalog::Role::Features
            || info->role == catalog::Role::Activation
            || info->role == catalog::Role::Augmentation);
}

/// What the case's layer takes and gives, by the names that the cases have for it.
struct Flow {
    FrameShape input;
    FrameShape output;
};

Flow flowOf(const std::map<std::string, std::vector<int64_t>>& sizes, const ordered_json& test)
{
    const auto first = [&](std::initializer_list<const char*> names) {
        for (const char* name : names)
            if (const auto size = sizes.find(name); size != sizes.end())
                return frameOf(size->second);
        return FrameShape();
    };
    const bool isDecoder = sizes.count("in.ys") > 0;
    Flow flow { first({ "in.x", "in.x0", "in.src", "in.hidden", "in.ys" }),
        first({ "out.y", "out.y0", "out.encode", "out.feats", "out.lfr", "out.acoustic_embeds" }) };
    // With `return_hidden` the decoder leaves its output layer out.
    if (isDecoder && test.value("call", "").find("return_hidden") != std::string::npos)
        flow.output.clear();
    return flow;
}

} // namespace

class TstShape : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void ruleGives_whatUpstreamGave();
    void unknownInput_isWhatTheLayerAsksFor_data();
    void unknownInput_isWhatTheLayerAsksFor();
    void containersOfEachOther_end();
};

void TstShape::ruleGives_whatUpstreamGave()
{
    int cases = 0;
    std::set<std::string> classes;
    QStringList without;
    for (const auto& file : std::filesystem::directory_iterator(parityFolder())) {
        if (file.path().extension() != ".json")
            continue;
        const QString name = QString::fromStdString(file.path().stem().string());
        const ordered_json test = parityCase(name).value_or(ordered_json());
        const std::string className = test.value("upstream", "");
        const bool isWrapper = className.ends_with("EncoderWrapper(TransformerASR)");
        if (!isWrapper && !isLayer(className))
            continue;
        if (!isWrapper && !catalog::hasShapeRule(className)) {
            if (kWithoutRule.count(className) == 0)
                without << name + ": " + QString::fromStdString(className);
            continue;
        }
        const Flow flow = flowOf(tensorSizes(name), test);
        if (!test.contains("constructor") || flow.output.empty())
            continue;
        const recipe::NodePtr layer = layerOf(className, test.at("constructor"));
        QVERIFY2(layer, qPrintable(name));
        const catalog::FrameRule rule = catalog::frameRule(layer, flow.input);
        QVERIFY2(
            rule.taken == 0 || rule.arriving == 0 || rule.taken == rule.arriving, qPrintable(name));
        QVERIFY2(rule.given == flow.output, qPrintable(name));
        ++cases;
        classes.insert(className);
    }
    QVERIFY2(without.isEmpty(), qPrintable("no shape rule: " + without.join('\n')));
    qInfo("%d cases of %zu classes", cases, classes.size());
    QVERIFY(cases > 40 && classes.size() > 15);
}

void TstShape::unknownInput_isWhatTheLayerAsksFor_data()
{
    QTest::addColumn<QString>("yaml");
    QTest::addColumn<QString>("given");
    const auto row = [](const char* name, const char* yaml, const char* given) {
        QTest::newRow(name) << QString(yaml) << QString(given);
    };
    row("front end",
        "!new:speechbrain.lobes.models.convolution.ConvolutionFrontEnd\n"
        "    input_shape: (8, 10, 80)\n    num_blocks: 1\n    out_channels: [32]\n"
        "    kernel_sizes: [3]\n    strides: [2]\n    residuals: [False]\n",
        "40 32");
    // Upstream pads a stride's layer by half the kernel, whatever the dilation.
    row("front end with dilation and stride",
        "!new:speechbrain.lobes.models.convolution.ConvolutionFrontEnd\n"
        "    input_shape: (8, 10, 40)\n    num_blocks: 2\n    num_layers_per_block: 2\n"
        "    out_channels: [4, 4]\n    kernel_sizes: [3, 3]\n    strides: [2, 2]\n"
        "    dilations: [2, 2]\n    residuals: [False, False]\n",
        "9 4");
    row("front end in a container",
        "!new:speechbrain.nnet.containers.Sequential\n    input_shape: [null, null, 40]\n"
        "    cnn: !name:speechbrain.lobes.models.convolution.ConvolutionFrontEnd\n"
        "        num_blocks: 1\n        num_layers_per_block: 1\n        out_channels: [4]\n"
        "        kernel_sizes: [3]\n        strides: [2]\n        dilations: [2]\n"
        "        residuals: [False]\n",
        "19 4");
    row("container",
        "!new:speechbrain.nnet.containers.Sequential\n    input_shape: [null, null, 40]\n"
        "    norm: !name:speechbrain.nnet.normalization.BatchNorm1d\n"
        "    pool: !new:speechbrain.nnet.pooling.Pooling1d\n        pool_type: max\n"
        "        kernel_size: 2\n        input_dims: 3\n        pool_axis: 2\n",
        "20");
    row("dilation of Pooling2d, which upstream does not read",
        "!new:speechbrain.nnet.containers.Sequential\n    input_shape: [null, null, 40]\n"
        "    pool: !new:speechbrain.nnet.pooling.Pooling2d\n        pool_type: max\n"
        "        kernel_size: [1, 3]\n        stride: 1\n        dilation: 2\n",
        "38");
    row("cepstra", "!new:speechbrain.lobes.features.MFCC", "660");
    row("one-hot labels",
        "!new:speechbrain.nnet.embedding.Embedding\n    num_embeddings: 40\n"
        "    consider_as_one_hot: True\n",
        "39");
    row("embedded labels", "!new:speechbrain.nnet.embedding.Embedding\n    num_embeddings: 40\n",
        "128");
    row("not known", "!new:speechbrain.integrations.huggingface.wav2vec2.Wav2Vec2\n    source: x\n",
        "");
    row("complex parts",
        "!name:speechbrain.nnet.complex_networks.c_RNN.CLiGRU\n    hidden_size: 64\n"
        "    bidirectional: True\n",
        "256");
    row("frames side by side",
        "!new:funasr.frontends.wav_frontend.WavFrontend\n    n_mels: 80\n    lfr_m: 7\n", "560");
}

void TstShape::unknownInput_isWhatTheLayerAsksFor()
{
    QFETCH(QString, yaml);
    QFETCH(QString, given);
    const recipe::Parsed parsed = recipe::parse("x: " + yaml.toStdString(), "t.yaml");
    QStringList sizes;
    for (const int64_t size : catalog::frameRule(recipe::find(*parsed.root, "x"), {}).given)
        sizes << QString::number(size);
    QCOMPARE(sizes.join(' '), given);
}

/// Forty levels, each of which holds the one below twice: 2^40 layers to whom counts them all.
void TstShape::containersOfEachOther_end()
{
    recipe::NodePtr layer = layerOf("torch.nn.Tanh", ordered_json::object());
    QVERIFY(catalog::frameRule(layer, { 8 }).given == FrameShape { 8 });
    for (int level = 0; level < 40; ++level) {
        auto outer = std::make_shared<recipe::Node>();
        outer->kind = recipe::Kind::Mapping;
        outer->tag = "!new:speechbrain.nnet.containers.Sequential";
        for (const char* name : { "first", "second" })
            outer->entries.push_back({ recipe::makeScalar(name), layer });
        layer = outer;
    }
    QVERIFY(catalog::frameRule(layer, { 8 }).given.empty());
}

EARWRIGHT_TEST(TstShape)
#include "tst_shape.moc"
