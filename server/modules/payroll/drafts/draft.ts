import { sql } from 'kysely';
import { payrollDraft } from '#contract/things/payroll-draft.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { newId } from '#server/lib/ids.ts';
import { act, actsOf } from '#server/modules/acts/index.ts';
import type { Doing, Kept } from '#server/modules/acts/index.ts';
import { journal } from '#server/modules/journal/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { addNamed } from './fill-in.ts';
import { findLocked, openPartsOf } from './lock-draft.ts';
import type { LockedDraft } from './lock-draft.ts';
import { getPayrollDraft } from './rows.ts';

type Clocked = Pick<Services, 'clock'>;

/** Work of the server at each act of a draft; the acts themselves are declared in the contract. */
const payrollDrafts: Kept<typeof payrollDraft, LockedDraft, Clocked> = {
  thing: payrollDraft,
  table: 'payrollDraft',
  hasNoLastAct: true,
  lock: findLocked,
  facts: () => ({}),
  words: () => ({}),
  effects: {
    send: ({ input: { details } }) =>
      Promise.resolve({ set: { sentBatchId: details?.['batchId'] } }),
  },
  followedBy: { discard: discardParts },
};

/** Discards the parts of a draft that was discarded. */
async function discardParts({ tx, services, by, row }: Doing<LockedDraft, Clocked>): Promise<void> {
  for (const { id } of await openPartsOf(tx, row.id)) {
    // oxlint-disable-next-line no-await-in-loop -- one transaction
    await act(tx, services, by, payrollDrafts, 'discard', { id });
  }
}

/** The acts of a draft that somebody does without a form. */
export const payrollDraftActs = actsOf(payrollDrafts, {
  admin: async (tx, _services, _by, id) => getPayrollDraft(tx, await readSettings(tx), id),
});

/** Marks a draft as sent, as that payroll. */
export function doneToDraft(
  tx: Tx,
  services: Clocked,
  by: CommandContext,
  { id, sentBatchId }: { id: string; sentBatchId: string },
): Promise<void> {
  return act(tx, services, by, payrollDrafts, 'send', { id, details: { batchId: sentBatchId } });
}

/**
 * Makes a draft of a payroll that was stopped or declined: the same order, with the people it named and the words of the
 * draft that it was sent from. Its acknowledgements are deleted. It is a part of the draft of a batch that was
 * confirmed together with it and is a draft already, unless somebody has changed that one since.
 */
export async function returnToDraft(
  tx: Tx,
  { clock }: Clocked,
  by: CommandContext,
  batchId: string,
): Promise<void> {
  const id = newId();
  const at = clock.now();
  // Nobody saves that draft until this one is a part of it.
  await sql`
    SELECT FROM payroll_draft AS draft JOIN payroll_batch AS other ON other.id = draft.from_batch_id
      JOIN payroll_batch AS batch ON batch.together_id = other.together_id
     WHERE batch.id = ${batchId} AND draft.part_of IS NULL AND draft.status = 'open'
       FOR NO KEY UPDATE OF draft`.execute(tx);
  await sql`
    INSERT INTO payroll_draft (id, status, wallet_type, department, pay_on, description, has_own_amounts,
      amount_minor, currency, created_by, created_at, changed_by, updated_at, from_batch_id, amounts_by, name, note,
      part_of)
    SELECT ${id}, 'open', batch.wallet_type, batch.department, batch.pay_on, batch.description,
           batch.amount_minor IS NULL, batch.amount_minor, batch.currency, batch.created_by, ${at},
           ${by.actor.id}::uuid, ${at}, batch.id, coalesce(batch.amounts_by, batch.created_by), sent.name,
           coalesce(sent.note, ''), whole.id
      FROM payroll_batch AS batch
      LEFT JOIN payroll_draft AS part ON part.sent_batch_id = batch.id
      LEFT JOIN payroll_draft AS sent ON sent.id = coalesce(part.part_of, part.id)
      LEFT JOIN LATERAL (
        SELECT draft.id FROM payroll_draft AS draft JOIN payroll_batch AS other ON other.id = draft.from_batch_id
         WHERE other.together_id = batch.together_id AND draft.part_of IS NULL AND draft.status = 'open'
           AND draft.version = 1) AS whole ON true
     WHERE batch.id = ${batchId}`.execute(tx);
  await sql`
    DELETE FROM payroll_acknowledgement AS seen USING payroll_batch AS batch
     WHERE batch.id = ${batchId} AND seen.preview_hash = batch.preview_hash`.execute(tx);
  const lines = sql`SELECT user_id, amount_minor, breakdown FROM payroll_line WHERE batch_id = ${batchId}`;
  await addNamed(tx, id, lines);
  journal(tx, by, payrollDraft, 'return', { id, at, details: { batchId } });
}
