/// A point in time as UTC's calendar shows it.
struct CivilTime {
    let year: UInt32
    let month: UInt32
    let day: UInt32
    let secondOfDay: UInt32
    let millisecond: UInt32

    /// Nil outside the years 0 to 9999.
    init?(millisecondsSince1970 value: Int64) {
        // 0000-01-01T00:00:00.000Z and 9999-12-31T23:59:59.999Z.
        guard value >= -62_167_219_200_000, value <= 253_402_300_799_999 else { return nil }
        // Counted from 0000-03-01, a year ends with its leap day and an era of 400 years has 146,097 days; one era
        // more keeps the first two months of the year 0 positive.
        let shifted = UInt64(value + 62_162_035_200_000 + 12_622_780_800_000)
        let days = UInt32(shifted / 86_400_000)
        let inDay = UInt32(shifted % 86_400_000)
        let era = days / 146_097
        let dayOfEra = days % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0) - 400
        secondOfDay = inDay / 1000
        millisecond = inDay % 1000
    }
}
