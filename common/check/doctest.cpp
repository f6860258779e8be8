// doctest's implementation, alone in its file: a program that brings its own does not link this one.
#define DOCTEST_CONFIG_IMPLEMENT
#define DOCTEST_CONFIG_NO_POSIX_SIGNALS  // Ctrl-C ends the judge at once, and its worker with it
#include <doctest/doctest.h>
