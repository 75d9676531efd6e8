// Learning-rate schedules.

#include "core/catalog/class_table.h"
#include "core/catalog/configs/schedule.h"
#include "core/catalog/configs/scheduler.h"
#include "core/catalog/read_impl.h"

namespace kymo::catalog {

void addSchedules(ClassTable& table)
{
    const std::string upstream = "speechbrain.nnet.schedulers.";
    add<WarmupHoldDecayConfig>(table, "kymo.schedulers.WarmupHoldDecay", Role::Scheduler);
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

KYMO_READ(WarmupHoldDecayConfig)
KYMO_READ(WarmupLrConfig)
KYMO_READ(NewBobSchedulerConfig)
KYMO_READ(NoamSchedulerConfig)
KYMO_READ(NoamIntervalSchedulerConfig)
KYMO_READ(LinearNoamSchedulerConfig)
KYMO_READ(LinearWarmupSchedulerConfig)
KYMO_READ(WarmAndExpDecayLrScheduleConfig)
KYMO_READ(WarmCoolDecayLrScheduleConfig)
KYMO_READ(TriStageLrScheduleConfig)
KYMO_READ(InverseSquareRootSchedulerConfig)
KYMO_READ(CyclicCosineSchedulerConfig)
KYMO_READ(CyclicLrSchedulerConfig)
KYMO_READ(IntervalSchedulerConfig)
KYMO_READ(LinearSchedulerConfig)
KYMO_READ(StepSchedulerConfig)
KYMO_READ(ReduceLrOnPlateauConfig)

} // namespace kymo::catalog
