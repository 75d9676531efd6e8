#include <nlohmann/json.hpp>
#include <QFile>
#include <QTest>

#include "core/check/check.h"
#include "core/check/inferred_search.h"
#include "core/check/known_keys.h"
#include "core/check/script_keys.h"
#include "core/recipe/resolve.h"
#include "core/settings/augmentations.h"
#include "tests/registry.h"

using namespace earwright;
using namespace earwright::check;

namespace {

/// Of what upstream trains by CTC on filterbanks, or by CTC and attention.
const QStringList kFolders { "LibriSpeech/ASR/CTC", "LibriSpeech/ASR/transformer",
    "AISHELL-1/ASR/transformer", "CommonVoice/ASR/transformer", "Libriheavy/ASR/transformer",
    "Loquacious/ASR/transformer", "PeoplesSpeech/ASR/transformer", "Switchboard/ASR/transformer",
    "Tedlium2/ASR/transformer", "TIMIT/ASR/CTC", "Voicebank/ASR/CTC", "AISHELL-1/ASR/CTC",
    "MEDIA/ASR/CTC" };

/// Of the folders' scripts; others there train what no task does.
const QStringList kScriptFiles { "train.py", "train_bayesspeech.py", "train_with_wav2vec.py",
    "train_hf_wav2vec.py", "train_with_wav2vec_k2.py", "train_with_bestrq.py" };
/// Of these folders the scripts of pretrained encoders are followed too.
const QStringList kOfEncoders { "AISHELL-1/ASR/CTC", "MEDIA/ASR/CTC", "LibriSpeech/ASR/CTC" };

/// What is read through the objects of the recipe that refer to it.
const QStringList kReferred { "lr_sgd", "ctc_scorer", "test_batch_size" };

/// What a script asks for by a name that its recipe has not, or with which it is refused.
const QStringList kNeverThere { "SpeedPerturb", "sb", "rescorer" };

bool isReadInASection(const std::string& key)
{
    for (const char* section : { "dynamic_batch_sampler", "train_dataloader_opts" })
        for (const settings::KnownKey& known : knownKeysOf(section))
            if (key == known.name && known.reader.isOurs())
                return true;
    return false;
}

/// Arguments of a search in the test that stand at the top of AISHELL-1's recipe.
const std::string kTestSearcher = "test_searcher: !name:speechbrain.decoders.CTCBeamSearcher\n"
                                  "beam_size: 7\nalpha: 1.0\nbeta: 0.5\ntopk: 1\n"
                                  "beam_prune_logp: -12.0\ntoken_prune_min_logp: -1.2\n"
                                  "prune_history: True\n";

recipe::NodePtr withTestSearch(const std::string& text)
{
    const recipe::NodePtr root = recipe::resolve(text, "r.yaml", {}).root;
    inferTestSearch(*root);
    return root;
}

bool isOfTestSearch(const std::string& key)
{
    const Names keys = inferredSearchKeys(*withTestSearch(kTestSearcher));
    return std::find(keys.begin(), keys.end(), key) != keys.end();
}

bool isAnswered(const std::string& key)
{
    const char* const reader = readerOf(key);
    const QString name = QString::fromStdString(key);
    return (reader && *reader) || findScriptKey(key) || isReadInASection(key)
        || kReferred.contains(name) || kNeverThere.contains(name) || isOfTestSearch(key);
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
    void testSearch_hasTheArgumentsAtTheTop();
    void taskOfMedia_isThatOfTheCorpus();
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
            const int known
                = static_cast<int>(kScriptFiles.indexOf(QString::fromStdString(script)));
            if (known < 0 || (known > 1 && !kOfEncoders.contains(one)))
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
    const QString own = "extractor: !new:speechbrain.lobes.models.wav2vec.W2VLatentExtractor\n";
    QTest::newRow("SpeechBrain's own wav2vec 2.0") << kSpeed + own << false << true;
    QTest::newRow("its own wav2vec 2.0, listed")
        << kSpeed + kListed + own + "dynamic_batch_sampler_val: {max_batch_length: 9}\n"
        << false << false;
    QTest::newRow("BEST-RQ") << kSpeed
            + "bestrq_opt_class: !name:torch.optim.AdamW\nenc: !new:torch.nn.Identity\n"
              "pt_model: !new:torch.nn.ModuleList\n    - [!ref <enc>]\n"
                             << false << true;
}

void TstScriptKeys::speed_isAppliedAsUpstreamDoes()
{
    QFETCH(QString, text);
    const settings::ReadingSpeed speed = settings::speedWhileReading(*resolved(text));
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

void TstScriptKeys::testSearch_hasTheArgumentsAtTheTop()
{
    const recipe::NodePtr root = withTestSearch(kTestSearcher + "kenlm_model_path: null\n");
    const recipe::NodePtr search = recipe::find(*root, "test_beam_search");
    QVERIFY(search);
    QCOMPARE(search->tag, "!name:speechbrain.decoders.CTCBeamSearcher");
    QCOMPARE(search->entries.size(), size_t(7));
    QCOMPARE(recipe::find(*search, "beam_size")->text, "7");
    QCOMPARE(recipe::find(*search, "token_prune_min_logp")->text, "-1.2");
    for (const std::string other :
        { "test_searcher: !name:speechbrain.decoders.CTCBeamSearcher\nalpha: 1\n",
            "test_searcher: !name:speechbrain.decoders.S2SGreedySearcher\nbeam_size: 1\n",
            "beam_size: 1\n" })
        QVERIFY(!recipe::find(*withTestSearch(other), "test_beam_search"));
    const recipe::NodePtr own
        = withTestSearch(kTestSearcher + "test_beam_search: {beam_size: 3}\n");
    QCOMPARE(recipe::find(*recipe::find(*own, "test_beam_search"), "beam_size")->text, "3");
    QVERIFY(inferredSearchKeys(*own).empty());
}

/// "asr" is no task of Earwright's; "slu" has labels of concepts.
void TstScriptKeys::taskOfMedia_isThatOfTheCorpus()
{
    const std::string recipe
        = "concepts_path: a\nctc_cost: !name:speechbrain.nnet.losses.ctc_loss\n";
    Request request;
    request.fileName = "r.yaml";
    request.checkFiles = false;
    request.text = recipe + "task: asr\n";
    QCOMPARE(check::check(request, Machine()).options.task, "ctc");
    request.text = recipe + "task: ctc\n";
    QCOMPARE(check::check(request, Machine()).options.task, "ctc");
    const QString refused = messagesOf(QString::fromStdString(recipe + "task: slu\n")).join('\n');
    QVERIFY2(refused.contains("'task' belongs to the understanding of speech by tags of concepts, "
                              "which Earwright does not train"),
        qPrintable(refused));
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
    QTest::newRow("a search of the test")
        << "task: ctc\n" + QString::fromStdString(kTestSearcher) << "!'test_searcher'";
    QTest::newRow("its beam") << "task: ctc\n" + QString::fromStdString(kTestSearcher)
                              << "!'beam_size'";
    QTest::newRow("a search without arguments")
        << "task: ctc\ntest_searcher: !name:speechbrain.decoders.CTCBeamSearcher\n"
        << "'test_searcher' is read by SpeechBrain and not by Earwright";
    const QString encoder
        = "wav2vec2: !new:speechbrain.integrations.huggingface.wav2vec2.Wav2Vec2\n"
          "    source: nowhere\n    save_path: nowhere\n"
          "modules:\n    wav2vec2: !ref <wav2vec2>\n";
    const QString frames = "fea_augment: !new:speechbrain.augment.augmenter.Augmenter\n"
                           "    augmentations: [!new:speechbrain.augment.freq_domain.Warping {}]\n";
    QTest::newRow("frames of an encoder are augmented")
        << "task: ctc\n" + encoder + frames << "!'fea_augment' works on features";
    QTest::newRow("not before a decoder")
        << "task: ctc_attention\n" + encoder + frames << "'fea_augment' works on features";
    QTest::newRow("rows of an encoder's frames stay")
        << "task: ctc\n" + encoder + frames + "    concat_original: True\n"
        << "'concat_original' of Augmenter is not supported here: it changes the rows of a batch, "
           "and targets behind a pretrained encoder keep to the batch as it was read";
    const QString bert = "tokenizer: !apply:transformers.BertTokenizer.from_pretrained\n"
                         "    pretrained_model_name_or_path: nowhere\n";
    QTest::newRow("word pieces of CTC") << "task: ctc\n" + bert << "!'tokenizer' is BERT's";
    QTest::newRow("word pieces are known") << "task: ctc\n" + bert << "!unknown class";
    QTest::newRow("word pieces before a decoder")
        << "task: ctc_attention\n" + bert << "'tokenizer' is BERT's, whose texts begin and end";
    QTest::newRow("words of BERT's tokenizer") << "task: ctc\n" + bert + "    do_lower_case: True\n"
                                               << "has no argument 'do_lower_case'";
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
