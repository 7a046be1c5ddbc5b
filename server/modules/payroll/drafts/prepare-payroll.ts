import { sql } from 'kysely';
import { addDays, dayIn } from '#contract/calendar.ts';
import { PAYROLL_PREPARED_DAYS } from '#contract/limits.ts';
import { formatMoney, money } from '#contract/money.ts';
import { payrollDraft } from '#contract/things/payroll-draft.ts';
import { WALLET_TYPES } from '#contract/wallets.ts';
import type { WalletType } from '#contract/wallets.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db, Tx } from '#server/db/tx.ts';
import { paydaysAfter } from '#server/lib/calendar.ts';
import { newId } from '#server/lib/ids.ts';
import { journal } from '#server/modules/journal/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import { usualPay } from '#server/modules/usual-pay/index.ts';
import type { Services } from '#server/services.ts';
import { usualOrders } from '../due-payroll.ts';
import { employeesOf } from '../rules.ts';
import { fillIn } from './fill-in.ts';
import { getPayrollDraft } from './rows.ts';

/** More paydays than any schedule has within `PAYROLL_PREPARED_DAYS`, also where a holiday moves one. */
const MOST_PAYDAYS = 3;

/**
 * Prepares the payroll of a payday that comes near: a draft with everyone's usual pay of that day, with a part for each
 * further type of wallet, which the administrators are notified of. Once for each payday and type, in however many
 * processes it is called, and never again after an administrator has discarded it; not where nobody has usual pay, nor
 * where that payroll was sent already. Usual pay of another type that is entered later becomes a part of the same draft.
 * Called each hour.
 *
 * @returns number of drafts and parts that were made
 */
export async function preparePayroll(db: Db, { clock }: Pick<Services, 'clock'>): Promise<number> {
  const now = clock.now();
  return withTx(db, async (tx) => {
    const settings = await readSettings(tx);
    const today = dayIn(settings.timeZone, now);
    const last = addDays(today, PAYROLL_PREPARED_DAYS);
    let made = 0;
    for (const { on } of paydaysAfter(settings, today, MOST_PAYDAYS)) {
      // oxlint-disable-next-line no-await-in-loop -- one transaction
      if (on <= last) made += await prepareFor(tx, settings, on, now);
    }
    return made;
  });
}

async function prepareFor(
  tx: Tx,
  settings: CompanySettings,
  on: string,
  now: Date,
): Promise<number> {
  const orders = await usualOrders(tx, settings, on);
  const made: string[] = [];
  for (const walletType of WALLET_TYPES) {
    const ofType = orders.filter((order) => order.walletType === walletType);
    if (ofType.some(({ isSent }) => isSent)) continue;
    const description = ofType[0]?.description ?? '';
    // oxlint-disable-next-line no-await-in-loop -- one transaction
    const id = await prepare(tx, settings, { on, now, walletType, description });
    if (id !== null) made.push(id);
  }
  const [first] = made;
  if (first !== undefined) await notifyPrepared(tx, settings, { id: first, now, on, made });
  return made.length;
}

interface Prepared {
  on: string;
  now: Date;
  walletType: WalletType;
  /** Description of the last payroll of the type; empty if there was none. */
  description: string;
}

/** @returns the id of the draft, or of the part of that of the payday; null if none was made */
async function prepare(
  tx: Tx,
  settings: CompanySettings,
  { on, now, walletType, description }: Prepared,
): Promise<string | null> {
  const id = newId(now.getTime());
  // Locked, so that nobody sends or changes it until this is a part of it.
  const whole = await tx
    .selectFrom('payrollDraft')
    .select(['id', 'department', 'payOn', 'description'])
    .where('preparedFor', '=', on)
    .where('partOf', 'is', null)
    .where('status', '=', 'open')
    .where('walletType', '<>', walletType)
    .orderBy('createdAt')
    .forNoKeyUpdate()
    .executeTakeFirst();
  const {
    payOn,
    department,
    description: words,
  } = whole ?? { payOn: on, department: 'all', description };
  const { numAffectedRows } = await sql`
    INSERT INTO payroll_draft (id, status, wallet_type, department, pay_on, description, has_own_amounts, currency,
                               created_at, updated_at, prepared_for, part_of)
    SELECT ${id}, 'open', ${walletType}, ${department}, ${payOn}, ${words}, true, ${settings.currency}, ${now}, ${now},
           ${on}, ${whole?.id ?? null}
     WHERE EXISTS (SELECT FROM (${usualPay(walletType, payOn ?? on)}) AS usual
                     JOIN app_user AS person ON person.id = usual.user_id
                    WHERE person.is_employee AND person.deactivated_at IS NULL)
       AND NOT EXISTS (SELECT FROM payroll_draft WHERE part_of = ${whole?.id ?? null} AND status = 'open'
                          AND wallet_type = ${walletType})
        ON CONFLICT DO NOTHING`.execute(tx);
  if (numAffectedRows !== 1n) return null;
  await fillIn(tx, settings, {
    id,
    walletType,
    department,
    startFrom: 'usual',
    on: payOn ?? on,
  });
  return id;
}

/** Notifies the administrators of the drafts that were made together. */
async function notifyPrepared(
  tx: Tx,
  settings: CompanySettings,
  { id, now, on, made }: { id: string; now: Date; on: string; made: readonly string[] },
): Promise<void> {
  const { name, wallets } = await getPayrollDraft(tx, settings, id);
  const of = wallets.filter((wallet) => made.includes(wallet.id));
  const { rows } = await sql<{ people: number }>`
    SELECT count(DISTINCT user_id)::integer AS people FROM payroll_draft_person
     WHERE draft_id = ANY (${made}::uuid[]) AND amount_minor IS NOT NULL`.execute(tx);
  const minor = of.reduce((sum, { total }) => sum + BigInt(total.minor), 0n);
  journal(tx, { actor: 'system' }, payrollDraft, 'prepare', {
    id,
    at: now,
    details: { walletTypes: of.map(({ walletType }) => walletType), payday: on },
    words: {
      name,
      employees: employeesOf(rows[0]?.people ?? 0),
      amount: formatMoney(money(minor, settings.currency)),
    },
  });
}
