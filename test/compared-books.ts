import { sql } from 'kysely';
import { valueOf } from './compared-requests.ts';
import type { Columns } from './compared-requests.ts';

/** Tables of the company's decisions, its payroll and its ledger. */
export const BOOK_COLUMNS: Readonly<Record<string, Columns>> = {
  company_settings: {
    row: () => 'true',
    found: { currency: ['settings', 'wallet-account'] },
    notCompared: ['id', 'updated_at', 'version'],
    others: ['settings'],
  },
  security_proposal: {
    row: (company) => company.doors.proposal,
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
    row: (company) => company.doors.apiKey,
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
    row: (company) => company.doors.webhook,
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
    row: (company) => company.doors.invite,
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
    row: async (company) => {
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
  payroll_batch: {
    row: (company) => company.batches.completed,
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
      ...[
        'description',
        'posted_through',
        'post_after',
        'started_at',
        'mailed_at',
        'unmailed_after',
        'updated_at',
      ],
      'approved_at',
    ],
  },
  payroll_line: {
    row: async (company) => {
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
    row: (company) => company.reversals.part,
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
    row: (company) => company.recoveries.accepted,
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
    row: (company) => company.recoveries.instalment,
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
    row: (company) => company.ids.mayaAccount,
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
    row: (company) => valueOf(company, 'withdrawal', company.withdrawals.processing, 'hold_id'),
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
    row: (company) =>
      valueOf(company, 'deposit', company.deposits.approved, 'ledger_transaction_id'),
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
