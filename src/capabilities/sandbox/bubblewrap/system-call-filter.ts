import { absent, denied, inspected, type SystemCall } from './system-calls.ts'

export interface FilterOptions {
  /** Whether commands may open Unix sockets. */
  readonly unixSockets: boolean
}

/** AUDIT_ARCH_* by Node's name for the architecture. */
const architectures = { x64: 0xc000_003e, arm64: 0xc000_00b7 } as const

export type Architecture = keyof typeof architectures

export function isSupported(architecture: string): architecture is Architecture {
  return Object.hasOwn(architectures, architecture)
}

/**
 * Builds a seccomp filter in the kernel's format: classic BPF, eight bytes per instruction. It allows every call that
 * it does not name. Refused calls return an error rather than raise a signal, so that programs can fall back or report
 * what failed.
 *
 * Unix sockets are refused because they reach host services by path or inherited name, regardless of the network
 * namespace. Socket pairs are allowed, since runtimes use them as pipes; but not datagram pairs, which can be
 * reconnected to another address.
 *
 * Invariant: a call that can be refused only by its arguments is refused in every ABI of the machine (x32, other
 * architectures). Jump offsets count instructions, so blocks are built from the inside out.
 */
export function toSystemCallFilter(architecture: Architecture, { unixSockets }: FilterOptions): Buffer {
  const refuse = (calls: Record<string, SystemCall>, error: number) =>
    Object.values(calls).flatMap((call) => {
      const number = call[architecture]
      return number === undefined ? [] : ifEqual(number, [fail(error)])
    })
  const instructions = [
    load(offsets.architecture),
    ...unless(ifEqual, architectures[architecture], [fail(ENOSYS)]),
    load(offsets.number),
    // The x32 ABI has different numbers for the same calls.
    ...(architecture === 'x64' ? ifAtLeast(x32Bit, [fail(ENOSYS)]) : []),
    ...refuse(absent, ENOSYS),
    ...refuse(denied, EPERM),
    ...ifEqual(inspected.clone[architecture], [load(argument(0)), ...ifAnyBit(newNamespaces, [fail(EPERM)]), allow]),
    ...ifEqual(inspected.unshare[architecture], [
      load(argument(0)),
      ...ifAnyBit(newNamespaces | CLONE_NEWTIME, [fail(EPERM)]),
      allow,
    ]),
    ...ifEqual(inspected.ioctl[architecture], [
      load(argument(1)),
      ...terminalInjections.flatMap((request) => ifEqual(request, [fail(EPERM)])),
      allow,
    ]),
    ...ifEqual(inspected.socket[architecture], [
      load(argument(0)),
      ...[...networkFamilies, ...(unixSockets ? [AF_UNIX] : [])].flatMap((family) => ifEqual(family, [allow])),
      fail(EPERM),
    ]),
    ...(unixSockets
      ? []
      : ifEqual(inspected.socketpair[architecture], [
          load(argument(1)),
          and(0xf),
          ...[SOCK_STREAM, SOCK_SEQPACKET].flatMap((type) => ifEqual(type, [allow])),
          fail(EPERM),
        ])),
    allow,
  ]
  return Buffer.concat(instructions.map(encode))
}

const EPERM = 1
const ENOSYS = 38

const AF_UNIX = 1
/** IPv4, IPv6, and netlink, which lists network interfaces. A network namespace confines them. */
const networkFamilies = [2, 10, 16]
const SOCK_STREAM = 1
const SOCK_SEQPACKET = 5

/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET. */
const newNamespaces = 0x0002_0000 | 0x0200_0000 | 0x0400_0000 | 0x0800_0000 | 0x1000_0000 | 0x2000_0000 | 0x4000_0000
const CLONE_NEWTIME = 0x80

/** TIOCSTI and TIOCLINUX inject input into a terminal. */
const terminalInjections = [0x5412, 0x541c]

const x32Bit = 0x4000_0000

/** In `struct seccomp_data`. */
const offsets = { number: 0, architecture: 4, arguments: 16 }

/** The low half of an argument on a little-endian machine; the kernel reads no more of the inspected ones. */
function argument(index: number): number {
  return offsets.arguments + 8 * index
}

interface Instruction {
  readonly code: number
  /** Instructions to skip if the condition holds, and if not. */
  readonly ifTrue?: number
  readonly ifFalse?: number
  readonly value: number
}

const codes = { load: 0x20, and: 0x54, return: 0x06, jumpIfEqual: 0x15, jumpIfAtLeast: 0x35, jumpIfAnyBit: 0x45 }

const allow: Instruction = { code: codes.return, value: 0x7fff_0000 }

function fail(error: number): Instruction {
  return { code: codes.return, value: 0x0005_0000 | error }
}

function load(offset: number): Instruction {
  return { code: codes.load, value: offset }
}

function and(mask: number): Instruction {
  return { code: codes.and, value: mask }
}

type Branch = (value: number, then: readonly Instruction[]) => Instruction[]

const ifEqual = toBranch(codes.jumpIfEqual)
const ifAtLeast = toBranch(codes.jumpIfAtLeast)
const ifAnyBit = toBranch(codes.jumpIfAnyBit)

function toBranch(code: number): Branch {
  return (value, then) => [{ code, ifFalse: then.length, value }, ...then]
}

function unless(branch: Branch, value: number, then: readonly Instruction[]): Instruction[] {
  const [condition] = branch(value, [])
  return [{ ...condition!, ifTrue: then.length }, ...then]
}

function encode({ code, ifTrue = 0, ifFalse = 0, value }: Instruction): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeUInt16LE(code, 0)
  bytes.writeUInt8(ifTrue, 2)
  bytes.writeUInt8(ifFalse, 3)
  bytes.writeUInt32LE(value >>> 0, 4)
  return bytes
}
