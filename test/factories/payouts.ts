import { expect } from 'vitest';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { act } from '#server/modules/acts/index.ts';
import { downloadPayoutFile } from '#server/modules/payouts/download.ts';
import { makePayoutFile } from '#server/modules/payouts/make-payout-file.ts';
import { payoutFiles } from '#server/modules/payouts/payout-file.ts';
import { updateSettings } from '#server/modules/settings/index.ts';
import { businessChecks, runChecks } from '#server/modules/verification/index.ts';
import type { Services } from '#server/services.ts';
import { createPayee, withdrawalIn } from './money.ts';
import type { Payee } from './money.ts';

/** Money of each payee, and of each payment, in minor units. */
export const FUNDED = 100_000n;
export const AMOUNT = 40_000n;

/** The checks of verification that are about payouts. People of tests are made without records. */
const CHECKS = businessChecks.filter(({ name }) =>
  /^(?:withdrawal|bill|payout|settlement|posting|transaction|system)/.test(name),
);

/** Steps of payouts by files, done by `admin` unless another does them. */
export function payoutSteps(db: Db, services: Services, admin: CommandContext) {
  const enterBank = (patch: Parameters<typeof updateSettings>[3] = {}) =>
    withTx(db, (tx) =>
      updateSettings(tx, services, admin, {
        ...{ payoutFormat: 'nacha', payoutBankName: 'Northgate Commerce Bank' },
        ...{ payoutRoutingNumber: '084207311', payoutAccountNumber: '00964410' },
        ...{ payoutCompanyId: '1912345678', payoutIsBalanced: false },
        ...patch,
      }),
    );
  const payee = () => createPayee(db, services, { admin, fundedMinor: FUNDED });
  const approved = async (who?: Payee, amountMinor = AMOUNT) => {
    const owner = who ?? (await payee());
    const input = { payee: owner, admin, status: 'approved', amountMinor } as const;
    return { who: owner, id: (await withdrawalIn(db, services, input)).id };
  };
  const make = (
    withdrawalIds: string[],
    billIds: string[] = [],
    { by = admin, isSameDay = false }: { by?: CommandContext; isSameDay?: boolean } = {},
  ) => withTx(db, (tx) => makePayoutFile(tx, services, by, { withdrawalIds, billIds, isSameDay }));
  const download = (id: string, reason?: string, by = admin) =>
    withTx(db, (tx) =>
      downloadPayoutFile(tx, services, by, { id, ...(reason !== undefined && { reason }) }),
    );
  const doAct = (name: 'send' | 'settle' | 'cancel', id: string, by = admin) =>
    withTx(db, (tx) => act(tx, services, by, payoutFiles, name, { id }));
  /** Verification finds nothing about payouts. */
  const expectSound = async () => {
    expect(await withTx(db, (tx) => runChecks(tx, CHECKS))).toEqual([]);
  };
  return { enterBank, payee, approved, make, download, doAct, expectSound };
}
