#include "tests/adapter/conversion.h"
#include "tests/registry.h"

#include <QTest>

using namespace earwright;
using namespace earwright::tests;

/// What FunASR's command lines and dataset_conf become.
class TstConvertLines : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void lostOverride_isAnError_data();
    void lostOverride_isAnError();
    void overrideOfWhatIsLogged_isAWarning();
    void finetuneLine_isObeyed();
    void batchesOfRanks_areAddedUp();
    void checkpointInterval_countsSteps();
    void oneList_asksForTheOther();
    void otherDataset_isTold();
    void dropLast_isObeyedWithoutABuffer();
    void unreadableSetting_isAnErrorInAFileToo();
    void speedPerturb_isKept();
    void speedsThatAreNone_areAnError_data();
    void speedsThatAreNone_areAnError();
    void lengths_leaveUtterancesOut();
};

void TstConvertLines::lostOverride_isAnError_data()
{
    QTest::addColumn<QString>("word");
    QTest::addColumn<QString>("message");
    const auto row = [](const char* word, const char* message) {
        QTest::newRow(word) << QString(word) << QString(message);
    };
    row("++optim_conf.lrr=3", "Adam takes no 'lrr'; did you mean 'lr'?");
    row("--model_conf.predictor_weigth=2",
        "SeacoParaformer never reads 'predictor_weigth'; did you mean 'predictor_weight'?");
    row("--model_conf.seaco_length_normal=false",
        "'seaco_length_normal' is left out: the model never reads it");
    row("++dataset_conf.data_split_num=5",
        "'data_split_num' of 'dataset_conf': a list is read whole: write data_split_num=1, and "
        "join several lists into one");
    row("++dataset_conf.batch_sampler=EspnetStyleBatchSampler",
        "'batch_sampler' of 'dataset_conf': batches are made as by BatchSampler; write that");
    row("++dataset_conf.max_source_length=abc",
        "'max_source_length' of 'dataset_conf' must be a whole number");
    row("++dataset_conf.sort_size=0.5", "'sort_size' of 'dataset_conf' must be a whole number");
    row("++dataset_conf.drop_last=maybe", "'drop_last' of 'dataset_conf' must be true or false");
    row("++dataset_conf.preprocessor_speech=Noises",
        "'preprocessor_speech' of 'dataset_conf' is not obeyed: write SpeechPreprocessSpeedPerturb "
        "or null");
    row("++dataset_conf.preprocessor_text=TextPreprocessSegDict",
        "'preprocessor_text' of 'dataset_conf' is not obeyed: write the lists' texts as they are "
        "to be learnt");
    row("++dataset_conf.speed_perturb=[0.9,1.1]",
        "'speed_perturb' of 'dataset_conf' has no counterpart");
    row("++train_conf.use_deepspeed=true",
        "the trainer's 'use_deepspeed' has no counterpart: write use_deepspeed=false: ranks add "
        "their gradients as DDP does");
    row("++dataset=SenseVoiceCTCDataset", "'dataset' is AudioDataset or AudioDatasetHotword here");
    row("++train_data_set_list=lists.txt",
        "'train_data_set_list': 'lists.txt' may be a list of lists: join them into one .jsonl");
    row("++valid_data_set_list=val.json",
        "'valid_data_set_list': rename 'val.json' to end in .jsonl: a .json is read as "
        "SpeechBrain's manifest");
    row("++device=cuda", "'device' is not read: write --devices=cpu, cuda or cuda:0,1");
    row("++scheduler=tri_stage",
        "the schedule 'funasr.schedulers.tri_stage_scheduler.TriStageLR' has no counterpart");
}

void TstConvertLines::lostOverride_isAnError()
{
    QFETCH(QString, word);
    QFETCH(QString, message);
    QStringList errors;
    for (const auto& diagnostic : converted("foreign_seaco", { word.toStdString() }).diagnostics)
        if (diagnostic.severity == recipe::Severity::Error)
            errors << QString::fromStdString(diagnostic.message);
    QCOMPARE(errors, QStringList("'" + word + "': " + message));
}

/// FunASR's own scripts give it on every command line.
void TstConvertLines::overrideOfWhatIsLogged_isAWarning()
{
    const std::string word = "++train_conf.log_interval=5";
    bool isTold = false;
    for (const auto& diagnostic : converted("foreign_seaco", { word }).diagnostics) {
        QVERIFY2(diagnostic.severity != recipe::Severity::Error, diagnostic.message.c_str());
        isTold = isTold
            || diagnostic.message
                == "'" + word
                    + "': the trainer's 'log_interval' has no counterpart: every step is logged";
    }
    QVERIFY(isTold);
}

/// FunASR's examples/industrial_data_pretraining/seaco_paraformer/finetune.sh.
void TstConvertLines::finetuneLine_isObeyed()
{
    const adapter::Converted result = converted("foreign_seaco",
        { "++train_data_set_list=list/train.jsonl", "++valid_data_set_list=list/val.jsonl",
            "++dataset=AudioDatasetHotword", "++dataset_conf.index_ds=IndexDSJsonl",
            "++dataset_conf.data_split_num=1", "++dataset_conf.batch_sampler=BatchSampler",
            "++dataset_conf.batch_size=6000", "++dataset_conf.sort_size=1024",
            "++dataset_conf.batch_type=token", "++dataset_conf.num_workers=4",
            "++train_conf.max_epoch=50", "++train_conf.log_interval=1", "++train_conf.resume=true",
            "++train_conf.validate_interval=2000", "++train_conf.save_checkpoint_interval=2000",
            "++train_conf.avg_keep_nbest_models_type=loss", "++train_conf.keep_nbest_models=20",
            "++train_conf.avg_nbest_model=10", "++train_conf.use_deepspeed=false",
            "++train_conf.deepspeed_config=", "++train_conf.find_unused_parameters=true",
            "++optim_conf.lr=0.0002", "++output_dir=./outputs" });
    const QString text = shown(result);
    QVERIFY2(!recipe::hasErrors(result.diagnostics), qPrintable(text));
    for (const char* lines : { "\ntrain_csv: list/train.jsonl\n", "\nvalid_csv: list/val.jsonl\n",
             "\nnumber_of_epochs: 50\n", "\navg_checkpoints: 10\n", "\nnum_workers: 4\n",
             "\nckpt_interval_steps: 2000\n", "\nfind_unused_parameters: true\n", "lr: 0.0002\n",
             "\ndynamic_batch_sampler:\n  max_batch_length: 60\n  max_batch_ex: 200\n"
             "  sort_size: 1024\n  shuffle: true\n" })
        QVERIFY2(text.contains(lines), qPrintable(lines + text));
    QVERIFY2(!text.contains("PLACEHOLDER"), qPrintable(text));
    for (const char* told : { "'log_interval' has no counterpart: every step is logged",
             "'validate_interval' has no counterpart: validation comes after each epoch",
             "'resume' has no counterpart: 'earwright resume RUN' goes on with a run",
             "'keep_nbest_models' has no counterpart",
             "'output_dir' is not read: 'earwright train' makes its run there" })
        QVERIFY2(text.contains(told), qPrintable(told + text));
}

void TstConvertLines::batchesOfRanks_areAddedUp()
{
    const QString tokens = shown(converted("foreign_seaco", { "++dataset_conf.sort_size=512" }, 2));
    QVERIFY2(tokens.contains("max_batch_length: 120\n  max_batch_ex: 400\n  sort_size: 1024\n"),
        qPrintable(tokens));
    const QString rows = shown(converted("foreign_seaco_both_ways", {}, 2));
    QVERIFY2(rows.contains("of all 2 ranks\nbatch_size: 8\n"), qPrintable(rows));
    const QString ofOne = shown(converted("foreign_seaco_both_ways"));
    QVERIFY2(
        ofOne.contains("of 1 rank (multiply it for more)\nbatch_size: 4\n"), qPrintable(ofOne));
}

void TstConvertLines::checkpointInterval_countsSteps()
{
    const QString text = shown(converted("foreign_seaco",
        { "++train_conf.accum_grad=4", "++train_conf.save_checkpoint_interval=2000" }));
    QVERIFY2(text.contains(", save_checkpoint_interval, 2000 batches of which accum_grad=4 make a "
                           "step\nckpt_interval_steps: 500\n"),
        qPrintable(text));
}

void TstConvertLines::oneList_asksForTheOther()
{
    const QString text = shown(converted("foreign_seaco", { "++train_data_set_list=a.jsonl" }));
    QVERIFY2(text.contains("\ntrain_csv: a.jsonl\n"), qPrintable(text));
    QVERIFY2(
        text.contains("# ++valid_data_set_list=FILE.jsonl names it\nvalid_csv: !PLACEHOLDER\n"),
        qPrintable(text));
}

void TstConvertLines::otherDataset_isTold()
{
    const std::string begin = "model: Paraformer\nmodel_conf: {lsm_weight: 0.1}\ndataset: ";
    const QString text = shown(convertedText(begin + "LargeDataset\n"));
    QVERIFY2(text.contains("3: 'dataset' is AudioDataset or AudioDatasetHotword here\n"),
        qPrintable(text));
    const QString usual = shown(convertedText(begin + "AudioDataset\n"));
    QVERIFY2(!usual.contains("dataset"), qPrintable(usual));
}

/// Its sampler with a buffer passes over the setting.
void TstConvertLines::dropLast_isObeyedWithoutABuffer()
{
    const QString plain = shown(converted("foreign_seaco", { "++dataset_conf.drop_last=true" }));
    QVERIFY2(plain.contains("\n  drop_last: true\n"), qPrintable(plain));
    const QString sorted = shown(converted(
        "foreign_seaco", { "++dataset_conf.drop_last=true", "++dataset_conf.sort_size=512" }));
    QVERIFY2(!sorted.contains("\n  drop_last"), qPrintable(sorted));
    QVERIFY2(sorted.contains("'drop_last' has no effect beside sort_size"), qPrintable(sorted));
}

void TstConvertLines::unreadableSetting_isAnErrorInAFileToo()
{
    const adapter::Converted result
        = convertedText("model: Paraformer\nmodel_conf: {lsm_weight: 0.1}\n"
                        "dataset_conf:\n  batch_size: many\n");
    QVERIFY(recipe::hasErrors(result.diagnostics));
    QVERIFY2(shown(result).contains("4: 'batch_size' of 'dataset_conf' must be a whole number\n"),
        qPrintable(shown(result)));
}

/// As FunASR's examples/aishell configure it.
void TstConvertLines::speedPerturb_isKept()
{
    const std::vector<std::string> words {
        "++dataset_conf.preprocessor_speech=SpeechPreprocessSpeedPerturb",
        "++dataset_conf.preprocessor_speech_conf.speed_perturb=[0.9,1.0,1.125]"
    };
    const adapter::Converted result = converted("foreign_seaco", words);
    const QString text = shown(result);
    for (const char* lines :
        { "speed_perturb: !new:speechbrain.augment.time_domain.SpeedPerturb\n  orig_freq: 16000\n",
            "\n  speeds: [90, 100, 112.5]\n", "\ndo_speed_perturb: true\n" })
        QVERIFY2(text.contains(lines), qPrintable(lines + text));
    QVERIFY2(!text.contains("preprocessor_speech_conf:"), qPrintable(text));
    for (const recipe::Diagnostic& diagnostic : checked(result.text).diagnostics)
        QVERIFY2(diagnostic.severity != recipe::Severity::Error, diagnostic.message.c_str());
}

void TstConvertLines::speedsThatAreNone_areAnError_data()
{
    QTest::addColumn<QString>("speeds");
    for (const char* speeds : { "[]", "1.1", "[0]", "[fast]", "[0.90005]" })
        QTest::newRow(speeds) << QString(speeds);
}

void TstConvertLines::speedsThatAreNone_areAnError()
{
    QFETCH(QString, speeds);
    const adapter::Converted result
        = convertedText("model: Paraformer\nmodel_conf: {lsm_weight: 0.1}\ndataset_conf:\n"
                        "  preprocessor_speech: SpeechPreprocessSpeedPerturb\n"
                        "  preprocessor_speech_conf: {speed_perturb: "
            + speeds.toStdString() + "}\n");
    QVERIFY(recipe::hasErrors(result.diagnostics));
    QVERIFY2(shown(result).contains("must be a list of speeds in steps of 0.001, such as"),
        qPrintable(shown(result)));
    QVERIFY(!shown(result).contains("do_speed_perturb"));
}

void TstConvertLines::lengths_leaveUtterancesOut()
{
    const QString text = shown(converted("foreign_seaco",
        { "++dataset_conf.max_source_length=1500", "++dataset_conf.min_source_length=50",
            "++dataset_conf.max_token_length=1000" }));
    QVERIFY2(text.contains("\navoid_if_longer_than: 10\n"), qPrintable(text));
    QVERIFY2(text.contains("\navoid_if_shorter_than: 0.5\n"), qPrintable(text));
    for (const char* told :
        { "'max_token_length' limits frames only; FunASR adds the text's tokens to them",
            "'min_source_length' counts in training only" })
        QVERIFY2(text.contains(told), qPrintable(told + text));
}

EARWRIGHT_TEST(TstConvertLines)
#include "tst_convert_lines.moc"
