import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTamperedCompany } from '#test/tampered-company.ts';
import type { TamperedCompany } from '#test/tampered-company.ts';

let company: TamperedCompany;
beforeAll(async () => {
  company = await openTamperedCompany();
  await company.liftGuards();
});
afterAll(() => company.close());

interface Columns {
  /** One row, which is changed in one column after the other. */
  row: () => string | Promise<string>;
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

const TABLES: Readonly<Record<string, Columns>> = {
  withdrawal: {
    row: () => company.withdrawals.completed,
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
      settlement_id: ['settlement-posting'],
    },
    notCompared: ['reason', 'rejection_reason', 'updated_at'],
  },
  deposit: {
    row: () => company.deposits.approved,
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
    row: () => company.payment,
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
    row: () => company.move,
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
    row: () => company.bills.paid,
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
      settlement_id: ['settlement-posting'],
    },
    notCompared: ['memo', 'due_on', 'rejection_reason', 'updated_at'],
  },
  standing_bill: {
    row: () => company.standingBill,
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
    row: () => company.automatic.planId,
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
  company_settings: {
    row: () => 'true',
    found: { currency: ['settings', 'wallet-account'] },
    notCompared: ['id', 'updated_at', 'version'],
    others: ['settings'],
  },
  security_proposal: {
    row: () => company.doors.proposal,
    found: {
      id: ['setting-proposal-record'],
      rules: ['setting-proposal-record'],
      seen: ['setting-proposal-record'],
      proposed_by: ['setting-proposal-record'],
      act: ['setting-proposal-record'],
      person_id: ['setting-proposal-record'],
      closing_id: ['setting-proposal-record'],
      reason: ['setting-proposal-record'],
      opens_at: ['setting-proposal-record'],
    },
    // One that is discarded changes nothing; an accepted one changed the settings.
    notCompared: ['proposed_at', 'outcome', 'decided_by', 'decided_at'],
  },
  api_key: {
    row: () => company.doors.apiKey,
    found: {
      id: ['api-key-record'],
      name: ['api-key-record'],
      scopes: ['api-key-record'],
      token_hash: ['api-key-record'],
      created_by: ['api-key-record'],
      created_at: ['api-key-record'],
      expires_at: ['api-key-record'],
      daily_limit_minor: ['api-key-record'],
      revoked_at: ['api-key-record'],
    },
    notCompared: ['last4', 'last_used_at', 'revoked_by'],
  },
  webhook_endpoint: {
    row: () => company.doors.webhook,
    found: {
      id: ['webhook-record'],
      url: ['webhook-record'],
      events: ['webhook-record'],
      created_by: ['webhook-record'],
      removed_at: ['webhook-record'],
      secret_encrypted: ['webhook-record'],
    },
    notCompared: [
      ...['created_at', 'secret_owner', 'secret_at', 'removed_by'],
      ...['former_secret_encrypted', 'former_secret_owner', 'former_secret_until'],
    ],
  },
  admin_invite: {
    row: () => company.doors.invite,
    found: {
      id: ['invite-record'],
      token_hash: ['invite-record'],
      email: ['invite-record'],
      created_by: ['invite-record'],
      expires_at: ['invite-record'],
    },
    // The role of a person is compared by `admin-role`.
    notCompared: ['created_at', 'redeemed_by', 'redeemed_at', 'revoked_by', 'revoked_at'],
  },
  kyc_application: {
    row: async () => {
      const { rows } = await sql<{ id: string }>`
        SELECT id FROM kyc_application WHERE user_id = ${company.ids.maya}`.execute(company.db);
      return rows[0]?.id ?? '';
    },
    found: {
      id: ['identity-approved'],
      status: ['identity-approved'],
      decided_by: ['identity-approved'],
    },
    // Answers are encrypted, and say nothing about money by themselves.
    notCompared: [
      ...['user_id', 'version', 'answers_encrypted', 'id_number_hash', 'phone_hash'],
      ...['address_hash', 'hash_key_id', 'security_answer_hash', 'security_answer_key_id'],
      ...['answered', 'submitted_at', 'decided_at', 'destroyed_at', 'created_at', 'updated_at'],
      'unrecorded_fields',
    ],
  },
  payee: {
    row: () => column('bill', company.bills.due, 'payee_id'),
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
    row: () => company.maya.bank.id,
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
    row: () => company.maya.wallet.id,
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
  payroll_batch: {
    row: () => company.batches.completed,
    found: {
      amounts_by: ['payroll-record'],
      id: [
        ...['payroll-batch', 'payroll-history', 'payroll-line', 'payroll-posting'],
        'payroll-record',
      ],
      number: ['payroll-posting', 'payroll-record'],
      name: ['payroll-record'],
      pay_on: ['payroll-record'],
      compared_on: ['payroll-record'],
      compared_with: ['payroll-record'],
      compared_percent: ['payroll-record'],
      differences: ['payroll-record'],
      pay_period: ['payroll-record'],
      wallet_type: ['payroll-line', 'payroll-record'],
      department: ['payroll-record'],
      amount_minor: ['payroll-line', 'payroll-record'],
      currency: ['payroll-line', 'payroll-record'],
      status: ['payroll-history'],
      preview_hash: ['payroll-record'],
      payable_count: ['payroll-batch', 'payroll-record'],
      skipped_count: ['payroll-batch', 'payroll-record'],
      together_id: ['payroll-record'],
      together_minor: ['payroll-record'],
      total_minor: ['payroll-batch', 'payroll-record'],
      paid_count: ['payroll-batch', 'payroll-history'],
      failed_count: ['payroll-batch', 'payroll-history'],
      paid_minor: ['payroll-batch', 'payroll-history'],
      reversed_count: ['payroll-batch'],
      reversed_minor: ['payroll-batch'],
      created_by: ['payroll-posting', 'payroll-record'],
      created_at: ['payroll-record'],
      processed_at: ['payroll-history'],
      needs_approval: ['payroll-history', 'payroll-record'],
      approved_by: ['payroll-history'],
      approved_alone: ['payroll-history'],
      discarded_at: ['payroll-history'],
      decline_reason: ['payroll-history'],
      funding_type: ['payroll-posting', 'payroll-record'],
    },
    // `approved_at` is compared where it was approved, `posted_through` is compared as long as a line waits to be paid.
    notCompared: [
      ...['description', 'posted_through', 'post_after', 'started_at', 'mailed_at', 'updated_at'],
      'approved_at',
    ],
  },
  payroll_line: {
    row: async () => {
      const first = company.db
        .selectFrom('payrollLine')
        .select('id')
        .where('batchId', '=', company.batches.completed)
        .where('lineNumber', '=', 1);
      return (await first.executeTakeFirstOrThrow()).id;
    },
    found: {
      batch_id: ['payroll-batch', 'payroll-line', 'payroll-posting', 'payroll-record'],
      line_number: ['payroll-batch', 'payroll-line', 'payroll-posting', 'payroll-record'],
      id: ['payroll-posting', 'payroll-record'],
      user_id: ['payroll-line', 'payroll-record'],
      wallet_id: ['payroll-line', 'payroll-posting', 'payroll-record'],
      amount_minor: ['payroll-batch', 'payroll-line', 'payroll-posting', 'payroll-record'],
      status: ['payroll-batch', 'payroll-line', 'payroll-posting'],
      ledger_transaction_id: ['payroll-posting'],
      reversed_minor: ['payroll-batch', 'payroll-reversal'],
      breakdown: ['payroll-record'],
      paid_by: ['payroll-line'],
    },
    notCompared: ['reason', 'processed_at'],
  },
  payroll_reversal: {
    row: () => company.reversals.part,
    found: {
      id: ['payroll-reversal-record'],
      line_id: ['payroll-reversal', 'payroll-reversal-record'],
      number: ['payroll-reversal', 'payroll-reversal-record'],
      amount_minor: ['payroll-reversal', 'payroll-reversal-record'],
      reason: ['payroll-reversal-record'],
      ledger_transaction_id: ['payroll-reversal', 'payroll-reversal-record', 'withdrawal-return'],
      reversed_by: ['payroll-reversal', 'payroll-reversal-record'],
      reversed_at: ['payroll-reversal-record'],
    },
    notCompared: ['message'],
  },
  recovery: {
    row: () => company.recoveries.accepted,
    found: {
      id: ['recovery-history', 'recovery-posting', 'recovery-sum'],
      user_id: ['recovery-history', 'recovery-posting', 'recovery-record', 'recovery-sum'],
      line_id: ['recovery-record', 'recovery-sum'],
      status: ['recovery-history'],
      wallet_type: ['recovery-posting', 'recovery-record', 'recovery-sum'],
      currency: ['recovery-posting', 'recovery-record', 'recovery-sum'],
      amount_minor: ['recovery-record'],
      instalment_minor: ['recovery-record'],
      percent: ['recovery-record'],
      starts_on: ['recovery-record'],
      answer_by: ['recovery-record'],
      reason: ['recovery-record'],
      recovered_minor: ['recovery-sum'],
      created_by: ['recovery-history'],
      created_at: ['recovery-history'],
      moved_by: ['recovery-history'],
      moved_at: ['recovery-history'],
    },
    notCompared: ['message', 'rejection_reason', 'updated_at'],
  },
  recovery_instalment: {
    row: () => company.recoveries.instalment,
    found: {
      id: ['recovery-instalment-record'],
      recovery_id: ['recovery-instalment-record', 'recovery-posting', 'recovery-sum'],
      line_id: ['recovery-instalment-record', 'recovery-posting'],
      number: ['recovery-instalment-record', 'recovery-posting'],
      amount_minor: ['recovery-instalment-record', 'recovery-posting', 'recovery-sum'],
      ledger_transaction_id: ['recovery-instalment-record', 'recovery-posting'],
      taken_at: ['recovery-instalment-record'],
      given_back_transaction_id: [
        ...['recovery-instalment-record', 'recovery-posting', 'recovery-sum'],
      ],
    },
    notCompared: [],
  },
  ledger_account: {
    row: () => company.ids.mayaAccount,
    found: {
      id: [
        ...['bill-wallet', 'deposit-wallet', 'move-wallet', 'payment-wallet', 'posting-sides'],
        ...['wallet-account', 'withdrawal-wallet'],
      ],
      code: ['posting-sides', 'system-account'],
      kind: ['wallet-account'],
      owner_id: ['wallet-account'],
      currency: [
        ...['bill-wallet', 'deposit-wallet', 'move-wallet', 'payment-wallet', 'payroll-line'],
        ...['wallet-account', 'withdrawal-wallet'],
      ],
      min_available: ['wallet-limit'],
    },
    notCompared: ['posted', 'version', 'held', 'last_entry_at', 'created_at'],
  },
  ledger_hold: {
    row: () => column('withdrawal', company.withdrawals.processing, 'hold_id'),
    found: {
      id: ['withdrawal-hold'],
      account_id: ['withdrawal-hold'],
      amount: ['withdrawal-hold'],
      state: ['withdrawal-hold'],
      reference: ['withdrawal-hold'],
      transaction_id: ['withdrawal-hold'],
    },
    notCompared: ['placed_at', 'settled_at'],
  },
  ledger_transaction: {
    row: () => column('deposit', company.deposits.approved, 'ledger_transaction_id'),
    found: {
      id: ['deposit-posting'],
      kind: ['deposit-posting', 'transaction-kind'],
      reference: ['deposit-posting'],
      actor_id: ['deposit-posting'],
      subject_id: ['deposit-posting'],
      reverses_id: ['withdrawal-return'],
    },
    notCompared: ['description', 'metadata', 'effective_at', 'recorded_at'],
  },
};

test.each(Object.entries(TABLES))(
  'a change to any column of %s is found, or named as one that is not',
  async (table, { row, found, notCompared, others }) => {
    const id = await row();
    const actual: Record<string, string[]> = {};
    for (const { name, type } of await columnsOf(table)) {
      actual[name] = await company.finds(async (tx) => {
        const { numAffectedRows } = await sql`
          UPDATE ${sql.table(table)} SET ${sql.ref(name)} = ${otherValue(type, name)}
           WHERE id = ${id}`.execute(tx);
        expect(numAffectedRows).toBe(1n);
      }, table);
    }
    const unfound = notCompared.map((name) => [name, []] as const);
    const rest = others === undefined ? [] : Object.keys(actual).map((name) => [name, others]);
    expect(actual).toEqual({
      ...Object.fromEntries(rest),
      ...found,
      ...Object.fromEntries(unfound),
    });
  },
);

async function column(table: string, id: string, name: string): Promise<string> {
  const { rows } = await sql<{ value: string }>`
    SELECT ${sql.ref(name)} AS value FROM ${sql.table(table)} WHERE id = ${id}`.execute(company.db);
  return rows[0]?.value ?? '';
}

async function columnsOf(table: string): Promise<{ name: string; type: string }[]> {
  const { rows } = await sql<{ name: string; type: string }>`
    SELECT attname AS name, format_type(atttypid, NULL) AS type FROM pg_attribute
     WHERE attrelid = ${table}::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
     ORDER BY attnum`.execute(company.db);
  return rows;
}

/** SQL of another value than the column has. */
function otherValue(type: string, name: string) {
  const value = sql.ref(name);
  switch (type) {
    case 'uuid':
      return sql`${company.otherAdmin.actor.id}::uuid`;
    case 'text':
      return sql`coalesce(${value}, '') || 'x'`;
    case 'character':
      return sql`CASE ${value} WHEN 'EUR' THEN 'GBP' ELSE 'EUR' END`;
    case 'uuid[]':
      return sql`ARRAY[${company.otherAdmin.actor.id}::uuid]`;
    case 'text[]':
      return sql`${value} || 'x'::text`;
    case 'boolean':
      return sql`NOT ${value}`;
    case 'bytea':
      return sql`sha256(${value})`;
    case 'date':
      return sql`coalesce(${value}, current_date) + 1`;
    case 'jsonb':
      return sql`coalesce(${value}, '{}') || '{"changed": true}'`;
    case 'timestamp with time zone':
      return sql`coalesce(${value}, now()) + interval '1 day'`;
    default:
      return sql`coalesce(${value}, 0) + 100`;
  }
}
