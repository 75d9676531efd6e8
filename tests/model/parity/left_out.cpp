#include "tests/model/parity/left_out.h"

#include <algorithm>
#include <fnmatch.h>

namespace earwright::tests {

namespace {

/// Parts of a JSON that say what was asked of upstream, in which words, and how exact it is.
constexpr const char* kQuestions[] = { "/case", "/group", "/torch", "/notes", "/upstream*",
    "/constructor", "/call", "/call_style", "/mode", "/loss", "/numerics", "/tolerance*",
    "/sensitivity", "/grad_inputs", "/data", "/optimizer", "/optimizer_initial_lr", "/run_opts",
    "/epochs_given", "/batch_size", "/shuffle", "/newbob", "/zero_gradient_params", "/param_groups",
    "/max_grad_norm", "/unused_params", "/transformer", "/lm", "/scorers", "/arpa", "/hotwords",
    "/draws", "/lengths", "/pairs (*", "/tokenisation", "/labels", "/target", "/target_len",
    "/predict", "/filter_in", "/tokens (without*", "/rows/*/lens", "/steps/*/call", "/steps/*/mode",
    "/steps/*/epoch", "/batches/*/epoch", "/batches/*/ids", "/batches/*/step_in_epoch",
    "/batches/*/should_step", "/epochs/*/epoch", "/cases/*/constructor", "/cases/*/seed",
    "/cases/*/out", "/cases/*/draws", "/cases/*/randint_calls", "/cases/*/ref", "/cases/*/hyp",
    "/resamplers/*/orig_freq", "/resamplers/*/new_freq", "/speedperturb_ratio*/*/speed",
    "/linear/constructor", "/step/constructor", "/step_half_life/constructor" };
/// Of a schedule's calls.
constexpr const char* kKnownCalls[] = { "call", "lr_before", "num_updates", "metric", "epoch",
    "loss", "current", "step_calls", "after_construction" };
/// Tensors that are given.
constexpr const char* kGiven[] = { "in.*", "param.*", "buffer.*", "draw.*" };

struct LeftOut {
    const char* test;
    const char* result;
    const char* why;
};

constexpr LeftOut kLeftOut[] = {
    { "sb_fbank_*", "out.stft", "a step inside the layer, which gives the features alone" },
    { "sb_fbank_*", "out.mag", "a step inside the layer" },
    { "sb_fbank_*", "out.fbank_matrix", "a step inside the layer" },
    { "sb_aug_resample", "kernel.*", "a step inside the resampler" },
    { "sb_aug_resample", "/resamplers/*/width", "a step inside the resampler" },
    { "sb_aug_resample", "/*/*/kernel_shape", "a step inside the resampler" },
    { "sb_edit_distance", "/cases/*/op_table", "a step inside the alignment" },
    { "sb_dynamic_batch_sampler", "/cases/*/bucket_lens", "a step inside the sampler" },
    { "*", "/param_shapes", "loadState compares the tensors themselves" },
    { "*", "/num_params", "loadState compares the tensors themselves" },
    { "*", "/frozen_params", "the gradients that are there are compared" },
    { "sb_s2s*", "/scores", "out.scores again" },
    { "sb_s2s*", "/lengths_out", "out.lengths again" },
    { "sb2_tfsearch_*", "/scores", "out.scores again" },
    { "sb2_tfsearch_*", "/lengths_out", "out.lengths again" },
    { "sb_sched_*", "/lr", "the rates of the sequence again" },
    { "sb_traj_joint_*", "/grad_norms", "out.step_grad_norm again" },
    { "sb_traj_a*", "final.*DNN.block_0.linear.w.bias",
        "no gradient but rounding: trajectory.cpp" },
    { "sb_traj_a*", "final.*DNN.block_0.norm.norm.running_mean", "follows that bias" },
    { "sb_traj_sgd", "final.*DNN.block_0.linear.w.bias", "no gradient but rounding" },
    { "sb_traj_sgd", "final.*DNN.block_0.norm.norm.running_mean", "follows that bias" },
    { "sb_crdnn_*", "/fresh_bn_buffers", "a fresh model here starts at 0 and 1: model/crdnn.h" },
    { "sb_edit_distance", "/summary_missing_hyps", "every utterance has a hypothesis here" },
    { "sb_text_encoder", "/cases/text_one_special_odd_chars", "no encoder for CTC: no blank" },
    { "sb_text_encoder", "/cases/categorical_literals", "no encoder for CTC: no blank" },
    { "sb_text_encoder", "/cases/*/collapse_labels*", "compared by sb_ctc_greedy" },
    { "sb_text_encoder", "/cases/*/prepend_bos", "compared as tokens_bos of sb_traj_joint_*" },
    { "sb_text_encoder", "/cases/*/append_eos", "compared as tokens_eos of sb_traj_joint_*" },
    { "sb_dynamic_batch_sampler", "/distributed_3_ranks*", "ranks share a batch: core/README.md" },
    { "sb_dynamic_batch_sampler", "/cases/*/batches_iterated_twice_without_set_epoch",
        "every epoch has its number here" },
    { "sb_padded_batch", "/rows/*/mask_mindeps*", "upstream's own slip, one frame too many" },
    { "sb_padded_batch", "/types/[nw]", "a batch here has no such columns" },
    { "sb_sched_*", "/sequence/*/returned/0", "the rate before the call, or the schedule's own" },
    { "sb_sched_warmcooldecay_from0", "/sequence/0", "nothing asks before the first step here" },
    { "sb_sched_linear_step", "/*/seq/0", "nothing asks before the first epoch here" },
};

/// Whether `name`, or what it is a part of, is meant.
bool matches(const char* pattern, const std::string& name)
{
    const int flags = name.starts_with('/') ? FNM_PATHNAME | FNM_LEADING_DIR : 0;
    return fnmatch(pattern, name.c_str(), flags) == 0;
}

bool isQuestion(const std::string& place)
{
    const auto isMeant = [&](const char* pattern) { return matches(pattern, place); };
    const auto isOfCall = [&](const char* member) {
        return matches((std::string("/sequence/*/") + member).c_str(), place);
    };
    return std::ranges::any_of(kQuestions, isMeant) || std::ranges::any_of(kKnownCalls, isOfCall);
}

bool isLeftOut(const Case& test, const std::string& result)
{
    return std::ranges::any_of(kLeftOut, [&](const LeftOut& one) {
        return fnmatch(one.test, test.name.c_str(), 0) == 0 && matches(one.result, result);
    });
}

bool isGiven(const std::string& tensor)
{
    return std::ranges::any_of(
        kGiven, [&](const char* pattern) { return matches(pattern, tensor); });
}

} // namespace

std::vector<std::string> unreadResults(const Case& test)
{
    std::vector<std::string> unread;
    for (const auto& [name, tensor] : test.tensors)
        if (!isGiven(name) && !test.account->contains(name) && !isLeftOut(test, name))
            unread.push_back(name);
    for (const std::string& place : unreadParts(test.json, *test.account))
        if (!isQuestion(place) && !isLeftOut(test, place))
            unread.push_back(place);
    return unread;
}

} // namespace earwright::tests
