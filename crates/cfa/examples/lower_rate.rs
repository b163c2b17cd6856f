//! Compiles each file given as an argument (`ilp32` or `lp64` first) and says which fail, and how fast it went.

use robusto_cfa::ir::DataModel;
use robusto_cfa::{Options, compile};
use robusto_syntax::SourceMap;
use std::time::Instant;

fn main() {
    let run = || {
        let mut args = std::env::args().skip(1);
        let model = if args.next().as_deref() == Some("ilp32") { DataModel::Ilp32 } else { DataModel::Lp64 };
        let (mut good, mut bad, mut bytes) = (0, 0, 0);
        let start = Instant::now();
        for name in args {
            let text = String::from_utf8_lossy(&std::fs::read(&name).expect("readable file")).into_owned();
            bytes += text.len();
            let mut sources = SourceMap::new();
            let file = sources.add(&name, text).expect("small file");
            match compile(&mut sources, &[file], Options::new(model)) {
                Ok(_) => good += 1,
                Err(errors) => {
                    bad += 1;
                    print!("{}", errors[0].render(&sources));
                }
            }
        }
        println!("{good} good, {bad} bad, {bytes} bytes, {:.2} s", start.elapsed().as_secs_f64());
    };
    std::thread::Builder::new().stack_size(256 << 20).spawn(run).expect("thread").join().expect("no panic");
}
