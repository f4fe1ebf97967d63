/// The two worlds of APNs; device tokens, keys and channels belong to one of them.
package enum Environment: String, Sendable, CaseIterable {
    case sandbox, production
}
