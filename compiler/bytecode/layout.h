//===- layout.h - the payload of a .ptoc file, in order ---------*- C++ -*-===//
//
// Written once for both directions: a Wire is a ByteWriter or a ByteReader, and Ref<T> is const for
// the one and mutable for the other. Any change here raises kFormatVersion.
//
//===----------------------------------------------------------------------===//
#ifndef PTO_BYTECODE_LAYOUT_H
#define PTO_BYTECODE_LAYOUT_H

#include "bytecode/limits.h"
#include "bytecode/module.h"
#include "bytecode/operand.h"
#include "bytecode/verify.h"

namespace pto {

template <typename Wire, typename T> using RefOf = typename Wire::template Ref<T>;

template <typename Wire> void layout(Wire &wire, RefOf<Wire, CodePlace> place) {
  wire.number(place.file);
  wire.number(place.line);
  wire.number(place.column);
  wire.number(place.length);
}

template <typename Wire> void layout(Wire &wire, RefOf<Wire, Constant> constant) {
  wire.enumerator(constant.type, kScalarTypeCount, "a scalar type");
  wire.number(constant.bits);
}

template <typename Wire> void layout(Wire &wire, RefOf<Wire, Extent> extent) {
  wire.signedNumber(extent.perRank);
  wire.signedNumber(extent.fixed);
}

template <typename Wire> void layout(Wire &wire, RefOf<Wire, Object> object) {
  wire.text(object.name);
  wire.enumerator(object.type, kScalarTypeCount, "a scalar type");
  wire.flag(object.isSignal);
  wire.flag(object.isLocal);
  wire.flag(object.isHost);
  wire.number(object.align);
  wire.list(object.shape, kMaxDimensions, "dimensions",
            [&](auto &extent) { layout(wire, extent); });
  wire.flag(object.hasInit);
  if (object.hasInit)
    wire.number(object.init);
  layout(wire, object.place);
}

/// The opcode's row says what follows it.
template <typename Wire> void layout(Wire &wire, RefOf<Wire, Instruction> instruction) {
  wire.enumerator(instruction.opcode, kOpcodeCount, "an opcode");
  if (info(instruction.opcode).isTyped)
    wire.enumerator(instruction.type, kScalarTypeCount, "a scalar type");
  auto *operand = instruction.operands;
  for (OperandKind kind : operandKinds(instruction.opcode))
    wire.operand(*operand++, info(kind).isOptional);
}

template <typename Wire> void layout(Wire &wire, RefOf<Wire, Function> function) {
  wire.text(function.name);
  wire.enumerator(function.kind, 3, "a kind of function");
  wire.flag(function.hasResult);
  wire.flag(function.resultIsView);
  wire.number(function.scalarParams);
  wire.number(function.viewParams);
  wire.list(function.registers, kMaxRegisters, "registers",
            [&](auto &type) { wire.enumerator(type, kRegisterTypeCount, "a register type"); });
  wire.number(function.viewCount);
  wire.number(function.ubBytes);
  wire.list(function.code, kMaxCode, "instructions", [&](auto &one) { layout(wire, one); });
  wire.listOf(function.places, function.code.size(), [&](auto &place) { layout(wire, place); });
  layout(wire, function.place);
}

template <typename Wire> void layout(Wire &wire, RefOf<Wire, Entry> entry) {
  wire.text(entry.name);
  wire.flag(entry.isTest);
  wire.number(entry.function);
  wire.signedNumber(entry.ranks);
  wire.signedNumber(entry.blocks);
  wire.flag(entry.hasSeed);
  if (entry.hasSeed)
    wire.number(entry.seed);
  wire.text(entry.target);
  wire.text(entry.topology);
  wire.text(entry.transports);
  wire.signedNumber(entry.servers);
  wire.list(entry.faults, kMaxTableRows, "faults", [&](auto &fault) { wire.text(fault); });
  wire.list(entry.expectedViolations, kMaxTableRows, "rules", [&](auto &rule) { wire.rule(rule); });
  layout(wire, entry.place);
}

template <typename Wire> void layout(Wire &wire, RefOf<Wire, Module> module) {
  wire.list(module.files, kMaxTableRows, "files", [&](auto &file) { wire.text(file); });
  wire.list(module.strings, kMaxTableRows, "strings", [&](auto &text) { wire.text(text); });
  wire.list(module.constants, kMaxTableRows, "constants", [&](auto &one) { layout(wire, one); });
  wire.list(module.objects, kMaxObjects, "objects", [&](auto &object) { layout(wire, object); });
  wire.list(module.functions, kMaxFunctions, "functions", [&](auto &one) { layout(wire, one); });
  wire.list(module.entries, kMaxTableRows, "entries", [&](auto &entry) { layout(wire, entry); });
}

} // namespace pto

#endif
