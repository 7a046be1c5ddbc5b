/** Runs pieces of work so that a failed one does not prevent the others. */
export interface EachAlone {
  /** True if that piece of work succeeded; its failure is kept for `finish`. */
  succeeds: (work: () => Promise<boolean>) => Promise<boolean>;
  /** @throws AggregateError with every failure, after all others have run */
  finish: () => void;
}

/** @param undone description of a failed piece: `could not be destroyed` */
export function eachAlone(undone: string): EachAlone {
  const failures: unknown[] = [];
  return {
    async succeeds(work) {
      try {
        return await work();
      } catch (error) {
        failures.push(error);
        return false;
      }
    },
    finish() {
      if (failures.length === 0) return;
      const [first] = failures;
      const reason = first instanceof Error ? first.message : String(first);
      throw new AggregateError(failures, `${failures.length} ${undone}: ${reason}`);
    },
  };
}

/**
 * Runs a piece of work for each, one after the other. A failed one does not prevent the others.
 *
 * @returns how many were done
 * @throws AggregateError with every failure, after all others have run
 */
export async function countEach<One>(
  ones: Iterable<One> | AsyncIterable<One>,
  undone: string,
  work: (one: One) => Promise<boolean>,
): Promise<number> {
  const { succeeds, finish } = eachAlone(undone);
  let done = 0;
  for await (const one of ones) {
    if (await succeeds(() => work(one))) done += 1;
  }
  finish();
  return done;
}
