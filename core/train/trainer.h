#pragma once

#include "core/data/fingerprint.h"
#include "core/decode/hotword_rate.h"
#include "core/distributed/gradient_sync.h"
#include "core/distributed/group.h"
#include "core/plan/plan.h"
#include "core/precision/precision.h"
#include "core/run/event_log.h"
#include "core/run/run_folder.h"
#include "core/settings/optimizer_settings.h"
#include "core/train/dataset.h"
#include "core/train/evaluation.h"
#include "core/train/memory/fitting_pass.h"
#include "core/train/optim/encoder_learning.h"
#include "core/train/optim/optimizer.h"
#include "core/train/optim/scaled_schedule.h"
#include "core/train/step_board.h"
#include "core/train/task/task.h"
#include "core/train/weights/checkpoint.h"

#include <functional>
#include <memory>
#include <set>
#include <torch/optim/optimizer.h>

namespace earwright::train {

/// What the outside may ask of a rank at any time. Safe from any thread.
struct Requests {
    std::function<bool()> stop; ///< finish the step, save, leave
    std::function<bool()> checkpoint; ///< true once per request
    std::function<bool()> pause; ///< stand still until it is false
    std::function<std::optional<double>()> learningRate; ///< a new one, once per request
    std::function<void(const std::string& phase, int64_t step)> at
        = [](const std::string&, int64_t) {}; ///< where training is
};

enum class Outcome { Done, Stopped };

/// What a trainer works with; all outlive it.
struct Surroundings {
    const plan::Plan& plan;
    const run::RunFolder& folder;
    distributed::Group& group;
    run::EventWriter& events;
    const Requests& requests;
    c10::Device device;
    int64_t attempt = 0; ///< 0 = first start
};

/// A generator's state on every rank, one row a rank, by its name in a checkpoint.
using GeneratorStates = std::map<std::string, torch::Tensor>;

/// One rank's training from the first batch to the test scores. The loop itself is run() and
/// epoch(): everything they call is a part of this library with a test of its own.
class Trainer final {
public:
    /// Reads the data, builds the model, takes up the last checkpoint if there is one. Errors name
    /// file, line or object.
    static Result<std::unique_ptr<Trainer>> make(const Surroundings& surroundings);
    ~Trainer();

    /// Errors: an unreadable utterance, too many non-finite losses, replicas that differ. Throws
    /// c10::Error where a peer is gone.
    Result<Outcome> run();

private:
    struct Window; ///< the micro-batches of one optimizer step

    explicit Trainer(const Surroundings& surroundings);
    Status prepare();
    void makeManifests();
    void awaitManifests();
    Status readManifests();
    Status readData();
    void makeEncoderFile(const std::filesystem::path& file);
    Status compareData();
    std::vector<data::Fingerprint> fingerprints() const;
    void tellChanged(const data::Fingerprint& set, const std::string& how);
    Status inspectData();
    void inspectSplit(const Split& split);
    void tellShared();
    Status buildModel();
    Status loadSearches();
    Status verifyModel();
    size_t keptCheckpoints() const { return static_cast<size_t>(m_in.plan.options.avgCheckpoints); }
    void synchroniseStatistics();
    Status buildOptimizer();
    Status buildEncoderLearning();
    Result<std::unique_ptr<torch::optim::Optimizer>> makeOptimizerOf(const recipe::Node& optClass);
    void enterSecondStage();
    Status buildPass();
    Status resume();
    std::string checkpointToResume(const std::filesystem::path& folder);
    Status checkUnused();
    Result<std::vector<torch::Tensor>> dryGradients();
    Result<data::Batch> firstBatch();
    void announce();
    void announceParts();
    void reportNotFitting(const NotFitting& found);
    void gatherMemoryPlans();
    Status restoreMemoryPlan();
    Result<Checkpoint> sharedCheckpoint(const std::filesystem::path& path);
    int64_t stepsPerEpoch() const;

    bool hasEpochsLeft() const;
    bool isEpochCut() const;
    Result<Outcome> epoch();
    Result<bool> fillWindow(data::Loader& loader, Window& window);
    void forwardBackward(const data::Batch& batch, double share, bool last, Window& window);
    Reading readingOf(const Window& window) const;
    void beginStep();
    void optimizerStep(Window& window);
    std::vector<torch::optim::Optimizer*> dueOptimizers();
    void post();
    Status take();
    Status report();
    bool saveIsDue() const;
    Status reportReading(const Reading& reading);
    void reportMemory(const DeviceMemory& memory, int64_t step);
    Votes votes();
    void answerAlone(Stage stage, const GeneratorStates& generators);
    void saveAlone(const GeneratorStates& generators);
    void hear(const std::string& meeting, const std::function<Votes()>& ask);
    Status heed();
    Status obey();
    Status standStill();
    void changeLearningRate(double rate);
    bool goOn();
    bool goOnEvaluating(Stage stage, const GeneratorStates& generators);
    Status checkFinite(const Reading& reading);
    Status checkReplicas(bool atEpochEnd);

    Status finishEpoch();
    void shareBuffers();
    Result<Evaluation> evaluateSplit(
        const Split& split, Stage stage, const std::vector<std::string>& checkpoints = {});
    Status record(const Split& split, Stage stage, const Evaluation& scores,
        const std::string& hotwords, const std::vector<std::string>& checkpoints);
    Status readHotwords();
    void tellSpoken();
    void warnOfHotwords();
    void tellOfPretrained();
    std::string countHotwords(const Split& split, Evaluation& scores) const;
    std::set<std::string> testsDone(const std::vector<std::string>& checkpoints);
    Status test();
    Result<std::vector<std::string>> loadTestWeights();
    Status save(bool best, double metric = -1);
    Status write(const Checkpoint& state, bool best);
    GeneratorStates gatherGenerators() const;
    Checkpoint checkpoint(const GeneratorStates& generators);
    Status restore(const Checkpoint& checkpoint);
    Status restoreEncoderLearning(const Checkpoint& checkpoint);
    Status restoreSchedule(const Progress& progress, double rate);
    void layOutAnew(const Progress& progress);
    struct LaidOut {
        double before = 0;
        std::optional<double> now; ///< none where it cannot be told
        bool isAnother = false; ///< a schedule has other arguments than the checkpoint's
    };
    void tellLaidOut(const std::string& what, const LaidOut& rate);
    Status loadInitialWeights();
    void enterPhase(const std::string& phase);
    static std::string phaseOf(Stage stage);
    int64_t epochReached() const;
    void scalar(const std::string& tag, double value, int64_t step);

    const Surroundings m_in;
    Split m_train, m_valid;
    std::vector<Split> m_tests;
    bool m_hasOtherData = false; ///< than the run read before; rank 0
    std::shared_ptr<const data::TextEncoder> m_encoder;
    std::optional<decode::HotwordCounter> m_hotwords; ///< nothing counted; none without a list
    std::unique_ptr<Task> m_task;
    std::vector<std::pair<std::string, torch::Tensor>> m_parameters;
    std::unique_ptr<torch::optim::Optimizer> m_optimizer;
    std::optional<settings::SecondStage> m_secondStage; ///< of the recipe
    bool m_isInSecondStage = false; ///< m_optimizer is that stage's
    std::unique_ptr<ScaledSchedule> m_schedule;
    std::unique_ptr<EncoderLearning> m_encoderLearning; ///< null: m_optimizer has all parameters
    std::unique_ptr<precision::Precision> m_precision;
    std::unique_ptr<distributed::GradientSync> m_sync;
    std::unique_ptr<FittingPass> m_pass;
    Progress m_progress;
    Readings m_readings;
    StepBoard m_board;
    bool m_isRepeated = false; ///< every rank computes the same rows: see Note [Parts of a batch]
    bool m_isPrepared = false; ///< else it was stopped before there was anything to save
    bool m_stop = false;
    bool m_saveNow = false;
    bool m_pause = false;
    double m_newRate = 0; ///< agreed on by all ranks; 0 = none
    std::string m_scheduleOf; ///< Progress::scheduleOf of this run
    int64_t m_totalSteps = 0; ///< Progress::totalSteps of this run
    int64_t m_epochBatches = 0; ///< of the epoch under way
    double m_recipeRate = 0; ///< the optimizer's own, which the schedule begins with
    bool m_evaluationProved = false; ///< the census of the first evaluation is written
    double m_lastScale = 0;
    int64_t m_nonFiniteInARow = 0;
    std::optional<std::string>
        m_firstNonFinite; ///< step of this attempt, in words; "" = it was others' rows
    double m_lastSaveTime = 0;
};

} // namespace earwright::train
