import { INVITE_LIFE_HOURS } from '#contract/limits.ts';
import type { Config } from '#server/config/config.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db, Tx } from '#server/db/tx.ts';
import type { Clock } from '#server/lib/clock.ts';
import { StartError } from '#server/lib/start-error.ts';
import { inviteLink } from '#server/modules/notifications/index.ts';
import { createInvite, hasAdmin } from '#server/modules/identity/index.ts';
import { setTimeZone } from '#server/modules/ledger/index.ts';
import {
  lockSettings,
  readSettings,
  recordSettings,
  updateSettings,
} from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';

/** Steps that make the demo company, and the people who can sign in to it. */
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
  /** Text printed once Purser serves. */
  welcome: (publicUrl: string) => string[];
}

/**
 * The demo company where that is asked for; otherwise a company that nobody can sign in to yet gets
 * one invite, which makes its first admin. In production it is never printed.
 */
export function firstStart(
  { mode }: Pick<Config, 'mode'>,
  { loadDemo, say }: { loadDemo: () => Promise<Demo>; say: (sentence: string) => void },
): FirstStart {
  let linesAt: (publicUrl: string) => string[] = () => [];
  return {
    async prepare({ db, services }) {
      const now = services.clock.now();
      await withTx(db, recordSettings);
      if (mode === 'demo') {
        const createServices = (clock: Clock) => ({ ...services, clock });
        const demo = await loadDemo();
        await demo.create({ db, createServices, log: say, now });
      }
      const settings = await readSettings(db);
      if (mode === 'production' && settings.demo !== 'none') {
        throw new StartError(
          'This database holds the demo company, whose password is published; production does not start on it.',
        );
      }
      if (settings.demo === 'complete') {
        const lines = demoLines(await loadDemo());
        linesAt = () => lines;
        return;
      }
      const token = await withTx(db, (tx) => beginCompany(tx, services, mode));
      if (token !== null) linesAt = (publicUrl) => inviteLines(inviteLink(publicUrl, token));
      else if (mode === 'production' && !(await hasAdmin(db))) linesAt = () => HOW_TO_INVITE;
    },
    welcome: (publicUrl) => ['', `Purser is ready at ${publicUrl}`, '', ...linesAt(publicUrl)],
  };
}

/**
 * Begins a company that never had an admin: the books' months begin where the company's do, and administrators have to set
 * up two-factor, whoever is invited first and how.
 *
 * @returns token of the first admin's invite; null where there is an admin, or an invite was made before; and in
 *   production, whose log others may read: there an operator makes the invite on the machine
 */
async function beginCompany(
  tx: Tx,
  services: Services,
  mode: Config['mode'],
): Promise<string | null> {
  // If two processes start at the same moment, one makes the invite.
  await lockSettings(tx);
  if (await hasAdmin(tx)) return null;
  const { timeZone } = await readSettings(tx);
  await setTimeZone(tx, timeZone);
  await updateSettings(tx, services, { actor: 'system' }, { requireAdminTwoFactor: true });
  const invite = await tx.selectFrom('adminInvite').select('id').limit(1).executeTakeFirst();
  if (invite !== undefined || mode === 'production') return null;
  const { token } = await createInvite(tx, services, { actor: 'system' });
  return token;
}

const HOW_TO_INVITE = [
  'This company has no admin yet. Run `npm run invite` on this machine (`purser-admin invite` where it was installed from',
  'its archive): it prints an invite.',
  '',
];

function demoLines({ signIns, password }: Demo): string[] {
  const width = Math.max(...signIns.map(({ email }) => email.length));
  return [
    `Sign in with the password ${password} as`,
    ...signIns.map(({ email, name, what }) => `  ${email.padEnd(width)}  ${name}, ${what}`),
    '',
  ];
}

function inviteLines(link: string): string[] {
  return [
    'This company has no admin yet. Open this link to sign up as its first one',
    `(it works once, for ${INVITE_LIFE_HOURS} hours):`,
    '',
    `  ${link}`,
    '',
  ];
}
