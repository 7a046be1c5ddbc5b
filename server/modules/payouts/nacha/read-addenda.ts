import { CHANGE_CODES, RETURN_CODES } from '#contract/ach-codes.ts';
import type { AchReturnCode, ChangeCode } from '#contract/ach-codes.ts';
import { NachaFault } from './fault.ts';
import { ADDENDA, CHANGE, CONTESTED_RETURN, DISHONORED_RETURN, RETURN } from './records.ts';

/** A record that follows an entry. */
export type ReadAddenda =
  | { kind: 'note'; text: string; sequence: number; entrySequence: string }
  | {
      kind: 'return';
      code: AchReturnCode;
      /** Trace number of our entry. */
      originalTrace: string;
      information: string;
      traceNumber: string;
    }
  | {
      kind: 'dishonored' | 'contested';
      code: AchReturnCode;
      originalTrace: string;
      returnTrace: string;
    }
  | {
      kind: 'change';
      code: ChangeCode;
      originalTrace: string;
      /** Corrected data as they are in columns 36 to 64; the code says what they are. */
      corrected: string;
      traceNumber: string;
    };

const CODE = RETURN.columns('code');
const DISHONORED: ReadonlySet<string> = new Set(['R61', 'R62', 'R67', 'R68', 'R69', 'R70']);

/** Reads an addenda record by its type: 05, 98 or 99. @throws {NachaFault} */
export function readAddenda(record: string, number: number): ReadAddenda {
  const type = record.slice(1, 3);
  if (type === '05') {
    const { text, sequence, entrySequence } = ADDENDA.read(record, number);
    return { kind: 'note', text, sequence, entrySequence };
  }
  if (type === '98') {
    const { code, originalTrace, corrected, traceNumber } = CHANGE.read(record, number);
    if (!isChangeCode(code)) throw new NachaFault(number, CODE, `${code} is no change code`);
    return { kind: 'change', code, originalTrace, corrected, traceNumber };
  }
  if (type !== '99') {
    throw new NachaFault(number, { from: 2, to: 3 }, 'addenda of type 05, 98 or 99 are expected');
  }
  const code = record.slice(CODE.from - 1, CODE.to);
  if (!isReturnCode(code)) throw new NachaFault(number, CODE, `${code} is no return reason code`);
  if (DISHONORED.has(code)) {
    const { originalTrace, returnTrace } = DISHONORED_RETURN.read(record, number);
    return { kind: 'dishonored', code, originalTrace, returnTrace };
  }
  if (code.startsWith('R7')) {
    const { originalTrace, returnTrace } = CONTESTED_RETURN.read(record, number);
    return { kind: 'contested', code, originalTrace, returnTrace };
  }
  const { originalTrace, information, traceNumber } = RETURN.read(record, number);
  return { kind: 'return', code, originalTrace, information, traceNumber };
}

function isReturnCode(code: string): code is AchReturnCode {
  return Object.hasOwn(RETURN_CODES, code);
}

function isChangeCode(code: string): code is ChangeCode {
  return Object.hasOwn(CHANGE_CODES, code);
}
