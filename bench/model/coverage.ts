import { PATHS } from '#contract/paths.ts';

const COMMANDS = Object.entries(PATHS)
  .filter(([, [method]]) => method !== 'GET')
  .map(([name, [method, path]]) => {
    const pattern = path.replaceAll(/\{\w+\}/g, '[^/]+');
    return { name, isExact: pattern === path, is: new RegExp(`^${method} ${pattern}$`) };
  })
  // `password-links` is no id where an operation has that very path.
  .toSorted((one, other) => Number(other.isExact) - Number(one.isExact));

/** Names of all operations that change something. */
export const COMMAND_NAMES: readonly string[] = COMMANDS.map(({ name }) => name).toSorted();

/** Name of the command at that address; undefined for a read. */
export function commandAt(method: string, path: string): string | undefined {
  const address = `${method} ${path.split('?')[0]}`;
  return COMMANDS.find(({ is }) => is.test(address))?.name;
}
