// Slurm by its commands: sbatch(1), squeue(1), scancel(1).
#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace grade {

/// An array job of tasks 0, 1, ..., from its submission until this goes away: what is left then is cancelled.
class slurm_array {
public:
    /// Has sbatch run a script with arguments, `tasks` times; `options` are words for sbatch. Throws
    /// std::runtime_error with Slurm's reason and what to do about it.
    slurm_array(size_t tasks, size_t most_at_once, const std::vector<std::string>& options,
                const std::vector<std::string>& script);
    ~slurm_array();
    slurm_array(const slurm_array&) = delete;
    slurm_array& operator=(const slurm_array&) = delete;

    /// What Slurm's queue says of it.
    struct queue {
        bool answered = true;  // else it is not known
        size_t running = 0, waiting = 0;
        size_t ending = 0;           // soon gone or waiting again; on a node that hangs so for ever
        std::string reason;          // why the first of those that wait does so, in Slurm's words
        bool held_for_good = false;  // Slurm gave up starting it
        /// "3 tasks run, 2 wait (Priority)"
        std::string text() const;
    };
    queue look() const;

private:
    std::string id_;
};

/// Cancels what is left of this user's jobs with this name.
void cancel_slurm_jobs(const std::string& name);

}  // namespace grade
