#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace earwright::plan {

/// What a run may go on with otherwise than it began: how long it trains, how often it saves, how
/// it reads, what it does about failures and how its test searches. Nothing of it changes a step.
/// True for the dotted path of such a setting, and for all below it.
bool mayChange(std::string_view path);
/// Whether a path leads to such settings: "test_dataloader_opts".
bool leadsToChangeable(std::string_view path);
/// "number_of_epochs, optimizer_step_limit, …", for messages.
std::string changeableSettings();

/// Whether such a path is of how the test searches: then a run that has tested tests again.
bool isOfTestSearch(std::string_view path);

/// What may be made of such settings by references: the schedule of the learning rate, and a
/// checkpointer, which lists objects that are elsewhere.
bool mayFollow(std::string_view path);

/// The run option that a path sets: "number_of_epochs" of "epoch_counter.limit" too, and of
/// "train_conf.X" X; any other path as it is.
std::string optionOf(const std::string& path);

} // namespace earwright::plan
