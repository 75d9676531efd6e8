#include "core/recipe/resolve.h"
#include "core/settings/optimizer_settings.h"
#include "tests/registry.h"

#include <QTest>

using namespace earwright;

/// The optimizer and the schedule, by any of upstream's names.
class TstOptimizerSettings final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void firstGiven_counts_data();
    void firstGiven_counts();
    void secondStage_hasBothItsKeys();
    void encoderThatLearns_hasItsOwn();
    void whispersOptimizer_isTheEncodersBesideAnother();
};

void TstOptimizerSettings::firstGiven_counts_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("optimizer"); // its class; "" = none
    QTest::addColumn<QString>("schedule");
    const QString sgd = "!name:torch.optim.SGD\n";
    const QString adam = "!name:torch.optim.Adam\n";
    const QString bob = "!new:speechbrain.nnet.schedulers.NewBobScheduler\n";
    QTest::newRow("none") << "seed: 1\n"
                          << ""
                          << "";
    QTest::newRow("usual") << "opt_class: " + sgd + "lr_annealing: " + bob << "torch.optim.SGD"
                           << "speechbrain.nnet.schedulers.NewBobScheduler";
    QTest::newRow("the first wins") << "Adam: " + adam + "opt_class: " + sgd << "torch.optim.SGD"
                                    << "";
    QTest::newRow("null is none") << "opt_class: null\nAdam: " + adam << "torch.optim.Adam"
                                  << "";
    QTest::newRow("other names") << "model_opt_class: " + adam + "lr_annealing_model: " + bob
                                 << "torch.optim.Adam"
                                 << "speechbrain.nnet.schedulers.NewBobScheduler";
}

void TstOptimizerSettings::firstGiven_counts()
{
    QFETCH(QString, text);
    QFETCH(QString, optimizer);
    QFETCH(QString, schedule);
    const auto root = recipe::resolve(text.toStdString(), "r.yaml", {}).root;
    const settings::OptimizerSettings read = settings::optimizerSettings(*root);
    QCOMPARE(read.optimizer
            ? QString::fromStdString(std::string(recipe::nameClass(*read.optimizer)))
            : "",
        optimizer);
    QCOMPARE(
        read.schedule ? QString::fromStdString(std::string(recipe::newClass(*read.schedule))) : "",
        schedule);
}

void TstOptimizerSettings::secondStage_hasBothItsKeys()
{
    const auto secondOf = [](const std::string& text) {
        return settings::optimizerSettings(*recipe::resolve(text, "r.yaml", {}).root).second;
    };
    const std::string sgd = "SGD: !name:torch.optim.SGD\n    lr: 0.1\n";
    QVERIFY(!secondOf(sgd));
    QVERIFY(!secondOf("stage_one_epochs: 40\n"));
    QVERIFY(!secondOf("SGD: null\nstage_one_epochs: 40\n"));
    const auto second = secondOf(sgd + "stage_one_epochs: 40\n");
    QVERIFY(second.has_value());
    QCOMPARE(second->afterEpochs, int64_t(40));
    QCOMPARE(std::string(recipe::nameClass(*second->optimizer)), std::string("torch.optim.SGD"));
}

void TstOptimizerSettings::encoderThatLearns_hasItsOwn()
{
    const auto ofEncoder = [](const std::string& text) {
        return settings::optimizerSettings(*recipe::resolve(text, "r.yaml", {}).root).ofEncoder;
    };
    const std::string optimizer = "wav2vec_opt_class: !name:torch.optim.Adam\n    lr: 0.1\n";
    const std::string schedule = "lr_annealing_wav2vec: "
                                 "!new:speechbrain.nnet.schedulers.NewBobScheduler\n"
                                 "    initial_value: 0.1\n";
    const std::string encoder = "wav2vec2: !new:speechbrain.integrations.huggingface.wav2vec2."
                                "Wav2Vec2\n    source: a\n    save_path: b\n";
    QVERIFY(!ofEncoder(optimizer + schedule)); // of nothing
    QVERIFY(!ofEncoder(schedule + encoder));
    QVERIFY(!ofEncoder(optimizer + encoder + "    freeze: True\n"));
    const auto found = ofEncoder(optimizer + schedule + "warmup_steps: 5\n" + encoder);
    QVERIFY(found.has_value());
    QCOMPARE(found->warmupSteps, int64_t(5));
    QCOMPARE(std::string(recipe::nameClass(*found->optimizer)), std::string("torch.optim.Adam"));
    QVERIFY(found->schedule);
    QCOMPARE(ofEncoder(optimizer + encoder)->warmupSteps, int64_t(0));
    const std::string joint = "noam_annealing_wav2vect: !new:speechbrain.nnet.schedulers."
                              "NoamScheduler\n    lr_initial: 1\n    n_warmup_steps: 9\n";
    QVERIFY(ofEncoder(optimizer + joint + encoder)->schedule);
    const std::string own = "extractor: !new:speechbrain.lobes.models.wav2vec.W2VLatentExtractor\n";
    QCOMPARE(ofEncoder(optimizer + own)->layers, (Names { "encoder_wrapper" }));
    const std::string bestRq = "CNN: !new:torch.nn.Identity\nback_end_ffn: !new:torch.nn.Identity\n"
                               "pt_model: !new:torch.nn.ModuleList\n    - [!ref <CNN>]\n"
                               "bestrq_opt_class: !name:torch.optim.Adam\n    lr: 0.1\n";
    QCOMPARE(ofEncoder(bestRq)->layers, (Names { "pt_model" }));
}

void TstOptimizerSettings::whispersOptimizer_isTheEncodersBesideAnother()
{
    const auto read = [](const std::string& text) {
        return settings::optimizerSettings(*recipe::resolve(text, "r.yaml", {}).root);
    };
    const std::string whisper = "whisper: !new:speechbrain.integrations.huggingface.whisper."
                                "Whisper\n    source: a\n    save_path: b\n";
    const std::string own = "whisper_opt_class: !name:torch.optim.AdamW\n    lr: 0.1\n"
                            "lr_annealing_whisper: !new:speechbrain.nnet.schedulers."
                            "NoamScheduler\n    lr_initial: 1\n    n_warmup_steps: 9\n";
    const std::string others = "model_opt_class: !name:torch.optim.SGD\n    lr: 0.1\n";
    const settings::OptimizerSettings whole = read(whisper + own);
    QCOMPARE(std::string(recipe::nameClass(*whole.optimizer)), std::string("torch.optim.AdamW"));
    QVERIFY(whole.schedule && !whole.ofEncoder);

    const settings::OptimizerSettings both
        = read(whisper + "    encoder_only: True\n" + own + others);
    QCOMPARE(std::string(recipe::nameClass(*both.optimizer)), std::string("torch.optim.SGD"));
    QVERIFY(!both.schedule && both.ofEncoder && both.ofEncoder->schedule);

    const settings::OptimizerSettings frozen
        = read(whisper + "    encoder_only: True\n    freeze: True\n" + own + others);
    QVERIFY(!frozen.schedule && !frozen.ofEncoder);
}

EARWRIGHT_TEST(TstOptimizerSettings)
#include "tst_optimizer_settings.moc"
