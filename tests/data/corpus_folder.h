#pragma once

#include "core/base/file.h"
#include "core/data/manifest.h"
#include "core/data/prepare/corpora.h"
#include "tests/data/audio_fixture.h"

#include <QTemporaryDir>

#include <algorithm>

namespace earwright::tests {

using Names = std::vector<std::string>;

constexpr int kRateHz = 8000;
constexpr size_t kSamples = 4000; // half a second

inline bool sound(const std::filesystem::path& path, int format = SF_FORMAT_WAV | SF_FORMAT_PCM_16)
{
    std::filesystem::create_directories(path.parent_path());
    return writeSound(
        path, sine(kSamples, 300, kRateHz), { .sampleRateHz = kRateHz, .format = format });
}

inline bool flac(const std::filesystem::path& path)
{
    return sound(path, SF_FORMAT_FLAC | SF_FORMAT_PCM_16);
}

inline bool text(const std::filesystem::path& path, const std::string& content)
{
    std::filesystem::create_directories(path.parent_path());
    return bool(writeFileAtomically(path, content));
}

inline bool always()
{
    return true;
}

template <class Value>
const char* why(const Result<Value>& result)
{
    return result ? "" : result.error().message.c_str();
}

/// "ID speaker text" of a manifest, in its order.
inline Names rowsOf(const std::filesystem::path& manifest)
{
    const auto utterances = data::readManifest(manifest, "");
    Names rows;
    if (!utterances)
        return { utterances.error().message };
    for (const data::Utterance& utterance : *utterances)
        rows.push_back(utterance.id + " " + utterance.speaker + " " + utterance.text);
    return rows;
}

/// Of all splits, sorted.
inline Names idsOf(const data::Corpus& corpus)
{
    Names ids;
    for (const auto& [split, utterances] : corpus.splits)
        for (const data::Utterance& utterance : utterances)
            ids.push_back(utterance.id);
    std::sort(ids.begin(), ids.end());
    return ids;
}

/// Small corpora in a folder that goes with the object.
class CorpusFolder {
protected:
    std::filesystem::path path(const std::string& name) const
    {
        return std::filesystem::path(m_dir.path().toStdString()) / name;
    }
    Result<data::Corpus> read(const std::string& corpus, const std::string& folder) const
    {
        return data::readCorpus(
            corpus, { .folder = path(folder), .outFolder = path(folder + " out") }, always);
    }

    bool makeLibriSpeech(const std::string& name) const
    {
        const std::filesystem::path root = path(name) / "LibriSpeech";
        return text(root / "SPEAKERS.TXT", ";\n")
            && flac(root / "train-clean-100/19/198/19-198-0001.flac")
            && flac(root / "train-clean-100/19/198/19-198-0000.flac")
            && flac(root / "train-clean-100/19/198/19-198-0009.flac")
            && text(root / "train-clean-100/19/198/19-198.trans.txt",
                "19-198-0000 CHAPTER ONE\n19-198-0001 IT'S LATE\n19-198-0002 GONE\n19-198-0003\n")
            && flac(root / "train-other-500/20/5/20-5-0000.flac")
            && text(root / "train-other-500/20/5/20-5.trans.txt", "20-5-0000 OTHER\n")
            && flac(root / "dev-clean/84/12/84-12-0000.flac")
            && text(root / "dev-clean/84/12/84-12.trans.txt", "84-12-0000 CLEAN\n")
            && flac(root / "dev-other/85/12/85-12-0000.flac")
            && text(root / "dev-other/85/12/85-12.trans.txt", "85-12-0000 OTHER DEV\n");
    }

private:
    QTemporaryDir m_dir;
};

} // namespace earwright::tests
