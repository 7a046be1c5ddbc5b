import { sql } from 'kysely';
import type { TamperedCompany } from './tampered-company.ts';

/** Columns of a table whose changes verification finds, or does not. */
export interface Columns {
  /** One row, which is changed in one column after the other. */
  row: (company: TamperedCompany) => string | Promise<string>;
  /** Exactly the checks that find each change. */
  found: Readonly<Record<string, readonly string[]>>;
  /**
   * Changes that no check finds: words that people wrote, times of the row itself, and what the
   * ledger recounts by its own checks.
   */
  notCompared: readonly string[];
  /** Checks that find a change to any other column. */
  others?: readonly string[];
}

/** Tables of requests, and of the accounts that they take money from and send it to. */
export const REQUEST_COLUMNS: Readonly<Record<string, Columns>> = {
  withdrawal: {
    row: (company) => company.withdrawals.completed,
    found: {
      id: ['withdrawal-history', 'withdrawal-posting'],
      reference: ['withdrawal-hold', 'withdrawal-record'],
      user_id: ['withdrawal-destination', 'withdrawal-history', 'withdrawal-wallet'],
      wallet_id: [
        ...['withdrawal-hold', 'withdrawal-posting', 'withdrawal-record', 'withdrawal-wallet'],
      ],
      bank_account_id: ['withdrawal-destination', 'withdrawal-record'],
      bank_name: ['withdrawal-destination'],
      bank_last4: ['withdrawal-destination', 'withdrawal-record'],
      amount_minor: ['withdrawal-hold', 'withdrawal-posting', 'withdrawal-record'],
      currency: ['withdrawal-record', 'withdrawal-wallet'],
      urgency: ['withdrawal-record'],
      payroll_line_id: ['automatic-transfer', 'withdrawal-history'],
      status: ['withdrawal-history', 'withdrawal-hold', 'withdrawal-posting'],
      hold_id: ['withdrawal-hold', 'withdrawal-record'],
      ledger_transaction_id: ['withdrawal-history', 'withdrawal-hold', 'withdrawal-posting'],
      transaction_reference: ['withdrawal-posting'],
      requested_at: ['withdrawal-history'],
      requested_by: ['withdrawal-history'],
      moved_at: ['withdrawal-history'],
      moved_by: ['withdrawal-history'],
      left_bank_on: ['withdrawal-record'],
      bank_reference: ['withdrawal-record'],
      resends_id: ['sent-again'],
      settlement_id: ['settlement-posting'],
    },
    notCompared: ['reason', 'rejection_reason', 'updated_at'],
  },
  deposit: {
    row: (company) => company.deposits.approved,
    found: {
      id: ['deposit-history', 'deposit-posting'],
      reference: ['deposit-posting', 'deposit-record'],
      user_id: ['deposit-history', 'deposit-record', 'deposit-wallet'],
      wallet_id: ['deposit-posting', 'deposit-record', 'deposit-wallet'],
      method: ['deposit-posting', 'deposit-record', 'deposit-terms'],
      amount_minor: ['deposit-posting', 'deposit-record', 'deposit-terms'],
      fee_minor: ['deposit-record', 'deposit-terms'],
      currency: ['deposit-posting', 'deposit-record', 'deposit-wallet'],
      status: ['deposit-history', 'deposit-posting'],
      ledger_transaction_id: ['deposit-history', 'deposit-posting'],
      moved_by: ['deposit-history', 'deposit-posting'],
      limit_day: ['deposit-record'],
      instructions_encrypted: ['deposit-record'],
      requested_at: ['deposit-history'],
      moved_at: ['deposit-history'],
    },
    notCompared: ['description', 'rejection_reason', 'updated_at'],
  },
  person_payment: {
    row: (company) => company.payment,
    found: {
      id: ['payment-history', 'payment-posting'],
      reference: ['payment-posting', 'payment-record'],
      payer_id: ['payment-history', 'payment-posting', 'payment-wallet'],
      payer_wallet_id: ['payment-posting', 'payment-record', 'payment-wallet'],
      recipient_id: ['payment-record', 'payment-wallet'],
      recipient_wallet_id: ['payment-posting', 'payment-record', 'payment-wallet'],
      amount_minor: ['payment-posting', 'payment-record'],
      currency: ['payment-record', 'payment-wallet'],
      limit_day: ['payment-record'],
      ledger_transaction_id: ['payment-history', 'payment-posting'],
      paid_at: ['payment-history'],
    },
    notCompared: ['note'],
  },
  wallet_move: {
    row: (company) => company.move,
    found: {
      id: ['move-history', 'move-posting'],
      reference: ['move-posting', 'move-record'],
      user_id: ['move-history', 'move-posting', 'move-wallet'],
      from_wallet_id: ['move-posting', 'move-record', 'move-wallet'],
      to_wallet_id: ['move-posting', 'move-record', 'move-wallet'],
      amount_minor: ['move-posting', 'move-record'],
      currency: ['move-record', 'move-wallet'],
      payroll_line_id: ['automatic-transfer', 'move-history', 'move-posting'],
      takes_back_id: ['automatic-transfer'],
      taken_back_by: ['move-history', 'move-posting'],
      ledger_transaction_id: ['move-history', 'move-posting'],
      moved_at: ['move-history'],
    },
    notCompared: [],
  },
  bill: {
    row: (company) => company.bills.paid,
    found: {
      id: ['bill-history', 'bill-posting'],
      reference: ['bill-hold', 'bill-record'],
      user_id: ['bill-history', 'bill-payee', 'bill-wallet'],
      wallet_id: ['bill-hold', 'bill-posting', 'bill-record', 'bill-wallet'],
      payee_id: ['bill-payee', 'bill-record'],
      payee_name: ['bill-payee'],
      payee_last4: ['bill-payee'],
      amount_minor: ['bill-hold', 'bill-posting', 'bill-record'],
      currency: ['bill-record', 'bill-wallet'],
      pay_on: ['bill-record'],
      standing_bill_id: ['bill-history', 'bill-standing'],
      status: ['bill-history', 'bill-hold', 'bill-posting'],
      hold_id: ['bill-hold', 'bill-record', 'withdrawal-hold'],
      ledger_transaction_id: ['bill-history', 'bill-hold', 'bill-posting'],
      transaction_reference: ['bill-posting'],
      requested_at: ['bill-history'],
      moved_at: ['bill-history'],
      moved_by: ['bill-history'],
      left_bank_on: ['bill-record'],
      bank_reference: ['bill-record'],
      resends_id: ['sent-again'],
      settlement_id: ['settlement-posting'],
    },
    notCompared: ['memo', 'due_on', 'rejection_reason', 'updated_at'],
  },
  standing_bill: {
    row: (company) => company.standingBill,
    found: {
      id: ['bill-standing', 'standing-bill-record'],
      user_id: ['bill-standing', 'standing-bill-record'],
      wallet_id: ['bill-standing', 'standing-bill-record'],
      payee_id: ['standing-bill-record'],
      amount_minor: ['bill-standing', 'standing-bill-record'],
      currency: ['bill-standing', 'standing-bill-record'],
      frequency: ['standing-bill-record'],
      starts_on: ['standing-bill-record'],
      ends_on: ['standing-bill-record'],
      next_on: ['standing-bill-record'],
      created_at: ['standing-bill-record'],
      ended_by: ['standing-bill-record'],
    },
    notCompared: ['memo', 'refusal', 'ended_at', 'updated_at'],
  },
  transfer_plan: {
    row: (company) => company.automatic.planId,
    found: {
      id: ['transfer-plan-record', 'transfer-run'],
      user_id: ['transfer-plan-record'],
      wallet_id: ['transfer-plan-record', 'transfer-run'],
      version: ['transfer-plan-record'],
      rule_count: ['transfer-plan-record'],
      paused_at: ['transfer-plan-pause'],
      skips_next: ['transfer-plan-skip'],
      new_browser_until: ['transfer-plan-record'],
      changed_at: ['transfer-plan-record'],
    },
    notCompared: ['updated_at'],
  },
  payee: {
    row: (company) => valueOf(company, 'bill', company.bills.due, 'payee_id'),
    found: {
      id: ['bill-payee'],
      user_id: ['bill-payee'],
      kind: ['bill-payee'],
      name: ['bill-payee'],
      account_type: ['bill-payee'],
      account_number_encrypted: ['bill-payee'],
      last4: ['bill-payee'],
      routing_number: ['bill-payee'],
      customer_number: ['bill-payee'],
      created_at: ['bill-payee'],
      returned_bill_id: ['bill-payee-return'],
    },
    // The filter of a list.
    notCompared: ['colleague_id', 'removed_at', 'is_saved'],
  },
  bank_account: {
    row: (company) => company.maya.bank.id,
    found: {
      id: [
        ...['bank-account-history', 'bank-account-record', 'bank-account-use'],
        'withdrawal-destination',
      ],
      user_id: ['bank-account-record', 'withdrawal-destination'],
      bank_name: ['bank-account-record', 'withdrawal-destination'],
      account_type: ['bank-account-record'],
      account_number_encrypted: ['bank-account-record'],
      account_number_hash: ['bank-account-record'],
      hash_key_id: ['bank-account-record'],
      last4: ['bank-account-record', 'withdrawal-destination'],
      routing_number: ['bank-account-record'],
      holder_name: ['bank-account-record'],
      status: ['bank-account-history'],
      moved_by: ['bank-account-history'],
      moved_at: ['bank-account-history'],
      submitted_at: ['bank-account-record'],
      use_count: ['bank-account-use'],
      removed_at: ['bank-account-history'],
      entered_by: ['bank-account-record'],
      returned_withdrawal_id: ['bank-account-history'],
    },
    // The one that is offered first moves no money by itself.
    notCompared: ['is_primary', 'rejection_reason', 'created_at', 'updated_at'],
  },
  wallet: {
    row: (company) => company.maya.wallet.id,
    found: {
      id: [
        ...['bill-hold', 'bill-posting', 'bill-wallet', 'deposit-posting', 'deposit-wallet'],
        ...['move-posting', 'move-wallet', 'payment-posting', 'payment-wallet'],
        ...['payroll-line', 'payroll-posting'],
        ...['withdrawal-hold', 'withdrawal-posting', 'withdrawal-wallet'],
      ],
      user_id: [
        ...['bill-wallet', 'deposit-wallet', 'move-wallet', 'payment-wallet', 'payroll-line'],
        ...['wallet-account', 'wallet-record', 'withdrawal-wallet'],
      ],
      type: ['payment-wallet', 'payroll-line', 'wallet-account', 'wallet-record'],
      ledger_account_id: [
        ...['bill-hold', 'bill-posting', 'bill-wallet', 'deposit-posting', 'deposit-wallet'],
        ...['move-posting', 'move-wallet', 'payment-posting', 'payment-wallet'],
        ...['payroll-posting', 'wallet-account'],
        ...['wallet-record', 'withdrawal-hold', 'withdrawal-posting', 'withdrawal-wallet'],
      ],
      account_number_encrypted: ['wallet-record'],
      account_number_hash: ['wallet-record'],
      hash_key_id: ['wallet-record'],
      last4: ['wallet-record'],
      closed_at: ['wallet-closing'],
    },
    notCompared: ['created_at'],
  },
};

/** A value of a row. */
export async function valueOf(
  { db }: TamperedCompany,
  table: string,
  id: string,
  name: string,
): Promise<string> {
  const { rows } = await sql<{ value: string }>`
    SELECT ${sql.ref(name)} AS value FROM ${sql.table(table)} WHERE id = ${id}`.execute(db);
  return rows[0]?.value ?? '';
}
