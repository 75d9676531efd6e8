#pragma once

#include "core/data/encoder_source.h"
#include "core/data/text_encoder.h"

#include <optional>
#include <string>
#include <vector>

namespace earwright::data {

struct MadeEncoder {
    TextEncoder encoder;
    std::string note; ///< where it is from, for the log; "" where it is made of texts
    bool isMadeAnew = false; ///< of texts, whatever weights the training starts from
    bool isOfPart = false; ///< a tokenizer of some of the texts that a run trains it on
};

/// The encoder of a new run: of Whisper its folder's, told what `normalized_transcripts` says; of
/// BERT's tokenizer its folder's; else
/// read from `label_encoder_file` or from the tokenizer's trained
/// `<model_dir>/<vocab_size>_<model_type>.model` where there is such a file; else that of the run,
/// Earwright's or SpeechBrain's, in whose folder `init_param` lies, with labels of new texts behind
/// its own; else made of the training texts (for pieces, of what `annotation_train` and `text_file`
/// name). Errors: files that cannot be read, what cannot be trained, indices that labelConflicts()
/// calls unusable, a `token_type` that contradicts `label_encoder`, a trained model that is not
/// named, a `seaco_id` that a training text has.
Result<MadeEncoder> makeEncoder(
    const recipe::Node& recipe, const std::vector<std::string>& trainingTexts);

/// The same for a check, which has no minutes to train a tokenizer: on so many bytes of texts at
/// most, each first once. One that is of a part of the texts may have fewer pieces than the recipe
/// asks for. None where these cannot tell which letters all texts have.
Result<std::optional<MadeEncoder>> makeEncoderToCheck(
    const recipe::Node& recipe, const std::vector<std::string>& trainingTexts, size_t mostBytes);

/// Whether makeEncoder() trains a tokenizer.
bool trainsTokenizer(const recipe::Node& recipe);

/// SeACo takes every `seaco_id` in a text for "no hotword". A label that no text has may be it, as
/// one of FunASR's list is in the released model. An error names the text.
Status checkNoHotword(
    const TextEncoder& encoder, const recipe::Node& root, const std::vector<std::string>& texts);

/// The same where that trains no tokenizer, whatever its `seaco_id`; none otherwise and where it
/// would be made of no texts.
Result<std::optional<TextEncoder>> encoderWithoutTraining(
    const recipe::Node& recipe, const std::vector<std::string>& trainingTexts);

/// The encoder of a run that has begun.
Result<TextEncoder> loadEncoder(const recipe::Node& recipe, const std::filesystem::path& runFolder);

} // namespace earwright::data
