#include "core/model/augment/noise.h"

#include "core/model/augment/amplitude.h"
#include "tests/data/audio_fixture.h"
#include "tests/files.h"
#include "tests/model/augmentation.h"
#include "tests/registry.h"

#include <QTemporaryDir>
#include <QTest>

#include <random>

using namespace earwright;
using namespace earwright::tests;
using model::Amplitude;
using train::BatchAugmenter;

/// What is mixed in or convolved with from the sounds of a manifest.
class TstNoise : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void noise_isMixedAtItsRatio();
    void shortNoise_isRepeatedOnlyWhereAsked();
    void noise_isTheWholeFilesWhateverIsKept_data();
    void noise_isTheWholeFilesWhateverIsKept();
    void noiseThatBreaks_isNamed();
    void response_leavesTheDirectSoundInItsPlace();
    void soundsHaveTheRateOfTheWaves();
    void reverb_isDrawnFromTheManifest();

private:
    std::string path(const char* name) const { return m_folder.filePath(name).toStdString(); }
    void write(const char* name, const QByteArray& bytes) const
    {
        writeFile(m_folder.filePath(name), bytes);
    }

    QTemporaryDir m_folder;
};

void TstNoise::initTestCase()
{
    // A loud noise that is longer than the waves, a short one, and a click behind 20 samples.
    std::vector<float> noise(3 * kSamples);
    for (size_t i = 0; i < noise.size(); ++i)
        noise[i] = i % 2 == 0 ? 0.5F : -0.5F;
    writeSound(path("long.wav"), noise, { .sampleRateHz = kRate });
    noise.resize(1000);
    writeSound(path("short.wav"), noise, { .sampleRateHz = kRate });
    std::vector<float> click(400, 0.0F);
    click[20] = 0.9F;
    writeSound(path("click.wav"), click, { .sampleRateHz = kRate });
    std::mt19937 random(3);
    std::normal_distribution<float> reflection(0, 0.1F);
    std::vector<float> room(800);
    for (size_t i = 0; i < room.size(); ++i)
        room[i] = reflection(random) * std::exp(-static_cast<float>(i) / 100);
    writeSound(path("room.wav"), room, { .sampleRateHz = kRate });
    std::vector<float> sound(5000);
    for (float& sample : sound)
        sample = reflection(random);
    writeSound(path("sound.flac"), sound,
        { .sampleRateHz = kRate, .format = SF_FORMAT_FLAC | SF_FORMAT_PCM_16 });
    write("room.csv", "ID,duration,wav\n1,0.1,$folder/room.wav\n");
    write("long.csv", "ID,duration,wav\n1,1.5,$folder/long.wav\n");
    write("short.csv", "ID,duration,wav\n1,0.125,$folder/short.wav\n");
    write("click.csv", "ID,duration,wav\n1,0.05,$folder/click.wav\n");
    write("mixed.csv",
        "ID,duration,wav\n1,1.5,$folder/long.wav\n2,0.1,$folder/short.wav\n"
        "3,0.1,$folder/room.wav\n4,0.6,$folder/sound.flac\n");
}

void TstNoise::noise_isMixedAtItsRatio()
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

void TstNoise::shortNoise_isRepeatedOnlyWhereAsked()
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

void TstNoise::noise_isTheWholeFilesWhateverIsKept_data()
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
void TstNoise::noise_isTheWholeFilesWhateverIsKept()
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

void TstNoise::noiseThatBreaks_isNamed()
{
    writeSound(path("breaking.wav"), std::vector<float>(100, 0.5F));
    write("breaking.csv", "ID,wav\n1," + m_folder.filePath("breaking.wav").toUtf8() + "\n");
    const auto augmenter = BatchAugmenter::from(
        object(kTime + "AddNoise", "    csv_file: " + path("breaking.csv") + "\n").get(), kOfWaves);
    QVERIFY2(augmenter, augmenter ? "" : augmenter.error().message.c_str());
    write("breaking.wav", "RIFF of nothing");
    std::string words;
    try {
        (void)augmenter->apply(waves(), lengths());
    } catch (const std::runtime_error& error) {
        words = error.what();
    }
    QVERIFY2(words.find("breaking.wav") != std::string::npos, words.c_str());
}

void TstNoise::response_leavesTheDirectSoundInItsPlace()
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

void TstNoise::soundsHaveTheRateOfTheWaves()
{
    settings::AugmentationUse use = kOfWaves;
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

void TstNoise::reverb_isDrawnFromTheManifest()
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

EARWRIGHT_TEST(TstNoise)
#include "tst_noise.moc"
