import { sql } from 'kysely';
import { addDays, dayIn } from '#contract/calendar.ts';
import { PAYROLL_PREPARED_DAYS } from '#contract/limits.ts';
import { formatMoney } from '#contract/money.ts';
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
 * Prepares the payroll of a payday that comes near: for each type of wallet a draft with everyone's usual pay of that
 * day, which the administrators are notified of. Once for each payday and type, in however many processes it is called,
 * and never again after an administrator has discarded it; not where nobody has usual pay, nor where that payroll was
 * sent already. Called each hour.
 *
 * @returns how many drafts were made
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
  let made = 0;
  for (const walletType of WALLET_TYPES) {
    const ofType = orders.filter((order) => order.walletType === walletType);
    if (ofType.some(({ isSent }) => isSent)) continue;
    const description = ofType[0]?.description ?? '';
    // oxlint-disable-next-line no-await-in-loop -- one transaction
    if (await prepare(tx, settings, { on, now, walletType, description })) made += 1;
  }
  return made;
}

interface Prepared {
  on: string;
  now: Date;
  walletType: WalletType;
  /** Description of the last payroll of the type; empty if there was none. */
  description: string;
}

/** @returns whether a draft was made */
async function prepare(
  tx: Tx,
  settings: CompanySettings,
  { on, now, walletType, description }: Prepared,
): Promise<boolean> {
  const id = newId(now.getTime());
  const { numAffectedRows } = await sql`
    INSERT INTO payroll_draft (id, status, wallet_type, department, pay_on, description, has_own_amounts, currency,
                               created_at, updated_at, prepared_for)
    SELECT ${id}, 'open', ${walletType}, 'all', ${on}, ${description}, true, ${settings.currency}, ${now}, ${now}, ${on}
     WHERE EXISTS (SELECT FROM (${usualPay(walletType, on)}) AS usual
                     JOIN app_user AS person ON person.id = usual.user_id
                    WHERE person.is_employee AND person.deactivated_at IS NULL)
        ON CONFLICT DO NOTHING`.execute(tx);
  if (numAffectedRows !== 1n) return false;
  await fillIn(tx, settings, { id, walletType, department: 'all', startFrom: 'usual', on });
  const { name, employees, total } = await getPayrollDraft(tx, settings, id);
  journal(tx, { actor: 'system' }, payrollDraft, 'prepare', {
    ...{ id, at: now, details: { walletType, payday: on } },
    words: { name, employees: employeesOf(employees), amount: formatMoney(total) },
  });
  return true;
}
