#pragma once

namespace earwright {

/// Tells the C library to keep freed memory for the next allocation, up to 2 GiB a heap, where it
/// can be told (glibc). By default a tensor's memory of some MiB goes back to the kernel with every
/// step and its pages are cleared again for the next: a third of the time of CPU features. Called
/// once, first thing in a program that trains.
void keepFreedMemory();

} // namespace earwright
