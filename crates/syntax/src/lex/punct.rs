//! Punctuators, digraphs included.

use super::Punct;

/// The longest punctuator that begins the window, with its length.
pub(crate) fn punctuator(window: [u8; 4]) -> Option<(Punct, usize)> {
    let [a, b, c, _] = window;
    Some(match a {
        b'(' => (Punct::LParen, 1),
        b')' => (Punct::RParen, 1),
        b'[' => (Punct::LBracket, 1),
        b']' => (Punct::RBracket, 1),
        b'{' => (Punct::LBrace, 1),
        b'}' => (Punct::RBrace, 1),
        b';' => (Punct::Semi, 1),
        b',' => (Punct::Comma, 1),
        b'?' => (Punct::Question, 1),
        b'~' => (Punct::Tilde, 1),
        b':' if b == b'>' => (Punct::RBracket, 2),
        b':' => (Punct::Colon, 1),
        b'.' if b == b'.' && c == b'.' => (Punct::Ellipsis, 3),
        b'.' => (Punct::Dot, 1),
        b'+' => with_equals(b, &[(b'+', Punct::PlusPlus)], Punct::PlusEq, Punct::Plus),
        b'-' => with_equals(b, &[(b'-', Punct::MinusMinus), (b'>', Punct::Arrow)], Punct::MinusEq, Punct::Minus),
        b'*' => with_equals(b, &[], Punct::StarEq, Punct::Star),
        b'/' => with_equals(b, &[], Punct::SlashEq, Punct::Slash),
        b'%' if window == *b"%:%:" => (Punct::HashHash, 4),
        b'%' => with_equals(b, &[(b'>', Punct::RBrace), (b':', Punct::Hash)], Punct::PercentEq, Punct::Percent),
        b'&' => with_equals(b, &[(b'&', Punct::AmpAmp)], Punct::AmpEq, Punct::Amp),
        b'|' => with_equals(b, &[(b'|', Punct::PipePipe)], Punct::PipeEq, Punct::Pipe),
        b'^' => with_equals(b, &[], Punct::CaretEq, Punct::Caret),
        b'!' => with_equals(b, &[], Punct::BangEq, Punct::Bang),
        b'=' => with_equals(b, &[], Punct::EqEq, Punct::Eq),
        b'<' if b == b'<' && c == b'=' => (Punct::ShlEq, 3),
        b'<' => with_equals(
            b,
            &[(b'<', Punct::Shl), (b':', Punct::LBracket), (b'%', Punct::LBrace)],
            Punct::LtEq,
            Punct::Lt,
        ),
        b'>' if b == b'>' && c == b'=' => (Punct::ShrEq, 3),
        b'>' => with_equals(b, &[(b'>', Punct::Shr)], Punct::GtEq, Punct::Gt),
        b'#' if b == b'#' => (Punct::HashHash, 2),
        b'#' => (Punct::Hash, 1),
        _ => return None,
    })
}

/// Chooses by the second byte: one of `pairs`, the compound assignment or comparison with `=`, or one byte alone.
fn with_equals(second: u8, pairs: &[(u8, Punct)], equals: Punct, alone: Punct) -> (Punct, usize) {
    if second == b'=' {
        return (equals, 2);
    }
    pairs.iter().find(|(byte, _)| *byte == second).map_or((alone, 1), |&(_, punct)| (punct, 2))
}
