export interface Figure {
  what: string;
  measured: string;
  /** Name in the docs and in this table; absent for a figure that is only reported. */
  target?: { text: string; isMet: boolean };
}

/** The figures as a table of text. */
export function table(figures: readonly Figure[]): string {
  const rows = figures.map(({ what, measured, target }) => [
    what,
    measured,
    target?.text ?? '',
    target === undefined ? '' : target.isMet ? 'met' : 'missed',
  ]);
  const all = [['', 'measured', 'target', ''], ...rows];
  const widths = [0, 1, 2, 3].map((column) =>
    Math.max(...all.map((row) => row[column]?.length ?? 0)),
  );
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Figures of a run. Each is said as soon as it is known, because a long run may be stopped before its table. */
export class Figures {
  readonly #all: Figure[] = [];
  readonly #say: (sentence: string) => void;

  constructor(say: (sentence: string) => void) {
    this.#say = say;
  }

  add(...figures: readonly Figure[]): void {
    this.#all.push(...figures);
    for (const figure of figures) this.#say(table([figure]).split('\n').at(-1) ?? '');
  }

  /**
   * Says the table of all of them.
   *
   * @returns true if all targets were met
   */
  end(): boolean {
    return conclude(this.#all, this.#say);
  }
}

/**
 * Says the table of the figures.
 *
 * @returns true if all targets were met
 */
export function conclude(figures: readonly Figure[], say: (sentence: string) => void): boolean {
  say(`\n${table(figures)}\n`);
  return figures.every(({ target }) => target?.isMet !== false);
}

/** A ratio and its maximum. */
export function atMost(what: string, value: number, limit: number, unit: string): Figure {
  return {
    what,
    measured: `${decimal(value)}${unit}`,
    target: { text: `at most ${limit}${unit}`, isMet: value <= limit },
  };
}

/** A ratio and its minimum. */
export function atLeast(what: string, value: number, limit: number, unit: string): Figure {
  return {
    what,
    measured: `${decimal(value)}${unit}`,
    target: { text: `at least ${limit}${unit}`, isMet: value >= limit },
  };
}

export function seconds(durationMs: number): string {
  return `${decimal(durationMs / 1000)} s`;
}

export function milliseconds(value: number): string {
  return `${decimal(value)} ms`;
}

export function times(ratio: number): string {
  return `${decimal(ratio)} x`;
}

/** The value below which that share of the values is. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function decimal(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(2);
}
