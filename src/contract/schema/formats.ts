/** A separate file: lazily importing the CommonJS module would make the bundler load its helpers with the importer. */
export { fullFormats } from 'ajv-formats/dist/formats.js'
