/**
 * Node's command-line flags for the server.
 *
 * The young half of V8's heap has at most two times 16 MB. By default it grows with the machine, to
 * two times 64 MB with 24 GB, which saved no processor time and took 75 MB more
 * (docs/decisions/005).
 *
 * The old half is collected when it has grown by 60 % since it was collected last. By default it may grow to the fourfold, so
 * that a payout file of 60,000 payments took 250 MB more, of which all but 35 MB was garbage; with this it takes 100 MB, and 5 %
 * more processor time (docs/decisions/086).
 */
export const NODE_FLAGS: readonly string[] = [
  '--max-semi-space-size=16',
  '--heap-growing-percent=60',
];
