//! Structs with arrays of variable size (GNU): the layout is computed where the type is declared.
//!
//! Members up to the first such array lie where they always lie. The offset of each one behind it, and the size of the struct, are
//! variables of the function, as lengths of arrays are.

use super::layout::{Field, MemberSpec, RecordSpec, layout};
use super::types::RecordLayout;
use super::{Lower, R};
use crate::ir::{BinOp, ExprId};
use robusto_syntax::Span;

impl Lower<'_, '_> {
    /// The layout of a struct of which some member has a variable size.
    pub(super) fn computed_layout(
        &mut self,
        record: RecordSpec,
        members: &[MemberSpec],
        span: Span,
    ) -> R<RecordLayout> {
        if record.union || record.big_endian {
            self.unsupported("a union with an array of variable size, or a struct in reverse storage order");
        }
        let first = members.iter().position(|member| self.is_variable_size(member.ty)).unwrap_or(0);
        let (fixed, rest) = members.split_at(first + 1);
        let Some(mut laid_out) = layout(&self.types, record, fixed) else {
            return self.error(span, "the struct is too large");
        };
        let start = laid_out.fields.last().map_or(0, |field| field.offset);
        let (start, size) = (self.program.exprs.size(start), self.size_of_value(fixed[first].ty));
        let mut end = self.program.exprs.binary(BinOp::Add, start, size);
        for member in rest {
            if member.bits.is_some() {
                self.unsupported("a bit-field behind an array of variable size");
            }
            let packed = record.packed || member.packed;
            let own = if packed { member.align.max(1) } else { member.type_align.max(member.align) };
            let own = own.min(record.pack.unwrap_or(u64::MAX));
            laid_out.align = laid_out.align.max(own);
            let offset = self.rounded_up(end, own);
            let computed = self.computed_size(offset);
            laid_out.fields.push(Field {
                name: member.name,
                ty: member.ty,
                offset: 0,
                bits: None,
                align: own,
                reversed_array: false,
                computed: Some(computed),
            });
            let (offset, size) = (self.var_here(self.vla_counts[computed as usize]), self.size_of_value(member.ty));
            end = self.program.exprs.binary(BinOp::Add, offset, size);
        }
        let size = self.rounded_up(end, laid_out.align);
        laid_out.computed = Some(self.computed_size(size));
        Ok(laid_out)
    }

    /// The next multiple of a power of two.
    fn rounded_up(&mut self, size: ExprId, to: u64) -> ExprId {
        let (more, mask) = (self.program.exprs.size(to - 1), self.program.exprs.size(to.wrapping_neg()));
        let sum = self.program.exprs.binary(BinOp::Add, size, more);
        self.program.exprs.binary(BinOp::And, sum, mask)
    }

    /// Keeps a size that was computed; its number among the function's variable sizes.
    fn computed_size(&mut self, size: ExprId) -> u32 {
        let var = self.temp(self.model().size_ty(), false);
        self.assign_var(var, size);
        self.vla_counts.push(var);
        self.vla_counts.len() as u32 - 1
    }
}
