/** Everything that a built-in tool can be handed to touch the world. */
export type Capabilities = Record<never, never>
