#ifndef C_PROCESS_H
#define C_PROCESS_H

/// The arguments that the process was started with, as main() gets them; NULL where the system hands them to main() only.
/// Swift reads them from /proc on Linux, and has none where there is no /proc.
char **c_process_arguments(void);

#endif
