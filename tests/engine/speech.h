#pragma once

#include <QDir>
#include <QFile>
#include <QString>
#include <QStringList>
#include <sndfile.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace earwright::tests {

/// Rows of a manifest ID,duration,wav,spk_id,wrd, the header first. Fields of the sets used here
/// hold no comma.
inline std::vector<QStringList> readRows(const QString& file)
{
    std::vector<QStringList> rows;
    QFile csv(file);
    if (!csv.open(QIODevice::ReadOnly))
        return rows;
    for (const QByteArray& line : csv.readAll().trimmed().split('\n'))
        rows.push_back(QString::fromUtf8(line.trimmed()).split(','));
    return rows;
}

inline void writeRows(const QString& file, const std::vector<QStringList>& rows)
{
    QFile csv(file);
    if (!csv.open(QIODevice::WriteOnly))
        qFatal("cannot write %s", qPrintable(file));
    for (const QStringList& row : rows)
        csv.write(row.join(',').toUtf8() + '\n');
}

/// The rows of the first `count` utterances of `source` that are no longer than `seconds`, the
/// audio left where it is.
inline std::vector<QStringList> smallSet(
    const QString& source, size_t count, double seconds = std::numeric_limits<double>::infinity())
{
    std::vector<QStringList> rows = readRows(source + "/train.csv");
    if (!rows.empty())
        rows.erase(std::remove_if(rows.begin() + 1, rows.end(),
                       [&](const QStringList& row) { return row[1].toDouble() > seconds; }),
            rows.end());
    rows.resize(std::min(rows.size(), count + 1));
    for (QStringList& row : rows)
        row[2].replace("$data_root", source);
    return rows;
}

/// A folder with the rows as train, dev and test.
inline void writeSet(const QString& folder, const std::vector<QStringList>& rows)
{
    QDir().mkpath(folder);
    for (const char* split : { "train", "dev", "test" })
        writeRows(folder + "/" + split + ".csv", rows);
}

/// A sound of one channel.
struct Wave {
    std::vector<float> samples;
    SF_INFO info {};
};

inline Wave readWave(const QString& source)
{
    Wave wave;
    SNDFILE* file = sf_open(source.toUtf8().constData(), SFM_READ, &wave.info);
    wave.samples.resize(static_cast<size_t>(wave.info.frames));
    sf_readf_float(file, wave.samples.data(), wave.info.frames);
    sf_close(file);
    return wave;
}

inline void writeWave(const QString& target, const Wave& wave)
{
    SF_INFO info = wave.info;
    SNDFILE* file = sf_open(target.toUtf8().constData(), SFM_WRITE, &info);
    sf_write_float(file, wave.samples.data(), std::ssize(wave.samples));
    sf_close(file);
}

/// The same speech in another container and coding.
inline void writeAs(const QString& source, const QString& target, int format)
{
    Wave wave = readWave(source);
    wave.info.format = format;
    writeWave(target, wave);
}

/// The same speech again and again, with half a second between, for so long or a little more.
/// Returns its seconds.
inline double writeRepeated(const QString& source, const QString& target, double seconds)
{
    const Wave once = readWave(source);
    const auto rate = static_cast<size_t>(once.info.samplerate);
    Wave all { {}, once.info };
    all.info.format = SF_FORMAT_WAV | SF_FORMAT_PCM_16;
    while (static_cast<double>(all.samples.size()) < seconds * once.info.samplerate) {
        all.samples.insert(all.samples.end(), once.samples.begin(), once.samples.end());
        all.samples.insert(all.samples.end(), rate / 2, 0.0f);
    }
    writeWave(target, all);
    return static_cast<double>(all.samples.size()) / once.info.samplerate;
}

/// The same speech as two different channels at 44.1 kHz (linear interpolation is enough for a
/// test's input).
inline void writeStereo44k(const QString& source, const QString& target)
{
    const auto [samples, info] = readWave(source);
    const double step = info.samplerate / 44100.0;
    Wave out;
    for (double place = 0; place + 1 < static_cast<double>(samples.size()); place += step) {
        const auto index = static_cast<size_t>(place);
        const auto part = static_cast<float>(place - std::floor(place));
        const float value = samples[index] * (1 - part) + samples[index + 1] * part;
        out.samples.insert(out.samples.end(), { value, value * 0.5f });
    }
    out.info.samplerate = 44100;
    out.info.channels = 2;
    out.info.format = SF_FORMAT_WAV | SF_FORMAT_PCM_16;
    writeWave(target, out);
}

} // namespace earwright::tests
