// Judges files by an array job of Slurm. Its tasks run this program on a list of files each, and put results
// into the same store; what has none when the array is over is submitted again.
#pragma once
#include <string>
#include <vector>

#include "grade/program/jobs.h"
#include "grade/program/store.h"

namespace grade {

struct cluster_wishes {
    size_t files_a_task = 20;
    size_t tasks_at_once = 0;          // 0: as Slurm has room
    std::vector<std::string> options;  // for sbatch
};

/// Fills in the results as run_jobs() does. `task` is the command that is run with "--list=FILE". A file that
/// has no result after three tries is an infrastructure_error. Throws std::runtime_error if Slurm refuses or
/// somebody stops this (Ctrl-C): then nothing is left in the queue, and what was judged is kept.
void run_on_cluster(std::vector<job>& jobs, const store& results, const cluster_wishes& wishes,
                    const std::vector<std::string>& task);

}  // namespace grade
