// Whoever starts servers in tests also wants frames, vectors and folders.
@_exported public import TestFixtures
