/// The inspection log on disk: one JSON object a line, appended.
package final class InspectionLog: Sendable {
    /// A log that cannot be opened, in words for people.
    package struct OpenError: Error, Sendable {
        package let message: String
        package let errorNumber: Int32
    }

    /// The file.
    package let path: String
    /// How many bytes of an unfinished last line were cut off when the file was opened; 0 usually.
    package let cutBytes: Int

    /// Opens or makes the file and cuts off an unfinished last line.
    package init(path: String, syncs: Bool = false) throws(OpenError) { fatalError("contract") }

    /// Appends whole lines with one write; false when that failed, and then the file is as it was. Recovers by itself when
    /// there is room again or the file can be opened again.
    package func append(_ lines: borrowing [UInt8]) -> Bool { fatalError("contract") }

    /// Why the last append failed: "inspection.ndjson: No space left on device"; nil while all is well.
    package var failure: String? { fatalError("contract") }
}
