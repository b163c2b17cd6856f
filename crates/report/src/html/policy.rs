//! What the page may do, and text that can do nothing.

use sha2::{Digest as _, Sha256};

/// The content policy: this script and this style sheet, and nothing else. Styles that the script sets on elements are not
/// subject to it; styles in markup are.
pub fn policy(script: &str, style: &str) -> String {
    format!(
        "default-src 'none'; script-src '{}'; style-src '{}'; base-uri 'none'; form-action 'none'",
        hash(script),
        hash(style)
    )
}

fn hash(text: &str) -> String {
    format!("sha256-{}", base64(&Sha256::digest(text)))
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let three = [chunk[0], *chunk.get(1).unwrap_or(&0), *chunk.get(2).unwrap_or(&0)];
        let word = u32::from_be_bytes([0, three[0], three[1], three[2]]);
        for i in 0..4 {
            let digit = DIGITS[(word >> (18 - 6 * i) & 63) as usize];
            out.push(if i <= chunk.len() { digit as char } else { '=' });
        }
    }
    out
}

/// Text for the markup.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// JSON that cannot end the element around it: in JSON, these characters occur only in strings.
pub fn inert(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => out.push_str(&format!("\\u{:04x}", c as u32)),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_browsers() {
        // From the specification of the content policy: `alert('Hello, world.');`.
        assert_eq!(hash("alert('Hello, world.');"), "sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng=");
        assert_eq!(
            (base64(b""), base64(b"f"), base64(b"fo"), base64(b"foo")),
            (String::new(), "Zg==".into(), "Zm8=".into(), "Zm9v".into())
        );
    }

    #[test]
    fn nothing_ends_the_element() {
        let json = serde_json::to_string("</script><!--\u{2028}&").expect("a string");
        let inert = inert(&json);
        assert!(!inert.contains(['<', '>', '&', '\u{2028}']));
        assert_eq!(serde_json::from_str::<String>(&inert).expect("still JSON"), "</script><!--\u{2028}&");
        assert_eq!(escaped("<a href='x'>&\u{7}"), "&lt;a href=&#39;x&#39;&gt;&amp; ");
    }
}
