#include "core/base/keys.h"
#include "core/catalog/configs.h"
#include "core/catalog/read.h"
#include "core/data/sound_paths.h"
#include "core/model/augment/augmenter.h"
#include "core/model/augment/drop_chunk.h"
#include "core/model/augment/drop_frequency.h"
#include "core/model/augment/level.h"
#include "core/model/augment/noise.h"
#include "core/model/augment/reverb.h"
#include "core/model/augment/spectrogram_drop.h"
#include "core/model/augment/speed.h"
#include "core/model/augment/warping.h"
#include "core/model/layer_table.h"
#include "core/settings/augmentations.h"

#include <algorithm>

namespace earwright::model {

namespace {

using Made = Result<std::unique_ptr<Augmentation>>;

struct Asked {
    const recipe::Node& node;
    Speeds speeds;
    int sampleRateHz;

    Error error(const std::string& message) const
    {
        return Error { node.span.file + ":" + std::to_string(node.span.begin.line) + ": "
            + message };
    }
};

template <class Config>
Result<Config> read(const Asked& asked)
{
    std::vector<recipe::Diagnostic> diagnostics;
    Config config = catalog::readConfig<Config>(asked.node, diagnostics);
    for (const recipe::Diagnostic& diagnostic : diagnostics) {
        if (diagnostic.severity == recipe::Severity::Error)
            return asked.error(diagnostic.message);
    }
    return config;
}

template <class Type, class Config>
Made simple(const Asked& asked)
{
    const Result<Config> config = read<Config>(asked);
    if (!config)
        return config.error();
    return std::unique_ptr<Augmentation>(std::make_unique<Type>(*config));
}

Result<data::SoundList> soundsOf(
    const Asked& asked, const std::string& csvFile, const recipe::NodePtr& replacements)
{
    Result<data::SoundList> sounds
        = data::SoundList::read(csvFile, data::replacementsOf(replacements));
    return sounds ? std::move(sounds)
                  : Result<data::SoundList>(asked.error(sounds.error().message));
}

/// Upstream takes sounds as they lie where no rates are given, at whatever rate the waves have.
template <class Config>
Result<Config> readAtRate(const Asked& asked)
{
    Result<Config> config = read<Config>(asked);
    if (config && asked.sampleRateHz > 0)
        config->cleanSampleRate = asked.sampleRateHz;
    return config;
}

Made makeNoise(const Asked& asked)
{
    const auto config = readAtRate<catalog::AddNoiseConfig>(asked);
    if (!config)
        return config.error();
    std::optional<data::SoundList> sounds;
    if (config->csvFile) {
        Result<data::SoundList> read = soundsOf(asked, *config->csvFile, config->replacements);
        if (!read)
            return read.error();
        sounds = std::move(*read);
    }
    return std::unique_ptr<Augmentation>(std::make_unique<AddNoise>(*config, std::move(sounds)));
}

Made makeReverb(const Asked& asked)
{
    const auto config = readAtRate<catalog::AddReverbConfig>(asked);
    if (!config)
        return config.error();
    Result<data::SoundList> sounds = soundsOf(asked, config->csvFile, config->replacements);
    if (!sounds)
        return sounds.error();
    return std::unique_ptr<Augmentation>(std::make_unique<AddReverb>(*config, std::move(*sounds)));
}

/// With one augmentation fewer: it was among the first, and counts as applied.
void withoutOne(catalog::AugmenterConfig& config)
{
    config.minAugmentations = std::max<int64_t>(0, config.minAugmentations.value_or(1) - 1);
    if (config.maxAugmentations)
        config.maxAugmentations = std::max<int64_t>(0, *config.maxAugmentations - 1);
}

int64_t numSwitchedOff(const recipe::Node& augmenter)
{
    const recipe::NodePtr all = recipe::find(augmenter, "augmentations");
    return all ? std::ssize(all->items) - std::ssize(settings::enabledParts(augmenter)) : 0;
}

Made makeAugmenter(const Asked& asked)
{
    auto config = read<catalog::AugmenterConfig>(asked);
    if (!config)
        return config.error();
    const recipe::NodePtr drawnElsewhere
        = asked.speeds == Speeds::WhileReading ? settings::perUtteranceSpeed(asked.node) : nullptr;
    Augmenter::Parts parts;
    for (const recipe::NodePtr& node : settings::enabledParts(asked.node)) {
        if (node == drawnElsewhere) {
            withoutOne(*config);
            continue;
        }
        Made part = makeAugmentation(*node, Speeds::Here, asked.sampleRateHz);
        if (!part)
            return part.error();
        parts.push_back(std::move(*part));
    }
    return std::unique_ptr<Augmentation>(
        std::make_unique<Augmenter>(*config, std::move(parts), numSwitchedOff(asked.node)));
}

using Make = Made (*)(const Asked&);

const std::map<std::string, Make, std::less<>>& table()
{
    using namespace catalog;
    const std::string time = "speechbrain.augment.time_domain.";
    const std::string frequency = "speechbrain.augment.freq_domain.";
    static const std::map<std::string, Make, std::less<>> kTable = {
        { "speechbrain.augment.augmenter.Augmenter", makeAugmenter },
        { time + "AddNoise", makeNoise },
        { time + "AddReverb", makeReverb },
        { time + "DoClip", simple<DoClip, DoClipConfig> },
        { time + "DropBitResolution", simple<DropBitResolution, DropBitResolutionConfig> },
        { time + "DropChunk", simple<DropChunk, DropChunkConfig> },
        { time + "DropFreq", simple<DropFreq, DropFreqConfig> },
        { time + "FastDropChunk", simple<FastDropChunk, FastDropChunkConfig> },
        { time + "RandAmp", simple<RandAmp, RandAmpConfig> },
        { time + "SignFlip", simple<SignFlip, SignFlipConfig> },
        { time + "SpeedPerturb", simple<SpeedPerturb, SpeedPerturbConfig> },
        { frequency + "RandomShift", simple<RandomShift, RandomShiftConfig> },
        { frequency + "SpectrogramDrop", simple<SpectrogramDrop, SpectrogramDropConfig> },
        { frequency + "Warping", simple<Warping, WarpingConfig> },
    };
    return kTable;
}

} // namespace

std::vector<std::string> augmentationClasses()
{
    return keysOf(table());
}

Result<std::unique_ptr<Augmentation>> makeAugmentation(
    const recipe::Node& node, Speeds speeds, int sampleRateHz)
{
    const Asked asked { node, speeds, sampleRateHz };
    const std::string name = canonicalClass(recipe::newClass(node));
    const auto make = table().find(name);
    if (make == table().end())
        return asked.error(node.tag + " is not an augmentation that Earwright can apply");
    return make->second(asked);
}

} // namespace earwright::model
