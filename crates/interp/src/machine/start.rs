//! How an execution starts: memory, arguments, the first frame.

use super::{Config, Cursor, Machine, Streams};
use crate::code::Code;
use crate::inputs::Inputs;
use crate::memory::{Memory, OutOfMemory};
use crate::observer::Observer;
use robusto_cfa::ir::{Outside, Program};

/// Why an execution cannot start.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoMain {
    /// There is no `main`.
    #[error("the program has no function `main`")]
    Missing,
    /// `main` has parameters other than `argc`, `argv` and `envp`.
    #[error("the parameters of `main` are not those of a program")]
    Parameters,
    /// The globals do not fit.
    #[error("the program's global variables exceed the memory limit")]
    Memory,
    /// The first frame does not fit.
    #[error("the stack limit is too small for `main`")]
    Stack,
}

impl From<OutOfMemory> for NoMain {
    fn from(_: OutOfMemory) -> Self {
        NoMain::Memory
    }
}

impl<'m, O: Observer> Machine<'m, O> {
    /// A machine at the start of `main`. `code` is the program's.
    pub fn new(
        program: &'m Program,
        code: &'m Code,
        config: Config<'m>,
        inputs: &'m mut dyn Inputs,
        observer: O,
        streams: Streams<'m>,
    ) -> Result<Self, NoMain> {
        let main = program.main.ok_or(NoMain::Missing)?;
        let mut memory = Memory::new(program, &code.layout, config.max_memory)?;
        if program.outside != Outside::Nowhere {
            memory.open_outside(inputs.outside());
        }
        let function = &code.functions[main];
        let base = code.statics.len();
        let mut machine = Self {
            program,
            code,
            config,
            inputs,
            observer,
            streams,
            memory,
            slots: code.statics.clone(),
            cursor: Cursor { pc: function.entry, done: 0, base, frame_memory: 0, taken: true },
            function: main,
            frames: Vec::new(),
            steps: 0,
        };
        let arguments = machine.arguments()?;
        machine.reserve(function).map_err(|_| NoMain::Stack)?;
        if function.params.len() > arguments.len() {
            return Err(NoMain::Parameters);
        }
        for (param, value) in function.params.iter().zip(arguments) {
            machine.set_operand(*param, value.into());
        }
        machine.enter(main, base).map_err(|_| NoMain::Stack)?;
        Ok(machine)
    }

    /// Puts the arguments into memory; gives `argc`, `argv`, `envp`.
    fn arguments(&mut self) -> Result<[u64; 3], NoMain> {
        let args = std::mem::take(&mut self.config.args);
        let width = u64::from(self.program.model.pointer_bits() / 8);
        let length = args.iter().map(|arg| arg.len() as u64 + 512).sum::<u64>();
        if length > self.config.max_memory {
            return Err(NoMain::Memory);
        }
        let argv = self.memory.push_static((args.len() as u64 + 1) * width, "argv");
        for (index, arg) in args.iter().enumerate() {
            let text = self.memory.push_static(arg.len() as u64 + 1, "argument");
            if let Some(bytes) = self.memory.bytes_mut(text, arg.len() as u64) {
                bytes.copy_from_slice(arg);
            }
            self.memory.write(argv + index as u64 * width, width as u8, text);
        }
        let envp = self.memory.push_static(width, "envp");
        Ok([args.len() as u64, argv, envp])
    }
}
