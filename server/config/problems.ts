import { StartError } from '#server/lib/start-error.ts';

/** Problems of the settings, gathered so that one message names all of them. */
export interface Problems {
  /** Adds a sentence. */
  add(name: string, sentence: string): void;
  /** True if a problem of this setting was added. */
  has(name: string): boolean;
  /** The value, or null after adding the StartError that was thrown in place of it. */
  attempt<T>(name: string, read: () => T): T | null;
  /**
   * @param unknown sentences about unknown names, which may be the cause of what is missing
   * @throws {StartError} if there are any problems
   */
  refuse(unknown: readonly string[]): void;
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
    refuse(unknown) {
      if (sentences.size === 0) return;
      const all = [...sentences, ...unknown];
      const isOne = all.length === 1;
      throw new StartError(isOne ? String(all[0]) : ['Settings are wrong:', ...all].join('\n  '));
    },
  };
  return problems;
}
