/** The bundle contains the style sheet as text. */
declare module '*.css' {
  const css: string
  export default css
}
