//! Tests of the tokenizer.

use super::*;

/// Tokens as text, kind by a letter: identifier, keyword, number, string, character, punctuator, error.
fn tokens(text: &str) -> Vec<String> {
    let mut names = Interner::new();
    let mut lexer = Lexer::new(text, 0, &mut names);
    let mut out = Vec::new();
    loop {
        let token = lexer.next_token(&mut names);
        let kind = match token.kind {
            Kind::End => return out,
            Kind::Error => 'e',
            Kind::Ident(name) => {
                out.push(format!("i:{}", names.text(name)));
                continue;
            }
            Kind::Number => 'n',
            Kind::Char => 'c',
            Kind::Str => 's',
            Kind::Punct(_) => 'p',
            Kind::Keyword(_) => 'k',
        };
        out.push(format!("{kind}:{}", lexer.spelling(token)));
    }
}

fn check(text: &str, expected: &[&str]) {
    assert_eq!(tokens(text), expected, "{text}");
}

#[test]
fn words() {
    check("int x1 $y __const__", &["k:int", "i:x1", "i:$y", "k:__const__"]);
    check("é \\u00e9x _\u{3b1}", &["i:é", "i:éx", "i:_α"]);
    check("bool true false", &["i:bool", "i:true", "i:false"]);
}

#[test]
fn literals() {
    check("1e+5 0x1p-3f .5 1.2.3", &["n:1e+5", "n:0x1p-3f", "n:.5", "n:1.2.3"]);
    check(r#"L"x" u8"y" 'a' L'\'' "\"""#, &["s:L\"x\"", "s:u8\"y\"", "c:'a'", "c:L'\\''", "s:\"\\\"\""]);
}

#[test]
fn punctuators() {
    check("a+++b", &["i:a", "p:++", "p:+", "i:b"]);
    check("<<= >>= ... ->", &["p:<<=", "p:>>=", "p:...", "p:->"]);
    check("<: :> <% %>", &["p:<:", "p::>", "p:<%", "p:%>"]);
    check("a..b", &["i:a", "p:.", "p:.", "i:b"]);
}

#[test]
fn comments() {
    check("a/* b */c // d\ne", &["i:a", "i:c", "i:e"]);
    check("a // x \\\n y\nb", &["i:a", "i:b"]);
    check("a /* **/ b", &["i:a", "i:b"]);
    check("/*/ a", &["e:/*/ a"]);
}

#[test]
fn splices() {
    check("in\\\nt x\\\ny", &["k:int", "i:xy"]);
    check("a +\\\n+ b", &["i:a", "p:++", "i:b"]);
    check("1\\\n2 \"a\\\nb\"", &["n:12", "s:\"ab\""]);
    check("a /\\\n* c *\\\n/ b", &["i:a", "i:b"]);
}

#[test]
fn directives() {
    check("# 1 \"f.c\"\nx\n#pragma omp\n#ident \"y\"\ny", &["i:x", "i:y"]);
    check("_Pragma(\"x\") a", &["i:a"]);
    check("#include <x>\na", &["e:#include <x>", "i:a"]);
    check("a # b", &["i:a", "p:#", "i:b"]);
}

#[test]
fn markers_are_kept() {
    let mut names = Interner::new();
    let mut lexer = Lexer::new("# 12 \"f.h\" 3\nx", 100, &mut names);
    lexer.next_token(&mut names);
    let markers = lexer.into_markers();
    assert_eq!(markers.len(), 1);
    assert_eq!((markers[0].at, markers[0].line), (112, 12));
    assert_eq!(markers[0].name.map(|name| names.text(name).to_owned()), Some("f.h".to_owned()));
}

#[test]
fn garbage() {
    check("a \u{1} @ b", &["i:a", "e:\u{1}", "e:@", "i:b"]);
    check("\"abc\nx", &["e:\"abc", "i:x"]);
    check("'", &["e:'"]);
    check("\"\\", &["e:\"\\"]);
    check("– a", &["e:–", "i:a"]);
    check("\\", &["e:\\"]);
    check("\\u12", &["e:\\", "i:u12"]);
}
