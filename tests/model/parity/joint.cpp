#include "tests/model/parity/joint_recipe.h"
#include "tests/model/parity/runners.h"
#include "tests/model/parity/training.h"

#include "core/model/ctc_loss.h"
#include "core/precision/precision.h"
#include "core/tasks/ctc_attention/task.h"
#include "core/train/optim/optimizer.h"
#include "core/train/optim/schedule.h"
#include "core/train/task/target_texts.h"

#include <torch/nn/utils/rnn.h>
#include <torch/utils.h>

namespace earwright::tests {

namespace {

/// A whole training of joint CTC and attention: batches of 4 in the data's order, each padded to
/// its longest, and the rate of NoamScheduler set behind each optimizer step.
class JointTraining final {
public:
    explicit JointTraining(const Case& test)
        : m_test(test)
        , m_data(readCase("sb_traj_data", at::kCPU))
        , m_options(test.json.at("run_opts"))
        , m_accumulated(m_options.at("grad_accumulation_factor").get<int64_t>())
        , m_precision(precision::Type::Fp32, precision::Type::Fp32, parityDevice())
        , m_notes(test)
    {
        // Nine letters and the three special labels: as many as the case has tokens.
        auto labels = data::TextEncoder::fromTexts(
            { "abcdefghi" }, { .blank = 0, .bos = kBos, .eos = kEos });
        auto task = train::CtcAttentionTask::make(jointRecipe(test.json.at("constructor")).root(),
            std::make_shared<const data::TextEncoder>(std::move(labels)), parityDevice(),
            "reduction");
        TORCH_CHECK(task, task ? "" : task.error().message);
        m_task = std::move(*task);
        m_task->modules().to(parityDevice());
        m_parameters = m_task->modules().parameters();
        loadParameters();
        makeOptimizer();
        m_task->observe([this](const std::string& key, const torch::Tensor& input) {
            m_seen[key.empty() ? (m_seen.contains("p_ctc") ? "p_seq" : "p_ctc") : key] = input;
        });
    }

    std::vector<Quantity> run()
    {
        for (const Finding& epoch : m_test.finding("epochs").items()) {
            const auto number = epoch.at("epoch").as<int64_t>();
            m_task->startEpoch(number);
            m_task->modules().train(true);
            for (const Finding& batch : batchesOf(m_test, number))
                trainOn(batch);
            m_optimizer->zero_grad();
            validate(epoch);
        }
        noteFinalState();
        return m_notes.found();
    }

private:
    void loadParameters()
    {
        const torch::NoGradGuard noGrad;
        auto stored = m_test.under("param");
        for (auto& [name, parameter] : m_parameters) {
            TORCH_CHECK(stored.contains(name), "upstream has no parameter '", name, "'");
            parameter.copy_(stored.at(name));
            stored.erase(name);
        }
        TORCH_CHECK(stored.empty(), "Earwright has no parameter '", stored.begin()->first, "'");
        TORCH_CHECK(m_test.under("buffer").empty(), "buffers to load");
    }

    void makeOptimizer()
    {
        Json arguments = m_test.json.at("optimizer");
        const std::string className = arguments.at("class").get<std::string>();
        arguments.erase("class");
        Recipe recipe;
        recipe.addFunction("opt_class", className, arguments);
        recipe.addObject("noam_annealing", "speechbrain.nnet.schedulers.NoamScheduler",
            m_test.json.at("constructor").at("NoamScheduler"));
        std::vector<torch::Tensor> parameters;
        for (const auto& [name, parameter] : m_parameters)
            parameters.push_back(parameter);
        std::vector<recipe::Diagnostic> diagnostics;
        m_optimizer = train::makeOptimizer(
            *recipe::find(recipe.root(), "opt_class"), std::move(parameters), diagnostics);
        m_schedule
            = train::makeSchedule(recipe::find(recipe.root(), "noam_annealing").get(), diagnostics);
        TORCH_CHECK(
            m_optimizer && m_schedule, diagnostics.empty() ? "" : diagnostics.front().message);
    }

    data::Batch batchOf(const std::vector<int64_t>& ids) const
    {
        const Json& texts = m_test.json.at("tokens (without bos 1 / eos 2)");
        const torch::Tensor rows = torch::tensor(ids);
        const torch::Tensor samples = m_data.tensor("wav_samples").index_select(0, rows);
        const int64_t longest = samples.max().item<int64_t>();
        std::vector<torch::Tensor> tokens;
        std::vector<int64_t> counts;
        for (const int64_t id : ids) {
            tokens.push_back(
                torch::tensor(texts.at(static_cast<size_t>(id)).get<std::vector<int64_t>>()));
            counts.push_back(tokens.back().numel());
        }
        data::Batch batch;
        batch.wavs_BT = m_data.tensor("wav").index_select(0, rows).narrow(1, 0, longest);
        batch.wavLens_B = samples.to(at::kFloat) / static_cast<float>(longest);
        batch.tokens_BL = torch::nn::utils::rnn::pad_sequence(tokens, true);
        batch.tokenLens_B
            = torch::tensor(counts).to(at::kFloat) / static_cast<float>(batch.tokens_BL.size(1));
        batch.tokens = batch.wholeTokens = torch::tensor(counts).sum().item<int64_t>();
        batch.wholeSize = std::ssize(ids);
        return batch;
    }

    void trainOn(const Finding& record)
    {
        m_seen.clear();
        const data::Batch batch = batchOf(rowsOf(record));
        const torch::Tensor loss = m_task->run(batch, train::Stage::Train).loss;
        if (m_batch == 0)
            noteFirstForward(batch);
        noteParts(batch, m_test.finding("parts").at(m_batch++));
        m_precision.backward(loss / m_accumulated);
        const bool isDue = record.at("step_in_epoch").as<int64_t>() % m_accumulated == 0;
        m_notes.same("step is due", isDue, record.at("should_step").whole());
        if (isDue)
            step(m_test.finding("steps").at(m_step), loss.item<double>());
        m_notes.trained(record, loss, static_cast<int64_t>(m_step));
    }

    /// Which of the two losses is off, where their sum is.
    void noteParts(const data::Batch& batch, const Finding& expected)
    {
        const torch::NoGradGuard noGrad;
        const train::TargetTexts targets = train::textsBefore(kEos, batch);
        const torch::Tensor ctc
            = model::ctcLoss(m_seen.at("p_ctc"), batch.tokens_BL.to(parityDevice()),
                batch.wavLens_B, batch.tokenLens_B, { .blankIndex = 0, .reduction = "batchmean" });
        const torch::Tensor seq = model::kldivLoss(m_seen.at("p_seq"),
            targets.tokens_BU.to(parityDevice()), targets.lengths_B.to(parityDevice()),
            { .labelSmoothing = kLabelSmoothing, .reduction = "batchmean" });
        const std::string name = " of batch " + std::to_string(m_batch);
        m_notes.number("loss_ctc" + name, ctc.item<double>(), expected.at("loss_ctc"), "loss");
        m_notes.number("loss_seq" + name, seq.item<double>(), expected.at("loss_seq"), "loss");
    }

    void step(const Finding& expected, double loss)
    {
        const std::string name = std::to_string(m_step);
        if (m_step == 0)
            noteFirstGradients();
        const double rate = train::learningRate(*m_optimizer);
        for (const char* key : { "lr", "lr_used_by_this_step" })
            m_notes.exact("rate of step " + name, rate, expected.at(key).number(), 1e-12);
        const double norm
            = m_precision.step(*m_optimizer, m_options.at("max_grad_norm").get<double>(), false)
                  .gradNorm.item<double>();
        m_notes.stepped(norm);
        m_notes.number("norm of step " + name, norm, expected.at("grad_norm"), "grad_norm");
        m_notes.number("loss of step " + name, loss, expected.at("loss"), "loss");
        const double next = m_schedule->afterStep(rate);
        m_notes.exact(
            "rate after step " + name, next, expected.at("lr_set_for_next").number(), 1e-12);
        train::setLearningRate(*m_optimizer, next);
        m_optimizer->zero_grad();
        ++m_step;
    }

    void noteFirst(const std::string& name, const torch::Tensor& actual)
    {
        m_notes.tensor("mid.step1." + name, actual, m_test.tensor("mid.step1." + name), "loss");
    }

    void noteFirstForward(const data::Batch& batch)
    {
        const std::pair<const char*, const char*> kSeen[]
            = { { "CNN", "normed" }, { "Transformer", "src" }, { "ctc_lin", "enc" },
                  { "seq_lin", "pred" }, { "p_ctc", "p_ctc" }, { "p_seq", "p_seq" } };
        for (const auto& [ours, theirs] : kSeen)
            noteFirst(theirs, m_seen.at(ours));
        noteFirst("wav", batch.wavs_BT);
        noteFirst("lens", batch.wavLens_B);
        const train::TargetTexts targets = train::textsBefore(kEos, batch);
        noteFirst("tokens_bos", train::textsAfter(kBos, batch));
        noteFirst("tokens_eos", targets.tokens_BU);
        noteFirst("tokens_eos_lens", targets.lengths_B);
    }

    void noteFirstGradients()
    {
        for (const auto& [name, parameter] : m_parameters) {
            const torch::Tensor& expected = m_test.tensor("grad.step1." + name);
            if (expected.numel() > 0)
                m_notes.tensor("grad.step1." + name, parameter.grad(), expected, "grad_norm");
            else
                m_notes.same(name + " has a gradient", parameter.grad().defined(), false);
        }
    }

    void validate(const Finding& epoch)
    {
        const torch::NoGradGuard noGrad;
        m_task->modules().train(false);
        const data::Batch batch = batchOf({ 0, 1, 2, 3 });
        m_seen.clear();
        const train::TaskOutput output = m_task->run(batch, train::Stage::Valid);
        m_notes.validated(epoch, output.loss.item<double>());
        m_notes.same("texts", output.hypotheses.size(), batch.wavLens_B.size(0));
        // All texts of the case are equally long: no target is padding.
        const torch::Tensor targets = torch::constant_pad_nd(batch.tokens_BL, { 0, 1 }, kEos);
        const torch::Tensor right = m_seen.at("p_seq").argmax(-1).cpu() == targets;
        m_notes.exact("valid_acc", right.to(at::kDouble).mean().item<double>(),
            epoch.at("valid_acc").number(), 1e-6);
    }

    void noteFinalState()
    {
        for (const auto& [name, parameter] : m_parameters)
            m_notes.tensor("final." + name, withoutKeyBias(name, parameter.detach()),
                withoutKeyBias(name, m_test.tensor("final.param." + name)), "final_params");
        for (const auto& [name, tensor] : m_task->extraState()) {
            if (name.find("count") == std::string::npos)
                m_notes.note({ name, tensor, m_test.tensor("final." + name), { 1e-3, 1e-5 } });
        }
    }

    /// A softmax does not see what is added to all keys alike, so the exact gradient of their bias
    /// is zero, and what Adam makes of its rounding, a step of the learning rate either way, is no
    /// result.
    static torch::Tensor withoutKeyBias(const std::string& name, const torch::Tensor& parameter)
    {
        if (!name.ends_with("in_proj_bias"))
            return parameter;
        const std::vector<torch::Tensor> parts = parameter.chunk(3);
        return torch::cat({ parts.front(), parts.back() });
    }

    const Case& m_test;
    Case m_data;
    Json m_options;
    int64_t m_accumulated;
    precision::Precision m_precision;
    TrainingNotes m_notes;
    std::unique_ptr<train::Task> m_task;
    std::vector<std::pair<std::string, torch::Tensor>> m_parameters;
    std::map<std::string, torch::Tensor> m_seen; ///< by the key of the layer that was given it
    std::unique_ptr<torch::optim::Optimizer> m_optimizer;
    std::unique_ptr<train::Schedule> m_schedule;
    size_t m_batch = 0;
    size_t m_step = 0;
};

} // namespace

Runners jointRunners()
{
    return { { "speechbrain.core.Brain.fit with recipes/LibriSpeech/ASR/transformer logic",
        [](const Case& test, Comparison& compare) {
            compare.add(compared(JointTraining(test).run()));
        } } };
}

} // namespace earwright::tests
