// Learning-rate schedules.

#include "core/catalog/class_table.h"
#include "core/catalog/configs/schedule.h"
#include "core/catalog/configs/scheduler.h"
#include "core/catalog/read_impl.h"

namespace earwright::catalog {

void addSchedules(ClassTable& table)
{
    const std::string upstream = "speechbrain.nnet.schedulers.";
    add<WarmupHoldDecayConfig>(table, "earwright.schedulers.WarmupHoldDecay", Role::Scheduler);
    add<WarmupLrConfig>(table, "funasr.schedulers.warmup_lr.WarmupLR", Role::Scheduler);
    add<NewBobSchedulerConfig>(table, upstream + "NewBobScheduler", Role::Scheduler);
    add<NoamSchedulerConfig>(table, upstream + "NoamScheduler", Role::Scheduler);
    add<NoamIntervalSchedulerConfig>(table, upstream + "NoamIntervalScheduler", Role::Scheduler);
    add<LinearNoamSchedulerConfig>(table, upstream + "LinearNoamScheduler", Role::Scheduler);
    add<LinearWarmupSchedulerConfig>(table, upstream + "LinearWarmupScheduler", Role::Scheduler);
    add<WarmAndExpDecayLrScheduleConfig>(
        table, upstream + "WarmAndExpDecayLRSchedule", Role::Scheduler);
    add<WarmCoolDecayLrScheduleConfig>(
        table, upstream + "WarmCoolDecayLRSchedule", Role::Scheduler);
    add<TriStageLrScheduleConfig>(table, upstream + "TriStageLRSchedule", Role::Scheduler);
    add<InverseSquareRootSchedulerConfig>(
        table, upstream + "InverseSquareRootScheduler", Role::Scheduler);
    add<CyclicCosineSchedulerConfig>(table, upstream + "CyclicCosineScheduler", Role::Scheduler);
    add<CyclicLrSchedulerConfig>(table, upstream + "CyclicLRScheduler", Role::Scheduler);
    add<IntervalSchedulerConfig>(table, upstream + "IntervalScheduler", Role::Scheduler);
    add<LinearSchedulerConfig>(table, upstream + "LinearScheduler", Role::Scheduler);
    add<StepSchedulerConfig>(table, upstream + "StepScheduler", Role::Scheduler);
    add<ReduceLrOnPlateauConfig>(table, upstream + "ReduceLROnPlateau", Role::Scheduler);
}

EARWRIGHT_READ(WarmupHoldDecayConfig)
EARWRIGHT_READ(WarmupLrConfig)
EARWRIGHT_READ(NewBobSchedulerConfig)
EARWRIGHT_READ(NoamSchedulerConfig)
EARWRIGHT_READ(NoamIntervalSchedulerConfig)
EARWRIGHT_READ(LinearNoamSchedulerConfig)
EARWRIGHT_READ(LinearWarmupSchedulerConfig)
EARWRIGHT_READ(WarmAndExpDecayLrScheduleConfig)
EARWRIGHT_READ(WarmCoolDecayLrScheduleConfig)
EARWRIGHT_READ(TriStageLrScheduleConfig)
EARWRIGHT_READ(InverseSquareRootSchedulerConfig)
EARWRIGHT_READ(CyclicCosineSchedulerConfig)
EARWRIGHT_READ(CyclicLrSchedulerConfig)
EARWRIGHT_READ(IntervalSchedulerConfig)
EARWRIGHT_READ(LinearSchedulerConfig)
EARWRIGHT_READ(StepSchedulerConfig)
EARWRIGHT_READ(ReduceLrOnPlateauConfig)

} // namespace earwright::catalog
