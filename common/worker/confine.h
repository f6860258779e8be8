// What a worker of the CPU backend does before the student's code begins.
#pragma once

namespace worker {

/// From now on this process reaches no other one and makes none. Each process of a worker says so for itself: the
/// rules name it.
void stay_alone();

/// Runs the constructors of the student's file, which worker.sh keeps from running by themselves.
void run_student_constructors();

}  // namespace worker
