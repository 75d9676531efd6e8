#include "tests/engine/program.h"
#include "tests/files.h"
#include "tests/registry.h"

#include <QTemporaryDir>
#include <sndfile.h>

#include <cmath>
#include <vector>

using namespace earwright::tests;

namespace {

constexpr int kRate = 16000;
constexpr int kFrames = 60; ///< of 10 ms, of each sound

/// Two tones, one behind the other.
void writeTones(const QString& file, double first, double second)
{
    std::vector<float> samples(kRate * kFrames / 100);
    for (size_t i = 0; i < samples.size(); ++i) {
        const double hertz = i < samples.size() / 2 ? first : second;
        samples[i] = static_cast<float>(0.3 * std::sin(static_cast<double>(i) * hertz / 2500));
    }
    SF_INFO info {};
    info.samplerate = kRate;
    info.channels = 1;
    info.format = SF_FORMAT_WAV | SF_FORMAT_PCM_16;
    SNDFILE* const sound = sf_open(file.toUtf8().constData(), SFM_WRITE, &info);
    QVERIFY(sound);
    sf_write_float(sound, samples.data(), static_cast<sf_count_t>(samples.size()));
    sf_close(sound);
}

} // namespace

/// The lines of FunASR's finetune.sh, on a small model's folder.
class TstFunasrLines : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void finetuneLine_trains();
    void folder_isConverted();
    void folder_isCheckedAsItIsTrained();
    void folder_isExplainedAndResolved();
    void otherFolder_isRefused();
    void twoRunFolders_areRefused();
    void modelThatIsNotThere_isNamed();
    void modelWithoutATask_isRefused();

private:
    QString path(const QString& name) const { return m_folder.filePath(name); }
    void writeList(const QString& name, int count) const;
    QStringList lists() const;
    QStringList line(const QString& model) const;

    QTemporaryDir m_folder;
};

void TstFunasrLines::initTestCase()
{
    const QString released = QStringLiteral(EARWRIGHT_CASES_DIR) + "/adapter/released/";
    QVERIFY(QDir().mkpath(path("model")));
    for (const char* name : { "config.yaml", "am.mvn", "tokens.json", "seg_dict" })
        QVERIFY(QFile::copy(released + name, path("model/") + name));
    // No init_param: the weights are drawn.
    writeFile(path("model/configuration.json"),
        "{\"file_path_metas\": {\"config\": \"config.yaml\", \"tokenizer_conf\": {\"token_list\": "
        "\"tokens.json\"}, \"frontend_conf\": {\"cmvn_file\": \"am.mvn\"}}}");
    for (int i = 0; i < 8; ++i)
        writeTones(path(QString("%1.wav").arg(i)), 300 + 40 * i, 900 - 50 * i);
    writeList("train.jsonl", 8);
    writeList("val.jsonl", 2);
}

void TstFunasrLines::writeList(const QString& name, int count) const
{
    QByteArray lines;
    for (int i = 0; i < count; ++i)
        lines += "{\"key\": \"u" + QByteArray::number(i) + "\", \"source\": \""
            + path(QString("%1.wav").arg(i)).toUtf8()
            + "\", \"source_len\": " + QByteArray::number(kFrames) + ", \"target\": \""
            + (i % 2 == 0 ? "上海" : "海上") + "\", \"target_len\": 2}\n";
    writeFile(path(name), lines);
}

QStringList TstFunasrLines::lists() const
{
    return { "++train_data_set_list=" + path("train.jsonl"),
        "++valid_data_set_list=" + path("val.jsonl") };
}

QStringList TstFunasrLines::line(const QString& model) const
{
    return QStringList { "train", "++model=" + model } + lists()
        + QStringList { "++dataset_conf.index_ds=IndexDSJsonl", "++dataset_conf.data_split_num=1",
              "++dataset_conf.batch_sampler=BatchSampler", "++dataset_conf.batch_size=130",
              "++dataset_conf.sort_size=1024", "++dataset_conf.batch_type=token",
              "++dataset_conf.num_workers=1", "++train_conf.max_epoch=1",
              "++train_conf.log_interval=1", "++train_conf.resume=true",
              "++train_conf.use_deepspeed=false",
              "++train_conf.deepspeed_config=", "++optim_conf.lr=0.0002",
              "++output_dir=" + path("outputs"), "++seed=7", "++test_csv=" + path("val.jsonl"),
              "--precision", "fp32", "--devices", "cpu" };
}

void TstFunasrLines::finetuneLine_trains()
{
    const Ended ended = runEarwright(line(path("model")));
    QVERIFY2(ended.code == 0, qPrintable(ended.errors));
    QVERIFY2(ended.errors.contains("'log_interval' has no counterpart: every step is logged"),
        qPrintable(ended.errors));
    QCOMPARE(int(ended.errors.count("0 errors, ")), 1);
    // 130 frames hold two rows of 60.
    QCOMPARE(int(lossesOf(path("outputs")).size()), 4);
    const QString recipe = QString::fromUtf8(bytesOf(path("outputs/recipe.yaml")));
    for (const QString& text :
        { "train_csv: " + path("train.jsonl"), QString("max_batch_length: 1.3"),
            QString("lr: 0.0002"), QString("number_of_epochs: 1") })
        QVERIFY2(recipe.contains(text + "\n"), qPrintable(recipe));
    QVERIFY(QFile::exists(path("outputs/alignments/test.txt")));
    const Ended again = runEarwright(line(path("model")));
    QVERIFY2(again.code == 2, qPrintable(again.errors));
}

void TstFunasrLines::folder_isConverted()
{
    for (const QString& model : { path("model"), "++model=" + path("model") }) {
        const Ended converted = runEarwright({ "convert", model });
        QVERIFY2(converted.code == 0, qPrintable(converted.errors));
        QVERIFY2(
            converted.output.contains("\nlabel_encoder_file: " + path("model/tokens.json") + "\n"),
            qPrintable(converted.output));
    }
}

void TstFunasrLines::folder_isCheckedAsItIsTrained()
{
    QStringList words = line(path("model"));
    words.front() = "check";
    const Ended checked = runEarwright(words);
    QVERIFY2(checked.code == 0, qPrintable(checked.errors));
    QCOMPARE(checked.output, path("model") + ": no errors\n");
    for (const char* command : { "check", "train" }) {
        const Ended refused = runEarwright(
            QStringList { command, path("model"), "++dataset_conf.data_split_num=5" } + lists());
        QCOMPARE(refused.code, 1);
        QVERIFY2(
            refused.errors.contains("'data_split_num' of 'dataset_conf': a list is read whole"),
            qPrintable(refused.errors));
    }
    const Ended json = runEarwright(
        { "check", path("model"), "--format", "json", "++dataset_conf.data_split_num=5" });
    QVERIFY2(json.output.startsWith('{') && json.output.contains("a list is read whole"),
        qPrintable(json.output));
}

void TstFunasrLines::folder_isExplainedAndResolved()
{
    const QString model = "++model=" + path("model");
    const Ended explained
        = runEarwright(QStringList { "explain", model, "max_grad_norm" } + lists());
    QVERIFY2(explained.code == 0, qPrintable(explained.errors));
    QVERIFY2(explained.output.contains("max_grad_norm"), qPrintable(explained.output));
    const Ended resolved = runEarwright(QStringList { "resolve", model } + lists());
    QVERIFY2(resolved.code == 0, qPrintable(resolved.errors));
    QVERIFY2(resolved.output.contains("train_csv: " + path("train.jsonl") + "\n"),
        qPrintable(resolved.output));
}

void TstFunasrLines::otherFolder_isRefused()
{
    QVERIFY(QDir().mkpath(path("plain")));
    writeFile(path("plain/config.yaml"), "sample_rate: 16000\nmodel: [1]\n");
    for (const char* command :
        { "train", "plan", "inspect", "check", "explain", "resolve", "convert" }) {
        const Ended ended = runEarwright({ command, path("plain") });
        QVERIFY2(ended.code == 1, qPrintable(command + ended.errors));
        QVERIFY2(ended.errors.contains("'" + path("plain/config.yaml")
                     + "' is no configuration of FunASR, WeNet or ESPnet"),
            qPrintable(command + ended.errors));
    }
}

void TstFunasrLines::twoRunFolders_areRefused()
{
    const Ended ended
        = runEarwright(line(path("model")) + QStringList { "--run-dir", path("two") });
    QCOMPARE(ended.code, 2);
    QVERIFY2(ended.errors.contains("give --run-dir or ++output_dir, not both"),
        qPrintable(ended.errors));
}

void TstFunasrLines::modelThatIsNotThere_isNamed()
{
    const Ended ended = runEarwright(line("iic/SenseVoiceSmall"));
    QCOMPARE(ended.code, 2);
    QVERIFY2(
        ended.errors.contains("'iic/SenseVoiceSmall' is no folder, and no model is downloaded"),
        qPrintable(ended.errors));
}

void TstFunasrLines::modelWithoutATask_isRefused()
{
    QVERIFY(QDir().mkpath(path("vad")));
    writeFile(path("vad/config.yaml"),
        "model: FsmnVADStreaming\nmodel_conf: {sample_rate: 16000}\nencoder: FSMN\nencoder_conf: "
        "{}\n");
    writeFile(path("vad/model.pt"), "");
    for (const QStringList& words : { QStringList { "train", path("vad") },
             QStringList { "convert", path("vad") }, QStringList { "check", path("vad") } }) {
        const Ended ended = runEarwright(words);
        QVERIFY2(ended.code == 1, qPrintable(ended.errors));
        QVERIFY2(ended.errors.contains(
                     "'FsmnVADStreaming' is a voice activity detector, which is not trained here"),
            qPrintable(ended.errors));
        QCOMPARE(ended.output, QString());
    }
}

EARWRIGHT_TEST(TstFunasrLines)
#include "tst_funasr_lines.moc"
