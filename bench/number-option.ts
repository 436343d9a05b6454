/** The value of `--name=1000` on the command line. */
export function numberOption(name: string, fallback: number): number {
  const start = `--${name}=`
  const given = process.argv.find((argument) => argument.startsWith(start))
  return given === undefined ? fallback : Number(given.slice(start.length))
}
