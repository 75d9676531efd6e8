#include "core/train/loop/evaluator.h"

#include "core/base/file.h"
#include "core/precision/census.h"

namespace earwright::train {

Result<Evaluation> Evaluator::evaluateSplit(
    const Split& split, Stage stage, const std::vector<std::string>& checkpoints)
{
    m_reporter.enterPhase(phaseOf(stage));
    shareBuffers();
    std::optional<precision::Census> census;
    if (m_in.group.isMain() && !m_isProved)
        census.emplace();
    const GeneratorStates generators = m_checkpoints.gatherGenerators();
    m_checkpoints.gatherMemoryPlans();
    Result<Evaluation> scores
        = evaluate(*m_model.task, split, stage, m_data.encoder, *m_model.precision, m_in.group,
            [this, stage, &generators] { return m_requests.goOnEvaluating(stage, generators); });
    if (!scores || scores->interrupted)
        return scores;
    const std::string hotwords = scores->isSearched ? countHotwords(split, *scores) : "";
    if (!m_in.group.isMain())
        return scores;
    if (census)
        m_in.events.write({ .payload
            = run::DtypeCensus { .stage = split.name, .shareByDtype = census->shares() } });
    m_isProved = true;
    const Status recorded = record(split, stage, *scores, hotwords, checkpoints);
    if (!recorded)
        return recorded.error();
    return scores;
}

/// Without sync_batchnorm every rank has running statistics of its own: rank 0's count, as in DDP.
void Evaluator::shareBuffers()
{
    if (m_in.plan.options.syncBatchnorm || m_in.group.size() == 1)
        return;
    for (const auto& [name, buffer] : m_model.task->modules().buffers())
        m_in.group.broadcast(buffer.detach());
}

/// How the hotwords of the recipe's list were heard: hotwords of `scores`, and a table by hotword;
/// "" without a list.
std::string Evaluator::countHotwords(const Split& split, Evaluation& scores) const
{
    if (!m_data.hotwords)
        return {};
    decode::HotwordCounter counter = *m_data.hotwords;
    for (size_t i = 0; i < scores.recognised.size(); ++i) {
        const auto& [utterance, text] = scores.recognised[i];
        std::vector<std::string> missed = counter.add((*split.utterances)[utterance].text, text);
        if (i < scores.utterances.size()) // of rank 0
            scores.utterances[i].missedHotwords = std::move(missed);
    }
    const auto tell = [&scores](const std::string& what, const decode::HotwordCount& count) {
        for (const auto& [figure, value] : count.figures())
            scores.hotwords[what + "_" + figure] = value;
    };
    tell("hotword", counter.all());
    tell("unseen_hotword", counter.unseen());
    return counter.table();
}

/// Alignments and utterances as files, the figures as events; without texts the figures alone.
Status Evaluator::record(const Split& split, Stage stage, const Evaluation& scores,
    const std::string& hotwords, const std::vector<std::string>& checkpoints)
{
    const std::string base = "alignments/"
        + (stage == Stage::Valid ? "valid-epoch-" + std::to_string(m_progress.epoch) : split.name);
    for (const auto& [figure, value] : scores.figures())
        m_reporter.scalar(split.name + "/" + figure, value, m_progress.step);
    if (!scores.isSearched)
        return Done {};
    const run::Evaluated evaluated { .split = split.name,
        .epoch = m_reporter.epochReached(),
        .step = m_progress.step,
        .loss = scores.loss,
        .wer = scores.wer.percent(),
        .cer = scores.cer.percent(),
        .alignmentsFile = base + ".txt",
        .rate = scores.rate,
        .checkpoints = checkpoints };
    Status written
        = writeFileAtomically(m_in.folder.path / evaluated.alignmentsFile, scores.alignments);
    if (written)
        written = writeFileAtomically(
            run::utterancesFile(m_in.folder, evaluated), run::utterancesText(scores.utterances));
    if (written && !hotwords.empty())
        written = writeFileAtomically(m_in.folder.path / (base + "-hotwords.tsv"), hotwords);
    if (!written)
        return written;
    m_in.events.write({ .payload = evaluated });
    return Done {};
}

} // namespace earwright::train
