#include <QTest>
#include <torch/autograd.h>
#include <torch/optim/adam.h>
#include <torch/utils.h>

#include "core/model/label_loss.h"
#include "core/precision/precision.h"
#include "tests/registry.h"
#include "tests/train/paraformer_tasks.h"

#include <set>

using namespace earwright;
using namespace earwright::train;

namespace {

std::string withCtc(const std::string& text)
{
    return with(text, "    decoder: !ref <decoder>\n",
               "    decoder: !ref <decoder>\n    ctc: !ref <ctc>\n")
        + "ctc_weight: 0.3\nctc: !new:funasr.models.ctc.ctc.CTC\n    odim: !ref <vocab_size>\n"
          "    encoder_output_size: 16\n";
}

/// Name -> gradient, undefined where there is none.
std::map<std::string, torch::Tensor> gradients(Task& task, const torch::Tensor& loss)
{
    std::vector<torch::Tensor> inputs;
    for (const auto& [name, parameter] : task.modules().parameters())
        inputs.push_back(parameter);
    const auto found = torch::autograd::grad({ loss }, inputs, {}, {}, false, true);
    std::map<std::string, torch::Tensor> byName;
    for (size_t i = 0; i < found.size(); ++i)
        byName[task.modules().parameters()[i].first] = found[i];
    return byName;
}

} // namespace

class TstParaformerTask : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// So little work that more threads only wait for one another.
    void initTestCase() { at::set_num_threads(1); }
    void parts_addUp_data();
    void parts_addUp();
    void ctcBranch_isWeighedIn_data();
    void ctcBranch_isWeighedIn();
    void underAutocast_featuresFiresAndLossesStayInFp32_data();
    void underAutocast_featuresFiresAndLossesStayInFp32();
    void unusedParameters_areThoseThatUpstreamLeaves_data();
    void unusedParameters_areThoseThatUpstreamLeaves();
    void augmentation_isOfTrainingAlone_data();
    void augmentation_isOfTrainingAlone();
    void evaluation_spellsTheTexts_data();
    void evaluation_spellsTheTexts();
    void tail_followsEachRow_data();
    void tail_followsEachRow();
    void tokensBeyondTheOutputs_areRefused_data();
    void tokensBeyondTheOutputs_areRefused();
    void mistakes_areNamed_data();
    void mistakes_areNamed();
};

void TstParaformerTask::augmentation_isOfTrainingAlone_data()
{
    QTest::addColumn<std::string>("augmentation");
    QTest::newRow("waves") << std::string(
        "wav_augment: !new:speechbrain.augment.time_domain.DropChunk\n"
        "    drop_length_low: 400\n    drop_length_high: 800\n");
    QTest::newRow("features") << std::string(
        "fea_augment: !new:speechbrain.augment.freq_domain.SpectrogramDrop\n"
        "    drop_length_low: 2\n    drop_length_high: 4\n    dim: 1\n");
}

void TstParaformerTask::augmentation_isOfTrainingAlone()
{
    QFETCH(std::string, augmentation);
    const auto plain = taskOf(recipeText("paraformer"));
    const auto task = taskOf(recipeText("paraformer") + augmentation);
    const data::Batch batch = batchOf();
    QVERIFY(
        torch::equal(task->features(batch, Stage::Valid), plain->features(batch, Stage::Valid)));
    const torch::Tensor changed = task->features(batch, Stage::Train);
    QCOMPARE(changed.sizes(), plain->features(batch, Stage::Train).sizes());
    QVERIFY(!torch::equal(changed, plain->features(batch, Stage::Train)));
}

void TstParaformerTask::parts_addUp_data()
{
    QTest::addColumn<QString>("recipe");
    QTest::addColumn<QString>("weighting");
    for (const char* recipe : { "paraformer", "seaco_paraformer" })
        for (const char* weighting : { "reduction", "utterances", "tokens" })
            QTest::addRow("%s by %s", recipe, weighting) << recipe << weighting;
    for (const char* weighting : { "reduction", "utterances", "tokens" })
        QTest::addRow("with CTC by %s", weighting) << "ctc" << weighting;
    QTest::newRow("with CTC that one text does not fit into") << "short"
                                                              << "reduction";
}

void TstParaformerTask::parts_addUp()
{
    QFETCH(QString, recipe);
    QFETCH(QString, weighting);
    c10::set_default_dtype(caffe2::TypeMeta::Make<double>());
    const bool hasCtc = recipe == "ctc" || recipe == "short";
    const std::string text
        = hasCtc ? withCtc(recipeText("paraformer")) : recipeText(recipe.toStdString());
    const auto task = taskOf(text, weighting.toStdString());
    data::Batch batch = batchOf();
    if (recipe == "short") {
        batch.wavLens_B[4] = 0.1F;
        batch.wholeRows = { { 7 * kSamples / 10, 5 }, { kSamples, 5 }, { kSamples, 5 },
            { kSamples, 5 }, { kSamples / 10, 5 } };
    }
    const torch::Tensor features = task->features(batch, Stage::Train);
    const torch::Tensor whole = task->run(batch, features, Stage::Train).loss;
    torch::Tensor sum = torch::zeros({});
    int64_t row = 0;
    for (const data::Batch& part : cut(batch, 3)) {
        const int64_t rows = std::ssize(part.ids);
        const torch::Tensor own = features.narrow(0, row, rows);
        sum = sum
            + task->run(part, own, Stage::Train).loss * shareIn(batch, part, task->lossUnit());
        row += rows;
    }
    c10::set_default_dtype(caffe2::TypeMeta::Make<float>());
    QVERIFY(whole.item<double>() > 0.1);
    QVERIFY(std::abs((sum - whole).item<double>()) < 1e-10);
    const auto expected = gradients(*task, whole);
    for (const auto& [name, gradient] : gradients(*task, sum)) {
        QCOMPARE(gradient.defined(), expected.at(name).defined());
        if (gradient.defined())
            QVERIFY2(
                (gradient - expected.at(name)).abs().max().item<double>() < 1e-10, name.c_str());
    }
}

void TstParaformerTask::ctcBranch_isWeighedIn_data()
{
    QTest::addColumn<float>("lastLength");
    QTest::addColumn<int>("fitting");
    QTest::newRow("all texts fit") << 0.9F << 5;
    QTest::newRow("one has fewer frames than labels") << 0.1F << 4;
}

/// By a mean over the rows whose text fits, as upstream's.
void TstParaformerTask::ctcBranch_isWeighedIn()
{
    QFETCH(float, lastLength);
    QFETCH(int, fitting);
    const std::string text
        = with(recipeText("paraformer"), "predictor_weight: 1.0", "predictor_weight: 0.0");
    data::Batch batch = batchOf();
    batch.wavLens_B[4] = lastLength;
    const auto loss = [&](Task& task, torch::Tensor& encoded) {
        task.observe([&](const std::string& key, const torch::Tensor& input) {
            encoded = key == "predictor" ? input : encoded;
        });
        return task.run(batch, Stage::Train).loss;
    };
    torch::Tensor encoded;
    const auto plain = taskOf(text);
    const double attention = loss(*plain, encoded).item<double>();
    const auto task = taskOf(withCtc(text));
    for (const auto& [name, parameter] : task->modules().parameters()) {
        if (!name.starts_with("ctc."))
            parameter.detach().copy_(named(*plain, name).detach());
    }
    const torch::Tensor both = loss(*task, encoded);
    const torch::Tensor logProbs = task->modules().find("ctc")->forward(encoded).log_softmax(-1);
    const auto frames = dynamic_cast<model::WavFrontend&>(*task->modules().find("frontend"))
                            .frameCounts((batch.wavLens_B.to(torch::kFloat64) * kSamples).round());
    const torch::Tensor labels = (batch.tokenLens_B * 5).round().to(torch::kLong);
    const torch::Tensor ctc_B = torch::ctc_loss(logProbs.transpose(0, 1), batch.tokens_BL,
        frames.to(torch::kLong), labels, 0, at::Reduction::None);
    const torch::Tensor ctc = ctc_B.masked_select(ctc_B.isfinite());
    QCOMPARE(ctc.size(0), fitting);
    const double expected = 0.3 * ctc.mean().item<double>() + 0.7 * attention;
    QVERIFY(std::abs(both.item<double>() - expected) < 1e-4);
    QVERIFY(gradients(*task, both).at("ctc.ctc_lo.weight").abs().sum().item<double>() > 0);
}

/// Bit for bit: not only the type of what comes out, but of every number on the way.
void TstParaformerTask::underAutocast_featuresFiresAndLossesStayInFp32_data()
{
    QTest::addColumn<int>("type");
    QTest::addColumn<std::string>("recipe");
    const std::string sampler
        = with(recipeText("seaco_paraformer"), "sampling_ratio: 0.0", "sampling_ratio: 0.75");
    for (const precision::Type type : { precision::Type::Bf16, precision::Type::Fp16 }) {
        const std::string name = precision::typeName(type);
        QTest::newRow((name + " Paraformer").c_str()) << int(type) << recipeText("paraformer");
        QTest::newRow((name + " SeACo").c_str()) << int(type) << recipeText("seaco_paraformer");
        QTest::newRow((name + " SeACo with sampler").c_str()) << int(type) << sampler;
    }
}

void TstParaformerTask::underAutocast_featuresFiresAndLossesStayInFp32()
{
    QFETCH(int, type);
    QFETCH(std::string, recipe);
    const auto half = static_cast<precision::Type>(type);
    const auto task = taskOf(recipe);
    const c10::ScalarType lower = half == precision::Type::Fp16 ? torch::kHalf : torch::kBFloat16;
    const data::Batch batch = batchOf();
    const auto predictor
        = std::dynamic_pointer_cast<model::CifPredictor>(task->modules().find("predictor"));
    torch::manual_seed(1);
    const torch::Tensor hidden = torch::randn({ 2, 9, 16 });
    const torch::Tensor valid = torch::ones({ 2, 9 }, torch::kBool);
    const torch::Tensor logits = torch::randn({ 2, 4, 10 }).to(lower);
    const torch::Tensor targets = torch::tensor({ { 3, 4, 5, 2 }, { 6, 2, -1, -1 } });
    const torch::Tensor features = task->features(batch, Stage::Train);
    const model::CifPrediction fires = predictor->predict(hidden, valid);
    const torch::Tensor loss
        = model::labelSmoothingSum(logits.to(torch::kFloat), targets, { 0.1, -1 });

    const precision::Autocast cast(half, torch::kCPU);
    QCOMPARE(torch::matmul(hidden[0].t(), hidden[0]).scalar_type(), lower);
    QVERIFY(task->features(batch, Stage::Train).equal(features));
    const model::CifPrediction underCast = predictor->predict(hidden, valid);
    QVERIFY(underCast.alphas_BT.equal(fires.alphas_BT));
    QVERIFY(underCast.embeds_BUD.equal(fires.embeds_BUD));
    QCOMPARE(underCast.tokens2_B.defined(), fires.tokens2_B.defined());
    QVERIFY(!fires.tokens2_B.defined() || underCast.tokens2_B.equal(fires.tokens2_B));
    QCOMPARE(predictor->predict(hidden.to(lower), valid).alphas_BT.scalar_type(), torch::kFloat);
    QVERIFY(model::labelSmoothingSum(logits, targets, { 0.1, -1 }).equal(loss));
    QCOMPARE(task->run(batch, features, Stage::Train).loss.scalar_type(), torch::kFloat);
}

void TstParaformerTask::unusedParameters_areThoseThatUpstreamLeaves_data()
{
    QTest::addColumn<bool>("trainsDecoder");
    QTest::addColumn<size_t>("count");
    QTest::newRow("both losses") << true << size_t(12);
    QTest::newRow("hotwords alone") << false << size_t(14);
}

void TstParaformerTask::unusedParameters_areThoseThatUpstreamLeaves()
{
    QFETCH(bool, trainsDecoder);
    QFETCH(size_t, count);
    std::string text = with(recipeText("seaco_paraformer"),
        "funasr.models.paraformer.cif_predictor.CifPredictor\n",
        "funasr.models.bicif_paraformer.cif_predictor.CifPredictorV3\n"
        "    upsample_type: cnn_blstm\n");
    if (!trainsDecoder)
        text = with(text, "train_decoder: True", "train_decoder: False");
    const auto task = taskOf(text);
    const torch::Tensor loss = task->run(batchOf(), Stage::Train).loss;
    std::set<std::string> unused;
    for (const auto& [name, gradient] : gradients(*task, loss))
        if (!gradient.defined())
            unused.insert(name);
    QCOMPARE(unused.size(), count);
    for (const std::string& name : unused)
        QVERIFY2(name.starts_with("predictor.upsample_cnn.") || name.starts_with("predictor.blstm.")
                || name.starts_with("predictor.cif_output2.")
                || (!trainsDecoder && name.starts_with("decoder.output_layer.")),
            name.c_str());
}

void TstParaformerTask::evaluation_spellsTheTexts_data()
{
    QTest::addColumn<QString>("recipe");
    QTest::addColumn<int>("steps");
    QTest::addColumn<bool>("isByHeart");
    QTest::newRow("paraformer") << "paraformer" << 150 << true;
    QTest::newRow("seaco") << "seaco_paraformer" << 10 << false;
}

/// A Paraformer learns the five noises by heart; hotwords give words of the same letters.
void TstParaformerTask::evaluation_spellsTheTexts()
{
    QFETCH(QString, recipe);
    QFETCH(int, steps);
    QFETCH(bool, isByHeart);
    const auto task = taskOf(recipeText(recipe.toStdString()));
    std::vector<torch::Tensor> parameters;
    for (const auto& [name, parameter] : task->modules().parameters())
        parameters.push_back(parameter);
    torch::optim::Adam adam(parameters, torch::optim::AdamOptions(0.01));
    const data::Batch batch = batchOf();
    const torch::Tensor features = task->features(batch, Stage::Train);
    for (int step = 0; step < steps; ++step) {
        adam.zero_grad();
        task->run(batch, features, Stage::Train).loss.backward();
        adam.step();
    }
    const torch::NoGradGuard noGrad;
    task->modules().train(false);
    const TaskOutput output = task->run(batch, Stage::Valid);
    QCOMPARE(output.hypotheses.size(), kTexts.size());
    if (isByHeart)
        QCOMPARE(output.hypotheses, kTexts);
    for (const std::string& text : output.hypotheses)
        QCOMPARE(text.find_first_not_of("ABCDEF"), std::string::npos);
}

void TstParaformerTask::tail_followsEachRow_data()
{
    QTest::addColumn<QString>("predictor");
    QTest::addColumn<bool>("readsTailMask");
    QTest::newRow("V2") << "paraformer.cif_predictor.CifPredictorV2" << true;
    QTest::newRow("V3") << "bicif_paraformer.cif_predictor.CifPredictorV3" << false;
}

/// Upstream's CifPredictorV3 takes tail_mask and never reads it.
void TstParaformerTask::tail_followsEachRow()
{
    QFETCH(QString, predictor);
    QFETCH(bool, readsTailMask);
    const auto predicted = [&](const char* tailMask) {
        const std::string instead = "funasr.models." + predictor.toStdString()
            + "\n    tail_threshold: 0.45\n    tail_mask: " + tailMask + "\n";
        const auto task = taskOf(with(recipeText("seaco_paraformer"),
            "funasr.models.paraformer.cif_predictor.CifPredictor\n", instead));
        torch::manual_seed(1);
        return std::dynamic_pointer_cast<model::CifPredictor>(task->modules().find("predictor"))
            ->predict(torch::randn({ 2, 9, 16 }),
                torch::arange(9) < torch::tensor({ 9, 5 }).unsqueeze(1));
    };
    const torch::Tensor masked = predicted("True").alphas_BT;
    QVERIFY(masked[1][5].item<double>() > 0);
    QCOMPARE(predicted("False").alphas_BT.equal(masked), !readsTailMask);
}

void TstParaformerTask::mistakes_areNamed_data()
{
    QTest::addColumn<QString>("what");
    QTest::addColumn<QString>("instead");
    QTest::addColumn<QString>("told");
    QTest::newRow("too few tokens") << "vocab_size: 10"
                                    << "vocab_size: 8"
                                    << "set vocab_size to 9 or more";
    QTest::newRow("no-hotword token") << "seaco_id: 9"
                                      << "seaco_id: 10"
                                      << "seaco_id 10 is none of the decoder's 10 tokens";
    QTest::newRow("CTC loss") << "sampling_ratio: 0.0"
                              << "ctc_weight: 0.3\nctc: !new:funasr.models.ctc.ctc.CTC [10, 16]"
                              << "set ctc_weight to 0";
    QTest::newRow("CTC branch") << "sampling_ratio: 0.0"
                                << "ctc_weight: 0.3"
                                << "the task needs 'ctc', a CTC";
    QTest::newRow("CTC alone") << "sampling_ratio: 0.0"
                               << "ctc_weight: 1.0"
                               << "from 0 to below 1";
    QTest::newRow("no ends") << "predictor_bias: 1"
                             << "predictor_bias: 0"
                             << "needs predictor_bias: 1";
    QTest::newRow("hotwords") << "hotword: AB CD"
                              << "hotword: /nowhere.txt"
                              << "/nowhere.txt";
    QTest::newRow("another class") << "hotword_output_layer: !new:torch.nn.Linear\n"
                                      "    in_features: 16\n    out_features"
                                   << "hotword_output_layer: !new:speechbrain.nnet.linear.Linear\n"
                                      "    input_size: 16\n    n_neurons"
                                   << "'hotword_output_layer', a torch.nn.Linear";
    QTest::newRow("another class where none is needed")
        << "lstm_proj: !new:torch.nn.Linear\n    in_features: 32\n    out_features"
        << "lstm_proj: !new:speechbrain.nnet.linear.Linear\n    input_size: 32\n    n_neurons"
        << "'lstm_proj', a torch.nn.Linear: the recipe has another class there";
    const auto size = [](const char* name, const char* what, const char* instead,
                          const char* told) { QTest::newRow(name) << what << instead << told; };
    size("embeddings", "LSTM\n    input_size: 16", "LSTM\n    input_size: 12",
        "'input_size' of 'bias_encoder' is 12, but 'decoder' embeds tokens in 16");
    size("both directions", "in_features: 32", "in_features: 16",
        "'in_features' of 'lstm_proj' is 16, but 'bias_encoder' gives 32");
    size("tokens of hotwords", "out_features: !ref <vocab_size>", "out_features: 9",
        "'out_features' of 'hotword_output_layer' is 9, but 'decoder' has 10 tokens (vocab_size)");
    QTest::newRow("lengths") << "sampling_ratio: 0.0"
                             << "hotword_max_length: 1"
                             << "hotword_max_length 1 is less than hotword_min_length 2";
    QTest::newRow("value") << "seaco_weight: 0.5"
                           << "seaco_weight: much"
                           << "seaco_weight";
}

void TstParaformerTask::mistakes_areNamed()
{
    QFETCH(QString, what);
    QFETCH(QString, instead);
    QFETCH(QString, told);
    const auto task
        = made(with(recipeText("seaco_paraformer"), what.toStdString(), instead.toStdString()));
    QVERIFY(!task);
    QVERIFY2(
        QString::fromStdString(task.error().message).contains(told), task.error().message.c_str());
}

/// ATen's loss would read past the end of what is too short.
void TstParaformerTask::tokensBeyondTheOutputs_areRefused_data()
{
    QTest::addColumn<QString>("what");
    QTest::addColumn<QString>("instead");
    QTest::addColumn<QString>("told");
    QTest::newRow("ctc") << "odim: !ref <vocab_size>"
                         << "odim: 9"
                         << "ctc has 9 outputs and the decoder 10";
    QTest::newRow("eos") << "predictor_bias: 1"
                         << "predictor_bias: 1\neos: 12"
                         << "eos 12 is none of the decoder's 10 tokens";
    QTest::newRow("blank") << "predictor_bias: 1"
                           << "predictor_bias: 1\nblank_id: 10"
                           << "blank_id 10 is none of the decoder's 10 tokens";
}

void TstParaformerTask::tokensBeyondTheOutputs_areRefused()
{
    QFETCH(QString, what);
    QFETCH(QString, instead);
    QFETCH(QString, told);
    const auto task
        = made(with(withCtc(recipeText("paraformer")), what.toStdString(), instead.toStdString()));
    QVERIFY(!task);
    QVERIFY2(
        QString::fromStdString(task.error().message).contains(told), task.error().message.c_str());
}

EARWRIGHT_TEST(TstParaformerTask)
#include "tst_paraformer_task.moc"
