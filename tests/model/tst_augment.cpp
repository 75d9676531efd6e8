#include <QTemporaryDir>
#include <QTest>

#include "core/base/file.h"
#include "core/data/sound_list.h"
#include "core/model/augment/amplitude.h"
#include "core/precision/precision.h"
#include "core/recipe/resolve.h"
#include "core/train/augment.h"
#include "tests/data/audio_fixture.h"

#include <ATen/record_function.h>
#include <random>

using namespace kymo;
using model::Amplitude;
using model::Domain;
using train::BatchAugmenter;

namespace {

constexpr int kRate = 8000;
constexpr int64_t kRows = 3;
constexpr int64_t kSamples = 4000;

const std::string kTime = "speechbrain.augment.time_domain.";
const std::string kFrequency = "speechbrain.augment.freq_domain.";
const std::string kAugmenter = "speechbrain.augment.augmenter.Augmenter";

/// The object under `x` of a recipe.
recipe::NodePtr objectOf(const std::string& yaml)
{
    const recipe::Resolved resolved = recipe::resolve(yaml, "t.yaml", {});
    return resolved.root ? recipe::find(*resolved.root, "x") : nullptr;
}

recipe::NodePtr object(const std::string& className, const std::string& arguments)
{
    return objectOf("x: !new:" + className + "\n" + arguments);
}

/// "" or why the recipe's object is refused.
std::string refusal(const recipe::NodePtr& node, Domain domain)
{
    const auto made = BatchAugmenter::from(node.get(), domain);
    return made ? "" : made.error().message;
}

torch::Tensor waves()
{
    torch::manual_seed(5);
    return torch::randn({ kRows, kSamples }) * 0.1;
}

int g_doubleReads = 0; // RecordFunction takes plain functions

std::unique_ptr<at::ObserverContext> countDoubleRead(const at::RecordFunction& operation)
{
    if (std::string_view(operation.name()) == "aten::_local_scalar_dense"
        && operation.inputs()[0].toTensor().scalar_type() == torch::kDouble)
        ++g_doubleReads;
    return nullptr;
}

torch::Tensor lengths()
{
    return torch::tensor({ 1.0F, 0.75F, 0.5F });
}

} // namespace

class TstAugment : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void soundList_readsItsPaths();
    void brokenSoundList_isAnErrorWithItsLine_data();
    void brokenSoundList_isAnErrorWithItsLine();
    void noise_isMixedAtItsRatio();
    void shortNoise_isRepeatedOnlyWhereAsked();
    void unreadableNoise_isNamed();
    void response_leavesTheDirectSoundInItsPlace();
    void reverb_isDrawnFromTheManifest();
    void restoredGenerator_drawsTheSame_data();
    void restoredGenerator_drawsTheSame();
    void apply_readsNoNumberOfTheWaves_data();
    void apply_readsNoNumberOfTheWaves();
    void underAutocast_nothingIsRounded_data();
    void underAutocast_nothingIsRounded();
    void silence_staysSilence_data();
    void silence_staysSilence();
    void speeds_areDrawnElsewhere();
    void whatATrainingCannotDo_isRefusedInWords_data();
    void whatATrainingCannotDo_isRefusedInWords();
    void disabledAugmentation_isLeftOut();

private:
    std::string manifest(const std::string& name, const std::string& rows) const;
    std::string path(const char* name) const { return m_folder.filePath(name).toStdString(); }

    QTemporaryDir m_folder;
};

std::string TstAugment::manifest(const std::string& name, const std::string& rows) const
{
    const std::string file = path(name.c_str());
    if (!writeFileAtomically(file, rows))
        qFatal("cannot write %s", file.c_str());
    return file;
}

void TstAugment::initTestCase()
{
    // A loud noise that is longer than the waves, a short one, and a click behind 20 samples.
    std::vector<float> noise(3 * kSamples);
    for (size_t i = 0; i < noise.size(); ++i)
        noise[i] = i % 2 == 0 ? 0.5F : -0.5F;
    test::writeSound(path("long.wav"), noise, { .sampleRateHz = kRate });
    noise.resize(1000);
    test::writeSound(path("short.wav"), noise, { .sampleRateHz = kRate });
    std::vector<float> click(400, 0.0F);
    click[20] = 0.9F;
    test::writeSound(path("click.wav"), click, { .sampleRateHz = kRate });
    std::mt19937 random(3);
    std::normal_distribution<float> reflection(0, 0.1F);
    std::vector<float> room(800);
    for (size_t i = 0; i < room.size(); ++i)
        room[i] = reflection(random) * std::exp(-static_cast<float>(i) / 100);
    test::writeSound(path("room.wav"), room, { .sampleRateHz = kRate });
    manifest("room.csv", "ID,duration,wav\n1,0.1,$folder/room.wav\n");
    manifest("long.csv", "ID,duration,wav\n1,1.5,$folder/long.wav\n");
    manifest("short.csv", "ID,duration,wav\n1,0.125,$folder/short.wav\n");
    manifest("click.csv", "ID,duration,wav\n1,0.05,$folder/click.wav\n");
    QVERIFY(bool(writeFileAtomically(path("broken.wav"), "RIFF of nothing")));
    manifest("unreadable.csv", "ID,duration,wav\n1,1," + path("broken.wav") + "\n");
}

void TstAugment::soundList_readsItsPaths()
{
    const auto list = data::SoundList::read(
        manifest("two.csv", "ID,wav\n1,$data_root/room.wav\n2,$data/room.wav\n"),
        { { "data", path(".") }, { "data_root", path("") } });
    QVERIFY2(list, list ? "" : list.error().message.c_str());
    QCOMPARE(list->size(), 2);
    QCOMPARE(list->path(0), path("") + "/room.wav");
    QCOMPARE(list->path(1), path(".") + "/room.wav");
}

void TstAugment::brokenSoundList_isAnErrorWithItsLine_data()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<std::string>("words");
    QTest::newRow("no column") << std::string("ID,file\n1,a\n") << std::string("line 1: no column");
    QTest::newRow("no path") << std::string("ID,wav\n1,a\n2,\n")
                             << std::string("line 3: no path in 'wav'");
    QTest::newRow("no sound") << std::string("ID,wav\n1,/nowhere/a.wav\n")
                              << std::string("line 2: there is no file '/nowhere/a.wav'");
    QTest::newRow("no row") << std::string("ID,wav\n") << std::string("lists no sound");
}

void TstAugment::brokenSoundList_isAnErrorWithItsLine()
{
    QFETCH(std::string, text);
    QFETCH(std::string, words);
    const auto list = data::SoundList::read(manifest("broken.csv", text), {});
    QVERIFY(!list);
    QVERIFY2(list.error().message.find(words) != std::string::npos, list.error().message.c_str());
}

void TstAugment::noise_isMixedAtItsRatio()
{
    const auto augmenter = BatchAugmenter::from(
        object(kTime + "AddNoise",
            "    csv_file: " + path("long.csv") + "\n    snr_low: 10\n    snr_high: 10\n"
                + "    clean_sample_rate: 8000\n    replacements: {folder: "
                + m_folder.path().toStdString() + "}\n")
            .get(),
        Domain::Waves);
    QVERIFY2(augmenter, augmenter ? "" : augmenter.error().message.c_str());
    const torch::Tensor clean_BT = waves();
    const torch::Tensor mixed_BT = augmenter->apply(clean_BT, lengths());
    const double part = 1 / (std::pow(10.0, 10.0 / 20) + 1);
    const torch::Tensor speech_BT = clean_BT * (1 - part);
    const torch::Tensor noise_BT = mixed_BT - speech_BT;
    const torch::Tensor samples_B1 = (lengths() * kSamples).unsqueeze(1);
    const torch::Tensor ratio = amplitudeOf(speech_BT, Amplitude::RootMeanSquare, samples_B1)
        / amplitudeOf(noise_BT, Amplitude::RootMeanSquare);
    QVERIFY(torch::allclose(20 * ratio.log10(), torch::full({ kRows, 1 }, 10.0), 0, 1e-2));
}

void TstAugment::shortNoise_isRepeatedOnlyWhereAsked()
{
    for (const bool isPadded : { false, true }) {
        const auto augmenter = BatchAugmenter::from(
            object(kTime + "AddNoise",
                "    csv_file: " + path("short.csv") + "\n    start_index: 0\n"
                    + "    clean_sample_rate: 8000\n    pad_noise: " + (isPadded ? "True" : "False")
                    + "\n    replacements: {folder: " + m_folder.path().toStdString() + "}\n")
                .get(),
            Domain::Waves);
        QVERIFY2(augmenter, augmenter ? "" : augmenter.error().message.c_str());
        const torch::Tensor clean_BT = waves();
        const torch::Tensor noise_BT = augmenter->apply(clean_BT, lengths()) - clean_BT / 2;
        QVERIFY(noise_BT.slice(1, 0, 1000).abs().min().item<double>() > 1e-4);
        const torch::Tensor behind_T = noise_BT[0].slice(0, 1000, kSamples).abs();
        QCOMPARE(behind_T.min().item<double>() > 1e-4, isPadded);
        QCOMPARE(behind_T.max().item<double>() > 1e-4, isPadded);
    }
}

void TstAugment::unreadableNoise_isNamed()
{
    const auto augmenter = BatchAugmenter::from(
        object(kTime + "AddNoise", "    csv_file: " + path("unreadable.csv") + "\n").get(),
        Domain::Waves);
    QVERIFY2(augmenter, augmenter ? "" : augmenter.error().message.c_str());
    std::string words;
    try {
        augmenter->apply(waves(), lengths());
    } catch (const std::runtime_error& error) {
        words = error.what();
    }
    QVERIFY2(words.find("broken.wav") != std::string::npos, words.c_str());
}

void TstAugment::response_leavesTheDirectSoundInItsPlace()
{
    const auto augmenter = BatchAugmenter::from(
        object(kTime + "AddReverb",
            "    csv_file: " + path("click.csv") + "\n    clean_sample_rate: 8000\n"
                + "    replacements: {folder: " + m_folder.path().toStdString() + "}\n")
            .get(),
        Domain::Waves);
    QVERIFY2(augmenter, augmenter ? "" : augmenter.error().message.c_str());
    QVERIFY(torch::allclose(augmenter->apply(waves(), lengths()), waves(), 1e-4, 1e-6));
}

void TstAugment::reverb_isDrawnFromTheManifest()
{
    const auto augmenter = BatchAugmenter::from(
        object(kTime + "AddReverb",
            "    csv_file: " + path("room.csv") + "\n    clean_sample_rate: 8000\n"
                + "    rir_scale_factor: 0.5\n    replacements: {folder: "
                + m_folder.path().toStdString() + "}\n")
            .get(),
        Domain::Waves);
    QVERIFY2(augmenter, augmenter ? "" : augmenter.error().message.c_str());
    const torch::Tensor reverberant = augmenter->apply(waves(), lengths());
    QCOMPARE(reverberant.sizes(), waves().sizes());
    QVERIFY(!torch::allclose(reverberant, waves(), 1e-2, 1e-3));
    QVERIFY(torch::allclose(amplitudeOf(reverberant, Amplitude::Average),
        amplitudeOf(waves(), Amplitude::Average), 1e-3, 0));
}

void TstAugment::restoredGenerator_drawsTheSame_data()
{
    QTest::addColumn<QString>("className");
    for (const char* name :
        { "AddNoise", "DropChunk", "DropFreq", "DoClip", "RandAmp", "DropBitResolution" })
        QTest::newRow(name) << QString::fromStdString(kTime + name);
    for (const char* name : { "SpectrogramDrop", "Warping" })
        QTest::newRow(name) << QString::fromStdString(kFrequency + name);
}

void TstAugment::restoredGenerator_drawsTheSame()
{
    QFETCH(QString, className);
    const Domain domain = className.contains("freq_domain") ? Domain::Features : Domain::Waves;
    const auto augmenter = BatchAugmenter::from(object(className.toStdString(), "").get(), domain);
    QVERIFY2(augmenter, augmenter ? "" : augmenter.error().message.c_str());
    const torch::Tensor x = domain == Domain::Waves ? waves() : waves().view({ kRows, 100, 40 });
    const torch::Tensor before = x.clone();
    torch::manual_seed(17);
    (void)augmenter->apply(x, lengths());
    auto generator = at::globalContext().defaultGenerator(at::kCPU);
    const torch::Tensor state = generator.get_state();
    const torch::Tensor first = augmenter->apply(x, lengths());
    const torch::Tensor second = augmenter->apply(x, lengths());
    generator.set_state(state);
    QVERIFY(torch::equal(augmenter->apply(x, lengths()), first));
    QVERIFY(torch::equal(augmenter->apply(x, lengths()), second));
    QVERIFY2(torch::equal(x, before), "its input was changed");
    QCOMPARE(first.sizes(), x.sizes());
}

void TstAugment::apply_readsNoNumberOfTheWaves_data()
{
    restoredGenerator_drawsTheSame_data();
    QTest::newRow("SignFlip") << QString::fromStdString(kTime + "SignFlip");
}

/// Draws are float32 or int64, so a number that is read from a float64 is one of the device's.
void TstAugment::apply_readsNoNumberOfTheWaves()
{
    QFETCH(QString, className);
    const Domain domain = className.contains("freq_domain") ? Domain::Features : Domain::Waves;
    const auto augmenter = BatchAugmenter::from(object(className.toStdString(), "").get(), domain);
    QVERIFY2(augmenter, augmenter ? "" : augmenter.error().message.c_str());
    const torch::Tensor x
        = (domain == Domain::Waves ? waves() : waves().view({ kRows, 100, 40 })).to(torch::kDouble);
    const auto handle
        = at::addThreadLocalCallback(at::RecordFunctionCallback(countDoubleRead).needsInputs(true));
    g_doubleReads = 0;
    torch::manual_seed(17);
    for (int i = 0; i < 20; ++i) // whatever is drawn
        QCOMPARE(augmenter->apply(x, lengths()).sizes(), x.sizes());
    const int reads = g_doubleReads;
    (void)x.sum().item<double>();
    at::removeCallback(handle);
    QCOMPARE(reads, 0);
    QCOMPARE(g_doubleReads, 1);
}

void TstAugment::underAutocast_nothingIsRounded_data()
{
    QTest::addColumn<QString>("className");
    for (const char* name : { "AddNoise", "DropFreq", "DoClip", "DropBitResolution" })
        QTest::newRow(name) << QString::fromStdString(kTime + name);
}

void TstAugment::underAutocast_nothingIsRounded()
{
    QFETCH(QString, className);
    const auto augmenter
        = BatchAugmenter::from(object(className.toStdString(), "").get(), Domain::Waves);
    QVERIFY2(augmenter, augmenter ? "" : augmenter.error().message.c_str());
    const torch::Tensor x = waves();
    torch::manual_seed(17);
    const torch::Tensor expected = augmenter->apply(x, lengths());
    const precision::Autocast bf16(precision::Type::Bf16, torch::kCPU);
    torch::manual_seed(17);
    const torch::Tensor made = augmenter->apply(x, lengths());
    QCOMPARE(made.scalar_type(), torch::kFloat32);
    QVERIFY(torch::equal(made, expected));
}

void TstAugment::silence_staysSilence_data()
{
    QTest::addColumn<QString>("className");
    for (const char* name : { "AddNoise", "DropChunk", "DropFreq", "DoClip", "RandAmp",
             "DropBitResolution", "SignFlip" })
        QTest::newRow(name) << QString::fromStdString(kTime + name);
}

void TstAugment::silence_staysSilence()
{
    QFETCH(QString, className);
    const auto augmenter
        = BatchAugmenter::from(object(className.toStdString(), "").get(), Domain::Waves);
    QVERIFY2(augmenter, augmenter ? "" : augmenter.error().message.c_str());
    const torch::Tensor silent = torch::zeros({ kRows, kSamples });
    QVERIFY(torch::equal(augmenter->apply(silent, lengths()).abs(), silent));
}

void TstAugment::speeds_areDrawnElsewhere()
{
    const recipe::NodePtr node = objectOf("speed: !new:" + kTime
        + "SpeedPerturb\n    orig_freq: 8000\n    speeds: [90, 110]\n" + "flip: !new:" + kTime
        + "SignFlip\n    flip_prob: 1.0\n" + "x: !new:" + kAugmenter
        + "\n    min_augmentations: 2\n    max_augmentations: 2\n"
        + "    augmentations: [!ref <speed>, !ref <flip>]\n");
    const auto speeds = train::speedsOf(node.get());
    QVERIFY2(speeds, speeds ? "" : speeds.error().message.c_str());
    QVERIFY(*speeds == (std::vector<double> { 0.9, 1.1 }));
    const auto augmenter = BatchAugmenter::from(node.get(), Domain::Waves);
    QVERIFY2(augmenter, augmenter ? "" : augmenter.error().message.c_str());
    QVERIFY(torch::equal(augmenter->apply(waves(), lengths()), -waves()));
}

void TstAugment::whatATrainingCannotDo_isRefusedInWords_data()
{
    QTest::addColumn<QString>("className");
    QTest::addColumn<QString>("arguments");
    QTest::addColumn<QString>("words");
    const auto row = [](const char* name, const std::string& className, const char* arguments,
                         const char* words) {
        QTest::newRow(name) << QString::fromStdString(className) << arguments << words;
    };
    row("parallel", kAugmenter, "    parallel_augment: True\n", "with parallel_augment");
    row("concat", kAugmenter, "    concat_original: True\n", "with concat_original");
    row("repeat", kAugmenter, "    repeat_augment: 2\n", "repeat_augment above 1");
    row("rows", kAugmenter, "    augment_start_index: 1\n", "changes the number of rows");
    row("in turn", kTime + "AddNoise", "    csv_file: n.csv\n    sorting: original\n",
        "use random");
    row("no file", kTime + "AddNoise", "    csv_file: /nowhere/n.csv\n", "/nowhere/n.csv");
    row("no manifest", kTime + "AddReverb", "    csv_file: null\n", "AddReverb needs csv_file");
    row("masks drawn once", kTime + "FastDropChunk", "", "use DropChunk");
    row("of features", kFrequency + "Warping", "", "is not an augmentation of waves");
    row("unknown", kTime + "CutCat", "", "is not an augmentation of waves");
}

void TstAugment::whatATrainingCannotDo_isRefusedInWords()
{
    QFETCH(QString, className);
    QFETCH(QString, arguments);
    QFETCH(QString, words);
    const QString message = QString::fromStdString(
        refusal(object(className.toStdString(), arguments.toStdString()), Domain::Waves));
    QVERIFY2(message.startsWith("t.yaml:1: "), qPrintable(message));
    QVERIFY2(message.contains(words), qPrintable(message));
}

void TstAugment::disabledAugmentation_isLeftOut()
{
    const recipe::NodePtr node = objectOf("flip: !new:" + kTime + "SignFlip\n    flip_prob: 1.0\n"
        + "x: !new:" + kAugmenter
        + "\n    augmentations: [!ref <flip>]\n    enable_augmentations: [False]\n");
    const auto augmenter = BatchAugmenter::from(node.get(), Domain::Waves);
    QVERIFY2(augmenter, augmenter ? "" : augmenter.error().message.c_str());
    QVERIFY(torch::equal(augmenter->apply(waves(), lengths()), waves()));
}

QTEST_GUILESS_MAIN(TstAugment)
#include "tst_augment.moc"
