import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type Architecture, isSupported, toSystemCallFilter } from './system-call-filter.ts'
import { absent, denied, inspected, type SystemCall } from './system-calls.ts'

const audit = { x64: 0xc000_003e, arm64: 0xc000_00b7 }
const allowed = 0x7fff_0000
const eperm = 0x0005_0001
const enosys = 0x0005_0026

/** Runs a filter as the kernel does. */
function run(program: Buffer, { arch, number, args = [] }: { arch: number; number: number; args?: number[] }): number {
  const data = Buffer.alloc(64)
  data.writeUInt32LE(number, 0)
  data.writeUInt32LE(arch, 4)
  for (const [index, value] of args.entries()) data.writeBigUInt64LE(BigInt(value), 16 + 8 * index)
  let held = 0
  for (let at = 0; at < program.length; at += 8) {
    const [code, value] = [program.readUInt16LE(at), program.readUInt32LE(at + 4)]
    const jump = (holds: boolean) => {
      at += 8 * program.readUInt8(at + (holds ? 2 : 3))
    }
    if (code === 0x20) held = data.readUInt32LE(value)
    else if (code === 0x54) held = (held & value) >>> 0
    else if (code === 0x15) jump(held === value)
    else if (code === 0x35) jump(held >= value)
    else if (code === 0x45) jump((held & value) !== 0)
    else if (code === 0x06) return value
    else throw new Error(`There is no instruction ${code}`)
  }
  throw new Error('It did not return')
}

const open = (architecture: Architecture, unixSockets = false) => {
  const program = toSystemCallFilter(architecture, { unixSockets })
  return (call: SystemCall, ...args: number[]) =>
    run(program, { arch: audit[architecture], number: call[architecture]!, args })
}

const both = ['x64', 'arm64'] as const

test.each(both)('%s: every named call is refused, and others are not', (architecture) => {
  const call = open(architecture)
  for (const [name, numbers] of Object.entries(denied))
    if (architecture in numbers) expect(call(numbers), name).toBe(eperm)
  for (const [name, numbers] of Object.entries(absent)) expect(call(numbers), name).toBe(enosys)
  const named = Object.values({ ...denied, ...absent, ...inspected }).map(
    (numbers: SystemCall) => numbers[architecture],
  )
  for (let number = 0; number < 600; number++)
    if (!named.includes(number)) expect(call({ x64: number, arm64: number }), String(number)).toBe(allowed)
})

test.each(both)('%s: sockets of the network only, and pairs that cannot be connected again', (architecture) => {
  const call = open(architecture)
  for (const family of [2, 10, 16]) expect(call(inspected.socket, family, 1)).toBe(allowed)
  for (const family of [0, 1, 17, 31, 38, 40]) expect(call(inspected.socket, family, 1)).toBe(eperm)
  // The kernel reads 32 bits of it.
  expect(call(inspected.socket, 2 ** 32 + 1, 1)).toBe(eperm)
  const [nonblocking, closeOnExec] = [0x800, 0x80000]
  for (const type of [1, 5, 1 | nonblocking | closeOnExec]) expect(call(inspected.socketpair, 1, type)).toBe(allowed)
  for (const type of [2, 3, 2 | closeOnExec]) expect(call(inspected.socketpair, 1, type)).toBe(eperm)
  const open2 = open(architecture, true)
  expect(open2(inspected.socket, 1, 1)).toBe(allowed)
  expect(open2(inspected.socketpair, 1, 2)).toBe(allowed)
  expect(open2(inspected.socket, 40, 1)).toBe(eperm)
})

test.each(both)('%s: no new namespaces, and nothing typed into a terminal', (architecture) => {
  const call = open(architecture)
  const [thread, child] = [0x3d0f00, 0x1200011]
  for (const flags of [thread, child, 17]) expect(call(inspected.clone, flags)).toBe(allowed)
  for (const bit of [17, 25, 26, 27, 28, 29, 30]) {
    expect(call(inspected.clone, (1 << bit) | 17)).toBe(eperm)
    expect(call(inspected.unshare, 1 << bit)).toBe(eperm)
  }
  expect(call(inspected.unshare, 0x80)).toBe(eperm)
  expect(call(inspected.unshare, 0x400)).toBe(allowed)
  expect(call(inspected.ioctl, 0, 0x5412)).toBe(eperm)
  expect(call(inspected.ioctl, 0, 2 ** 32 + 0x5412)).toBe(eperm)
  expect(call(inspected.ioctl, 0, 0x541c)).toBe(eperm)
  expect(call(inspected.ioctl, 0, 0x5401)).toBe(allowed)
})

test('other architectures and the x32 interface have no calls', () => {
  const x64 = toSystemCallFilter('x64', { unixSockets: false })
  expect(run(x64, { arch: 0x4000_0003, number: 102 })).toBe(enosys)
  expect(run(x64, { arch: audit.x64, number: 0x4000_0000 + 1 })).toBe(enosys)
  expect(run(x64, { arch: audit.arm64, number: 63 })).toBe(enosys)
  expect(run(toSystemCallFilter('arm64', { unixSockets: false }), { arch: audit.x64, number: 1 })).toBe(enosys)
  expect(['x64', 'arm64', 'ia32', 'riscv64', 'constructor'].filter(isSupported)).toEqual(['x64', 'arm64'])
})

const headers = {
  x64: '/usr/include/x86_64-linux-gnu/asm/unistd_64.h',
  arm64: '/usr/include/asm-generic/unistd.h',
}

test.each(both)('%s: the numbers are those of the kernel (skipped where its headers are missing)', (architecture) => {
  if (!existsSync(headers[architecture])) return
  const text = readFileSync(headers[architecture], 'utf8')
  let found = 0
  for (const [name, numbers] of Object.entries<SystemCall>({ ...denied, ...absent, ...inspected })) {
    const [, number] = new RegExp(`#define __NR(?:3264)?_${name}\\s+(\\d+)`).exec(text) ?? []
    if (number === undefined) continue
    found++
    expect(numbers[architecture], name).toBe(Number(number))
  }
  expect(found).toBeGreaterThan(40)
})
