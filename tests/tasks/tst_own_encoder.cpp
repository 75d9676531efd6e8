#include "core/tasks/own_encoder.h"

#include "core/base/file.h"
#include "core/recipe/resolve.h"
#include "core/settings/optimizer_settings.h"
#include "core/settings/own_encoder.h"
#include "core/tasks/read_settings.h"
#include "tests/registry.h"

#include <QTest>

using namespace earwright;

namespace {

std::string ownRecipeText(const std::string& name)
{
    const auto text = readFile(EARWRIGHT_CASES_DIR "/train/own_encoder/" + name + ".yaml");
    if (!text)
        qFatal("%s", text.error().message.c_str());
    return *text;
}

/// "error: …", a line each.
QStringList toldOf(const std::string& text)
{
    const recipe::Resolved resolved = recipe::resolve(text, "r.yaml", {});
    settings::Diagnostics found;
    tasks::ownEncoderRules({ *resolved.root, text, "r.yaml" }, found);
    QStringList told;
    for (const recipe::Diagnostic& one : found)
        told << QString(one.severity == recipe::Severity::Error     ? "error: "
                        : one.severity == recipe::Severity::Warning ? "warning: "
                                                                    : "info: ")
                + QString::fromStdString(one.message);
    return told;
}

const QString kExtractorStays = "info: 'extractor' is not trained, as in SpeechBrain's script, "
                                "whose optimizers leave it out";

const std::string kPretrained
    = "wav2vec2: !new:speechbrain.integrations.huggingface.wav2vec2.Wav2Vec2\n"
      "    source: nowhere\n    save_path: save\n";
const std::string kHalves = "downsampler: !new:speechbrain.lobes.downsampling.SignalDownsampler\n"
                            "    downsampling_factor: 2\n    initial_sampling_rate: 16000\n";

} // namespace

class TstOwnEncoder final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void recipe_isKnownByItsLayers();
    void warmup_isOfOtherEncoders();
    void sounds_areAsLongAsItHasPositions();
    void framesOfOutput_areThoseOfItsTask_data();
    void framesOfOutput_areThoseOfItsTask();
    void setting_isTold_data();
    void setting_isTold();
};

void TstOwnEncoder::recipe_isKnownByItsLayers()
{
    const auto trained = [](const std::string& text) {
        const recipe::Resolved resolved = recipe::resolve(text, "r.yaml", {});
        const settings::OwnEncoder* own = settings::ownEncoder(*resolved.root);
        return std::string(own ? own->trained : "");
    };
    QCOMPARE(trained(ownRecipeText("wav2vec")), std::string("encoder_wrapper"));
    QCOMPARE(trained(ownRecipeText("bestrq")), std::string("pt_model"));
    QCOMPARE(trained("extractor: !new:torch.nn.Identity\n"), std::string());
    std::string noBackEnd = ownRecipeText("bestrq");
    noBackEnd.replace(noBackEnd.find("back_end_ffn: !new"), 12, "behind");
    noBackEnd.replace(noBackEnd.find("    back_end_ffn: !ref <back_end_ffn>\n"), 38, "");
    noBackEnd.replace(noBackEnd.find("<back_end_ffn>, "), 16, "<behind>, ");
    QCOMPARE(trained(noBackEnd), std::string("pt_model"));
    noBackEnd.replace(noBackEnd.find("bestrq_opt_class:"), 16, "some_opt_class");
    noBackEnd.replace(noBackEnd.find("lr_annealing_bestrq:"), 19, "some_annealing");
    QCOMPARE(trained(noBackEnd), std::string());
}

void TstOwnEncoder::warmup_isOfOtherEncoders()
{
    const recipe::Resolved resolved
        = recipe::resolve(ownRecipeText("bestrq") + "warmup_steps: 9\n", "r.yaml", {});
    const settings::OptimizerSettings settings = settings::optimizerSettings(*resolved.root);
    QVERIFY(settings.ofEncoder);
    QCOMPARE(settings.ofEncoder->warmupSteps, int64_t(0));
}

/// A latent of the recipe's strides is 20 samples.
void TstOwnEncoder::sounds_areAsLongAsItHasPositions()
{
    const auto seconds = [](const std::string& text) {
        const recipe::Resolved resolved = recipe::resolve(text, "r.yaml", {});
        return tasks::readSettings(*resolved.root, {}).features.encodableSeconds;
    };
    const std::string wav2vec = ownRecipeText("wav2vec");
    QCOMPARE(seconds(wav2vec).value_or(0), 2500. * 20 / 16000);
    QCOMPARE(seconds(wav2vec + "sample_rate: 8000\n").value_or(0), 2500. * 20 / 8000);
    QCOMPARE(seconds(wav2vec + kHalves).value_or(0), 2500. * 40 / 16000);
    QVERIFY(!seconds(ownRecipeText("bestrq")));
}

void TstOwnEncoder::framesOfOutput_areThoseOfItsTask_data()
{
    QTest::addColumn<std::string>("task");
    QTest::addColumn<std::string>("output");
    QTest::addColumn<std::string>("more");
    QTest::addColumn<int>("samples"); // of a frame, 320 of the encoder's
    const auto row = [](const char* name, const char* task, const char* output,
                         const std::string& more, int samples) {
        QTest::newRow(name) << std::string(task) << std::string(output) << more << samples;
    };
    row("neither", "ctc", "ctc_lin", "", 320);
    row("downsampled", "ctc", "ctc_lin", kHalves, 640);
    row("both", "ctc", "ctc_lin", kHalves + "upsampling: True\n", 160);
    row("output", "ctc", "output", "upsampling: True\n", 80);
    row("output_lin", "ctc", "output_lin", "upsampling: True\n", 80);
    row("more frames than samples", "ctc", "many", "upsampling: True\n", 1);
    row("a task without them", "ctc_attention", "ctc_lin", kHalves + "upsampling: True\n", 320);
}

void TstOwnEncoder::framesOfOutput_areThoseOfItsTask()
{
    QFETCH(std::string, task);
    QFETCH(std::string, output);
    QFETCH(std::string, more);
    QFETCH(int, samples);
    const bool areMany = output == "many";
    const std::string text = "task: " + task + "\n" + kPretrained + "output_neurons: 8\n"
        + (areMany ? "ctc_lin" : output)
        + ": !new:speechbrain.nnet.linear.Linear\n    input_size: 5\n    n_neurons: "
        + (areMany ? "8000" : "32") + "\n" + more;
    const recipe::Resolved resolved = recipe::resolve(text, "r.yaml", {});
    const auto rate = tasks::frameRate(*resolved.root, 16000);
    QVERIFY(rate);
    QCOMPARE(rate->hopSamples, int64_t(samples));
}

void TstOwnEncoder::setting_isTold_data()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<QStringList>("told");
    const std::string bestRq = ownRecipeText("bestrq");
    const std::string wav2vec = ownRecipeText("wav2vec");
    QTest::newRow("BEST-RQ") << bestRq << QStringList();
    QTest::newRow("wav2vec 2.0") << wav2vec << QStringList { kExtractorStays };
    QTest::newRow("neither") << std::string("freeze_bestrq: True\n") << QStringList();
    QTest::newRow("BEST-RQ frozen")
        << bestRq + "freeze_bestrq: True\n"
        << QStringList { "error: 'freeze_bestrq' must be False: to freeze the encoder that BEST-RQ "
                         "pretrained, write freeze_param: CNN,enc and leave out "
                         "'bestrq_opt_class'" };
    QTest::newRow("wav2vec 2.0 frozen")
        << wav2vec + "freeze_wav2vec: True\n"
        << QStringList { "error: 'freeze_wav2vec' must be False: to freeze SpeechBrain's own "
                         "wav2vec 2.0, write freeze_param: encoder_wrapper and leave out "
                         "'wav2vec_opt_class'",
               kExtractorStays };
    std::string both = wav2vec + kPretrained;
    both.replace(both.find("modules:\n"), 9, "modules:\n    wav2vec2: !ref <wav2vec2>\n");
    QTest::newRow("two encoders of waves")
        << both
        << QStringList { "error: 'wav2vec2' and 'extractor' are both given the waves: leave out "
                         "one of them" };
    std::string noLatents = wav2vec;
    noLatents.replace(noLatents.find("extractor: !new"), 9, "latents");
    noLatents.replace(noLatents.find("    extractor: !ref <extractor>\n"), 32, "");
    noLatents.replace(noLatents.find("        extractor: !ref <extractor>\n"), 36, "");
    QTest::newRow("no extractor")
        << noLatents
        << QStringList { "error: 'encoder_wrapper' takes latents, and the recipe has no "
                         "'extractor', which makes them of the waves: a "
                         "speechbrain.lobes.models.wav2vec.W2VLatentExtractor" };
    QTest::newRow("warm-up")
        << bestRq + "warmup_steps: 9\n"
        << QStringList { "warning: 'warmup_steps' does nothing: the encoder that BEST-RQ "
                         "pretrained is trained from the first step on, as in SpeechBrain's "
                         "script" };
    std::string ending = bestRq;
    ending.replace(ending.find("    update_until_epoch: 0\n"), 26, "");
    QTest::newRow("statistics that end")
        << ending
        << QStringList { "warning: the statistics of InputNormalization are learnt until epoch 2, "
                         "and in all epochs by SpeechBrain's script for BEST-RQ: write "
                         "update_until_epoch: 0" };
    QTest::newRow("features")
        << wav2vec + "compute_features: !new:speechbrain.lobes.features.Fbank\n"
        << QStringList { kExtractorStays,
               "error: 'compute_features' works on features, and 'extractor' is given the waves: "
               "leave out one of them" };
    std::string alone = wav2vec;
    const std::string list = "    encoder_wrapper: !ref <encoder_wrapper>\n    enc";
    alone.replace(alone.find(list), list.size(), "    enc");
    alone.replace(alone.find("encoder_wrapper: !new"), 15, "the_wrapper");
    alone.replace(alone.find("        encoder_wrapper: !ref <encoder_wrapper>\n"), 48, "");
    QTest::newRow("no encoder") << alone
                                << QStringList {
                                       "error: 'extractor' gives latents, and the recipe has no "
                                       "'encoder_wrapper', the encoder of them: a "
                                       "speechbrain.lobes.models.wav2vec.EncoderWrapper",
                                       kExtractorStays
                                   };
    std::string beside = bestRq;
    beside.replace(beside.find("[!ref <back_end_ffn>, "), 22, "[");
    const QStringList told
        = { "warning: 'back_end_ffn' is trained, as all of 'modules' is; SpeechBrain's script "
            "trains of the layers beside the pretrained encoder those of 'model' alone, which has "
            "it not: add it there" };
    QTest::newRow("what upstream does not train") << beside << told;
    std::string made = beside;
    made.replace(made.find("linear1: !name"), 14, "linear1: !new");
    QTest::newRow("what it does not train in a container") << made << told;
}

void TstOwnEncoder::setting_isTold()
{
    QFETCH(std::string, text);
    QTEST(toldOf(text), "told");
}

EARWRIGHT_TEST(TstOwnEncoder)
#include "tst_own_encoder.moc"
