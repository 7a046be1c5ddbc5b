import { useCallback, useEffect, useRef, useState } from 'react';
import { call } from '#web/api/client.ts';
import {
  NOTHING_FOUND,
  marksAfter,
  verifyNumber,
  type Findings,
  type Sources,
} from '#contract/verify-number.ts';
import type { ProofSubject } from '#contract/verify-shown.ts';
import { keepMarks, readMarks } from './kept-marks.ts';

interface Checked {
  findings: Findings;
  /** Time when the checks began. */
  at: string;
  /** True if blocks could not be loaded. */
  isInterrupted: boolean;
  /** Continues along the chain after a pause or an interruption. */
  goOn: () => void;
}

const SOURCES: Sources = {
  readBlocks: (after) => call('getSealedBlocks', { query: { after } }),
  readRoots: () => call('getLedgerRoots', {}),
  readTotals: () => call('proveTotal', {}),
};

/** Checks a number as soon as it is loaded. */
export function useChecks(subject: ProofSubject): Checked {
  const [findings, setFindings] = useState(NOTHING_FOUND);
  const [isInterrupted, setInterrupted] = useState(false);
  const [at] = useState(() => new Date().toISOString());
  /** Number of the latest run. Results of an earlier run are ignored. */
  const latest = useRef(0);

  const run = useCallback(
    async (from: Findings | undefined) => {
      latest.current += 1;
      const own = latest.current;
      const isLatest = () => latest.current === own;
      try {
        const kept = readMarks(subject.personId);
        const found = await verifyNumber(subject, {
          from,
          kept,
          ...SOURCES,
          onFound: (some) => {
            if (isLatest()) setFindings(some);
          },
        });
        keepMarks(subject.personId, marksAfter(subject, found, kept));
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
