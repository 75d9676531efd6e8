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

#include <algorithm>

namespace kymo::model {

namespace {

using Made = Result<std::unique_ptr<Augmentation>>;

struct Asked {
    const recipe::Node& node;
    Domain domain;
    bool usable;

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

/// A place in a list that is gone through in turn would be in no checkpoint.
template <class Config>
Result<data::SoundList> soundsOf(const Asked& asked, const Config& config)
{
    if (asked.usable && config.sorting != "random")
        return asked.error("sorting '" + config.sorting
            + "' is not supported: the place in the list would be lost in a resumed run; use "
              "random");
    Result<data::SoundList> sounds
        = data::SoundList::read(*config.csvFile, data::replacementsOf(config.replacements));
    return sounds ? std::move(sounds)
                  : Result<data::SoundList>(asked.error(sounds.error().message));
}

Made makeNoise(const Asked& asked)
{
    const auto config = read<catalog::AddNoiseConfig>(asked);
    if (!config)
        return config.error();
    if (config->noiseFunct)
        return asked.error("noise_funct is not supported: without csv_file the noise is Gaussian");
    std::optional<data::SoundList> sounds;
    if (config->csvFile) {
        Result<data::SoundList> read = soundsOf(asked, *config);
        if (!read)
            return read.error();
        sounds = std::move(*read);
    }
    return std::unique_ptr<Augmentation>(std::make_unique<AddNoise>(*config, std::move(sounds)));
}

Made makeReverb(const Asked& asked)
{
    const auto config = read<catalog::AddReverbConfig>(asked);
    if (!config)
        return config.error();
    if (!config->csvFile)
        return asked.error("AddReverb needs csv_file, a manifest of impulse responses");
    Result<data::SoundList> sounds = soundsOf(asked, *config);
    if (!sounds)
        return sounds.error();
    return std::unique_ptr<Augmentation>(std::make_unique<AddReverb>(*config, std::move(*sounds)));
}

Made makeFastDropChunk(const Asked& asked)
{
    if (asked.usable)
        return asked.error(
            "FastDropChunk needs batches of one length, and a resumed run would draw "
            "other masks; use DropChunk");
    return simple<FastDropChunk, catalog::FastDropChunkConfig>(asked);
}

/// Labels belong to the batch's rows: their number must stay.
std::string changeOfRows(const catalog::AugmenterConfig& config)
{
    if (config.parallelAugment && !config.parallelAugmentFixedBs)
        return "parallel_augment";
    if (config.concatOriginal)
        return "concat_original";
    if (config.repeatAugment > 1)
        return "repeat_augment above 1";
    if (config.augmentStartIndex > 0 || config.augmentEndIndex)
        return "augment_start_index or augment_end_index";
    return "";
}

/// A training's speeds are drawn while the utterances are read: see train::speedsOf().
bool isDrawnElsewhere(const Asked& asked, const recipe::Node& part)
{
    return asked.usable
        && canonicalClass(recipe::newClass(part)) == "speechbrain.augment.time_domain.SpeedPerturb";
}

/// With one augmentation fewer: it was among the first, and counts as applied.
void withoutOne(catalog::AugmenterConfig& config)
{
    config.minAugmentations = std::max<int64_t>(0, config.minAugmentations.value_or(1) - 1);
    if (config.maxAugmentations)
        config.maxAugmentations = std::max<int64_t>(0, *config.maxAugmentations - 1);
}

Made makeShift(const Asked& asked)
{
    const auto config = read<catalog::RandomShiftConfig>(asked);
    if (!config)
        return config.error();
    if (asked.usable && config->dim == 1)
        return asked.error("RandomShift along time is not supported: it changes the lengths");
    return std::unique_ptr<Augmentation>(std::make_unique<RandomShift>(*config));
}

Made makeAugmenter(const Asked& asked)
{
    auto config = read<catalog::AugmenterConfig>(asked);
    if (!config)
        return config.error();
    if (const std::string what = changeOfRows(*config); asked.usable && !what.empty())
        return asked.error("Augmenter with " + what
            + " is not supported: it changes the number of rows of a batch");
    Augmenter::Parts parts;
    const std::vector<recipe::NodePtr> nodes
        = config->augmentations ? config->augmentations->items : std::vector<recipe::NodePtr>();
    for (size_t i = 0; i < nodes.size(); ++i) {
        if (config->enableAugmentations && i < config->enableAugmentations->size()
            && !(*config->enableAugmentations)[i])
            continue;
        if (isDrawnElsewhere(asked, *nodes[i])) {
            withoutOne(*config);
            continue;
        }
        Made part = makeAugmentation(*nodes[i], asked.domain, asked.usable);
        if (!part)
            return part.error();
        parts.push_back(std::move(*part));
    }
    return std::unique_ptr<Augmentation>(std::make_unique<Augmenter>(*config, std::move(parts)));
}

struct Row {
    Domain domain;
    Made (*make)(const Asked&);
};

const std::map<std::string, Row, std::less<>>& table()
{
    using namespace catalog;
    const std::string time = "speechbrain.augment.time_domain.";
    const std::string frequency = "speechbrain.augment.freq_domain.";
    static const std::map<std::string, Row, std::less<>> kTable = {
        { time + "AddNoise", { Domain::Waves, makeNoise } },
        { time + "AddReverb", { Domain::Waves, makeReverb } },
        { time + "DoClip", { Domain::Waves, simple<DoClip, DoClipConfig> } },
        { time + "DropBitResolution",
            { Domain::Waves, simple<DropBitResolution, DropBitResolutionConfig> } },
        { time + "DropChunk", { Domain::Waves, simple<DropChunk, DropChunkConfig> } },
        { time + "DropFreq", { Domain::Waves, simple<DropFreq, DropFreqConfig> } },
        { time + "FastDropChunk", { Domain::Waves, makeFastDropChunk } },
        { time + "RandAmp", { Domain::Waves, simple<RandAmp, RandAmpConfig> } },
        { time + "SignFlip", { Domain::Waves, simple<SignFlip, SignFlipConfig> } },
        { time + "SpeedPerturb", { Domain::Waves, simple<SpeedPerturb, SpeedPerturbConfig> } },
        { frequency + "RandomShift", { Domain::Features, makeShift } },
        { frequency + "SpectrogramDrop",
            { Domain::Features, simple<SpectrogramDrop, SpectrogramDropConfig> } },
        { frequency + "Warping", { Domain::Features, simple<Warping, WarpingConfig> } },
    };
    return kTable;
}

} // namespace

Result<std::unique_ptr<Augmentation>> makeAugmentation(
    const recipe::Node& node, Domain domain, bool usable)
{
    const Asked asked { node, domain, usable };
    const std::string name = canonicalClass(recipe::newClass(node));
    if (name == "speechbrain.augment.augmenter.Augmenter")
        return makeAugmenter(asked);
    const auto row = table().find(name);
    if (row == table().end() || row->second.domain != domain)
        return asked.error(node.tag + " is not an augmentation of "
            + (domain == Domain::Waves ? "waves" : "features") + " that Kymo can apply");
    return row->second.make(asked);
}

} // namespace kymo::model
