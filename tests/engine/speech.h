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

/// The same speech as two different channels at 44.1 kHz (linear interpolation is enough for a
/// test's input).
inline void writeStereo44k(const QString& source, const QString& target)
{
    SF_INFO info {};
    SNDFILE* in = sf_open(source.toUtf8().constData(), SFM_READ, &info);
    std::vector<float> samples(static_cast<size_t>(info.frames));
    sf_readf_float(in, samples.data(), info.frames);
    sf_close(in);
    const double step = info.samplerate / 44100.0;
    std::vector<float> out;
    for (double place = 0; place + 1 < static_cast<double>(samples.size()); place += step) {
        const auto index = static_cast<size_t>(place);
        const auto part = static_cast<float>(place - std::floor(place));
        const float value = samples[index] * (1 - part) + samples[index + 1] * part;
        out.insert(out.end(), { value, value * 0.5f });
    }
    SF_INFO target44k {};
    target44k.samplerate = 44100;
    target44k.channels = 2;
    target44k.format = SF_FORMAT_WAV | SF_FORMAT_PCM_16;
    SNDFILE* file = sf_open(target.toUtf8().constData(), SFM_WRITE, &target44k);
    sf_writef_float(file, out.data(), static_cast<sf_count_t>(out.size() / 2));
    sf_close(file);
}

} // namespace earwright::tests
