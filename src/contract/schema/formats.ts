/** A file of its own: to import a CommonJS module lazily, the bundler would load its helpers with whoever does so. */
export { fullFormats } from 'ajv-formats/dist/formats.js'
