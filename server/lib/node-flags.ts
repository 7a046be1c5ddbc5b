/**
 * Node's command-line flags for the server.
 *
 * The young half of V8's heap has at most two times 16 MB. By default it grows with the machine, to
 * two times 64 MB with 24 GB, which saved no processor time and took 75 MB more
 * (docs/decisions/005).
 */
export const NODE_FLAGS: readonly string[] = ['--max-semi-space-size=16'];
