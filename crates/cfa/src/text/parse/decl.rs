//! The first pass: declarations, with the places of the values and edges that the second pass reads.

use super::lex::{Token, unhex, unquote};
use super::{Cursor, Key, Parsed, int_type, type_from_name};
use crate::ir::{
    Assumption, DataModel, ExprId, FuncId, Function, Idx, IdxVec, Image, Label, LocId, ObjId, Object, ObjectKind,
    Outside, SrcPos, Ty, Var, VarId, VarKind,
};
use rustc_hash::FxHashMap;

/// What a name means.
#[derive(Clone, Copy)]
pub(super) enum Entity {
    Var(VarId),
    Object(ObjId),
    Function(FuncId),
}

/// What the first pass finds. The numbers are indices into the tokens.
pub(super) struct Declarations {
    pub model: DataModel,
    pub main: Option<(Key, usize)>,
    pub files: Vec<Box<str>>,
    pub assumptions: Vec<Assumption>,
    pub outside: Outside,
    pub functions: IdxVec<FuncId, Function>,
    pub vars: IdxVec<VarId, Var>,
    pub objects: IdxVec<ObjId, Object>,
    pub globals: FxHashMap<Key, Entity>,
    /// The names of each function, and where its edges start.
    pub bodies: Vec<(FxHashMap<Key, Entity>, usize)>,
    /// Initial values of variables.
    pub values: Vec<(VarId, usize)>,
    /// Addresses in images: the object, the offset, and where the target stands.
    pub addresses: Vec<(ObjId, u64, usize)>,
}

/// Most bytes of images; a small text could ask for more memory than there is.
const MOST_BYTES: usize = 1 << 30;

/// Reads the declarations; leaves the cursor anywhere.
pub(super) fn declarations(cursor: &mut Cursor<'_>) -> Parsed<Declarations> {
    cursor.skip_blank_lines();
    cursor.word("program")?;
    let model = match cursor.peek() {
        Token::Word("LP64") => DataModel::Lp64,
        Token::Word("ILP32") => DataModel::Ilp32,
        _ => return cursor.error("expected `LP64` or `ILP32`"),
    };
    cursor.next();
    cursor.end_of_line()?;
    let mut reader = Reader {
        cursor,
        found: Declarations {
            model,
            main: None,
            files: Vec::new(),
            assumptions: Vec::new(),
            outside: Outside::Nowhere,
            functions: IdxVec::new(),
            vars: IdxVec::new(),
            objects: IdxVec::new(),
            globals: FxHashMap::default(),
            bodies: Vec::new(),
            values: Vec::new(),
            addresses: Vec::new(),
        },
        vars: Vec::new(),
        objects: Vec::new(),
        next_var: 0,
        next_object: 0,
        bytes: 0,
    };
    while reader.item()? {}
    let Reader { cursor, mut found, vars, objects, .. } = reader;
    found.vars = in_order(cursor, vars, "variable")?;
    found.objects = in_order(cursor, objects, "object")?;
    Ok(found)
}

/// An item with its number and token.
type Numbered<T> = (usize, usize, T);

/// Sorts items by their numbers, which must be 0, 1, 2, …
fn in_order<I: Idx, T>(cursor: &Cursor<'_>, mut items: Vec<Numbered<T>>, what: &str) -> Parsed<IdxVec<I, T>> {
    items.sort_by_key(|item| item.0);
    for (index, &(number, token, _)) in items.iter().enumerate() {
        if number > index {
            return cursor.error_at(token, format!("this is {what} number {number}, but there is no number {index}"));
        }
        if number < index {
            return cursor.error_at(token, format!("there is another {what} with number {number}"));
        }
    }
    Ok(items.into_iter().map(|item| item.2).collect())
}

struct Reader<'c, 't> {
    cursor: &'c mut Cursor<'t>,
    found: Declarations,
    vars: Vec<Numbered<Var>>,
    objects: Vec<Numbered<Object>>,
    next_var: usize,
    next_object: usize,
    bytes: usize,
}

impl Reader<'_, '_> {
    /// Reads an item; false at the end.
    fn item(&mut self) -> Parsed<bool> {
        self.cursor.skip_blank_lines();
        let start = self.cursor.at;
        match self.cursor.next() {
            Token::End => return Ok(false),
            Token::Word("main") => {
                let at = self.cursor.at;
                self.found.main = Some((self.cursor.key()?, at));
                self.cursor.end_of_line()?;
            }
            Token::Word("outside") => {
                let numbers = self.cursor.eat_word("numbers");
                self.found.outside = if numbers { Outside::Numbers } else { Outside::Area };
                self.cursor.end_of_line()?;
            }
            Token::Word("file") => {
                if self.cursor.int()? != self.found.files.len() as u64 {
                    return self.cursor.error_at(start, "files are numbered 0, 1, 2, …");
                }
                let name = self.cursor.quoted()?;
                self.found.files.push(name);
                self.cursor.end_of_line()?;
            }
            Token::Word("assume") => {
                let text = self.cursor.quoted()?;
                let pos = self.cursor.place_and_end()?;
                self.found.assumptions.push(Assumption { text, pos });
            }
            Token::Word("object") => self.global_object(false)?,
            Token::Word("constant") => self.global_object(true)?,
            Token::Word("global") => self.global_var()?,
            Token::Word("external") => {
                self.cursor.word("function")?;
                self.function(true, false)?;
            }
            Token::Word("handed") => {
                self.cursor.word("function")?;
                self.function(false, true)?;
            }
            Token::Word("function") => self.function(false, false)?,
            _ => return self.cursor.error_at(start, "expected a declaration, such as `global` or `function`"),
        }
        Ok(true)
    }

    /// The number of the next variable or object, which `#12` sets.
    fn number(cursor: &mut Cursor<'_>, next: &mut usize) -> Parsed<usize> {
        let start = cursor.at;
        if cursor.eat_symbol("#") {
            let number: u32 = cursor.small()?;
            *next = number as usize;
        }
        let number = *next;
        if number >= u32::MAX as usize {
            return cursor.error_at(start, "this number is too large");
        }
        *next += 1;
        Ok(number)
    }

    /// Enters a name.
    fn declare(
        &mut self,
        scope: Option<&mut FxHashMap<Key, Entity>>,
        key: Key,
        entity: Entity,
        at: usize,
    ) -> Parsed<()> {
        let scope = scope.unwrap_or(&mut self.found.globals);
        if scope.insert(key, entity).is_some() {
            return self.cursor.error_at(at, "there is another declaration with this name; number them (x, x'2)");
        }
        Ok(())
    }

    /// `[#number] name: type`, without place.
    fn var(&mut self, scope: Option<&mut FxHashMap<Key, Entity>>, kind: VarKind) -> Parsed<VarId> {
        let number = Self::number(self.cursor, &mut self.next_var)?;
        let at = self.cursor.at;
        let key = self.cursor.key()?;
        self.cursor.symbol(":")?;
        let (ty, signed) = self.var_type()?;
        let id = VarId::new(number);
        self.vars.push((number, at, Var { name: key.0.clone(), ty, signed, kind, pos: SrcPos::default() }));
        self.declare(scope, key, Entity::Var(id), at)?;
        Ok(id)
    }

    /// Sets the place of the variable read last.
    fn place_of_var(&mut self) -> Parsed<()> {
        let pos = self.cursor.place()?;
        if let Some((.., var)) = self.vars.last_mut() {
            var.pos = pos;
        }
        Ok(())
    }

    /// A type with signedness.
    fn var_type(&mut self) -> Parsed<(Ty, bool)> {
        let Token::Word(word) = self.cursor.peek() else { return self.cursor.error("expected a type") };
        let explicit = matches!(word, "signed" | "unsigned").then_some(word == "signed");
        if let Some(signed) = explicit {
            self.cursor.next();
            return Ok((self.cursor.ty()?, signed));
        }
        let signs = [('s', true), ('u', false)];
        let int = signs.into_iter().find_map(|(c, signed)| Some((int_type(word.strip_prefix(c)?)?, signed)));
        let other = || type_from_name(word).map(|ty| (ty, ty.is_float()));
        let Some(found) = int.or_else(other) else {
            return self.cursor.error("expected a type, such as s32, u8, f64 or ptr");
        };
        self.cursor.next();
        Ok(found)
    }

    fn global_var(&mut self) -> Parsed<()> {
        // The value is filled in by the second pass.
        let id = self.var(None, VarKind::Global(ExprId::new(0)))?;
        self.cursor.symbol("=")?;
        self.found.values.push((id, self.cursor.at));
        self.cursor.skip_line();
        Ok(())
    }

    /// `[#number] name: size 8 align 4`
    fn object(&mut self, scope: Option<&mut FxHashMap<Key, Entity>>, kind: ObjectKind) -> Parsed<ObjId> {
        let number = Self::number(self.cursor, &mut self.next_object)?;
        let at = self.cursor.at;
        let key = self.cursor.key()?;
        self.cursor.symbol(":")?;
        self.cursor.word("size")?;
        let size = self.cursor.int()?;
        self.cursor.word("align")?;
        let align = self.cursor.small()?;
        let id = ObjId::new(number);
        self.objects.push((number, at, Object { name: key.0.clone(), size, align, kind, pos: SrcPos::default() }));
        self.declare(scope, key, Entity::Object(id), at)?;
        Ok(id)
    }

    fn global_object(&mut self, constant: bool) -> Parsed<()> {
        let id = self.object(None, ObjectKind::Local(FuncId::new(0)))?;
        let mut image = Image::default();
        if self.cursor.eat_symbol("=") {
            self.bytes_at(0, &mut image.bytes)?;
        }
        let pos = self.cursor.place()?;
        if self.cursor.eat_symbol("{") {
            self.cursor.end_of_line()?;
            self.image(id, &mut image)?;
        }
        self.cursor.end_of_line()?;
        if let Some((.., object)) = self.objects.last_mut() {
            object.pos = pos;
            object.kind = if constant { ObjectKind::Constant(image) } else { ObjectKind::Global(image) };
        }
        Ok(())
    }

    fn image(&mut self, id: ObjId, image: &mut Image) -> Parsed<()> {
        loop {
            self.cursor.skip_blank_lines();
            if self.cursor.eat_symbol("}") {
                return Ok(());
            }
            let offset = self.cursor.int()?;
            self.cursor.symbol(":")?;
            if self.cursor.peek() == Token::Symbol("&") {
                self.found.addresses.push((id, offset, self.cursor.at));
                self.cursor.skip_line();
            } else {
                self.bytes_at(offset, &mut image.bytes)?;
                self.cursor.end_of_line()?;
            }
        }
    }

    fn bytes_at(&mut self, offset: u64, image: &mut Vec<u8>) -> Parsed<()> {
        let bytes = match self.cursor.peek() {
            Token::Quoted(inside) => Some(unquote(inside)),
            Token::Hex(inside) => unhex(inside),
            _ => None,
        };
        let Some(bytes) = bytes else { return self.cursor.error("expected bytes, such as \"abc\" or x\"00ff\"") };
        let gap = offset.checked_sub(image.len() as u64).and_then(|gap| usize::try_from(gap).ok());
        let Some(gap) = gap else { return self.cursor.error("these bytes overlap those before") };
        self.bytes = self.bytes.saturating_add(gap).saturating_add(bytes.len());
        if self.bytes > MOST_BYTES {
            return self.cursor.error("the objects are too large");
        }
        image.resize(image.len() + gap, 0);
        image.extend(bytes);
        self.cursor.next();
        Ok(())
    }

    fn function(&mut self, external: bool, handed_out: bool) -> Parsed<()> {
        let at = self.cursor.at;
        let key = self.cursor.key()?;
        let id = FuncId::new(self.found.functions.len());
        let mut header = Function::header(&key.0, SrcPos::default());
        (header.external, header.handed_out) = (external, handed_out);
        self.declare(None, key, Entity::Function(id), at)?;
        let mut scope = FxHashMap::default();
        self.cursor.symbol("(")?;
        while !self.cursor.eat_symbol(")") {
            if !header.params.is_empty() {
                self.cursor.symbol(",")?;
            }
            header.params.push(self.var(Some(&mut scope), VarKind::Param(id))?);
            self.place_of_var()?;
        }
        if self.cursor.eat_symbol("->") {
            header.ret = Some(self.cursor.ty()?);
        }
        header.pos = self.cursor.place()?;
        self.cursor.symbol("{")?;
        self.cursor.end_of_line()?;
        while self.local(id, &mut header, &mut scope)? {}
        let edges = self.cursor.at;
        loop {
            self.cursor.skip_blank_lines();
            if self.cursor.eat_symbol("}") {
                break;
            }
            if self.cursor.peek() == Token::End {
                return self.cursor.error("expected `}`");
            }
            self.cursor.skip_line();
        }
        self.cursor.end_of_line()?;
        self.found.functions.push(header);
        self.found.bodies.push((scope, edges));
        Ok(())
    }

    /// Reads a declaration inside a function; false after `entry`.
    fn local(&mut self, id: FuncId, header: &mut Function, scope: &mut FxHashMap<Key, Entity>) -> Parsed<bool> {
        self.cursor.skip_blank_lines();
        let start = self.cursor.at;
        match self.cursor.next() {
            Token::Word("object") => {
                header.objects.push(self.object(Some(scope), ObjectKind::Local(id))?);
                let pos = self.cursor.place_and_end()?;
                if let Some((.., object)) = self.objects.last_mut() {
                    object.pos = pos;
                }
            }
            Token::Word(word @ ("local" | "temp")) => {
                let kind = if word == "local" { VarKind::Local(id) } else { VarKind::Temp(id) };
                header.locals.push(self.var(Some(scope), kind)?);
                self.place_of_var()?;
                self.cursor.end_of_line()?;
            }
            Token::Word("label") => {
                let name = self.cursor.name()?;
                self.cursor.symbol(":")?;
                let loc = LocId::new(self.cursor.location()?);
                let pos = self.cursor.place_and_end()?;
                header.labels.push(Label { name, loc, pos });
            }
            Token::Word("entry") => {
                header.entry = LocId::new(self.cursor.location()?);
                self.cursor.symbol(",")?;
                self.cursor.word("exit")?;
                header.exit = LocId::new(self.cursor.location()?);
                self.cursor.end_of_line()?;
                return Ok(false);
            }
            _ => return self.cursor.error_at(start, "expected `object`, `local`, `temp`, `label` or `entry`"),
        }
        Ok(true)
    }
}
