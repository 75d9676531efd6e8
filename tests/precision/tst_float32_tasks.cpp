#include <QTest>
#include <torch/utils.h>

#include "core/precision/precision.h"
#include "core/recipe/resolve.h"
#include "core/train/task/task.h"
#include "tests/precision/operator_calls.h"
#include "tests/registry.h"
#include "tests/train/equal_recipes.h"

using namespace earwright;
using namespace earwright::train;
using precision::Autocast;
using precision::Type;
using tests::OperatorCalls;

namespace {

/// The same recipe with another encoder in it.
struct OtherEncoder {
    const char* name;
    const char* file; ///< of tests/cases/train/equal
    const char* what;
    const char* instead;
};
constexpr OtherEncoder kEncoders[] = {
    { "gru", "lstm", "RNN.LSTM", "RNN.GRU" },
    { "ligru", "lstm", "RNN.LSTM", "RNN.LiGRU" },
    { "vanilla", "crdnn",
        "CRDNN.CRDNN\n    input_shape: [null, null, 16]\n    cnn_blocks: 1\n    cnn_channels: [4]\n"
        "    inter_layer_pooling_size: [2]\n    rnn_layers: 1\n    rnn_neurons: 8\n"
        "    rnn_bidirectional: True\n    dnn_blocks: 1\n    dnn_neurons: 16\n    dropout: 0.0",
        "VanillaNN.VanillaNN\n    input_shape: [null, null, 16]\n    dnn_neurons: 16" },
    { "transformer", "conformer", "conformer\n    attention_type: RelPosMHAXL",
        "transformer\n    attention_type: regularMHA" },
    { "dropping", "transformer", "d_ffn: 32\n    dropout: 0.0", "d_ffn: 32\n    dropout: 0.1" },
    { "branchformer", "conformer", "encoder_module: conformer", "encoder_module: branchformer" },
    { "mixing", "conformer", "RelPosMHAXL", "hypermixing" },
};

/// A recipe of tests/cases/train/equal or with another encoder; "<name>+" with more in it.
std::string recipeOf(const std::string& name)
{
    for (const OtherEncoder& other : kEncoders)
        if (name == other.name)
            return with(recipeOf(other.file), other.what, other.instead);
    const std::string file = name.substr(0, name.find('+'));
    const std::string text = recipeText(file);
    if (name == "joint+")
        return text
            + "ctc_scorer: !new:speechbrain.decoders.scorer.CTCScorer\n    ctc_fc: !ref <ctc_lin>\n"
              "    blank_index: 0\n    eos_index: !ref <eos_index>\n"
              "test_search: !new:speechbrain.decoders.S2STransformerBeamSearcher\n"
              "    modules: [!ref <Transformer>, !ref <seq_lin>]\n"
              "    bos_index: !ref <bos_index>\n    eos_index: !ref <eos_index>\n"
              "    min_decode_ratio: 0.0\n    max_decode_ratio: 0.5\n    beam_size: 4\n"
              "    using_eos_threshold: False\n"
              "    scorer: !new:speechbrain.decoders.scorer.ScorerBuilder\n"
              "        full_scorers: [!ref <ctc_scorer>]\n        weights: {ctc: 0.4}\n";
    if (name == "paraformer+")
        return with(text, "modules:\n",
            "ctc_weight: 0.3\nctc: !new:funasr.models.ctc.ctc.CTC\n    odim: !ref <vocab_size>\n"
            "    encoder_output_size: 16\nmodules:\n    ctc: !ref <ctc>\n");
    if (name == "conformer+") // no layer of the recipe's, but the task's own
        return with(with(text, "log_softmax: !new:speechbrain.nnet.activations.Softmax\n", ""),
            "    apply_log: True\n", "");
    return text;
}

std::unique_ptr<Task> taskOf(const std::string& name)
{
    torch::manual_seed(3);
    const recipe::Resolved resolved = recipe::resolve(
        recipeOf(name), "t.yaml", *recipe::parseOverrides({ "--data_folder=/nowhere" }));
    const bool hasEnds = name.starts_with("joint") || name.find("paraformer") != std::string::npos;
    const settings::SpecialLabels labels = hasEnds
        ? settings::SpecialLabels { .blank = 0, .bos = 1, .eos = 2 }
        : settings::SpecialLabels { .blank = 0 };
    auto task = makeTask(*resolved.root,
        std::make_shared<const data::TextEncoder>(
            data::TextEncoder::fromTexts({ "ABCDEF" }, labels)),
        torch::kCPU, "reduction");
    if (!task)
        qFatal("%s", task.error().message.c_str());
    return std::move(*task);
}

/// Noises of a second and less, with a hotword in one.
data::Batch noises()
{
    torch::manual_seed(11);
    data::Batch batch;
    batch.wavs_BT = torch::randn({ 2, 8000 }) * 0.1;
    batch.wavLens_B = torch::tensor({ 1.0F, 0.75F });
    batch.tokens_BL = torch::tensor({ { 3, 4, 5, 6 }, { 4, 4, 3, 0 } }, torch::kInt64);
    batch.tokenLens_B = torch::tensor({ 1.0F, 0.75F });
    batch.ids = { "a", "b" };
    batch.texts = { "ABCD", "BBA" };
    batch.indices = { 0, 1 };
    batch.tokens = batch.wholeTokens = 7;
    batch.wholeSize = 2;
    batch.hotwords = { { 4, 5 } };
    batch.hotwordSpans = { { { 1, 2 } }, {} };
    return batch;
}

} // namespace

/// What a training step and a recognition compute in float32 under autocast, by the operators that
/// are called.
class TstFloat32Tasks final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void logProbabilitiesAndLosses_areFloat32_data();
    void logProbabilitiesAndLosses_areFloat32();
    void softmaxOfAttention_isFloat32_data();
    void softmaxOfAttention_isFloat32();

private:
    static void trainAndRecognise(const std::string& name, Type type);
};

void TstFloat32Tasks::logProbabilitiesAndLosses_areFloat32_data()
{
    QTest::addColumn<std::string>("name");
    QTest::addColumn<bool>("hasCtc");
    QTest::addColumn<int>("type");
    for (const Type type : { Type::Tf32, Type::Bf16, Type::Fp16 }) {
        const auto row = [&](const std::string& name, bool hasCtc) {
            QTest::addRow("%s, %s", name.c_str(), precision::typeName(type).c_str())
                << name << hasCtc << static_cast<int>(type);
        };
        for (const char* encoder :
            { "crdnn", "lstm", "gru", "ligru", "vanilla", "transformer", "branchformer", "mixing" })
            row(encoder, true);
        row("conformer", true);
        row("conformer+", true);
        row("joint", true);
        row("joint+", true);
        row("paraformer", false);
        row("paraformer+", true);
        row("seaco_paraformer", false);
    }
}

void TstFloat32Tasks::trainAndRecognise(const std::string& name, Type type)
{
    const auto task = taskOf(name);
    const data::Batch batch = noises();
    const Autocast autocast(type, at::kCPU);
    task->modules().train(true);
    QCOMPARE(task->run(batch, Stage::Train).loss.scalar_type(), at::kFloat);
    task->modules().train(false);
    const torch::NoGradGuard noGrad;
    task->run(batch, Stage::Valid);
    task->recognise(batch, task->features(batch, Stage::Test), Stage::Test);
}

void TstFloat32Tasks::logProbabilitiesAndLosses_areFloat32()
{
    QFETCH(std::string, name);
    QFETCH(bool, hasCtc);
    QFETCH(int, type);
    const OperatorCalls observed;
    trainAndRecognise(name, static_cast<Type>(type));
    QCOMPARE(OperatorCalls::typesOf("aten::_log_softmax"), QString("Float"));
    QCOMPARE(OperatorCalls::typesOf("aten::ctc_loss"), QString(hasCtc ? "Float" : ""));
}

void TstFloat32Tasks::softmaxOfAttention_isFloat32_data()
{
    QTest::addColumn<std::string>("name");
    QTest::newRow("relative") << std::string("conformer");
    QTest::newRow("regular, with dropout") << std::string("dropping");
}

void TstFloat32Tasks::softmaxOfAttention_isFloat32()
{
    QFETCH(std::string, name);
    for (const Type type : { Type::Tf32, Type::Bf16, Type::Fp16 }) {
        const OperatorCalls observed;
        trainAndRecognise(name, type);
        QCOMPARE(OperatorCalls::typesOf("aten::_softmax"), QString("Float"));
    }
}

EARWRIGHT_TEST(TstFloat32Tasks)
#include "tst_float32_tasks.moc"
