#include "ui/utterances/utterance_sound.h"

#include "core/data/audio.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

namespace earwright::ui {

namespace {

constexpr double kWindowSeconds = 0.025;
constexpr double kHopSeconds = 0.01;
constexpr double kRangeDb = 80;
constexpr float kSilence = 1e-10F;

using Spectrum = std::vector<std::complex<float>>;

/// In place, over a power of two of values. Source: Cooley and Tukey, 1965.
void transform(Spectrum& values)
{
    const size_t size = values.size();
    for (size_t i = 1, j = 0; i < size; ++i) {
        size_t bit = size >> 1;
        for (; (j & bit) != 0; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j)
            std::swap(values[i], values[j]);
    }
    for (size_t length = 2; length <= size; length *= 2) {
        const auto turn = std::polar(1.0F, -2 * std::numbers::pi_v<float> / float(length));
        for (size_t start = 0; start < size; start += length) {
            std::complex<float> factor = 1;
            for (size_t k = start; k < start + length / 2; ++k, factor *= turn) {
                const std::complex<float> odd = values[k + length / 2] * factor;
                values[k + length / 2] = values[k] - odd;
                values[k] += odd;
            }
        }
    }
}

size_t powerOfTwoFrom(double least)
{
    size_t size = 64;
    while (static_cast<double>(size) < least)
        size *= 2;
    return size;
}

std::vector<UtteranceSound::Extent> waveOf(const std::vector<float>& samples)
{
    const size_t count = std::min<size_t>(samples.size(), UtteranceSound::kMostColumns);
    std::vector<UtteranceSound::Extent> wave(count);
    for (size_t i = 0; i < count; ++i) {
        const auto begin = samples.begin() + static_cast<ptrdiff_t>(i * samples.size() / count);
        const auto end = samples.begin() + static_cast<ptrdiff_t>((i + 1) * samples.size() / count);
        const auto [low, high] = std::minmax_element(begin, end);
        wave[i] = { *low, *high };
    }
    return wave;
}

/// Decibels of each frequency around a sample, from 0 Hz on.
std::vector<float> decibelsAround(
    const std::vector<float>& samples, size_t middle, const std::vector<float>& window)
{
    Spectrum values(powerOfTwoFrom(static_cast<double>(window.size())));
    for (size_t i = 0; i < window.size(); ++i) {
        const size_t at = middle + i;
        if (at >= window.size() / 2 && at - window.size() / 2 < samples.size())
            values[i] = samples[at - window.size() / 2] * window[i];
    }
    transform(values);
    std::vector<float> levels(values.size() / 2);
    for (size_t i = 0; i < levels.size(); ++i)
        levels[i] = 10 * std::log10(std::norm(values[i]) + kSilence);
    return levels;
}

QImage imageOf(const std::vector<std::vector<float>>& columns)
{
    const auto height = static_cast<int>(columns.front().size());
    QImage image(static_cast<int>(columns.size()), height, QImage::Format_Indexed8);
    float loudest = 10 * std::log10(kSilence);
    for (const std::vector<float>& column : columns)
        loudest = std::max(loudest, *std::max_element(column.begin(), column.end()));
    for (int y = 0; y < height; ++y) {
        uchar* line = image.scanLine(height - 1 - y);
        for (size_t x = 0; x < columns.size(); ++x) {
            const double level = 1 + (columns[x][static_cast<size_t>(y)] - loudest) / kRangeDb;
            line[x] = static_cast<uchar>(std::lround(255 * std::clamp(level, 0.0, 1.0)));
        }
    }
    return image;
}

QImage spectrogramOf(const std::vector<float>& samples, int sampleRateHz)
{
    const auto width = std::max<size_t>(16, static_cast<size_t>(kWindowSeconds * sampleRateHz));
    std::vector<float> window(width);
    for (size_t i = 0; i < width; ++i)
        window[i] = 0.5F
            - 0.5F * std::cos(2 * std::numbers::pi_v<float> * float(i) / float(width)); // Hann's
    const double hops = static_cast<double>(samples.size()) / (kHopSeconds * sampleRateHz);
    const auto count
        = static_cast<size_t>(std::clamp(hops, 1.0, double(UtteranceSound::kMostColumns)));
    std::vector<std::vector<float>> columns;
    for (size_t i = 0; i < count; ++i)
        columns.push_back(
            decibelsAround(samples, (2 * i + 1) * samples.size() / (2 * count), window));
    return imageOf(columns);
}

} // namespace

UtteranceSound soundOf(const std::vector<float>& samples, int sampleRateHz)
{
    UtteranceSound sound;
    sound.sampleRateHz = sampleRateHz;
    sound.seconds = static_cast<double>(samples.size()) / sampleRateHz;
    if (samples.empty())
        return sound;
    sound.wave = waveOf(samples);
    sound.spectrogram = spectrogramOf(samples, sampleRateHz);
    return sound;
}

UtteranceSoundPtr readUtteranceSound(const SoundPlace& place)
{
    const Result<data::Audio> audio = data::readAudio(place.file, 0, place.part);
    if (audio)
        return std::make_shared<const UtteranceSound>(soundOf(audio->samples, audio->sampleRateHz));
    UtteranceSound none;
    none.error = QString::fromStdString(audio.error().message);
    return std::make_shared<const UtteranceSound>(none);
}

} // namespace earwright::ui
