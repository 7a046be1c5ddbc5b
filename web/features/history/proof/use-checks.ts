import { useCallback, useEffect, useRef, useState } from 'react';
import { call } from '#web/api/client.ts';
import { NOTHING_FOUND, runChecks, type Findings } from './run-checks.ts';
import type { ProofSubject } from './subject.ts';

interface Checked {
  findings: Findings;
  /** When the checks began. */
  at: string;
  /** The blocks could not be asked for. */
  isInterrupted: boolean;
  /** Goes on along the chain where it stopped, after a pause or an interruption. */
  goOn: () => void;
}

/** Checks a number as soon as it is there, in front of who asked. */
export function useChecks(subject: ProofSubject): Checked {
  const [findings, setFindings] = useState(NOTHING_FOUND);
  const [isInterrupted, setInterrupted] = useState(false);
  const [at] = useState(() => new Date().toISOString());
  /** Counts the runs: what one finds that is no longer the last is not shown. */
  const latest = useRef(0);

  const run = useCallback(
    async (from: Findings | undefined) => {
      latest.current += 1;
      const own = latest.current;
      const isLatest = () => latest.current === own;
      try {
        await runChecks(subject, {
          from,
          readBlocks: (after) => call('getSealedBlocks', { query: { after } }),
          onFound: (found) => {
            if (isLatest()) setFindings(found);
          },
        });
      } catch {
        if (isLatest()) setInterrupted(true);
      }
    },
    [subject],
  );
  useEffect(() => {
    void run(undefined);
    return () => {
      latest.current += 1;
    };
  }, [run]);
  const goOn = () => {
    setInterrupted(false);
    void run(findings);
  };
  return { findings, at, isInterrupted, goOn };
}
