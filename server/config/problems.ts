import { StartError } from '#server/lib/start-error.ts';

/** Problems of the settings, gathered so that one message names all of them. */
export interface Problems {
  /** Adds a sentence. */
  add(name: string, sentence: string): void;
  /** True if a problem of this setting was added. */
  has(name: string): boolean;
  /** The value, or null after adding the StartError that was thrown in place of it. */
  attempt<T>(name: string, read: () => T): T | null;
  /** @throws {StartError} if there are any */
  refuse(): void;
}

export function gatherProblems(): Problems {
  const names = new Set<string>();
  const sentences = new Set<string>();
  const problems: Problems = {
    add(name, sentence) {
      names.add(name);
      sentences.add(sentence);
    },
    has: (name) => names.has(name),
    attempt(name, read) {
      try {
        return read();
      } catch (error) {
        if (!(error instanceof StartError)) throw error;
        problems.add(name, error.message);
        return null;
      }
    },
    refuse() {
      const [first, ...more] = sentences;
      if (first === undefined) return;
      throw new StartError(
        more.length === 0 ? first : ['Several settings are wrong:', ...sentences].join('\n  '),
      );
    },
  };
  return problems;
}
