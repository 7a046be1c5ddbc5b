import type { Random } from '#scripts/demo/random.ts';
import type { MoneyCompany } from '#test/money-company.ts';
import type { Client } from './client.ts';
import type { Journal } from './journal.ts';

/** Parts that all work shares, and what it remembers. */
export interface LoadOptions {
  company: MoneyCompany;
  /** Pending deposits to decide. */
  deposits: readonly string[];
  client: Client;
  journal: Journal;
  random: Random;
  payrollEveryMs: number;
  further: Further;
  desk: Desk;
  closing: Closing;
}

/** A line that the bank will show. It agrees with an item by reference and amount. */
export interface ComingLine {
  text: string;
  /** Minor units, below zero for money out. */
  minor: bigint;
  /** Notes that the line was matched. */
  matched: () => void;
}

/** The company's account at its bank. */
export interface Desk {
  accountId: string;
  /** Closing balance of the last statement, in minor units. */
  closingMinor: bigint;
  coming: ComingLine[];
  /** Entries of returns files so far, which the bank numbers. */
  returned: number;
}

/** Wallet for savings and payee outside of each person who requests money, by the person's id. */
export type Further = ReadonlyMap<string, { savingsId: string; payeeId: string }>;

/** The month before the present one, with its books. */
export interface Closing {
  /** `2026-11` */
  month: string;
  /** Null from the request that changes it until its reply. */
  isClosed: boolean | null;
  /** Number of times that it was closed or opened again. */
  changes: number;
  /** Person whose two accounts the server moves money between whose clock is in that month. */
  latecomer: Latecomer;
}

export interface Latecomer {
  userId: string;
  /** Cookie of a session at the servers whose clocks are right. */
  cookie: string;
  fromWalletId: string;
  toWalletId: string;
}
