#pragma once

#include "core/train/trainer_context.h"
#include "tests/train/rank_run.h"

namespace earwright::tests {

/// What one part of a trainer works with on one rank, without a training.
struct PartContext {
    /// The log lies in `path`. `requests` is what this rank is asked for.
    PartContext(distributed::Group& joined, const std::filesystem::path& path,
        train::Requests asked = noRequests())
        : group(joined)
        , folder { path }
        , requests(std::move(asked))
        , events(std::move(*run::EventWriter::open(folder.events(group.rank()), 0)))
    {
    }
    train::TrainerContext context()
    {
        return { plan, folder, group, *events, requests, c10::Device(c10::kCPU) };
    }

    distributed::Group& group;
    run::RunFolder folder;
    train::Requests requests;
    std::unique_ptr<run::EventWriter> events;
    plan::Plan plan {};
};

} // namespace earwright::tests
