//! `robusto certify`: a saved certificate is checked by another process.

use std::path::Path;
use std::process::Command;

fn robusto(args: &[&str]) -> (i32, String) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let output = Command::new(env!("CARGO_BIN_EXE_robusto")).args(args).current_dir(root).output().expect("it runs");
    (output.status.code().expect("it ends"), String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn saved_certificates() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let saved = folder.join("lock.cert");
    let saved = saved.to_str().expect("a plain path");
    let (code, text) = robusto(&[
        "check",
        "--property",
        "unreach-call",
        "--analysis",
        "predicate",
        "--certificate",
        saved,
        "examples/lock.c",
    ]);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("certified: yes ("), "{text}");
    let (code, text) = robusto(&["certify", "examples/lock.c", saved]);
    assert_eq!(code, 0, "{text}");
    assert!(text.ends_with("CERTIFICATE: accepted\n"), "{text}");
    // Another program, another property, another claim.
    assert_eq!(robusto(&["certify", "examples/packets.c", saved]).0, 10);
    assert_eq!(robusto(&["certify", "--property", "assert", "examples/lock.c", saved]).0, 10);
    let right = std::fs::read_to_string(saved).expect("it was written");
    let wrong = folder.join("wrong.cert");
    let (head, _) = right.split_once("\nat ").expect("there is an entry");
    std::fs::write(&wrong, format!("{head}\nend\n")).expect("a folder for tests");
    let wrong = wrong.to_str().expect("a plain path");
    let (code, text) = robusto(&["certify", "examples/lock.c", wrong]);
    assert_eq!(code, 10, "{text}");
    assert!(text.contains("a cycle without invariant"), "{text}");
    std::fs::write(wrong, "nothing of the kind\n").expect("a folder for tests");
    assert_eq!(robusto(&["certify", "examples/lock.c", wrong]).0, 2);
    assert_eq!(robusto(&["certify", "examples/lock.c"]).0, 1);
}
