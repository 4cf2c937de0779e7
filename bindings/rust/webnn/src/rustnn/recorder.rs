//! Finds the operands of a builder by their indices, because operands of `rustnn` are indices.
use super::context::{MLNamedOperands, MLOperand};
use crate::ffi::OperandPointer;
use crate::{Error, GraphBuilder, Operand, Result};

/// A builder and its operands, in the order of their indices.
pub(super) struct Recorder {
    pub(super) builder: GraphBuilder,
    pub(super) operands: Vec<OperandPointer>,
}

impl Recorder {
    pub(super) fn operand(&self, operand: MLOperand) -> Result<Operand<'_>> {
        let pointer = self.operands.get(operand.id as usize).copied();
        let count = self.operands.len();
        pointer
            .map(|pointer| Operand::borrowed(pointer, &self.builder))
            .ok_or_else(|| Error::Type(format!("operand {} is not of this builder; it has {count} operands.", operand.id)))
    }

    pub(super) fn operands(&self, operands: &[MLOperand]) -> Result<Vec<Operand<'_>>> {
        operands.iter().map(|&operand| self.operand(operand)).collect()
    }

    /// Returns the outputs sorted by name, because a map has no order.
    pub(super) fn outputs<'a>(&'a self, outputs: &MLNamedOperands<'a>) -> Result<Vec<(&'a str, Operand<'a>)>> {
        let mut named: Vec<_> =
            outputs.iter().map(|(&name, &operand)| Ok((name, self.operand(operand)?))).collect::<Result<_>>()?;
        named.sort_unstable_by_key(|&(name, _)| name);
        Ok(named)
    }
}
