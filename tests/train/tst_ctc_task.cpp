#include <QTest>
#include <torch/utils.h>

#include "core/recipe/resolve.h"
#include "core/train/task/ctc_output.h"
#include "core/train/task/task.h"
#include "tests/registry.h"
#include "tests/train/equal_recipes.h"

using namespace earwright;
using namespace earwright::train;

namespace {

constexpr int64_t kFeatures = 16;

/// conformer.yaml, whose encoder takes the features themselves.
std::string encoderAlone()
{
    std::string text = recipeText("conformer");
    const size_t begin = text.find("CNN: !new");
    text.erase(begin, text.find("Transformer: !new") - begin);
    text = with(text, "input_size: 32", "input_size: 16");
    text = with(text, "    CNN: !ref <CNN>\n", "");
    return with(text, "[!ref <CNN>, ", "[");
}

std::string behindIdentity()
{
    const std::string text = with(
        encoderAlone(), "Transformer: !new", "CNN: !new:torch.nn.Identity\nTransformer: !new");
    return with(text, "modules:\n", "modules:\n    CNN: !ref <CNN>\n");
}

Result<std::unique_ptr<Task>> madeTask(const std::string& text)
{
    torch::manual_seed(3);
    const recipe::Resolved resolved
        = recipe::resolve(text, "t.yaml", *recipe::parseOverrides({ "--data_folder=/nowhere" }));
    return makeTask(*resolved.root,
        std::make_shared<const data::TextEncoder>(
            data::TextEncoder::fromTexts({ "ABCDEF" }, { .blank = 0 })),
        torch::kCPU, "reduction");
}

/// In evaluation.
std::unique_ptr<Task> taskOf(const std::string& text)
{
    auto task = madeTask(text);
    if (!task)
        qFatal("%s", task.error().message.c_str());
    (*task)->modules().train(false);
    return std::move(*task);
}

torch::Tensor logProbs(Task& task, const torch::Tensor& features, std::vector<float> lengths)
{
    const torch::NoGradGuard noGrad;
    data::Batch batch;
    batch.wavLens_B = torch::tensor(lengths);
    return dynamic_cast<CtcOutput&>(task).ctcLogProbs(batch, features);
}

torch::Tensor taskNoises()
{
    torch::manual_seed(5);
    return torch::randn({ 2, 24, kFeatures });
}

} // namespace

class TstCtcTask final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void encoderIsToldTheLengths_withACnnAndWithout();
    void rowOfATransformer_isTheSameBesideALongerOne_data();
    void rowOfATransformer_isTheSameBesideALongerOne();
    void transformerUnderItsOwnName_isTheEncoder();
    void crdnn_isNotToldTheLengths();
    void costOfAnotherFunction_isRefused();
};

/// Upstream's scripts tell them in both cases.
void TstCtcTask::encoderIsToldTheLengths_withACnnAndWithout()
{
    const auto alone = taskOf(encoderAlone());
    const auto behind = taskOf(behindIdentity());
    const torch::Tensor told = logProbs(*alone, taskNoises(), { 1, 0.5 });
    QVERIFY(torch::equal(told, logProbs(*behind, taskNoises(), { 1, 0.5 })));
    QVERIFY(!torch::equal(told, logProbs(*alone, taskNoises(), { 1, 1 })));
}

void TstCtcTask::rowOfATransformer_isTheSameBesideALongerOne_data()
{
    QTest::addColumn<std::string>("attention");
    for (const char* attention : { "regularMHA", "RelPosMHAXL", "RoPEMHA" })
        QTest::newRow(attention) << std::string(attention);
}

void TstCtcTask::rowOfATransformer_isTheSameBesideALongerOne()
{
    QFETCH(std::string, attention);
    // The convolutions of the other encoders look past a row's end, upstream's too.
    const std::string text
        = with(encoderAlone(), "encoder_module: conformer", "encoder_module: transformer");
    const auto task = taskOf(with(text, "RelPosMHAXL", attention));
    const torch::Tensor both = logProbs(*task, taskNoises(), { 1, 0.5 });
    const torch::Tensor alone
        = logProbs(*task, taskNoises().slice(0, 1).slice(1, 0, 12).contiguous(), { 1 });
    QVERIFY(torch::allclose(both[1].slice(0, 0, 12), alone[0], 1e-4, 1e-5));
}

/// As upstream's LibriSpeech/ASR/CTC/train.py, where `model` lists what is saved.
void TstCtcTask::transformerUnderItsOwnName_isTheEncoder()
{
    std::string text = recipeText("conformer");
    text = with(text, "    enc: !ref <enc>\n", "    Transformer: !ref <Transformer>\n");
    text = with(text, "!ref <enc>, ", "!ref <Transformer>, ");
    text = with(text,
        "enc: !new:speechbrain.lobes.models.transformer.TransformerASR.EncoderWrapper\n"
        "    transformer: !ref <Transformer>\n",
        "");
    const auto named = taskOf(text);
    const auto wrapped = taskOf(recipeText("conformer"));
    QVERIFY(torch::equal(
        logProbs(*named, taskNoises(), { 1, 0.5 }), logProbs(*wrapped, taskNoises(), { 1, 0.5 })));
    QCOMPARE(named->modules().weights().size(), wrapped->modules().weights().size());
}

void TstCtcTask::crdnn_isNotToldTheLengths()
{
    const auto task = taskOf(recipeText("crdnn"));
    QVERIFY(torch::equal(
        logProbs(*task, taskNoises(), { 1, 1 }), logProbs(*task, taskNoises(), { 1, 0.5 })));
}

/// It would be trained by CTC all the same.
void TstCtcTask::costOfAnotherFunction_isRefused()
{
    const std::string wanted = "ctc_cost: !name:speechbrain.nnet.losses.ctc_loss\n";
    for (const char* name : { "crdnn", "conformer", "joint" }) {
        const auto task = madeTask(with(recipeText(name), wanted,
            "ctc_cost: null\ncompute_cost: !name:speechbrain.nnet.losses.nll_loss\n"));
        QVERIFY(!task);
        QCOMPARE(task.error().message,
            std::string("compute_cost must be a !name: of speechbrain.nnet.losses.ctc_loss, not an "
                        "object of speechbrain.nnet.losses.nll_loss"));
    }
}

EARWRIGHT_TEST(TstCtcTask)
#include "tst_ctc_task.moc"
