//! Durations and sizes as people write them, and numbers as people read them.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Reads `60`, `60s`, `1.5s`, `500ms`, `5min`, `1h`, `1h 30min`.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    if let Ok(seconds) = text.parse() {
        return Ok(Duration::from_secs(seconds));
    }
    humantime::parse_duration(text)
        .map_err(|error| format!("'{text}' is no duration such as 60s, 5min or 500ms: {error}"))
}

/// Reads `4GB`, `512MB`, `1GiB`, `1000000B`, in bytes. As in BenchExec, `GB` is a power of ten and `GiB` one of two.
pub fn parse_size(text: &str) -> Result<u64, String> {
    let units = [
        ("KiB", 1024.0),
        ("MiB", 1024.0 * 1024.0),
        ("GiB", 1024.0 * 1024.0 * 1024.0),
        ("KB", 1e3),
        ("kB", 1e3),
        ("MB", 1e6),
        ("GB", 1e9),
        ("B", 1.0),
        ("", 1.0),
    ];
    let bytes = scaled(text, &units).ok_or_else(|| format!("'{text}' is no size such as 4GB or 512MiB"))?;
    Ok(bytes as u64)
}

fn scaled(text: &str, units: &[(&str, f64)]) -> Option<f64> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let number: f64 = text[..end].parse().ok()?;
    let unit = text[end..].trim_start();
    units.iter().find(|(name, _)| *name == unit).map(|(_, factor)| number * factor)
}

/// A duration as an argument: whole seconds if it is some.
pub fn duration_argument(duration: Duration) -> String {
    if duration.subsec_nanos() == 0 {
        format!("{}s", duration.as_secs())
    } else {
        format!("{}ms", duration.as_millis())
    }
}

/// A size as a person writes it, in the largest unit that needs no fraction.
pub fn size(bytes: u64) -> String {
    for (unit, factor) in [("GB", 1_000_000_000), ("MB", 1_000_000), ("KB", 1_000)] {
        if bytes >= factor && bytes.is_multiple_of(factor) {
            return format!("{}{unit}", bytes / factor);
        }
    }
    format!("{bytes}B")
}

/// Seconds for a table: about three digits, at most milliseconds.
pub fn seconds(value: f64) -> String {
    match value {
        v if v < 1.0 => format!("{v:.3}"),
        v if v < 10.0 => format!("{v:.2}"),
        v if v < 100.0 => format!("{v:.1}"),
        v => format!("{v:.0}"),
    }
}

/// A memory size for a table, in MB.
pub fn megabytes(bytes: u64) -> String {
    let value = bytes as f64 / 1e6;
    if value < 100.0 { format!("{value:.1}") } else { format!("{value:.0}") }
}

/// A time span for a person: `7s`, `3m05s`, `2h10m`.
pub fn span(duration: Duration) -> String {
    match duration.as_secs() {
        s if s < 60 => format!("{s}s"),
        s if s < 3600 => format!("{}m{:02}s", s / 60, s % 60),
        s => format!("{}h{:02}m", s / 3600, s % 3600 / 60),
    }
}

/// A point in time in UTC: `2026-03-01T12:00:00Z`.
pub fn timestamp(time: SystemTime) -> String {
    humantime::format_rfc3339_seconds(time.max(UNIX_EPOCH)).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        for (text, millis) in [
            ("60", 60_000),
            ("60s", 60_000),
            ("1.5s", 1500),
            ("500ms", 500),
            ("5min", 300_000),
            ("1h 30min", 5_400_000),
        ] {
            assert_eq!(parse_duration(text), Ok(Duration::from_millis(millis)), "{text}");
        }
        for text in ["", "s", "-1s", "1parsec", "1 2", "1e400", "1..2"] {
            assert!(parse_duration(text).is_err(), "{text}");
        }
        assert_eq!(duration_argument(Duration::from_secs(90)), "90s");
        assert_eq!(duration_argument(Duration::from_millis(1500)), "1500ms");
    }

    #[test]
    fn sizes() {
        for (text, bytes) in [("4GB", 4_000_000_000), ("1 GiB", 1 << 30), ("1.5MB", 1_500_000), ("7", 7), ("7B", 7)] {
            assert_eq!(parse_size(text), Ok(bytes), "{text}");
        }
        assert!(parse_size("4 bytes").is_err() && parse_size("GB").is_err());
        for text in ["4GB", "1500MB", "7B", "0B", "1KB"] {
            assert_eq!(size(parse_size(text).unwrap()), text);
        }
    }

    #[test]
    fn figures() {
        assert_eq!([0.0042, 1.234, 12.34, 123.4].map(seconds), ["0.004", "1.23", "12.3", "123"]);
        assert_eq!([1_234_567, 123_456_789].map(megabytes), ["1.2", "123"]);
        assert_eq!([5, 65, 7265].map(|s| span(Duration::from_secs(s))), ["5s", "1m05s", "2h01m"]);
    }

    #[test]
    fn dates() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_000_000_000, "2001-09-09T01:46:40Z"),
            (4_107_542_399, "2100-02-28T23:59:59Z"),
        ] {
            assert_eq!(timestamp(UNIX_EPOCH + Duration::from_secs(seconds)), text);
        }
    }
}
