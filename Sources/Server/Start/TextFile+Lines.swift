#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension TextFile {
    /// The lines of a file of any size, one after the other.
    package struct Lines: ~Copyable {
        /// How long a line may be.
        package static let lineLimit = 4 << 20
        private static let pieceSize = 64 << 10

        private let path: String
        private let descriptor: Int32
        private var piece = [UInt8](repeating: 0, count: Lines.pieceSize)
        private var rest: ArraySlice<UInt8> = []

        /// Opens a file; "-" is standard input.
        package init(_ path: String) throws(Failure) {
            self.path = path
            descriptor = path == "-" ? 0 : unsafe open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw Failure(path: path) }
        }

        deinit {
            if descriptor > 0 { _ = close(descriptor) }
        }

        /// The next line without its line break; nil at the end. The last one needs no line break.
        package mutating func next() throws(Failure) -> [UInt8]? {
            var line: [UInt8] = []
            while true {
                if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    line += rest[..<end]
                    rest = rest[(end + 1)...]
                    return line
                }
                line += rest
                rest = []
                guard line.count <= Self.lineLimit else { throw Failure(path: path, EFBIG) }
                let count = unsafe piece.withUnsafeMutableBytes { unsafe systemRead(descriptor, $0) }
                if count == 0 { return line.isEmpty ? nil : line }
                if count > 0 { rest = piece[..<count] } else if errno != EINTR { throw Failure(path: path) }
            }
        }
    }
}
