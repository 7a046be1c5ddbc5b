import { INVITE_LIFE_HOURS } from '#contract/limits.ts';
import type { Config } from '#server/config.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db, Tx } from '#server/db/tx.ts';
import type { Clock } from '#server/lib/clock.ts';
import { createInvite } from '#server/modules/identity/index.ts';
import { setTimeZone } from '#server/modules/ledger/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';

/** How to make the demo company, and who can sign in to it. */
export interface Demo {
  create: (options: {
    db: Db;
    createServices: (clock: Clock) => Services;
    log: (sentence: string) => void;
    now: Date;
  }) => Promise<boolean>;
  signIns: readonly { email: string; name: string; what: string }[];
  password: string;
}

export interface FirstStart {
  /** Gives an empty database what its first start needs. */
  prepare: (company: { db: Db; services: Services }) => Promise<void>;
  /** What is printed once Purser serves. */
  welcome: (publicUrl: string) => string[];
}

/**
 * The demo company where that is asked for; otherwise a company that nobody can sign in to yet gets
 * one invite, which makes its first admin.
 */
export function firstStart(
  { mode }: Pick<Config, 'mode'>,
  { loadDemo, say }: { loadDemo: () => Promise<Demo>; say: (sentence: string) => void },
): FirstStart {
  let lines: string[] = [];
  return {
    async prepare({ db, services }) {
      const now = services.clock.now();
      if (mode === 'demo') {
        const createServices = (clock: Clock) => ({ ...services, clock });
        const demo = await loadDemo();
        await demo.create({ db, createServices, log: say, now });
      }
      const settings = await readSettings(db);
      if (settings.demo === 'complete') {
        lines = demoLines(await loadDemo());
        return;
      }
      const token = await withTx(db, (tx) => beginCompany(tx, services));
      if (token !== null) lines = inviteLines(token);
    },
    welcome: (publicUrl) => ['', `Purser is ready at ${publicUrl}`, '', ...lines],
  };
}

/**
 * Lets the books' months begin where the company's do, and invites the first admin. Answers null when
 * there is an admin, or an invite was made before.
 */
async function beginCompany(tx: Tx, services: Services): Promise<string | null> {
  const admin = await tx
    .selectFrom('appUser')
    .select('id')
    .where('role', '=', 'admin')
    .limit(1)
    .executeTakeFirst();
  const invite = await tx.selectFrom('adminInvite').select('id').limit(1).executeTakeFirst();
  if (admin !== undefined || invite !== undefined) return null;
  const { timeZone } = await readSettings(tx);
  await setTimeZone(tx, timeZone);
  const { token } = await createInvite(tx, services, { actor: 'system' });
  return token;
}

function demoLines({ signIns, password }: Demo): string[] {
  const width = Math.max(...signIns.map(({ email }) => email.length));
  return [
    `Sign in with the password ${password} as`,
    ...signIns.map(({ email, name, what }) => `  ${email.padEnd(width)}  ${name}, ${what}`),
    '',
  ];
}

function inviteLines(token: string): string[] {
  return [
    'This company has no admin yet. Sign up, then open /admin/setup and enter this token',
    `(it works once, for ${INVITE_LIFE_HOURS} hours):`,
    '',
    `  ${token}`,
    '',
  ];
}
