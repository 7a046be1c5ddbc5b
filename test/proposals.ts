import { withClient } from '#server/db/embedded/roles.ts';
import type { TestApp } from './app.ts';
import { createAdmin } from './factories/people.ts';

/** Lets the day pass for which proposals on administrators wait. Nothing but a superuser can change when that is. */
export async function aDayLater({ superuserUrl }: { superuserUrl: string }): Promise<void> {
  await withClient(superuserUrl, async (client) => {
    await client.query('SET session_replication_role = replica');
    await client.query("UPDATE security_proposal SET opens_at = opens_at - interval '24 hours'");
  });
}

/** Accepts what waits for another administrator, as one who is made for it. */
export async function acceptProposals({ db, services, ask, cookieOf }: TestApp): Promise<void> {
  const cookie = await cookieOf(await createAdmin(db, services, { firstName: 'Second' }));
  const rows = await db
    .selectFrom('securityProposal')
    .select('id')
    .where('outcome', 'is', null)
    .execute();
  for (const { id } of rows) {
    const { status } = await ask('POST', `/api/admin/settings/proposals/${id}/accept`, { cookie });
    if (status !== 200) throw new Error(`a proposal was refused: ${status}`);
  }
}
