#include "core/train/task/loss_term.h"

#include <algorithm>

namespace earwright::train {

namespace {

LossTerm sum(std::string reduction, LossUnit over)
{
    return { .reduction = std::move(reduction), .over = over, .isMean = false };
}

LossTerm mean(std::string reduction, LossUnit over)
{
    return { .reduction = std::move(reduction), .over = over, .isMean = true };
}

/// `loss_weighting` comes before what the reduction says.
LossTerm weigh(LossTerm term, const std::string& lossWeighting)
{
    if (lossWeighting == "tokens")
        return sum("sum", LossUnit::Tokens);
    if (lossWeighting != "utterances" || term.over == LossUnit::Utterances)
        return term;
    return term.isMean ? mean("batchmean", LossUnit::Utterances)
                       : sum(term.reduction, LossUnit::Utterances);
}

LossTerm withEnd(LossTerm term)
{
    term.endTokens = 1;
    return term;
}

/// Utterances, or tokens with those that each row has besides its text.
double massOf(const LossTerm& term, int64_t rows, int64_t tokens)
{
    const int64_t all = tokens + term.endTokens * rows;
    return static_cast<double>(
        std::max<int64_t>(1, term.over == LossUnit::Utterances ? rows : all));
}

} // namespace

LossTerm ctcTerm(const std::string& reduction, const std::string& lossWeighting)
{
    const bool isMean = reduction == "mean" || reduction == "batchmean";
    return weigh(isMean ? mean(reduction, LossUnit::Utterances) : sum(reduction, LossUnit::Sum),
        lossWeighting);
}

LossTerm nllTerm(const std::string& reduction, const std::string& lossWeighting)
{
    LossTerm term = sum(reduction, LossUnit::Sum);
    if (reduction == "mean")
        term = mean(reduction, LossUnit::Tokens);
    if (reduction == "batchmean")
        term = mean(reduction, LossUnit::Utterances);
    return withEnd(weigh(term, lossWeighting));
}

LossTerm kldivTerm(const std::string& reduction, const std::string& lossWeighting)
{
    const LossTerm term = reduction == "batchmean" ? mean(reduction, LossUnit::Utterances)
                                                   : sum(reduction, LossUnit::Sum);
    return withEnd(weigh(term, lossWeighting));
}

double factorOf(const LossTerm& term, const data::Batch& part)
{
    if (term.over == LossUnit::Sum)
        return 1;
    const int64_t rows = part.wavLens_B.size(0);
    const int64_t stepRows = part.stepSize > 0 ? part.stepSize : part.wholeSize;
    const int64_t stepTokens = part.stepSize > 0 ? part.stepTokens : part.wholeTokens;
    double whole = massOf(term, stepRows, stepTokens);
    if (part.made) // see Note [Rows of an augmented batch]
        whole *= massOf(term, part.made->rows, part.made->tokens)
            / massOf(term, part.made->givenRows, part.made->givenTokens);
    return (term.isMean ? massOf(term, rows, part.tokens) : 1) / whole;
}

} // namespace earwright::train
