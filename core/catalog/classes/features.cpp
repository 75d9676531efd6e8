// Features and augmentations.

#include "core/catalog/configs/features.h"
#include "core/catalog/class_table.h"
#include "core/catalog/configs/augment/augmenter.h"
#include "core/catalog/configs/augment/drop_chunk.h"
#include "core/catalog/configs/augment/drop_frequency.h"
#include "core/catalog/configs/augment/level.h"
#include "core/catalog/configs/augment/noise.h"
#include "core/catalog/configs/augment/reverb.h"
#include "core/catalog/configs/augment/spectrogram_drop.h"
#include "core/catalog/configs/augment/speed.h"
#include "core/catalog/configs/augment/warping.h"
#include "core/catalog/read_impl.h"

namespace earwright::catalog {

void addFeatures(ClassTable& table)
{
    add<FbankConfig>(table, "speechbrain.lobes.features.Fbank", Role::Features);
    add<InputNormalizationConfig>(
        table, "speechbrain.processing.features.InputNormalization", Role::Features);
    add<AugmenterConfig>(table, "speechbrain.augment.augmenter.Augmenter", Role::Augmentation);
    add<SpeedPerturbConfig>(
        table, "speechbrain.augment.time_domain.SpeedPerturb", Role::Augmentation);
    add<DropFreqConfig>(table, "speechbrain.augment.time_domain.DropFreq", Role::Augmentation);
    add<DropChunkConfig>(table, "speechbrain.augment.time_domain.DropChunk", Role::Augmentation);
    add<SpectrogramDropConfig>(
        table, "speechbrain.augment.freq_domain.SpectrogramDrop", Role::Augmentation);
    add<WarpingConfig>(table, "speechbrain.augment.freq_domain.Warping", Role::Augmentation);
    add<RandomShiftConfig>(
        table, "speechbrain.augment.freq_domain.RandomShift", Role::Augmentation);
    add<AddNoiseConfig>(table, "speechbrain.augment.time_domain.AddNoise", Role::Augmentation);
    add<AddReverbConfig>(table, "speechbrain.augment.time_domain.AddReverb", Role::Augmentation);
    add<DoClipConfig>(table, "speechbrain.augment.time_domain.DoClip", Role::Augmentation);
    add<RandAmpConfig>(table, "speechbrain.augment.time_domain.RandAmp", Role::Augmentation);
    add<DropBitResolutionConfig>(
        table, "speechbrain.augment.time_domain.DropBitResolution", Role::Augmentation);
    add<SignFlipConfig>(table, "speechbrain.augment.time_domain.SignFlip", Role::Augmentation);
    add<FastDropChunkConfig>(
        table, "speechbrain.augment.time_domain.FastDropChunk", Role::Augmentation);
}

EARWRIGHT_READ(FbankConfig)
EARWRIGHT_READ(InputNormalizationConfig)
EARWRIGHT_READ(AugmenterConfig)
EARWRIGHT_READ(SpeedPerturbConfig)
EARWRIGHT_READ(DropFreqConfig)
EARWRIGHT_READ(DropChunkConfig)
EARWRIGHT_READ(SpectrogramDropConfig)
EARWRIGHT_READ(WarpingConfig)
EARWRIGHT_READ(RandomShiftConfig)
EARWRIGHT_READ(AddNoiseConfig)
EARWRIGHT_READ(AddReverbConfig)
EARWRIGHT_READ(DoClipConfig)
EARWRIGHT_READ(RandAmpConfig)
EARWRIGHT_READ(DropBitResolutionConfig)
EARWRIGHT_READ(SignFlipConfig)
EARWRIGHT_READ(FastDropChunkConfig)

} // namespace earwright::catalog
