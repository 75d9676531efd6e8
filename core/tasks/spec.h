#pragma once

#include "core/base/names.h"
#include "core/settings/frame_rate.h"
#include "core/settings/hotword_sampling.h"
#include "core/settings/known_key.h"
#include "core/settings/labels.h"
#include "core/settings/report.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace earwright::tasks {

/// Of what all tasks of SpeechBrain's recipes share, of the modules that they train, and of the run
/// around them.
inline constexpr settings::Reader kSpeechReader { "train::SpeechTask" };
inline constexpr settings::Reader kModulesReader { "train::ModuleSet" };
inline constexpr settings::Reader kTrainerReader { "train::Trainer" };
inline constexpr settings::Reader kTrainReader { "train" };
inline constexpr settings::Reader kEngineReader { "engine" };

/// One thing a task reads: any of these keys, the first by preference.
struct Needed {
    Names keys;
    std::string what; ///< "the encoder"
    Names losses {}; ///< a loss: which of speechbrain.nnet.losses it can be
    Names otherLosses {}; ///< those besides that are taken for one, by their whole names
    Names otherwise {}; ///< layers whose scripts have it without a key
};

/// Who feeds a layer, by the names that upstream's recipes and their training scripts give to the
/// layers of a model. A recipe names its objects; what runs after what is in the script.
struct Flow {
    Names layers;
    std::vector<Names> tiers; ///< the first one of which the recipe has somebody feeds the layer
    std::string argument {}; ///< what is fed; "" = the layer's input

    bool operator==(const Flow&) const = default;
};

/// What a rule of a task's looks at.
struct Checked {
    const recipe::Node& root; ///< resolved, a mapping
    const std::string& text; ///< as written
    const std::string& fileName;
};

/// Adds what cannot be trained as it is written.
using Rule = void (*)(const Checked&, settings::Diagnostics&);

/// What a model of another toolkit becomes by `earwright convert`.
struct ForeignModels {
    Names funasrClasses {}; ///< the last parts of their names: "Paraformer"
    bool isOfAllOthers = false; ///< those of WeNet and ESPnet that no task names
    bool hasSeacoLayers = false; ///< those of hotwords, which its converter writes
    bool hasFunasrCtc = false; ///< FunASR takes a CTC loss of them beside their own
    Names funasrDatasets {}; ///< whose rows they read besides AudioDataset's
    bool hasQueries = false; ///< CTC alone, told by a table of queries, which its converter writes
};

/// A training procedure that a recipe names by `task`, as far as it needs no Torch: all that the
/// rest of the program knows of it. The procedure itself is its folder's task.h.
struct Spec {
    std::string name; ///< "ctc", as the recipe says it
    std::vector<Needed> needed; ///< besides what every task needs: its manifests, the optimizer
    Names built; ///< keys whose objects it builds, besides those that every task builds
    /// Keys, of a recipe or of its `modules`, whose layers it runs; those that are names of one
    /// thing stand in a row, the first of them by preference.
    Names layerKeys;
    std::vector<Flow> flows {}; ///< between its layers; one that several have counts once
    Names searchKeys {}; ///< of searches that write its texts in validation and test
    std::vector<settings::KnownKey> keys {}; ///< that it reads
    /// Of these a recipe for another task is told that its task does not read them. Of the second,
    /// which recipes of upstream's hold for nothing, only where an override sets one.
    Names ownKeys {}, ownOverrides {};
    std::vector<Rule> rules {};
    bool carriesRows
        = true; ///< follows an augmentation that makes other rows or lengths of a batch
    /// Of the hotwords that it listens for, which the loader samples from the training texts. Null:
    /// it listens for none.
    settings::HotwordSampling (*hotwordSampling)(const recipe::Node& root) = nullptr;
    std::vector<settings::UtteranceLabel> utteranceLabels {}; ///< that its batches have
    bool cutsTextsAsItsModel = false; ///< by the byte pairs of its pretrained model's folder
    /// Texts may begin and end with labels of their tokenizer's own: BERT's [CLS] and [SEP].
    bool takesMarkedTexts = false;
    bool countsAccuracy = false; ///< of its decoder, the figure ACC; needs no search for it
    ForeignModels foreign {};
    /// What of a recipe that names no task tells that it is for this one: "'ctc_cost' and no
    /// decoder"; "" where nothing does. Null: never.
    std::string (*signs)(const recipe::Node& root) = nullptr;
    /// Never null:
    settings::SpecialLabels (*specialLabels)(const recipe::Node& root);
    Names (*classPaths)(const recipe::Node& root); ///< of what may say how many labels there are
    /// None where any length of a text can be aligned.
    std::optional<settings::FrameRate> (*frameRate)(const recipe::Node& root, int sampleRateHz);
    /// Of a text, where its decoder has places for so many. Null: any number.
    std::optional<int64_t> (*mostTokens)(const recipe::Node& root) = nullptr;
};

/// All of them, those of tasks.inc first. Their places stay.
const std::deque<Spec>& specs();
/// One more, only before main(): the list of known keys is made once.
void add(Spec spec);

/// Null where no task is called so.
const Spec* find(std::string_view name);
/// That of a resolved recipe; null where it names none.
const Spec* of(const recipe::Node& recipe);
Names names();

/// A task that a recipe's own keys tell of.
struct Likely {
    const Spec* task;
    std::string signs; ///< Spec::signs
};
/// All that do, whatever the recipe's key `task` says.
std::vector<Likely> likely(const recipe::Node& recipe);

/// Spec::layerKeys; none of a task that is not known.
const Names& layerKeys(std::string_view task);
/// The same for a recipe: without `model` and `Transformer` beside an `enc` that is run in their
/// place, and without a `model` that is the list of what is trained.
Names layerKeys(std::string_view task, const recipe::Node& recipe);

/// Spec::utteranceLabels of the task that a resolved recipe names; none where it names none.
std::vector<settings::UtteranceLabel> utteranceLabels(const recipe::Node& recipe);

// Of the task that a resolved recipe names, where it names none as of `task: ctc`:

/// The places of the labels that no text has.
settings::SpecialLabels specialLabels(const recipe::Node& recipe);
settings::OutputClasses outputClasses(const recipe::Node& recipe);
std::optional<settings::FrameRate> frameRate(const recipe::Node& recipe, int sampleRateHz);
/// Spec::mostTokens; none where a text may have any number.
std::optional<int64_t> mostTokens(const recipe::Node& recipe);

/// Whether the task that the recipe names follows an augmentation that makes other rows or lengths
/// of a batch. A Paraformer's does not.
bool carriesRows(const recipe::Node& recipe);
/// Makes shorter waves for a pretrained encoder.
inline constexpr const char* kDownsampler = "downsampler";
/// Whether the task runs the one that a recipe may have, and cuts its outputs by `upsampling`.
bool runsDownsampler(const recipe::Node& recipe);
/// Whether a training draws the speeds of `wav_augment` while utterances are read where it can: not
/// with a `downsampler`, behind which upstream's scripts augment.
bool drawsSpeedsWhileReading(const recipe::Node& recipe);

} // namespace earwright::tasks
