import type { Columns } from './layout.ts';

/**
 * A fault of a NACHA file, with its place. `why` quotes figures of control records alone: other records hold account
 * numbers, and faults reach screens and logs.
 */
export class NachaFault extends Error {
  /** Number of the record, from 1; lines of the file where it has lines. */
  readonly record: number;
  readonly columns: Columns | null;
  readonly why: string;

  constructor(record: number, columns: Columns | null, why: string) {
    const place = columns === null ? '' : `, columns ${columns.from} to ${columns.to}`;
    super(`Record ${record}${place}: ${why}`);
    this.name = 'NachaFault';
    this.record = record;
    this.columns = columns;
    this.why = why;
  }
}
