#include <QTest>

#include "core/catalog/catalog.h"
#include "core/model/layer_table.h"
#include "core/recipe/resolve.h"
#include "core/settings/layer_keys.h"
#include "core/train/module_set.h"
#include "tests/registry.h"

using namespace earwright;

class TstModuleSet final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void layerInsideAnother_isNamedWithItsReason_data();
    void layerInsideAnother_isNamedWithItsReason();
    void layersOfTheCheck_areThoseThatAreBuilt();
    void nullAndWhatIsBesideLayers_isLeftOut();
};

void TstModuleSet::layerInsideAnother_isNamedWithItsReason_data()
{
    QTest::addColumn<std::string>("argument");
    QTest::addColumn<std::string>("reason");
    const auto row = [](const char* argument, const char* reason) {
        QTest::newRow(argument) << std::string(argument) << std::string(reason);
    };
    row("normalize_before: False",
        "'normalize_before' of TransformerASR must be True in a conformer, not False");
    row("attention_type: linear",
        "'attention_type' of TransformerASR must be one of regularMHA, RelPosMHAXL, RoPEMHA, "
        "hypermixing, not linear");
    row("attention_type: hypermixing\n    d_ffn: 25",
        "'d_ffn' of TransformerASR must be a multiple of 'nhead' with hypermixing, not 25: each "
        "head has a share of it");
    row("num_decoder_layers: 1\n    attention_type: hypermixing\n    positional_encoding: null",
        "'positional_encoding' of TransformerASR must be fixed_abs_sine with hypermixing and a "
        "decoder, which adds it to its tokens, not null");
    row("num_encoder_layers: 0",
        "'num_encoder_layers' of TransformerASR must be at least 1, not 0");
    row("nhead: 3", "nhead 3 does not divide d_model 16");
}

/// What wraps it cannot be built either, which is not the reason.
void TstModuleSet::layerInsideAnother_isNamedWithItsReason()
{
    QFETCH(std::string, argument);
    QFETCH(std::string, reason);
    const std::string prefix = "speechbrain.lobes.models.transformer.TransformerASR.";
    const std::string key = argument.substr(0, argument.find(':'));
    std::string text = "Transformer: !new:" + prefix + "TransformerASR\n    input_size: 8\n"
        + "    tgt_vocab: 8\n    d_model: 16\n    encoder_module: conformer\n    " + argument
        + "\n";
    for (const char* other :
        { "nhead: 2", "num_encoder_layers: 1", "num_decoder_layers: 0", "normalize_before: True" })
        if (!std::string(other).starts_with(key))
            text += std::string("    ") + other + "\n";
    text += "enc: !new:" + prefix + "EncoderWrapper\n    transformer: !ref <Transformer>\n"
        + "modules:\n    enc: !ref <enc>\n";
    const recipe::Resolved resolved = recipe::resolve(text, "t.yaml", {});
    const auto modules = train::ModuleSet::build(*resolved.root, {});
    QVERIFY(!modules);
    const std::string& message = modules.error().message;
    QVERIFY2(message.starts_with("t.yaml:") && message.find(reason) != std::string::npos,
        message.c_str());
}

void TstModuleSet::layersOfTheCheck_areThoseThatAreBuilt()
{
    for (const std::string& name : catalog::trainableClassNames())
        QVERIFY2(settings::isLayer(*catalog::findClass(name))
                == (model::layerTable().find(name) != nullptr),
            name.c_str());
}

void TstModuleSet::nullAndWhatIsBesideLayers_isLeftOut()
{
    const std::string text = "modules:\n    none: null\n"
                             "    drop: !new:speechbrain.augment.time_domain.DropFreq\n"
                             "    act: !new:torch.nn.ReLU\n";
    const recipe::Resolved resolved = recipe::resolve(text, "t.yaml", {});
    const auto modules = train::ModuleSet::build(*resolved.root, {});
    QVERIFY2(modules, modules ? "" : modules.error().message.c_str());
    QCOMPARE(modules->modules().size(), size_t(1));
    QVERIFY(modules->find("act"));
}

EARWRIGHT_TEST(TstModuleSet)
#include "tst_module_set.moc"
