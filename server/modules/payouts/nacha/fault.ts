/** Place in a record, counted from 1. */
export interface Columns {
  from: number;
  to: number;
}

/** A control record whose figures do not agree. It holds no account numbers. */
export interface NachaControl {
  kind: 'batch' | 'file';
  record: string;
  figures: readonly {
    name: string;
    columns: Columns;
    found: string;
    expected: string;
  }[];
}

/**
 * A fault of a NACHA file, with its place. `why` quotes figures of control records alone: other records hold account
 * numbers, and faults reach screens and logs.
 */
export class NachaFault extends Error {
  /** Number of the record, from 1; lines of the file where it has lines. */
  readonly record: number;
  readonly columns: Columns | null;
  readonly why: string;
  /** The control record that is wrong; null where another record is. */
  readonly control: NachaControl | null;

  constructor(
    record: number,
    columns: Columns | null,
    why: string,
    control: NachaControl | null = null,
  ) {
    const place = columns === null ? '' : `, columns ${columns.from} to ${columns.to}`;
    super(`Record ${record}${place}: ${why}`);
    this.name = 'NachaFault';
    this.record = record;
    this.columns = columns;
    this.why = why;
    this.control = control;
  }
}
