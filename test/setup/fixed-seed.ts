import fc from 'fast-check'

// Property tests use a fixed seed, so that failures are reproducible.
fc.configureGlobal({ seed: 20_261_115 })
