#pragma once

#include "core/catalog/field.h"

namespace earwright::catalog {

/// speechbrain.tokenizers.SentencePiece.SentencePiece
struct SentencePieceConfig {
    std::string modelDir;
    int64_t vocabSize = 0;
    std::optional<std::string> annotationTrain;
    std::optional<std::string> annotationRead;
    std::string modelType = "unigram";
    bool charFormatInput = false;
    double characterCoverage = 1.0;
    std::optional<std::string> userDefinedSymbols;
    int64_t maxSentencepieceLength = 10;
    int64_t bosId = -1;
    int64_t eosId = -1;
    int64_t padId = -1;
    int64_t unkId = 0;
    bool splitByWhitespace = true;
    std::optional<int64_t> numSequences;
    recipe::NodePtr annotationListToCheck;
    std::string annotationFormat = "csv";
    std::optional<std::string> textFile;
    bool addDummyPrefix = true;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("model_dir", modelDir,
            { .help = "a folder; VOCAB_TYPE.model in it is taken as it is", .required = true });
        field("vocab_size", vocabSize, { .min = 1, .help = "pieces", .required = true });
        field("annotation_train", annotationTrain,
            { .help = "a manifest to learn from; the training set if not given" });
        field("annotation_read", annotationRead, { .help = "its column; wrd if not given" });
        field("model_type", modelType, { .choices = { "unigram", "bpe", "char" } });
        field(
            "char_format_input", charFormatInput, { .help = "texts are spelt as a p p l e _ i s" });
        field("character_coverage", characterCoverage, { .min = 0.98, .max = 1.0 });
        field("user_defined_symbols", userDefinedSymbols);
        field("max_sentencepiece_length", maxSentencepieceLength,
            { .unit = "characters", .min = 1, .max = 512 });
        field("bos_id", bosId, { .min = -1, .help = "-1 = none" });
        field("eos_id", eosId, { .min = -1, .help = "-1 = none" });
        field("pad_id", padId, { .min = -1, .help = "-1 = none" });
        field("unk_id", unkId, { .min = 0, .help = "of what no piece spells" });
        field("split_by_whitespace", splitByWhitespace);
        field(
            "num_sequences", numSequences, { .min = 1, .help = "learn from the first ones only" });
        field("annotation_list_to_check", annotationListToCheck,
            { .help = "not read: a run tries the texts of all its manifests" });
        field("annotation_format", annotationFormat, { .choices = { "csv", "json" } });
        field("text_file", textFile, { .help = "one text a line, instead of annotation_train" });
        field("add_dummy_prefix", addDummyPrefix);
    }
};

/// sentencepiece.SentencePieceProcessor: a trained model.
struct SentencePieceProcessorConfig {
    static constexpr bool kAcceptsAnyArgument = true;
    std::optional<std::string> modelFile;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("model_file", modelFile,
            { .help = "a trained model; pretrainer.paths.tokenizer if not given" });
    }
};

/// transformers.BertTokenizer.from_pretrained: the word pieces of a folder of the Hub.
struct BertTokenizerConfig {
    std::string pretrainedModelNameOrPath;
    std::optional<std::string> cacheDir;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("pretrained_model_name_or_path", pretrainedModelNameOrPath,
            { .help = "a folder with vocab.txt, or an entry of the Hub's cache",
                .required = true });
        field("cache_dir", cacheDir, { .help = "the Hub's cache; the usual one if not given" });
    }
};

} // namespace earwright::catalog
