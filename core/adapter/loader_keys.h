#pragma once

#include "core/adapter/recipe_text.h"
#include "core/tasks/spec.h"

namespace earwright::adapter {

/// FunASR's dataset_conf as keys of a recipe. Its lengths are frames of 10 ms, here they are
/// seconds: `batch_type: token` becomes `dynamic_batch_sampler` with `max_batch_length`, and the
/// lengths between which utterances are taken become `avoid_if_longer_than` and
/// `avoid_if_shorter_than`, also where FunASR's defaults leave utterances out. Its batches are of
/// each rank, here they are of all: `numRanks` times as large. What cannot be obeyed is refused,
/// what cannot be read is an error, and what changes nothing is passed over. Source:
/// funasr.datasets.audio_datasets.{samplers,index_ds}.
class LoaderKeys final {
public:
    struct Given {
        int64_t numRanks = 1; ///< of the run
        int64_t rateHz = 16000; ///< at which audio is read
    };

    LoaderKeys(const recipe::Node& section, Given given, RecipeText& recipe)
        : m_section(section)
        , m_numRanks(given.numRanks)
        , m_rateHz(given.rateHz)
        , m_recipe(recipe)
    {
    }

    /// Writes what it knows, and gives what is left of the section.
    recipe::NodePtr write(const tasks::ForeignModels& models);

private:
    /// False where nothing is known of it.
    bool take(const recipe::Entry& setting, const tasks::ForeignModels& models);
    /// Of a setting that is read with batches and lengths: what it leaves undone.
    void tellOfBatches(const recipe::Entry& setting);
    bool isTokenBatch() const;
    /// Whether FunASR sorts a buffer of rows before it makes token batches of them.
    bool isSorted() const;
    void writeBatches(const recipe::Entry& batchSize);
    void writeLengths();
    void put(const char* key, const std::string& value, const std::string& comment);
    std::string commentOf(const char* setting, const std::string& otherwise) const;

    const recipe::Node& m_section;
    int64_t m_numRanks;
    int64_t m_rateHz;
    RecipeText& m_recipe;
};

} // namespace earwright::adapter
