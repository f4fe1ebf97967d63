import CNghttp2

/// Owns an nghttp2 session.
@safe
struct SessionHandle: ~Copyable {
    let pointer: OpaquePointer

    /// Takes ownership of a session.
    init(_ pointer: OpaquePointer) {
        unsafe self.pointer = pointer
    }

    deinit {
        unsafe nghttp2_session_del(pointer)
    }
}
