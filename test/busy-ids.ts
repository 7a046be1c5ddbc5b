import type { BillStatus } from '#contract/bills.ts';
import type { WithdrawalStatus } from '#contract/withdrawals.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import type { Payee } from './factories/money.ts';

/** A withdrawal's status, or `stopped` for one that was rejected after its approval. */
export type Ending = WithdrawalStatus | 'stopped';

/** Ids of what a busy company has, to be tampered with. */
export interface BusyCompany {
  admin: CommandContext;
  otherAdmin: CommandContext;
  /** Two employees with an approved identity, money and a verified bank account. */
  maya: Payee;
  ben: Payee;
  /** The id of an employee who joined after the batches, so no line is theirs. */
  newcomerId: string;
  /** Maya's withdrawals. */
  withdrawals: Record<Ending, string>;
  /** Maya's deposits. */
  deposits: Record<'pending' | 'approved' | 'rejected' | 'cancelled', string>;
  /** Maya's bank accounts other than the one that is paid to. */
  banks: Record<'pending' | 'rejected' | 'edited' | 'removed', string>;
  /** Maya's payment to Ben. */
  payment: string;
  /** Maya's move of 3,000 cents into a wallet for savings. */
  move: string;
  /** Maya's bills. */
  bills: Record<BillStatus, string>;
  /** Maya's standing bill, whose first bill is scheduled. */
  standingBill: string;
  /** Doors that an administrator made, and a change of settings that waits for another one. */
  doors: Record<'apiKey' | 'revokedKey' | 'webhook' | 'invite' | 'proposal', string>;
  batches: Record<'completed' | 'retried' | 'failing' | 'waiting' | 'funding', string>;
  /** Ben's changes of usual pay. */
  usualPay: Record<'set' | 'confirmed' | 'waiting', string>;
  /** Automatic transfers of Cleo after a payroll line: to her savings, approved to her bank, and one taken back. */
  automatic: {
    who: Payee;
    planId: string;
    lineId: string;
    move: string;
    withdrawal: string;
    back: string;
  };
  /** Reversals of two fundings of Ben: of a whole line, and of a part of one. */
  reversals: Record<'whole' | 'part', string>;
  /** Ben's recovery, accepted, with an instalment that a payroll took; and one that he was asked for. */
  recoveries: Record<'accepted' | 'proposed' | 'instalment', string>;
}
