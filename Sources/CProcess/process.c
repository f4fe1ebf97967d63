#include "CProcess.h"

#include <stdlib.h>
#include <unistd.h>

static char **kept_arguments;

char **c_process_arguments(void) { return kept_arguments; }

#if defined(__linux__) && defined(__GLIBC__)
// Runs before the Swift runtime starts, whose own initialisers have no such priority. Without /proc (a bare chroot, some
// sandboxes) the runtime of a static program finds no path of its own and aborts before it has said a word, unless this
// variable names one; it only looks for its crash reporter there, which a static program does not have.
__attribute__((constructor(101))) static void prepare(int count, char **arguments) {
    kept_arguments = count > 0 ? arguments : NULL;
    if (access("/proc/self/exe", F_OK) != 0) setenv("SWIFT_ROOT", "/", 0);
}
#endif
