#include <nlohmann/json.hpp>
#include <QFile>
#include <QTest>

#include "core/check/augmentations.h"
#include "core/check/check.h"
#include "core/check/known_keys.h"
#include "core/check/script_keys.h"
#include "core/recipe/resolve.h"
#include "tests/registry.h"

using namespace earwright;
using namespace earwright::check;

namespace {

/// Of what upstream trains by CTC on filterbanks, or by CTC and attention.
const QStringList kFolders { "LibriSpeech/ASR/CTC", "LibriSpeech/ASR/transformer",
    "AISHELL-1/ASR/transformer", "CommonVoice/ASR/transformer", "Libriheavy/ASR/transformer",
    "Loquacious/ASR/transformer", "PeoplesSpeech/ASR/transformer", "Switchboard/ASR/transformer",
    "Tedlium2/ASR/transformer", "TIMIT/ASR/CTC", "Voicebank/ASR/CTC" };

/// What is read through the objects of the recipe that refer to it.
const QStringList kReferred { "lr_sgd", "ctc_scorer" };

bool isReadInASection(const std::string& key)
{
    for (const char* section : { "dynamic_batch_sampler", "train_dataloader_opts" })
        for (const settings::KnownKey& known : knownKeysOf(section))
            if (key == known.name && *known.reader)
                return true;
    return false;
}

bool isAnswered(const std::string& key)
{
    const char* const reader = readerOf(key);
    const QString name = QString::fromStdString(key);
    return (reader && *reader) || findScriptKey(key) || isReadInASection(key)
        || kReferred.contains(name);
}

recipe::NodePtr resolved(const QString& text)
{
    return recipe::resolve(text.toStdString(), "r.yaml", {}).root;
}

QStringList messagesOf(const QString& text)
{
    Request request;
    request.text = text.toStdString();
    request.fileName = "r.yaml";
    request.checkFiles = false;
    QStringList messages;
    for (const recipe::Diagnostic& diagnostic : check::check(request, Machine()).diagnostics)
        messages << QString::fromStdString(diagnostic.message);
    return messages;
}

const QString kSpeed = "speed_perturb: !new:speechbrain.augment.time_domain.SpeedPerturb\n"
                       "    orig_freq: 16000\n    speeds: [95, 100, 105]\n";
const QString kListed = "wav_augment: !new:speechbrain.augment.augmenter.Augmenter\n"
                        "    augmentations: [!ref <speed_perturb>]\n";

} // namespace

/// What upstream's training scripts read, and a recipe does not say by itself.
class TstScriptKeys final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyKeyOfAScript_isAnswered_data();
    void everyKeyOfAScript_isAnswered();
    void everyScriptKey_hasAReason();
    void speed_isAppliedAsUpstreamDoes_data();
    void speed_isAppliedAsUpstreamDoes();
    void checkpoints_areAveragedAsTheScriptSays();
    void settings_areJudgedTogether_data();
    void settings_areJudgedTogether();
};

void TstScriptKeys::everyKeyOfAScript_isAnswered_data()
{
    QTest::addColumn<QString>("key");
    const QString folder = qEnvironmentVariable("EARWRIGHT_RECIPES_DIR");
    QFile file(folder + "/speechbrain/script_keys.json");
    if (folder.isEmpty() || !file.open(QIODevice::ReadOnly))
        QSKIP("set EARWRIGHT_RECIPES_DIR to a folder with speechbrain/script_keys.json");
    const auto scripts = nlohmann::json::parse(file.readAll().toStdString());
    for (const QString& one : kFolders)
        for (const auto& [script, read] : scripts.at(one.toStdString()).items()) {
            if (script != "train.py" && script != "train_bayesspeech.py")
                continue;
            for (const auto& key : read.at("keys")) {
                const auto name = key.get<std::string>();
                QTest::newRow(qPrintable(
                    QString("%1/%2: %3")
                        .arg(one, QString::fromStdString(script), QString::fromStdString(name))))
                    << QString::fromStdString(name);
            }
        }
}

void TstScriptKeys::everyKeyOfAScript_isAnswered()
{
    QFETCH(QString, key);
    QVERIFY2(isAnswered(key.toStdString()),
        "neither read, nor in core/check/script_keys.cpp with its reason");
}

/// A key that is read belongs to those of known_keys.cpp.
void TstScriptKeys::everyScriptKey_hasAReason()
{
    for (const ScriptKey& key : scriptKeys()) {
        QVERIFY2(*key.why, key.name);
        if (key.told)
            QVERIFY2(!*readerOf(key.name), key.name);
    }
}

void TstScriptKeys::speed_isAppliedAsUpstreamDoes_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("isApplied");
    QTest::addColumn<bool>("isTold");
    QTest::newRow("none") << "seed: 1\n" << false << false;
    QTest::newRow("null") << "speed_perturb: null\n" << false << false;
    QTest::newRow("alone") << kSpeed << true << true;
    QTest::newRow("listed") << kSpeed + kListed << false << false;
    QTest::newRow("what wav_augment is") << kSpeed + "wav_augment: !ref <speed_perturb>\n"
                                         << false << false;
    QTest::newRow("LibriSpeech/ASR/CTC")
        << kSpeed + kListed + "dynamic_batch_sampler_val: {max_batch_length: 9}\n"
        << true << true;
    QTest::newRow("Switchboard") << kSpeed + "do_speed_perturb: True\n" << true << true;
    QTest::newRow("Switchboard without") << kSpeed + "do_speed_perturb: False\n" << false << true;
    QTest::newRow("PeoplesSpeech") << kSpeed + "hf_download_folder: here\n" << false << true;
    QTest::newRow("PeoplesSpeech, asked for")
        << kSpeed + "hf_download_folder: here\ndo_speed_perturb: True\n"
        << true << true;
}

void TstScriptKeys::speed_isAppliedAsUpstreamDoes()
{
    QFETCH(QString, text);
    const ReadingSpeed speed = speedWhileReading(*resolved(text));
    QTEST(speed.perturb != nullptr, "isApplied");
    QTEST(!speed.why.empty(), "isTold");
    const QString messages = messagesOf(text).join('\n');
    QTEST(messages.contains("'speed_perturb'"), "isTold");
    QVERIFY2(!messages.contains("nothing runs"), qPrintable(messages));
}

void TstScriptKeys::checkpoints_areAveragedAsTheScriptSays()
{
    const auto averaged = [](const char* text) {
        Request request;
        request.text = text;
        request.checkFiles = false;
        return check::check(request, Machine()).options.avgCheckpoints;
    };
    QCOMPARE(averaged("seed: 1\n"), int64_t(1));
    QCOMPARE(averaged("clipped_utt_folder: here\n"), int64_t(10)); // Tedlium2
    QCOMPARE(averaged("clipped_utt_folder: here\navg_checkpoints: 3\n"), int64_t(3));
}

void TstScriptKeys::settings_areJudgedTogether_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("message"); // the beginning of one; "!x": none has x
    const QString sgd = "SGD: !name:torch.optim.SGD\n    lr: 0.1\n";
    const QString joint = "task: ctc_attention\nvalid_search_interval: ";
    QTest::newRow("rate of no text") << joint + "10\nmin_key: WER\n"
                                     << "'min_key: WER' needs the texts of every validation";
    QTest::newRow("rate of every text") << joint + "1\nmin_key: WER\n"
                                        << "!needs the texts";
    QTest::newRow("ACC of no decoder") << "task: ctc\nmax_key: ACC\n"
                                       << "'max_key: ACC' counts the labels of a decoder";
    QTest::newRow("ACC") << "task: ctc_attention\nmax_key: ACC\n"
                         << "!max_key";
    QTest::newRow("no interval") << joint + "0\n"
                                 << "'valid_search_interval' must be at least 1";
    QTest::newRow("no second stage") << sgd << "'SGD' is not used: add 'stage_one_epochs'";
    QTest::newRow("no second optimizer") << "stage_one_epochs: 4\n"
                                         << "'stage_one_epochs' ends no stage";
    QTest::newRow("the only optimizer") << sgd + "opt_class: !ref <SGD>\n"
                                        << "!trains nothing";
    QTest::newRow("rate of one step")
        << sgd
            + "stage_one_epochs: 4\nnoam_annealing: "
              "!new:speechbrain.nnet.schedulers.NoamScheduler\n"
              "    lr_initial: 1\n    n_warmup_steps: 9\n"
        << "'lr' of the second stage's optimizer holds for its first step";
    QTest::newRow("a second stage")
        << sgd + "stage_one_epochs: 4\nopt_class: !name:torch.optim.Adam\n"
        << "'SGD' trains from epoch 5 on, as SpeechBrain's script means it";
    QTest::newRow("a second stage beside an encoder")
        << sgd
            + "stage_one_epochs: 4\nmodel_opt_class: !name:torch.optim.Adam\n"
              "wav2vec_opt_class: !name:torch.optim.Adam\n"
              "wav2vec2: !new:speechbrain.integrations.huggingface.wav2vec2.Wav2Vec2\n"
              "    source: nowhere\n    save_path: nowhere\n    freeze: False\n"
              "modules:\n    wav2vec2: !ref <wav2vec2>\n"
        << "'SGD' trains the layers beside the pretrained encoder from epoch 5 on; SpeechBrain's "
           "script gives it those of the encoder too";
    QTest::newRow("spaces stay") << "task: ctc\nremove_spaces: False\n"
                                 << "'remove_spaces' is read by SpeechBrain and not by Earwright";
    QTest::newRow("spaces go") << "task: ctc\nremove_spaces: True\n"
                               << "!remove_spaces";
    QTest::newRow("counted by itself") << "task: ctc\nwer_computer: !name:x.ErrorRateStats\n"
                                       << "!reads 'wer_computer'";
    QTest::newRow("speed after a warm-up") << kSpeed + kListed + "augment_warmup: 100\n"
                                           << "'augment_warmup' cannot wait with the SpeedPerturb";
}

void TstScriptKeys::settings_areJudgedTogether()
{
    QFETCH(QString, text);
    QFETCH(QString, message);
    const QStringList messages = messagesOf(text);
    const bool isNone = message.startsWith('!');
    const bool isThere = std::any_of(messages.begin(), messages.end(),
        [&](const QString& one) { return one.contains(isNone ? message.mid(1) : message); });
    QVERIFY2(isThere != isNone, qPrintable(messages.join('\n')));
}

EARWRIGHT_TEST(TstScriptKeys)
#include "tst_script_keys.moc"
