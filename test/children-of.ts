import { globSync, readFileSync } from 'node:fs';

/** Linux lists every process with its parent in /proc. */
export function childrenOf(parent: number): number[] {
  return globSync('/proc/[0-9]*/stat').flatMap((path) => {
    try {
      const stat = readFileSync(path, 'utf8');
      const [, ppid] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return Number(ppid) === parent ? [Number(path.split('/')[2])] : [];
    } catch {
      return [];
    }
  });
}
