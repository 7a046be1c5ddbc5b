import { randomUUID } from 'node:crypto';
import { compareKeys } from './api-keys.ts';
import { anAdmin, anEmployee, pickOne } from './attempt.ts';
import type { Company } from './company.ts';
import { expectSame } from './compare-kit.ts';

interface Owned {
  ownerId: string;
  path: (id: string) => string;
  id: string;
  /** False for what administrators read elsewhere. */
  isOfDesk: boolean;
}

/** Things of a person, which they and administrators read; to others each answers as if it were not there. */
export async function comparePermissions(company: Company): Promise<void> {
  const { oracle, app } = company;
  const admin = anAdmin(company);
  await compareKeys(company);
  for (const cookie of [...oracle.ended.slice(-3), pickOne(company, oracle.ended)]) {
    if (cookie === null) continue;
    for (const path of ['wallets', 'admin/owed']) {
      const { status } = await app.ask('GET', `/api/${path}`, { cookie });
      expectSame(`${path} by a session that ended`, status, 401);
    }
  }
  const desks = (['deposits', 'withdrawals'] as const).flatMap((desk) =>
    [...oracle[desk].values()].slice(-2).map(({ id, ownerId }): Owned => {
      return { id, ownerId, path: (one) => `${desk}/${one}`, isOfDesk: true };
    }),
  );
  const payslips = [...oracle.batches.values()]
    .filter(({ status }) => status === 'completed')
    .slice(-2)
    .flatMap(({ lines }) => lines.filter(({ paidAt }) => paidAt !== null).slice(0, 1))
    .map(({ id, personId }): Owned => {
      const path = (one: string) => `account-documents/payslip.${one}`;
      return { id: id ?? '', ownerId: personId, path, isOfDesk: false };
    });
  for (const { ownerId, path, id, isOfDesk } of [...desks, ...payslips]) {
    const owner = oracle.person(ownerId);
    const other = anEmployee(company);
    const ask = async (prefix: string, cookie: string, one: string) => {
      const reply = await app.ask('GET', `/api/${prefix}${path(one)}`, { cookie });
      const { code, title } = (await reply.json()) as { code?: string; title?: string };
      return { status: reply.status, code, title };
    };
    const own = await ask('', owner.cookie, id);
    expectSame(`${owner.name} reads ${path(id)}`, own.status, owner.hasLeft ? 401 : 200);
    if (other !== owner) {
      const unknown = await ask('', other.cookie, randomUUID());
      expectSame(`${other.name} reads ${path(id)}`, await ask('', other.cookie, id), unknown);
    }
    if (!admin.isEmployee) {
      expectSame(`${admin.name} reads ${path(id)}`, (await ask('', admin.cookie, id)).status, 403);
    }
    if (!isOfDesk) continue;
    const asAdmin = await ask('admin/', admin.cookie, id);
    expectSame(`${admin.name} reads admin/${path(id)}`, asAdmin.status, 200);
    const asOwner = await ask('admin/', owner.cookie, id);
    const status = owner.hasLeft ? 401 : owner.isAdmin ? 200 : 403;
    expectSame(`${owner.name} reads admin/${path(id)}`, asOwner.status, status);
  }
}
