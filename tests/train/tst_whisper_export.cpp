#include "core/run/capsule.h"
#include "core/train/weights/capsule.h"
#include "core/train/weights/hub_export.h"
#include "tests/registry.h"
#include "tests/train/whisper_run.h"

#include <QTest>

using namespace earwright;
using earwright::tests::checkpointOf;
using earwright::tests::heardLines;
using earwright::tests::kStoredWeights;
using earwright::tests::RankRun;
using earwright::tests::whisperRecipe;

namespace {

QString heardBy(const RankRun& run)
{
    std::string errors;
    return heardLines(run.plan(errors), run.folder, checkpointOf(run), run.data);
}

/// With what the engine writes into the run's folder before: its plan.
QString trainAsTheEngine(const RankRun& run)
{
    std::string errors;
    const plan::Plan plan = run.plan(errors);
    if (!errors.empty())
        return QString::fromStdString(errors);
    const auto folder = run::createRunFolder(run.folder, plan);
    return folder ? run.train() : QString::fromStdString(folder.error().message);
}

std::string whisperWithLora()
{
    const std::string plain
        = train::with(whisperRecipe("whisper"), "\nwhisper: !new", "\nplain_whisper: !new");
    return train::with(plain, "\nlog_softmax: !new",
        "\nwhisper: !new:speechbrain.nnet.adapters.AdaptedModel\n"
        "    model_to_adapt: !ref <plain_whisper>\n    all_linear: True\n"
        "    adapter_class: !name:speechbrain.nnet.adapters.LoRA\n"
        "    adapter_kwargs: {rank: 2, alpha: 3.0}\nlog_softmax: !new");
}

} // namespace

/// A trained Whisper elsewhere: as a folder of the Hub, and in a capsule.
class TstWhisperExport final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void run_becomesAFolderThatIsTheSame();
    void encoderAlone_isNoFolder();
    void adaptedRun_needsItsFolderNoMore();

private:
    RankRun runOf(const QString& name, int steps, const std::vector<std::string>& overrides = {},
        const std::string& text = whisperRecipe("whisper")) const
    {
        return tests::whisperRun(m_folder, name, steps, overrides, text);
    }
    std::filesystem::path at(const char* name) const
    {
        return m_folder.filePath(name).toStdString();
    }

    QTemporaryDir m_folder;
};

void TstWhisperExport::initTestCase()
{
    tests::writeNoises(at("data"), 19);
    tests::makeWhisperFolder(at("hub"));
}

/// Weights, tokens and features: a run that starts there hears the same texts.
void TstWhisperExport::run_becomesAFolderThatIsTheSame()
{
    const RankRun run = runOf("becomes a folder", 3, { "--freeze_encoder=False" });
    QCOMPARE(trainAsTheEngine(run), QString());
    const std::filesystem::path out = at("exported");
    const auto written
        = train::writeHubFolder(run::RunFolder { run.folder }, checkpointOf(run), out);
    QVERIFY2(written, written ? "" : written.error().message.c_str());
    QVERIFY(written->empty());
    const auto stored = model::readTensorFile(out / kStoredWeights);
    QVERIFY(stored);
    size_t compared = 0;
    for (const auto& [name, tensor] : run.model())
        if (const auto found = stored->tensors.find(name.substr(std::string("whisper.").size()));
            found != stored->tensors.end()) {
            QVERIFY2(found->first.starts_with("model."), name.c_str());
            QVERIFY2(torch::equal(found->second, tensor), name.c_str());
            ++compared;
        }
    QCOMPARE(compared, stored->tensors.size());
    QVERIFY(compared > 45);
    QCOMPARE(*readFile(out / "config.json"), *readFile(at("hub") / "config.json"));
    const auto own = data::BytePairs::read(out);
    const auto before = data::BytePairs::read(at("hub"));
    QVERIFY2(own, own ? "" : own.error().message.c_str());
    QCOMPARE(own->tokens(), before->tokens());
    const auto read = model::readWhisperFolder(out, false);
    QVERIFY2(read, read ? "" : read.error().message.c_str());
    QVERIFY(std::filesystem::exists(out / "preprocessor_config.json"));

    RankRun next = runOf("begun there", 1, { "--lr_whisper=0.0" });
    next.overrides.front() = "--whisper_hub=" + out.string();
    QCOMPARE(next.train(), QString());
    QCOMPARE(heardBy(next), heardBy(run));
}

void TstWhisperExport::encoderAlone_isNoFolder()
{
    const RankRun run = runOf("ctc folder", 1, {}, whisperRecipe("whisper_ctc"));
    QCOMPARE(trainAsTheEngine(run), QString());
    const auto written
        = train::writeHubFolder(run::RunFolder { run.folder }, checkpointOf(run), at("no folder"));
    QVERIFY(!written);
    QVERIFY2(
        written.error().message.ends_with(" is Whisper's encoder alone (encoder_only), and a "
                                          "folder of the Hub holds a Whisper with its decoder"),
        written.error().message.c_str());
    QVERIFY(!std::filesystem::exists(at("no folder")));
}

/// Neither to recognise nor in a capsule.
void TstWhisperExport::adaptedRun_needsItsFolderNoMore()
{
    std::filesystem::copy(at("hub"), at("adapted hub"));
    RankRun run = runOf("adapted run", 3, { "--freeze_encoder=False" }, whisperWithLora());
    run.overrides.front() = "--whisper_hub=" + at("adapted hub").string();
    QCOMPARE(trainAsTheEngine(run), QString());
    const QString before = heardBy(run);
    QVERIFY(before.count('\n') >= 19);
    const auto planned = run::readPlan(run::RunFolder { run.folder });
    QVERIFY(planned);
    std::filesystem::remove_all(at("adapted hub"));
    QCOMPARE(heardLines(*planned, run.folder, checkpointOf(run), run.data), before);

    const std::filesystem::path file = at("adapted.zip");
    const Status packed
        = train::writeCapsule(run::RunFolder { run.folder }, checkpointOf(run), file);
    QVERIFY2(packed, packed ? "" : packed.error().message.c_str());
    const auto capsule = run::Capsule::open(file);
    QVERIFY2(capsule, capsule ? "" : capsule.error().message.c_str());
    const auto plan = run::readPlan(capsule->run());
    QVERIFY(plan);
    std::filesystem::rename(run.folder, at("elsewhere"));
    QCOMPARE(heardLines(*plan, capsule->run().path, capsule->checkpoint(), run.data), before);

    const auto written = train::writeHubFolder(capsule->run(), capsule->checkpoint(), at("merged"));
    QVERIFY2(written, written ? "" : written.error().message.c_str());
    QCOMPARE(written->size(), size_t(1));
    RankRun next = runOf("begun merged", 1, { "--lr_whisper=0.0" });
    next.overrides.front() = "--whisper_hub=" + at("merged").string();
    QCOMPARE(next.train(), QString());
    QCOMPARE(heardBy(next), before);
}

EARWRIGHT_TEST(TstWhisperExport)
#include "tst_whisper_export.moc"
