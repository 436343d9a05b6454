// Imported first, so that an old Node reports this instead of the first missing feature.
if (Number.parseInt(process.versions.node, 10) < 24)
  throw new Error(
    `Toolpact needs Node 24 or newer, but this is Node ${process.versions.node}. Install one from https://nodejs.org.`,
  )

export {}
