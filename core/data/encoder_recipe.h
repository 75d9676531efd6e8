#pragma once

#include "core/data/text_encoder.h"
#include "core/recipe/node.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace kymo::data {

// Which text encoder a resolved recipe asks for:
// - `tokenizer: !new:speechbrain.tokenizers.SentencePiece.SentencePiece`: pieces;
// - `tokenizer: !new:sentencepiece.SentencePieceProcessor`: those of the trained model that its
//   `model_file` or `pretrainer.paths.tokenizer` names, a file here: nothing is fetched;
// - `label_encoder_file: FILE.model`: those of this trained model;
// - `label_encoder`: characters, or words with `token_type: word`;
// - neither: what `token_type` says (char, unigram and bpe are SentencePiece's, of
//   `output_neurons` pieces, with `character_coverage` and `save_folder`, as upstream's scripts for
//   Common Voice read these keys), characters where there is no `token_type`.

/// What a run keeps characters and words as, in its folder.
inline constexpr const char* kLabelFile = "label_encoder.txt";

struct MadeEncoder {
    TextEncoder encoder;
    std::string note; ///< where it is from, for the log; "" where it is made of texts
    bool isMadeAnew = false; ///< of texts, whatever weights the training starts from
};

/// Where a new run reads its encoder from.
struct EncoderSource {
    std::filesystem::path file; ///< "" where the encoder is made of the training texts
    bool isPieces = false; ///< a SentencePiece model, else a label encoder's file
};
/// A trained model that the recipe names may not exist; all else does.
EncoderSource encoderSource(const recipe::Node& recipe);

/// The encoder of a new run: read from `label_encoder_file` or from the tokenizer's trained
/// `<model_dir>/<vocab_size>_<model_type>.model` where there is such a file; else that of the run,
/// Kymo's or SpeechBrain's, in whose folder `init_param` lies, with labels of new texts behind its
/// own; else made of the training texts (for pieces, of what `annotation_train` and `text_file`
/// name). Errors: files that cannot be read, what cannot be trained, indices that labelConflicts()
/// calls unusable, a `token_type` that contradicts `label_encoder`, a trained model that is not
/// named, a `seaco_id` that a training text has.
Result<MadeEncoder> makeEncoder(
    const recipe::Node& recipe, const std::vector<std::string>& trainingTexts);

/// SeACo takes every `seaco_id` in a text for "no hotword". A label that no text has may be it, as
/// one of FunASR's list is in the released model. An error names the text.
Status checkNoHotword(
    const TextEncoder& encoder, const recipe::Node& root, const std::vector<std::string>& texts);

/// The same where that trains no tokenizer, whatever its `seaco_id`; none otherwise, where it
/// cannot be made, and where it would be made of no texts.
std::optional<TextEncoder> encoderWithoutTraining(
    const recipe::Node& recipe, const std::vector<std::string>& trainingTexts);

/// The label encoder's file or the SentencePiece model that lies beside weights, where a run keeps
/// it: in the run's folder or, in SpeechBrain's, above its checkpoints. "" where there is none.
std::filesystem::path encoderBeside(const std::filesystem::path& weights);

/// Where a run keeps its encoder: `tokenizer.model` or `label_encoder.txt` in its folder.
std::filesystem::path encoderFile(
    const recipe::Node& recipe, const std::filesystem::path& runFolder);

/// The encoder of a run that has begun.
Result<TextEncoder> loadEncoder(const recipe::Node& recipe, const std::filesystem::path& runFolder);

} // namespace kymo::data
