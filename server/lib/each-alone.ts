/** Runs pieces of work that must not keep each other from being done. */
export interface EachAlone {
  /** Whether that piece of work was done; its failure is kept for `finish`. */
  succeeds: (work: () => Promise<boolean>) => Promise<boolean>;
  /** @throws AggregateError with every failure, once all else is done */
  finish: () => void;
}

/** @param undone what did not happen to each that failed: `could not be destroyed` */
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
