import { isRoutingNumber } from '#contract/account-formats.ts';
import { NachaFault } from './fault.ts';
import type { NachaControl, Columns } from './fault.ts';
import type { Layout, Values } from './layout.ts';
import { readAddenda } from './read-addenda.ts';
import type { ReadAddenda } from './read-addenda.ts';
import {
  BATCH_CONTROL,
  BATCH_HEADER,
  BLOCKING_FACTOR,
  ENTRY,
  FILE_CONTROL,
  FILE_HEADER,
  FILLER,
  entryHash,
  isCredit,
  isTransactionCode,
} from './records.ts';
import { splitRecords } from './split-records.ts';
import type { NachaTotals } from './write-nacha.ts';

type ValuesOf<L> = L extends Layout<infer F> ? Values<F> : never;
export type ReadFileHeader = ValuesOf<typeof FILE_HEADER>;
export type ReadBatchHeader = ValuesOf<typeof BATCH_HEADER>;
type BatchControl = ValuesOf<typeof BATCH_CONTROL>;

/** An entry with what follows it. */
export interface ReadEntry extends ValuesOf<typeof ENTRY> {
  /** Number of its record in the file. */
  record: number;
  isCredit: boolean;
  follows: ReadAddenda[];
}

export interface ReadNacha {
  header: ReadFileHeader;
  totals: NachaTotals;
}

interface OpenBatch {
  header: ReadBatchHeader;
  entryCount: number;
  hash: bigint;
  debitMinor: bigint;
  creditMinor: bigint;
  lastTrace: string;
}

interface Sums {
  batchCount: number;
  entryCount: number;
  hash: bigint;
  debitMinor: bigint;
  creditMinor: bigint;
}

/**
 * Reads a NACHA file strictly: the order of its records, all their lengths and codes, check digits, counts, sums and
 * hashes. The file is right only when the returned promise fulfils; entries that were given before that are not.
 *
 * @param text the file's text in parts of any size; bytes outside ASCII have to arrive as characters outside it
 * @param onEntry is given each entry once its addenda have been read, in the order of the file
 * @throws {NachaFault} naming record and columns
 */
export async function readNacha(
  text: AsyncIterable<string> | Iterable<string>,
  onEntry: (entry: ReadEntry, batch: ReadBatchHeader) => void,
): Promise<ReadNacha> {
  const reader = new Reader(onEntry);
  await splitRecords(text, (record, number) => reader.take(record, number));
  return reader.end();
}

class Reader {
  readonly #onEntry: (entry: ReadEntry, batch: ReadBatchHeader) => void;
  #header: ReadFileHeader | null = null;
  #batch: OpenBatch | null = null;
  #entry: ReadEntry | null = null;
  #totals: NachaTotals | null = null;
  readonly #sums: Sums = {
    batchCount: 0,
    entryCount: 0,
    hash: 0n,
    debitMinor: 0n,
    creditMinor: 0n,
  };
  #number = 0;
  #records = 0;
  #fillers = 0;

  constructor(onEntry: (entry: ReadEntry, batch: ReadBatchHeader) => void) {
    this.#onEntry = onEntry;
  }

  take(record: string, number: number): void {
    this.#number = number;
    if (this.#totals !== null) {
      if (record !== FILLER) throw this.#fault(null, 'nothing may follow the file control record');
      this.#fillers += 1;
      return;
    }
    this.#records += 1;
    const type = record[0];
    if (this.#header === null) {
      if (type !== '1') throw this.#fault(TYPE, 'the file does not begin with a file header');
      this.#header = this.#readHeader(record);
    } else if (type === '5') this.#openBatch(record);
    else if (type === '6') this.#readEntry(record);
    else if (type === '7') this.#readAddenda(record);
    else if (type === '8') this.#closeBatch(BATCH_CONTROL.read(record, number), record);
    else if (type === '9') this.#closeFile(record);
    else throw this.#fault(TYPE, 'no such record may be here');
  }

  end(): ReadNacha {
    if (this.#header === null) throw new NachaFault(1, null, 'the file is empty');
    if (this.#totals === null) {
      throw this.#fault(null, 'the file ends here, without a file control record');
    }
    const inLastBlock = (this.#records + this.#fillers) % BLOCKING_FACTOR;
    if (this.#fillers > 0 && (inLastBlock !== 0 || this.#fillers >= BLOCKING_FACTOR)) {
      throw this.#fault(null, 'the records of nines do not fill the last block of ten');
    }
    return { header: this.#header, totals: this.#totals };
  }

  #readHeader(record: string): ReadFileHeader {
    const header = FILE_HEADER.read(record, this.#number);
    this.#checkDate(header.createdOn, FILE_HEADER.columns('createdOn'));
    if (!/^[A-Z0-9]$/.test(header.fileIdModifier)) {
      throw this.#fault(FILE_HEADER.columns('fileIdModifier'), 'A to Z or 0 to 9 is expected');
    }
    return header;
  }

  #openBatch(record: string): void {
    if (this.#batch !== null) throw this.#fault(TYPE, 'the batch before has no control record');
    const header = BATCH_HEADER.read(record, this.#number);
    if (!['200', '220', '225'].includes(header.serviceClass)) {
      throw this.#fault(BATCH_HEADER.columns('serviceClass'), '200, 220 or 225 is expected');
    }
    if (!/^[A-Z]{3}$/.test(header.entryClass)) {
      throw this.#fault(BATCH_HEADER.columns('entryClass'), 'three letters are expected');
    }
    if (header.effectiveOn !== '') {
      this.#checkDate(header.effectiveOn, BATCH_HEADER.columns('effectiveOn'));
    }
    const sums = { entryCount: 0, hash: 0n, debitMinor: 0n, creditMinor: 0n };
    this.#batch = { header, ...sums, lastTrace: '' };
  }

  #readEntry(record: string): void {
    const batch = this.#openOne();
    this.#endEntry(batch);
    const entry = ENTRY.read(record, this.#number);
    if (!isTransactionCode(entry.transactionCode)) {
      throw this.#fault(ENTRY.columns('transactionCode'), 'there is no such transaction code');
    }
    if (!isRoutingNumber(entry.routingNumber)) {
      throw this.#fault(
        ENTRY.columns('routingNumber'),
        'the check digit of the routing number is wrong',
      );
    }
    if (entry.accountNumber === '') {
      throw this.#fault(ENTRY.columns('accountNumber'), 'the account number is missing');
    }
    if (entry.name === '') throw this.#fault(ENTRY.columns('name'), 'the name is missing');
    if (!/^[01]$/.test(entry.addenda)) {
      throw this.#fault(ENTRY.columns('addenda'), '0 or 1 is expected');
    }
    const credit = isCredit(entry.transactionCode);
    const { serviceClass } = batch.header;
    if ((serviceClass === '220' && !credit) || (serviceClass === '225' && credit)) {
      const direction = credit ? 'a credit in a batch of debits' : 'a debit in a batch of credits';
      throw this.#fault(ENTRY.columns('transactionCode'), direction);
    }
    batch.entryCount += 1;
    batch.hash += BigInt(entry.routingNumber.slice(0, 8));
    if (credit) batch.creditMinor += entry.amountMinor;
    else batch.debitMinor += entry.amountMinor;
    this.#entry = { ...entry, record: this.#number, isCredit: credit, follows: [] };
  }

  #readAddenda(record: string): void {
    const batch = this.#openOne();
    const entry = this.#entry;
    if (entry === null) throw this.#fault(TYPE, 'addenda without an entry');
    if (entry.addenda !== '1') throw this.#fault(TYPE, 'the entry before announces no addenda');
    const addenda = readAddenda(record, this.#number);
    const before = entry.follows.at(-1);
    if (before !== undefined && (before.kind !== 'note' || addenda.kind !== 'note')) {
      throw this.#fault(TYPE, 'a second addenda record of one entry');
    }
    if (addenda.kind === 'note') {
      if (addenda.sequence !== entry.follows.length + 1) {
        throw this.#fault({ from: 84, to: 87 }, 'the addenda sequence number is wrong');
      }
      if (addenda.entrySequence !== entry.traceNumber.slice(8)) {
        throw this.#fault({ from: 88, to: 94 }, 'the trace number is not that of the entry');
      }
    }
    batch.entryCount += 1;
    entry.follows.push(addenda);
  }

  /** Gives the entry away that is complete now. */
  #endEntry(batch: OpenBatch): void {
    const entry = this.#entry;
    if (entry === null) return;
    this.#entry = null;
    if (entry.addenda === '1' && entry.follows.length === 0) {
      throw new NachaFault(
        entry.record,
        ENTRY.columns('addenda'),
        'the announced addenda are missing',
      );
    }
    const isAnswer = entry.follows.some(({ kind }) => kind !== 'note');
    // Banks collect the entries that they send back from several files, in any order.
    if (!isAnswer && entry.traceNumber <= batch.lastTrace) {
      const columns = ENTRY.columns('traceNumber');
      throw new NachaFault(entry.record, columns, 'trace numbers do not ascend in this batch');
    }
    batch.lastTrace = entry.traceNumber;
    this.#onEntry(entry, batch.header);
  }

  #closeBatch(control: BatchControl, record: string): void {
    const batch = this.#openOne();
    this.#endEntry(batch);
    const { header } = batch;
    const same = [
      ['serviceClass', header.serviceClass, control.serviceClass],
      // Some banks write it at the right of its field in one of the two.
      ['companyId', header.companyId.trim(), control.companyId.trim()],
      ['odfi', header.odfi, control.odfi],
      ['batchNumber', header.batchNumber, control.batchNumber],
    ] as const;
    for (const [name, expected, found] of same) {
      if (found !== expected) throw this.#differs(BATCH_CONTROL.columns(name), found, expected);
    }
    const { entryCount, hash, debitMinor, creditMinor } = batch;
    if (entryCount === 0) throw this.#fault(null, 'the batch has no entries');
    const expected = { entryCount, entryHash: entryHash(hash), debitMinor, creditMinor };
    this.#checkSums(BATCH_CONTROL, control, expected, { kind: 'batch', record });
    this.#batch = null;
    this.#sums.batchCount += 1;
    this.#sums.entryCount += entryCount;
    this.#sums.hash += hash;
    this.#sums.debitMinor += debitMinor;
    this.#sums.creditMinor += creditMinor;
  }

  #closeFile(record: string): void {
    if (this.#batch !== null) throw this.#fault(TYPE, 'the last batch has no control record');
    const control = FILE_CONTROL.read(record, this.#number);
    const { hash, ...counts } = this.#sums;
    const blockCount = Math.ceil(this.#records / BLOCKING_FACTOR);
    const totals = { ...counts, blockCount, entryHash: entryHash(hash) };
    this.#checkSums(FILE_CONTROL, control, totals, { kind: 'file', record });
    this.#totals = totals;
  }

  #checkSums<Name extends string>(
    { columns }: { columns: (name: Name) => Columns },
    found: Readonly<Partial<Record<Name, unknown>>>,
    expected: Readonly<Partial<Record<Name, number | bigint>>>,
    of: Pick<NachaControl, 'kind' | 'record'>,
  ): void {
    const figures = (Object.keys(expected) as Name[]).map((name) => ({
      name,
      columns: columns(name),
      found: String(found[name]),
      expected: String(expected[name]),
    }));
    const wrong = figures.find((one) => one.found !== one.expected);
    if (wrong === undefined) return;
    const why = differing(wrong.found, wrong.expected);
    throw new NachaFault(this.#number, wrong.columns, why, { ...of, figures });
  }

  #openOne(): OpenBatch {
    if (this.#batch === null)
      throw this.#fault(TYPE, 'a batch header is missing before this record');
    return this.#batch;
  }

  #checkDate(date: string, columns: Columns): void {
    const day = `20${date.slice(0, 2)}-${date.slice(2, 4)}-${date.slice(4)}`;
    const moment = new Date(`${day}T00:00:00Z`);
    const isDay = !Number.isNaN(moment.valueOf()) && moment.toISOString().startsWith(day);
    if (!isDay) throw this.#fault(columns, 'a day as YYMMDD is expected');
  }

  #differs(columns: Columns, found: string, expected: string): NachaFault {
    return this.#fault(columns, differing(found, expected));
  }

  #fault(columns: Columns | null, why: string): NachaFault {
    return new NachaFault(this.#number, columns, why);
  }
}

const TYPE: Columns = { from: 1, to: 1 };

function differing(found: string, expected: string): string {
  return `${found} is here, ${expected} follows from the records before`;
}
