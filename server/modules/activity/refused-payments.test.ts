import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { openReturns, returnOf } from '#test/factories/returned-payouts.ts';
import type { ReturnDesk, Sent } from '#test/factories/returned-payouts.ts';
import { returnsFile } from '#test/factories/returns-file.ts';
import { createTestServices } from '#test/factories/services.ts';
import { systemHealth } from './system-health.ts';

const services = createTestServices();
let { db, other, steps } = {} as ReturnDesk;
openReturns(services, (desk) => {
  ({ db, other, steps } = desk);
});

it('counts refused payments and returns in System Health while they wait', async () => {
  const count = async () => (await systemHealth(db, services.clock.now())).refusedPayments;
  const [one, two, three] = (await steps.sent(3)) as [Sent, Sent, Sent];
  expect(await count()).toBe(0);
  const text = returnsFile([one, two].map((sent, at) => returnOf(sent, { number: 1 + at })));
  const { id } = await steps.bookText(text.join('\n'), other, db, { most: 1 });
  const refuse = (isRefused: boolean) => sql`
    WITH item AS (
      UPDATE payout_file_item SET refused_why = CASE WHEN ${isRefused} THEN 'Refused.' END,
                                  refused_at = CASE WHEN ${isRefused} THEN now() END
       WHERE withdrawal_id = ${three.id})
    UPDATE return_entry SET refused_why = CASE WHEN ${isRefused} THEN 'Refused.' END,
                            refused_at = CASE WHEN ${isRefused} THEN now() END
     WHERE file_id = ${id} AND status = 'waiting'`;
  await refuse(true).execute(db);
  expect(await count()).toBe(2);
  await refuse(false).execute(db);
  expect(await count()).toBe(0);
});
