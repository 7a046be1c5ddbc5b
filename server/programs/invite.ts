/**
 * `npm run invite`: prints an invite that makes whoever redeems it an admin. Who has the machine may
 * do so, without signing in; the audit trail names the system. With an address as its argument
 * (`npm run invite -- maya@example.com`) only that account can redeem it. May run while a server works
 * at work; without one it starts the embedded database for as long as it takes.
 */
import { emailRule } from '#contract/email.ts';
import { INVITE_LIFE_HOURS } from '#contract/limits.ts';
import { problemOf } from '#contract/rules.ts';
import { openCompany } from '#server/startup/database.ts';
import { createDb, createPool } from '#server/db/pool.ts';
import { withTx } from '#server/db/tx.ts';
import { systemClock } from '#server/lib/clock.ts';
import { StartError } from '#server/lib/start-error.ts';
import { inviteLink } from '#server/modules/notifications/index.ts';
import { createInvite } from '#server/modules/identity/index.ts';
import { runProgram, settingsOf } from '#server/programs/run-command.ts';
import type { CommandLine } from '#server/programs/run-command.ts';

/** The command. */
export async function inviteCommand({ args, env, print, printError }: CommandLine): Promise<void> {
  const [email, ...more] = args;
  if (more.length > 0 || (email !== undefined && problemOf(emailRule, email) !== undefined)) {
    throw new StartError('Give nothing, or the one email address that may redeem the invite.');
  }
  const config = settingsOf({ env, printError });
  const database = await openCompany(config, print);
  const pool = createPool({ url: database.appUrl, max: 1, applicationName: 'purser-invite' });
  try {
    const { token } = await withTx(createDb(pool), (tx) =>
      createInvite(
        tx,
        { clock: systemClock },
        { actor: 'system' },
        email === undefined ? {} : { email },
      ),
    );
    const address = config.publicUrl ?? `http://localhost:${config.port}`;
    const whose = email === undefined ? '' : ` as ${email}`;
    print(`Open this link to become an administrator${whose}`);
    print(`(it works once, for ${INVITE_LIFE_HOURS} hours):`);
    print(`\n  ${inviteLink(address, token)}\n`);
  } finally {
    await pool.end();
    await database.stop();
  }
}

if (import.meta.main) await runProgram(inviteCommand);
