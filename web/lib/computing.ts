/** True if this page can check hashes and signatures. Pages over plain HTTP under a host name cannot. */
export function canCompute(): boolean {
  return 'subtle' in crypto;
}

export const CANNOT_COMPUTE =
  'Your browser can check this only on pages that begin with https. Open Purser under its https address, or download the proof and check it elsewhere.';
