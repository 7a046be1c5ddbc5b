import { plainHeading } from '#contract/file-columns.ts';

/** Words of banks for a line that is booked. "Sent" and "approved" are none of them: an order may be both and not booked yet. */
const BOOKED: ReadonlySet<string> = new Set([
  'posted',
  'booked',
  'cleared',
  'completed',
  'complete',
  'settled',
  'processed',
  'executed',
  'success',
  'successful',
  'succeeded',
  'reconciled',
  'final',
  'book',
  'gebucht',
  'umsatz gebucht',
  'verbucht',
  'comptabilisé',
  'exécuté',
]);
/** Words for a line that is not booked yet, or never will be. */
const NOT_BOOKED: ReadonlySet<string> = new Set([
  'pending',
  'processing',
  'in progress',
  'on hold',
  'hold',
  'held',
  'scheduled',
  'queued',
  'authorized',
  'authorised',
  'unposted',
  'not posted',
  'uncleared',
  'pdng',
  'futr',
  'info',
  'failed',
  'declined',
  'denied',
  'rejected',
  'cancelled',
  'canceled',
  'void',
  'voided',
  'reversed',
  'reverted',
  'expired',
  'blocked',
  'vorgemerkt',
  'umsatz vorgemerkt',
  'offen',
  'abgelehnt',
  'storniert',
  'en attente',
  'à venir',
  'refusé',
  'rejeté',
  'annulé',
]);

/** True for a word for booked lines, false for one for lines that are not booked. Undefined for any other cell. */
export function isBookedWord(cell: string): boolean | undefined {
  const word = plainHeading(cell);
  if (BOOKED.has(word)) return true;
  return NOT_BOOKED.has(word) ? false : undefined;
}

/** Words of the column that says on which side of the account a line is. */
const DEBITS: ReadonlySet<string> = new Set(['debit', 'dr', 'd', 'dbit', 'soll', 's']);
const CREDITS: ReadonlySet<string> = new Set(['credit', 'cr', 'c', 'crdt', 'haben', 'h']);

/** True for a cell that says money out, false for money in. Undefined for any other. */
export function isDebitWord(cell: string): boolean | undefined {
  const word = cell.trim().toLowerCase();
  if (DEBITS.has(word)) return true;
  return CREDITS.has(word) ? false : undefined;
}

/** Number of lines of a file that are not booked and left out, by the bank's word in small letters. */
export interface NotBooked {
  readonly status: string;
  readonly count: number;
}

/** Counts lines that are left out. */
export class NotBookedCount {
  readonly #counts = new Map<string, number>();

  add(word: string): void {
    const status = plainHeading(word);
    this.#counts.set(status, (this.#counts.get(status) ?? 0) + 1);
  }

  get all(): NotBooked[] {
    return [...this.#counts].map(([status, count]) => ({ status, count }));
  }
}

/** Sums by word of several statements. */
export function sumNotBooked(all: readonly NotBooked[]): NotBooked[] {
  return [...new Set(all.map(({ status }) => status))].map((status) => ({
    status,
    count: all.reduce((sum, each) => sum + (each.status === status ? each.count : 0), 0),
  }));
}
