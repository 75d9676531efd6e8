#pragma once

#include "core/language/document.h"

#include <optional>
#include <string>

namespace earwright::language {

/// What is known of the thing at a place. Every part may be "".
struct Hover {
    recipe::Span span; ///< the word it is about
    std::string title; ///< "dropout: float", "speechbrain.nnet.linear.Linear"
    std::string value; ///< as resolved: "0.15", "!new:torch.nn.ReLU"
    std::string source; ///< "ctc.yaml:12", "default", "--lr=0.1"
    std::string help; ///< unit, range, default, choices and the catalogue's help
};

std::optional<Hover> hover(const Document& document, recipe::Position at);

/// As a Markdown paragraph for editors that show one.
std::string toMarkdown(const Hover& hover);

} // namespace earwright::language
