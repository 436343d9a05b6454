/**
 * Loaded by `--require` before a server that runs in Node. Wraps the functions of `node:fs` that take paths, and reports the
 * paths of calls that found nothing or were refused. The result of a call never changes, and nothing is reported of a call
 * that succeeds. It must load in every version of Node, and must not fail.
 */
export const nodeObserver = `'use strict'
;(() => {
  const fs = require('fs'), { resolve } = require('path'), { fileURLToPath } = require('url')
  const { openSync, writeSync, closeSync, constants } = fs
  const { HOME, TOOLPACT_TRIED } = process.env
  if (!HOME || !TOOLPACT_TRIED) return
  const file = HOME + '/' + TOOLPACT_TRIED
  const codes = new Set(['ENOENT', 'EACCES', 'EPERM', 'EROFS', 'ENOTDIR'])
  const system = /^\\/(?:usr|bin|sbin|lib\\w*|etc|proc|dev|sys)(?:\\/|$)|\\/node_modules(?:\\/|$)/
  const told = new Map()
  let left = 1000
  let isTelling = false

  const toPath = (given) => {
    if (typeof given === 'string') return resolve(given)
    if (given instanceof URL) return fileURLToPath(given)
    return Buffer.isBuffer(given) ? resolve(String(given)) : undefined
  }
  const tell = (given, access) => {
    if (isTelling || left <= 0) return
    isTelling = true
    try {
      const path = toPath(given)
      if (path === undefined || path.length > 1024 || path.includes('\\n') || system.test(path)) return
      const now = Date.now(), line = access + ' ' + path + '\\n'
      if (now - (told.get(line) || 0) < 1000) return
      told.set(line, now)
      left--
      const opened = openSync(file, constants.O_WRONLY | constants.O_APPEND)
      try { writeSync(opened, line) } finally { closeSync(opened) }
    } catch {
      left = 0
    } finally {
      isTelling = false
    }
  }
  const isWrite = (flags) => typeof flags === 'number' ? (flags & 3) !== 0 : /[wa+]/.test(String(flags || 'r'))
  /** What each function wants of the paths that are its first arguments. */
  const wants = {
    open: (args) => [isWrite(args[1]) ? 'w' : 'r'],
    access: (args) => [(args[1] & 2) !== 0 ? 'w' : 'r'],
    copyFile: () => ['r', 'w'],
    rename: () => ['w', 'w'],
  }
  for (const name of ['readFile', 'readdir', 'opendir', 'stat', 'lstat', 'realpath', 'readlink', 'exists']) wants[name] = () => ['r']
  for (const name of ['writeFile', 'appendFile', 'mkdir', 'rmdir', 'rm', 'unlink', 'truncate']) wants[name] = () => ['w']
  const tellAll = (name, args, code) => {
    if (!codes.has(code)) return
    wants[name](args).forEach((access, at) => tell(args[at], code === 'EROFS' ? 'w' : access))
  }
  const put = (owner, name, wrapped) => {
    const original = owner[name]
    if (typeof original !== 'function') return
    const next = wrapped(original)
    for (const key of Reflect.ownKeys(original))
      if (key !== 'prototype') Object.defineProperty(next, key, Object.getOwnPropertyDescriptor(original, key))
    owner[name] = next
  }
  for (const name of Object.keys(wants)) {
    put(fs, name + 'Sync', (original) => function (...args) {
      let result
      try {
        result = original.apply(this, args)
      } catch (error) {
        tellAll(name, args, error && error.code)
        throw error
      }
      if (result === false || result === undefined) if (/^(?:exists|l?stat)$/.test(name)) tellAll(name, args, 'ENOENT')
      return result
    })
    put(fs, name, (original) => function (...args) {
      const last = args.length - 1, done = args[last]
      if (typeof done === 'function')
        args[last] = function (error) {
          if (error && error.code) tellAll(name, args, error.code)
          else if (name === 'exists' && error === false) tellAll(name, args, 'ENOENT')
          return done.apply(this, arguments)
        }
      return original.apply(this, args)
    })
    if (fs.promises)
      put(fs.promises, name, (original) => function (...args) {
        return original.apply(this, args).catch((error) => {
          tellAll(name, args, error && error.code)
          throw error
        })
      })
  }
  const { syncBuiltinESMExports } = require('module')
  if (syncBuiltinESMExports) syncBuiltinESMExports()
})()
`
