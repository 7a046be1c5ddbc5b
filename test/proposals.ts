import type { TestApp } from './app.ts';
import { createAdmin } from './factories/people.ts';

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
