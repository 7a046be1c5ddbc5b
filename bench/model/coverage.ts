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

/** Commands of a run: how often each was sent, and how often it was accepted. */
export class Coverage {
  readonly sent = new Map<string, number>();
  readonly accepted = new Map<string, number>();

  note(name: string, isAccepted: boolean): void {
    for (const counts of isAccepted ? [this.sent, this.accepted] : [this.sent]) {
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }

  add(other: Coverage): void {
    for (const kind of ['sent', 'accepted'] as const) {
      for (const [name, count] of other[kind]) {
        this[kind].set(name, (this[kind].get(name) ?? 0) + count);
      }
    }
  }

  /** Lines about the commands that a run is to play: those that were never accepted, and the numbers. */
  report(played: readonly string[]): string[] {
    const line = (names: readonly string[]) => names.map((name) => `  ${name}`);
    return [
      `Commands: ${this.sent.size} sent and ${this.accepted.size} accepted of ${played.length} that are played and ${COMMAND_NAMES.length} in all.`,
      'Sent and never accepted:',
      ...line(played.filter((name) => this.sent.has(name) && !this.accepted.has(name))),
      'Never sent:',
      ...line(played.filter((name) => !this.sent.has(name))),
    ];
  }
}
