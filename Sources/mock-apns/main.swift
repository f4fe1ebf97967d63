// Nothing else may stand here: a closure formed in this file would be bound to the main actor, and trap when a C library
// calls it on another thread.
Program.main()
