#pragma once

#include "core/catalog/field.h"

namespace earwright::catalog {

/// speechbrain.dataio.encoder.CTCTextEncoder; any other name is a special label.
struct CtcTextEncoderConfig {
    static constexpr bool kAcceptsAnyArgument = true;
    int64_t startingIndex = 0;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("starting_index", startingIndex, { .min = 0, .help = "index of the first label" });
    }
};

/// speechbrain.utils.metric_stats.ErrorRateStats
struct ErrorRateStatsConfig {
    bool mergeTokens = false;
    bool splitTokens = false;
    std::string spaceToken = "_";
    bool keepValues = true;
    bool extractConceptsValues = false;
    std::string tagIn;
    std::string tagOut;
    recipe::NodePtr equalityComparator;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("merge_tokens", mergeTokens, { .help = "join tokens to words first" });
        field("split_tokens", splitTokens, { .help = "count characters: CER" });
        field("space_token", spaceToken);
        field("keep_values", keepValues);
        field("extract_concepts_values", extractConceptsValues);
        field("tag_in", tagIn);
        field("tag_out", tagOut);
        field("equality_comparator", equalityComparator);
    }
};

/// speechbrain.utils.checkpoints.Checkpointer
struct CheckpointerConfig {
    std::string checkpointsDir;
    recipe::NodePtr recoverables;
    recipe::NodePtr customLoadHooks;
    recipe::NodePtr customSaveHooks;
    bool allowPartialLoad = false;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("checkpoints_dir", checkpointsDir, { .required = true });
        field("recoverables", recoverables, { .help = "name: object" });
        field("custom_load_hooks", customLoadHooks);
        field("custom_save_hooks", customSaveHooks);
        field("allow_partial_load", allowPartialLoad);
    }
};

/// speechbrain.utils.train_logger.FileTrainLogger
struct FileTrainLoggerConfig {
    std::string saveFile;
    int64_t precision = 2;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("save_file", saveFile, { .required = true });
        field("precision", precision, { .min = 0, .max = 17, .help = "decimals" });
    }
};

/// speechbrain.utils.seed_everything
struct SeedEverythingConfig {
    int64_t seed = 0;
    bool verbose = true;
    bool deterministic = false;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("seed", seed, { .min = 0, .max = 4294967295 });
        field("verbose", verbose);
        field("deterministic", deterministic);
    }
};

} // namespace earwright::catalog
