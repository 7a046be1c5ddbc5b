/**
 * Parts of our environment for a Node process started by a test: where its programs are, and
 * the folder of compiled code (vitest.config.ts), without which each start compiles all of the
 * server again. Nothing else of the machine's settings, which are not the test's.
 */
export function childEnvironment(): Record<string, string> {
  const kept = ['PATH', 'NODE_COMPILE_CACHE'];
  return Object.fromEntries(
    kept.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
