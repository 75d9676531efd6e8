#pragma once

#include "core/model/layer.h"

#include <memory>
#include <torch/types.h>

// Shapes: N texts, V tokens.

namespace earwright::model {

/// A model of texts, token by token. forward(): tokens [B, T] -> logits of the next ones [B, T, V].
class LanguageModel : public Layer {
public:
    /// What a model keeps of N texts between their tokens.
    class Memory {
    public:
        virtual ~Memory() = default;
        /// Text n goes on from where text rows_N[n] stood.
        virtual void reorder(const torch::Tensor& rows_N) = 0;
    };

    /// Of texts that have not begun.
    virtual std::unique_ptr<Memory> startTexts() const = 0;
    /// One more token of each text -> logits of the next, [N, V]: the last of forward() in
    /// evaluation, without a gradient. `memory`: of startTexts() of the same model.
    virtual torch::Tensor step(const torch::Tensor& tokens_N, Memory& memory) = 0;
};

} // namespace earwright::model
