#pragma once

#include <cstdint>
#include <string>

namespace earwright::catalog {

/// The run options of SpeechBrain's run_opts.py under its names, plus Earwright's own. One list of
/// fields: visit().
struct RunOptions {
    std::string task;
    std::string precision = "fp32"; ///< fp32 | tf32 | fp16 | bf16
    std::string evalPrecision = "fp32";
    int64_t seed = 1986;
    bool deterministic = false; ///< the same numbers each time on a GPU too, in more time
    int64_t numberOfEpochs = 1;
    int64_t gradAccumulationFactor = 1;
    double gradScalerInitScale = 65536; ///< torch.amp.GradScaler's init_scale, for fp16
    bool enableCudnnSdp = false; ///< torch.backends.cuda.enable_cudnn_sdp
    double maxGradNorm = 5.0;
    bool skipNonfiniteGrads = false;
    int64_t nonfinitePatience = 3;
    bool removeVectorWeightDecay = false; ///< 1-d parameters, such as norms and biases, have none
    int64_t optimizerStepLimit = 0; ///< 0 = none
    double ckptIntervalMinutes = 0;
    int64_t ckptIntervalSteps = 0;
    /// Which checkpoint is the best, by SpeechBrain's names (Brain.evaluate, find_checkpoint): the
    /// figure of the validation that it has the least, or the most, of. Neither: the error rate.
    std::string minKey; ///< "" | loss | WER | CER
    std::string maxKey; ///< "" | ACC | hotword_recall | hotword_precision | hotword_F1
    std::string splitWords = "white_space"; ///< white_space | single_blanks: score::WordSplit
    int64_t avgCheckpoints = 1; ///< best checkpoints that are kept, and whose mean is tested
    std::string lossWeighting = "reduction"; ///< reduction | utterances | tokens
    std::string freezeParam; ///< FunASR's freeze_param: names, prefixes or patterns of parameters,
                             ///< by commas
    std::string distributedBackend; ///< "" | nccl | gloo: of the GPUs' tensors; "" = nccl,
                                    ///< and of a single rank none
    bool findUnusedParameters = false;
    bool staticGraph = false;
    bool gradientAsBucketView = true;
    double bucketCapMb = 25;
    std::string ddpCommHook = "none"; ///< none | fp16 | bf16: what gradients are reduced in
    bool syncBatchnorm = true; ///< BatchNorm over the rows of all ranks
    double cpuMemoryLimitMb = 0; ///< of a CPU rank's tensors; 0 = none
    int64_t threadsPerRank = 0; ///< intra-op threads; 0 = OMP_NUM_THREADS, else cores / ranks here
    std::string initParam; ///< FunASR's init_param: weights to start from, files or folders by
                           ///< commas; "" = as initialised
    /// FunASR's name: weights of another shape than the recipe's are drawn anew. There the default
    /// is True; here what is not learnt from the file is not to go unseen.
    bool ignoreInitMismatch = false;
    std::string sorting = "random"; ///< ascending | descending | random | original
    bool syncGradients = true; ///< false only to prove that the replica check sees it
    int64_t replicaCheckInterval = 50; ///< optimizer steps between replica checksums; 0 = never
    double heartbeatTimeout = 30; ///< seconds without progress after which a rank counts as hung
    int64_t maxRestarts = 0; ///< after a failure, from the last checkpoint; torchrun's name
    int64_t minNprocPerNode = 0; ///< ranks that a restart may shrink to; 0 = all that were planned

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("task", task, "train");
        field("precision", precision, "precision::Precision");
        field("eval_precision", evalPrecision, "precision::Precision");
        field("seed", seed, "train, data");
        field("deterministic", deterministic, "model::makeDeterministic");
        field("number_of_epochs", numberOfEpochs, "train");
        field("grad_accumulation_factor", gradAccumulationFactor, "train");
        field("grad_scaler_init_scale", gradScalerInitScale, "precision::Precision");
        field("enable_cudnn_sdp", enableCudnnSdp, "at::Context");
        field("max_grad_norm", maxGradNorm, "train");
        field("skip_nonfinite_grads", skipNonfiniteGrads, "train");
        field("nonfinite_patience", nonfinitePatience, "train");
        field("remove_vector_weight_decay", removeVectorWeightDecay, "train");
        field("optimizer_step_limit", optimizerStepLimit, "train");
        field("ckpt_interval_minutes", ckptIntervalMinutes, "train");
        field("ckpt_interval_steps", ckptIntervalSteps, "train");
        field("min_key", minKey, "train::Checkpoint");
        field("max_key", maxKey, "train::Checkpoint");
        field("split_words", splitWords, "score::words");
        field("avg_checkpoints", avgCheckpoints, "train::Checkpoint");
        field("loss_weighting", lossWeighting, "train::SpeechTask");
        field("freeze_param", freezeParam, "train");
        field("distributed_backend", distributedBackend, "distributed::Group");
        field("find_unused_parameters", findUnusedParameters, "c10d::Reducer");
        field("static_graph", staticGraph, "c10d::Reducer");
        field("gradient_as_bucket_view", gradientAsBucketView, "c10d::Reducer");
        field("bucket_cap_mb", bucketCapMb, "c10d::Reducer");
        field("ddp_comm_hook", ddpCommHook, "c10d::Reducer");
        field("sync_batchnorm", syncBatchnorm, "model::BatchNorm");
        field("cpu_memory_limit_mb", cpuMemoryLimitMb, "c10::Allocator");
        field("threads_per_rank", threadsPerRank, "at::set_num_threads");
        field("init_param", initParam, "train");
        field("ignore_init_mismatch", ignoreInitMismatch, "train");
        field("sorting", sorting, "data::Batching");
        field("sync_gradients", syncGradients, "distributed::GradientSync");
        field("replica_check_interval", replicaCheckInterval, "distributed");
        field("heartbeat_timeout", heartbeatTimeout, "distributed::HangObserver");
        field("max_restarts", maxRestarts, "engine");
        field("min_nproc_per_node", minNprocPerNode, "engine");
    }
};

} // namespace earwright::catalog
