// A fault to plant: loaded before a worker, the cosine of its learning rate's schedule is that of the
// schedule's end, so that the rate falls to its final value as soon as warm-up is over. The plan, the
// configuration and every count stay as they are; only what is learned is less.

extern "C" double cos(double) noexcept { return -1; }
