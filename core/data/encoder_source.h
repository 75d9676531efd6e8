#pragma once

#include "core/base/result.h"
#include "core/catalog/configs/tokenizer.h"
#include "core/recipe/node.h"

#include <filesystem>
#include <optional>
#include <string>

namespace earwright::data {

// Which text encoder a resolved recipe asks for:
// - `task: whisper`: byte pairs of the folder that its `whisper` names, whatever else there is;
// - `tokenizer: !new:speechbrain.tokenizers.SentencePiece.SentencePiece`: pieces;
// - `tokenizer: !new:sentencepiece.SentencePieceProcessor`: those of the trained model that its
//   `model_file` or `pretrainer.paths.tokenizer` names, a file here: nothing is fetched;
// - `tokenizer: !apply:transformers.BertTokenizer.from_pretrained`: word pieces of the folder
//   that it names;
// - `label_encoder_file: FILE.model`: those of this trained model;
// - `label_encoder`: characters, or words with `token_type: word`;
// - neither: what `token_type` says (char, unigram and bpe are SentencePiece's, of
//   `output_neurons` pieces, with `character_coverage` and `save_folder`, as upstream's scripts for
//   Common Voice read these keys), characters where there is no `token_type`.

/// What a run keeps characters and words as, in its folder.
inline constexpr const char* kLabelFile = "label_encoder.txt";

/// The class that trains its own model.
inline constexpr const char* kSentencePiece = "speechbrain.tokenizers.SentencePiece.SentencePiece";

/// Where a new run reads its encoder from.
struct EncoderSource {
    std::filesystem::path file; ///< "" where the encoder is made of the training texts
    bool isPieces = false; ///< a SentencePiece model, else a label encoder's file
    bool isOfStart = false; ///< it lies beside the weights of `init_param`
    bool isBytePairs = false; ///< tokenizer.json or vocab.json of Whisper's folder
    bool isWordPieces = false; ///< tokenizer.json or vocab.txt of BERT's folder
};
/// A trained model that the recipe names and byte pairs may not exist; all else does. "" where
/// Whisper's folder or BERT's is not here.
EncoderSource encoderSource(const recipe::Node& recipe);

/// The folder of a `task: whisper`, in which its tokenizer is. Errors are findHubFolder()'s.
Result<std::filesystem::path> whisperFolder(const recipe::Node& root);
/// The recipe's `tokenizer` where it is BERT's, else null.
recipe::NodePtr bertTokenizer(const recipe::Node& root);
/// The folder that it names. Errors are findHubFolder()'s.
Result<std::filesystem::path> bertFolder(const recipe::Node& tokenizer);
/// The recipe's `tokenizer` where it is a trained model, else null.
recipe::NodePtr trainedTokenizer(const recipe::Node& root);
/// The file of such a model; "" where the recipe names none.
std::string pretrainedModel(const recipe::Node& root, const recipe::Node& tokenizer);
/// The bytes of a trained model. Errors: none is named (""), it cannot be read.
Result<std::string> readModel(const std::filesystem::path& file);
/// What a tokenizer that is to be trained is made by; nothing where the texts are cut into
/// characters or words, or the model is a trained one.
std::optional<catalog::SentencePieceConfig> piecesOf(const recipe::Node& root);
/// The model that was trained for it before, by upstream's name, else that of the run which the
/// weights are from; "" where there is neither.
std::filesystem::path trainedModel(
    const catalog::SentencePieceConfig& config, const recipe::Node& root);
/// The labels that a new run begins with: those of `label_encoder_file` or, where the recipe has
/// no such key, of the run that its weights are from. A model that is named may not exist: no
/// labels of texts may stand for it.
std::filesystem::path existingLabels(const recipe::Node& root);

/// The label encoder's file or the SentencePiece model that lies beside weights, where a run keeps
/// it: in the run's folder or, in SpeechBrain's, above its checkpoints. "" where there is none.
std::filesystem::path encoderBeside(const std::filesystem::path& weights);

/// Where a run keeps its encoder: `tokenizer.json`, `tokenizer.model` or `label_encoder.txt` in its
/// folder.
std::filesystem::path encoderFile(
    const recipe::Node& recipe, const std::filesystem::path& runFolder);

} // namespace earwright::data
