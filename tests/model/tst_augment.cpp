#include <QTemporaryDir>
#include <QTest>

#include "core/base/file.h"
#include "core/data/audio.h"
#include "core/data/sound_list.h"
#include "core/model/augment/amplitude.h"
#include "core/model/augment/noise.h"
#include "core/model/augment/speed.h"
#include "core/precision/precision.h"
#include "core/recipe/resolve.h"
#include "core/train/task/augment.h"
#include "tests/data/audio_fixture.h"

#include <ATen/record_function.h>
#include <random>

using namespace kymo;
using model::Amplitude;
using train::BatchAugmenter;

namespace {

constexpr int kRate = 8000;
constexpr int64_t kRows = 3;
constexpr int64_t kSamples = 4000;
constexpr check::AugmentationUse kOfWaves { .isOfWaves = true };
constexpr check::AugmentationUse kOfFeatures { .isOfWaves = false };

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
std::string refusal(const recipe::NodePtr& node, const check::AugmentationUse& use)
{
    const auto made = BatchAugmenter::from(node.get(), use);
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
    void noise_isTheWholeFilesWhateverIsKept_data();
    void noise_isTheWholeFilesWhateverIsKept();
    void partOfASound_isThatOfTheWhole_data();
    void partOfASound_isThatOfTheWhole();
    void noiseThatBreaks_isNamed();
    void response_leavesTheDirectSoundInItsPlace();
    void soundsHaveTheRateOfTheWaves();
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
    void speedThatIsNotAlwaysFirst_isDrawnForTheBatch_data();
    void speedThatIsNotAlwaysFirst_isDrawnForTheBatch();
    void gathering_resamplesAsTheReaderDoes();
    void rows_areToldOfWhichTheyWereMade_data();
    void rows_areToldOfWhichTheyWereMade();
    void warp_isDoneInBothModes();
    void whatAParaformerCannotDo_isRefusedInWords_data();
    void whatAParaformerCannotDo_isRefusedInWords();
    void whatATrainingCannotDo_isRefusedInWords_data();
    void whatATrainingCannotDo_isRefusedInWords();
    void disabledAugmentation_isLeftOut();
    void switchedOffAugmentations_countInTheDraw();

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
    tests::writeSound(path("long.wav"), noise, { .sampleRateHz = kRate });
    noise.resize(1000);
    tests::writeSound(path("short.wav"), noise, { .sampleRateHz = kRate });
    std::vector<float> click(400, 0.0F);
    click[20] = 0.9F;
    tests::writeSound(path("click.wav"), click, { .sampleRateHz = kRate });
    std::mt19937 random(3);
    std::normal_distribution<float> reflection(0, 0.1F);
    std::vector<float> room(800);
    for (size_t i = 0; i < room.size(); ++i)
        room[i] = reflection(random) * std::exp(-static_cast<float>(i) / 100);
    tests::writeSound(path("room.wav"), room, { .sampleRateHz = kRate });
    manifest("room.csv", "ID,duration,wav\n1,0.1,$folder/room.wav\n");
    manifest("long.csv", "ID,duration,wav\n1,1.5,$folder/long.wav\n");
    manifest("short.csv", "ID,duration,wav\n1,0.125,$folder/short.wav\n");
    manifest("mixed.csv",
        "ID,duration,wav\n1,1.5,$folder/long.wav\n2,0.1,$folder/short.wav\n"
        "3,0.1,$folder/room.wav\n4,0.6,$folder/sound.flac\n");
    std::vector<float> sound(5000);
    for (float& sample : sound)
        sample = reflection(random);
    tests::writeSound(path("sound.flac"), sound,
        { .sampleRateHz = kRate, .format = SF_FORMAT_FLAC | SF_FORMAT_PCM_16 });
    tests::writeSound(path("stereo.wav"), sound, { .sampleRateHz = kRate, .channels = 2 });
    manifest("click.csv", "ID,duration,wav\n1,0.05,$folder/click.wav\n");
    QVERIFY(bool(writeFileAtomically(path("broken.wav"), "RIFF of nothing")));
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
    QTest::newRow("unreadable") << "ID,wav\n1," + path("long.wav") + "\n2," + path("broken.wav")
            + "\n" << std::string("line 3: cannot read audio");
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
        kOfWaves);
    QVERIFY2(augmenter, augmenter ? "" : augmenter.error().message.c_str());
    const torch::Tensor clean_BT = waves();
    const torch::Tensor mixed_BT = augmenter->apply(clean_BT, lengths()).x;
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
            kOfWaves);
        QVERIFY2(augmenter, augmenter ? "" : augmenter.error().message.c_str());
        const torch::Tensor clean_BT = waves();
        const torch::Tensor noise_BT = augmenter->apply(clean_BT, lengths()).x - clean_BT / 2;
        QVERIFY(noise_BT.slice(1, 0, 1000).abs().min().item<double>() > 1e-4);
        const torch::Tensor behind_T = noise_BT[0].slice(0, 1000, kSamples).abs();
        QCOMPARE(behind_T.min().item<double>() > 1e-4, isPadded);
        QCOMPARE(behind_T.max().item<double>() > 1e-4, isPadded);
    }
}

void TstAugment::noise_isTheWholeFilesWhateverIsKept_data()
{
    QTest::addColumn<QString>("sounds");
    QTest::addColumn<bool>("isPadded");
    QTest::addColumn<qulonglong>("keptBytes");
    for (const char* sounds : { "long", "short", "mixed" })
        for (const bool isPadded : { false, true })
            for (const qulonglong kept : { 1000000U, 5000U, 0U })
                QTest::addRow("%s%s, %llu bytes kept", sounds, isPadded ? " padded" : "", kept)
                    << sounds << isPadded << kept;
}

/// To the bit what is mixed in where every file is read whole and repeated.
void TstAugment::noise_isTheWholeFilesWhateverIsKept()
{
    QFETCH(QString, sounds);
    QFETCH(bool, isPadded);
    QFETCH(qulonglong, keptBytes);
    const auto csv = std::filesystem::path(path(qPrintable(sounds + ".csv")));
    const std::map<std::string, std::string> folder { { "folder", m_folder.path().toStdString() } };
    catalog::AddNoiseConfig config;
    config.cleanSampleRate = kRate;
    config.padNoise = isPadded;
    model::AddNoise noise(config, *data::SoundList::read(csv, folder, keptBytes));
    const auto list = *data::SoundList::read(csv, folder);
    const torch::Tensor clean_BT = waves();
    const torch::Tensor counts_B = (lengths() * kSamples).to(torch::kLong);
    model::RandomSource random;
    for (uint64_t seed = 0; seed < 5; ++seed) {
        torch::manual_seed(seed);
        const torch::Tensor found = noise.apply(clean_BT, lengths(), random).x;
        torch::manual_seed(seed);
        const torch::Tensor which_B = random.integers(0, list.size(), { kRows });
        std::vector<torch::Tensor> whole;
        int64_t spare = 1 << 20;
        for (int64_t row = 0; row < kRows; ++row) {
            torch::Tensor wave_T
                = torch::tensor(**list.samples(which_B[row].item<int64_t>(), kRate));
            const int64_t wanted = counts_B[row].item<int64_t>();
            if (isPadded && wave_T.size(0) < wanted)
                wave_T = wave_T.repeat({ (wanted - 1) / wave_T.size(0) + 1 });
            spare = std::min(spare, wave_T.size(0) - wanted);
            whole.push_back(wave_T);
        }
        const int64_t start = random.integer(0, std::max<int64_t>(spare, 1));
        torch::Tensor noise_BT = torch::zeros({ kRows, kSamples });
        torch::Tensor samples_B1 = torch::zeros({ kRows, 1 });
        for (int64_t row = 0; row < kRows; ++row) {
            const torch::Tensor part_T = whole[size_t(row)].slice(0, start, start + kSamples);
            noise_BT[row].narrow(0, 0, part_T.size(0)).copy_(part_T);
            samples_B1[row] = part_T.size(0);
        }
        QVERIFY(torch::equal(
            found, model::mixNoise(clean_BT, lengths(), { noise_BT, samples_B1 }, config, random)));
    }
}

void TstAugment::partOfASound_isThatOfTheWhole_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("rateHz");
    QTest::newRow("wav") << "stereo.wav" << kRate;
    QTest::newRow("flac") << "sound.flac" << kRate;
    QTest::newRow("resampled") << "sound.flac" << 2 * kRate;
}

void TstAugment::partOfASound_isThatOfTheWhole()
{
    QFETCH(QString, name);
    QFETCH(int, rateHz);
    const std::string file = path(qPrintable(name));
    const auto whole = data::readAudio(file, rateHz);
    QVERIFY2(whole, whole ? "" : whole.error().message.c_str());
    const auto& samples = whole->samples;
    for (const auto& [first, count] :
        { std::pair<int64_t, int64_t> { 0, 10 }, { 777, 1500 }, { 4990, 100 }, { 90000, 10 } }) {
        const auto from = samples.begin() + std::min(first, std::ssize(samples));
        const auto to = samples.begin() + std::min(first + count, std::ssize(samples));
        const std::vector<float> expected(from, to);
        const auto read = data::readAudioPart(file, rateHz, first, count);
        QVERIFY2(read, read ? "" : read.error().message.c_str());
        QCOMPARE(read->has_value(), rateHz == kRate);
        QVERIFY(!*read || **read == expected);
        data::AudioCache nothing(0);
        QVERIFY(*nothing.part(file, rateHz, first, count) == expected);
        QCOMPARE(nothing.bytes(), size_t { 0 });
        data::AudioCache all;
        QVERIFY(*all.part(file, rateHz, first, count) == expected);
        QCOMPARE(all.bytes(), samples.size() * sizeof(float));
    }
}

void TstAugment::noiseThatBreaks_isNamed()
{
    tests::writeSound(path("breaking.wav"), std::vector<float>(100, 0.5F));
    manifest("breaking.csv", "ID,duration,wav\n1,1," + path("breaking.wav") + "\n");
    const auto augmenter = BatchAugmenter::from(
        object(kTime + "AddNoise", "    csv_file: " + path("breaking.csv") + "\n").get(), kOfWaves);
    QVERIFY2(augmenter, augmenter ? "" : augmenter.error().message.c_str());
    QVERIFY(bool(writeFileAtomically(path("breaking.wav"), "RIFF of nothing")));
    std::string words;
    try {
        (void)augmenter->apply(waves(), lengths());
    } catch (const std::runtime_error& error) {
        words = error.what();
    }
    QVERIFY2(words.find("breaking.wav") != std::string::npos, words.c_str());
}

void TstAugment::response_leavesTheDirectSoundInItsPlace()
{
    const auto augmenter = BatchAugmenter::from(
        object(kTime + "AddReverb",
            "    csv_file: " + path("click.csv") + "\n    clean_sample_rate: 8000\n"
                + "    replacements: {folder: " + m_folder.path().toStdString() + "}\n")
            .get(),
        kOfWaves);
    QVERIFY2(augmenter, augmenter ? "" : augmenter.error().message.c_str());
    QVERIFY(torch::allclose(augmenter->apply(waves(), lengths()).x, waves(), 1e-4, 1e-6));
}

void TstAugment::soundsHaveTheRateOfTheWaves()
{
    check::AugmentationUse use = kOfWaves;
    use.sampleRateHz = kRate; // as upstream's recipes for telephone speech, which name no rate
    const auto augmenter = BatchAugmenter::from(
        object(kTime + "AddReverb",
            "    csv_file: " + path("click.csv")
                + "\n    replacements: {folder: " + m_folder.path().toStdString() + "}\n")
            .get(),
        use);
    QVERIFY2(augmenter, augmenter ? "" : augmenter.error().message.c_str());
    QVERIFY(torch::allclose(augmenter->apply(waves(), lengths()).x, waves(), 1e-4, 1e-6));
}

void TstAugment::reverb_isDrawnFromTheManifest()
{
    const auto augmenter = BatchAugmenter::from(
        object(kTime + "AddReverb",
            "    csv_file: " + path("room.csv") + "\n    clean_sample_rate: 8000\n"
                + "    rir_scale_factor: 0.5\n    replacements: {folder: "
                + m_folder.path().toStdString() + "}\n")
            .get(),
        kOfWaves);
    QVERIFY2(augmenter, augmenter ? "" : augmenter.error().message.c_str());
    const torch::Tensor reverberant = augmenter->apply(waves(), lengths()).x;
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
    const auto& use = className.contains("freq_domain") ? kOfFeatures : kOfWaves;
    const auto augmenter = BatchAugmenter::from(object(className.toStdString(), "").get(), use);
    QVERIFY2(augmenter, augmenter ? "" : augmenter.error().message.c_str());
    const torch::Tensor x = use.isOfWaves ? waves() : waves().view({ kRows, 100, 40 });
    const torch::Tensor before = x.clone();
    torch::manual_seed(17);
    (void)augmenter->apply(x, lengths());
    auto generator = at::globalContext().defaultGenerator(at::kCPU);
    const torch::Tensor state = generator.get_state();
    const torch::Tensor first = augmenter->apply(x, lengths()).x;
    const torch::Tensor second = augmenter->apply(x, lengths()).x;
    generator.set_state(state);
    QVERIFY(torch::equal(augmenter->apply(x, lengths()).x, first));
    QVERIFY(torch::equal(augmenter->apply(x, lengths()).x, second));
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
    const auto& use = className.contains("freq_domain") ? kOfFeatures : kOfWaves;
    const auto augmenter = BatchAugmenter::from(object(className.toStdString(), "").get(), use);
    QVERIFY2(augmenter, augmenter ? "" : augmenter.error().message.c_str());
    const torch::Tensor x
        = (use.isOfWaves ? waves() : waves().view({ kRows, 100, 40 })).to(torch::kDouble);
    const auto handle
        = at::addThreadLocalCallback(at::RecordFunctionCallback(countDoubleRead).needsInputs(true));
    g_doubleReads = 0;
    torch::manual_seed(17);
    for (int i = 0; i < 20; ++i) // whatever is drawn
        QCOMPARE(augmenter->apply(x, lengths()).x.sizes(), x.sizes());
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
        = BatchAugmenter::from(object(className.toStdString(), "").get(), kOfWaves);
    QVERIFY2(augmenter, augmenter ? "" : augmenter.error().message.c_str());
    const torch::Tensor x = waves();
    torch::manual_seed(17);
    const torch::Tensor expected = augmenter->apply(x, lengths()).x;
    const precision::Autocast bf16(precision::Type::Bf16, torch::kCPU);
    torch::manual_seed(17);
    const torch::Tensor made = augmenter->apply(x, lengths()).x;
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
        = BatchAugmenter::from(object(className.toStdString(), "").get(), kOfWaves);
    QVERIFY2(augmenter, augmenter ? "" : augmenter.error().message.c_str());
    const torch::Tensor silent = torch::zeros({ kRows, kSamples });
    QVERIFY(torch::equal(augmenter->apply(silent, lengths()).x.abs(), silent));
}

void TstAugment::speeds_areDrawnElsewhere()
{
    const recipe::NodePtr node = objectOf("speed: !new:" + kTime
        + "SpeedPerturb\n    orig_freq: 8000\n    speeds: [90, 110]\n" + "flip: !new:" + kTime
        + "SignFlip\n    flip_prob: 1.0\n" + "x: !new:" + kAugmenter
        + "\n    min_augmentations: 2\n    max_augmentations: 2\n"
        + "    augmentations: [!ref <speed>, !ref <flip>]\n");
    const auto speeds = train::speedsOf(node.get());
    QVERIFY(speeds == (std::vector<double> { 0.9, 1.1 }));
    const auto augmenter = BatchAugmenter::from(node.get(), kOfWaves);
    QVERIFY2(augmenter, augmenter ? "" : augmenter.error().message.c_str());
    QVERIFY(torch::equal(augmenter->apply(waves(), lengths()).x, -waves()));
}

void TstAugment::speedThatIsNotAlwaysFirst_isDrawnForTheBatch_data()
{
    QTest::addColumn<QString>("arguments");
    QTest::newRow("behind another") << "    augmentations: [!ref <flip>, !ref <speed>]\n";
    for (const char* argument : { "shuffle_augmentations: True", "augment_prob: 0.99",
             "min_augmentations: 0", "concat_original: True", "repeat_augment: 2",
             "augment_end_index: 2", "parallel_augment: True" })
        QTest::newRow(argument) << QString("    augmentations: [!ref <speed>, !ref <flip>]\n    ")
                + argument + "\n";
    QTest::newRow("two speeds") << "    augmentations: [!ref <speed>, !ref <speed>]\n";
}

void TstAugment::speedThatIsNotAlwaysFirst_isDrawnForTheBatch()
{
    QFETCH(QString, arguments);
    const recipe::NodePtr node = objectOf("speed: !new:" + kTime
        + "SpeedPerturb\n    orig_freq: 8000\n    speeds: [50]\nflip: !new:" + kTime
        + "SignFlip\nx: !new:" + kAugmenter + "\n    max_augmentations: 2\n"
        + arguments.toStdString());
    QVERIFY(train::speedsOf(node.get()).empty());
    const auto augmenter = BatchAugmenter::from(node.get(), kOfWaves);
    QVERIFY2(augmenter, augmenter ? "" : augmenter.error().message.c_str());
    bool wasSlower = false;
    torch::manual_seed(2);
    for (int i = 0; i < 20; ++i) {
        const model::Augmented made = augmenter->apply(waves(), lengths());
        wasSlower = wasSlower || made.x.size(1) > kSamples;
        QCOMPARE(made.lengths_B.size(0), made.x.size(0));
    }
    QVERIFY(wasSlower);
    const QString refused
        = QString::fromStdString(refusal(node, { .isOfWaves = true, .carriesRows = false }));
    QVERIFY2(refused.contains("Paraformer"), qPrintable(refused));
}

void TstAugment::gathering_resamplesAsTheReaderDoes()
{
    for (const double speed : { 0.5, 0.9, 0.95, 1.05, 1.1, 1.25, 2.0, 0.975, 0.983 }) {
        const data::Ratio ratio = data::speedRatio(speed);
        for (const int64_t samples : { 3, 100, 3999 }) {
            const torch::Tensor x = waves().slice(1, 0, samples);
            QVERIFY(torch::allclose(
                model::gathered(x, ratio), model::resampleRows(x, ratio), 1e-5, 1e-6));
        }
    }
}

void TstAugment::rows_areToldOfWhichTheyWereMade_data()
{
    using Rows = QList<int>;
    QTest::addColumn<QString>("arguments");
    QTest::addColumn<Rows>("rows");
    QTest::newRow("as given") << "" << Rows();
    QTest::newRow("the unchanged too") << "concat_original: True" << Rows { 0, 1, 2, 0, 1, 2 };
    QTest::newRow("twice") << "repeat_augment: 2" << Rows { 0, 1, 2, 0, 1, 2 };
    QTest::newRow("each alone") << "parallel_augment: True" << Rows { 0, 1, 2, 0, 1, 2 };
    QTest::newRow("each alone, as many")
        << "parallel_augment: True\n    parallel_augment_fixed_bs: True" << Rows { 0, 1, 2 };
    QTest::newRow("some") << "augment_start_index: 1" << Rows { 1, 2 };
    QTest::newRow("none") << "augment_start_index: 2\n    augment_end_index: 2" << Rows { 0, 1, 2 };
    QTest::newRow("some beside others")
        << "augment_start_index: 2\n    concat_original: True\n    concat_end_index: 2"
        << Rows { 0, 1, 2 };
}

void TstAugment::rows_areToldOfWhichTheyWereMade()
{
    QFETCH(QString, arguments);
    QFETCH(QList<int>, rows);
    const recipe::NodePtr node = objectOf("flip: !new:" + kTime + "SignFlip\nx: !new:" + kAugmenter
        + "\n    min_augmentations: 2\n    augmentations: [!ref <flip>, !ref <flip>]\n    "
        + arguments.toStdString() + "\n");
    const auto augmenter = BatchAugmenter::from(node.get(), kOfWaves);
    QVERIFY2(augmenter, augmenter ? "" : augmenter.error().message.c_str());
    const model::Augmented made = augmenter->apply(waves(), lengths());
    QList<int> found;
    for (int64_t i = 0; i < (rows.isEmpty() ? 0 : made.rows_B.size(0)); ++i)
        found << made.rows_B[i].item<int>();
    QCOMPARE(found, rows);
    const int64_t count = rows.isEmpty() ? kRows : rows.size();
    QCOMPARE(made.x.size(0), count);
    for (int64_t i = 0; i < rows.size(); ++i) {
        QVERIFY(torch::equal(made.x[i].abs(), waves()[rows[i]].abs()));
        QVERIFY(torch::equal(made.lengths_B[i], lengths()[rows[i]]));
    }
    const bool isLeft = rows.isEmpty() || arguments.contains("fixed_bs");
    QCOMPARE(refusal(node, { .isOfWaves = true, .carriesRows = false }).empty(), isLeft);
}

void TstAugment::warp_isDoneInBothModes()
{
    std::vector<torch::Tensor> warped;
    for (const char* mode : { "bicubic", "bilinear" }) {
        const auto augmenter = BatchAugmenter::from(
            object(kFrequency + "Warping", std::string("    warp_mode: ") + mode + "\n").get(),
            kOfFeatures);
        QVERIFY2(augmenter, augmenter ? "" : augmenter.error().message.c_str());
        torch::manual_seed(17);
        warped.push_back(augmenter->apply(waves().view({ kRows, 100, 40 }), lengths()).x);
    }
    QVERIFY(!torch::equal(warped[0], warped[1]));
    // Between two frames bilinear stays between their values, bicubic overshoots.
    QVERIFY(warped[1].max().item<double>() <= waves().max().item<double>());
    const QString refused = QString::fromStdString(
        refusal(object(kFrequency + "Warping", "    warp_mode: nearest\n"), kOfFeatures));
    QVERIFY2(refused.contains("one of bicubic, bilinear"), qPrintable(refused));
}

void TstAugment::whatAParaformerCannotDo_isRefusedInWords_data()
{
    QTest::addColumn<QString>("className");
    QTest::addColumn<QString>("arguments");
    QTest::addColumn<QString>("words");
    const QString augmenter = QString::fromStdString(kAugmenter);
    QTest::newRow("rows") << augmenter << "    concat_original: True\n"
                          << "'concat_original' of Augmenter is not supported here";
    QTest::newRow("end") << augmenter << "    augment_end_index: 3\n"
                         << "changes the rows";
    QTest::newRow("lengths") << QString::fromStdString(kFrequency + "RandomShift") << "    dim: 1\n"
                             << "use dim: 2";
}

void TstAugment::whatAParaformerCannotDo_isRefusedInWords()
{
    QFETCH(QString, className);
    QFETCH(QString, arguments);
    QFETCH(QString, words);
    const recipe::NodePtr node = object(className.toStdString(), arguments.toStdString());
    const bool isOfWaves = !className.contains("freq_domain");
    const QString message
        = QString::fromStdString(refusal(node, { .isOfWaves = isOfWaves, .carriesRows = false }));
    QVERIFY2(message.contains(words), qPrintable(message));
    QCOMPARE(refusal(node, { .isOfWaves = isOfWaves, .carriesRows = true }), std::string());
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
    row("bounds", kTime + "DropChunk", "    drop_length_low: 3000\n    drop_length_high: 1000\n",
        "must be at most 'drop_length_high' 1000, not 3000");
    row("in turn", kTime + "AddNoise", "    csv_file: n.csv\n    sorting: original\n",
        "use random");
    row("no file", kTime + "AddNoise", "    csv_file: /nowhere/n.csv\n", "/nowhere/n.csv");
    row("no manifest", kTime + "AddReverb", "    csv_file: null\n", "must be a string, not null");
    row("masks drawn once", kTime + "FastDropChunk", "", "use DropChunk");
    row("of features", kFrequency + "Warping", "", "is not an augmentation of waves");
    row("unknown", kTime + "CutCat", "", "is not an augmentation that Kymo can apply");
}

void TstAugment::whatATrainingCannotDo_isRefusedInWords()
{
    QFETCH(QString, className);
    QFETCH(QString, arguments);
    QFETCH(QString, words);
    const QString message = QString::fromStdString(
        refusal(object(className.toStdString(), arguments.toStdString()), kOfWaves));
    QVERIFY2(message.startsWith("t.yaml:"), qPrintable(message));
    QVERIFY2(message.contains(words), qPrintable(message));
}

void TstAugment::disabledAugmentation_isLeftOut()
{
    const recipe::NodePtr node = objectOf("flip: !new:" + kTime + "SignFlip\n    flip_prob: 1.0\n"
        + "x: !new:" + kAugmenter
        + "\n    augmentations: [!ref <flip>]\n    enable_augmentations: [False]\n");
    const auto augmenter = BatchAugmenter::from(node.get(), kOfWaves);
    QVERIFY2(augmenter, augmenter ? "" : augmenter.error().message.c_str());
    QVERIFY(torch::equal(augmenter->apply(waves(), lengths()).x, waves()));
}

/// Of two numbers, 1 and 4, upstream's draw is one of 1 to 4, of which three apply both.
void TstAugment::switchedOffAugmentations_countInTheDraw()
{
    const std::string low = "    amp_low: 0.5\n    amp_high: 0.5\n";
    const recipe::NodePtr node
        = objectOf("flip: !new:" + kTime + "SignFlip\n    flip_prob: 1.0\nquiet: !new:" + kTime
            + "RandAmp\n" + low + "x: !new:" + kAugmenter
            + "\n    augmentations: [!ref <flip>, !ref <quiet>, !ref <flip>, !ref <flip>]\n"
            + "    enable_augmentations: [True, True, False, False]\n");
    const auto augmenter = BatchAugmenter::from(node.get(), kOfWaves);
    QVERIFY2(augmenter, augmenter ? "" : augmenter.error().message.c_str());
    const torch::Tensor given = waves(); // which seeds
    torch::manual_seed(3);
    constexpr int kDraws = 400;
    int both = 0;
    for (int i = 0; i < kDraws; ++i)
        both += torch::equal(augmenter->apply(given, lengths()).x, -given) ? 0 : 1;
    QVERIFY2(both > 0.68 * kDraws && both < 0.82 * kDraws, qPrintable(QString::number(both)));
}

QTEST_GUILESS_MAIN(TstAugment)
#include "tst_augment.moc"
