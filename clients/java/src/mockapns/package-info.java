/** A stand-in for Apple's Push Notification service, for tests: see {@link mockapns.MockAPNsExtension}. */
package mockapns;
