// A mutex for what takes less time than putting a thread to sleep.
#pragma once
#include <pthread.h>

namespace inspect {

/// Who finds it locked looks again for a while (some microseconds) before it sleeps: blocks of a grid end at the
/// same places in memory at the same time.
class short_mutex {
public:
    void lock() { pthread_mutex_lock(&mutex); }
    void unlock() { pthread_mutex_unlock(&mutex); }

private:
    pthread_mutex_t mutex = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;
};

}  // namespace inspect
