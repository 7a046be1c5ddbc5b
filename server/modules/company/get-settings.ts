import type { SettingsReply } from '#contract/api.ts';
import { ADMINS_TO_SEPARATE, DUTY_SETTING_NAMES } from '#contract/duties.ts';
import { SETTING_NAMES } from '#contract/settings.ts';
import type { Reader } from '#server/db/tx.ts';
import { nextPaydays } from '#server/lib/calendar.ts';
import {
  lastOfNeeded,
  listProposals,
  peopleNeeded,
  presentAdminProposals,
  readDuties,
  dutiesSwitchedOn,
} from '#server/modules/security/index.ts';
import type { Duties } from '#server/modules/security/index.ts';
import { readSettings, settingValues } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { presentProposal } from './proposals.ts';

const PAYDAYS_SHOWN = 3;

/** The reply without the values from the server's own configuration. */
export type KnownSettings = Omit<SettingsReply, 'hasMailServer'>;

/**
 * The settings, the admin who changed each last, and the proposed change, as seen by the calling
 * admin.
 */
export async function getSettings(
  reader: Reader,
  { clock }: Pick<Services, 'clock'>,
  actorId: string,
): Promise<KnownSettings> {
  const settings = await readSettings(reader);
  const admins = await activeAdmins(reader);
  const duties = await readDuties(reader, settings);
  const proposals = await listProposals(reader);
  const asked = { actorId, now: clock.now() };
  return {
    version: settings.version,
    values: settingValues(settings),
    isCurrencyFixed: await isCurrencyFixed(reader),
    lastChanges: await lastChanges(reader, actorId),
    canSeparateDuties: admins.length >= ADMINS_TO_SEPARATE,
    duties: presentDuties(duties),
    admins: {
      total: admins.length,
      withoutTwoFactor: admins.filter((one) => !one.twoFactorEnabled).map(({ name }) => name),
    },
    nextPaydays: nextPaydays(settings, clock.now(), PAYDAYS_SHOWN),
    proposal: presentProposal(duties, proposals, asked),
    adminProposals: presentAdminProposals(duties, proposals, asked),
  };
}

/** Duties in force, and the time from which newly switched-on duties are. */
function presentDuties(duties: Duties): SettingsReply['duties'] {
  const second = lastOfNeeded(duties);
  return {
    inForce: [...duties.inForce].map((duty) => DUTY_SETTING_NAMES[duty]),
    needed: peopleNeeded(dutiesSwitchedOn(duties.settings)),
    second: second && { name: second.name, from: second.from?.toISOString() ?? null },
  };
}

/** True if an account was opened in the company's currency, which can then no longer change. */
export async function isCurrencyFixed(reader: Reader): Promise<boolean> {
  const account = await reader.selectFrom('ledgerAccount').select('id').limit(1).executeTakeFirst();
  return account !== undefined;
}

async function activeAdmins(
  reader: Reader,
): Promise<{ name: string; twoFactorEnabled: boolean }[]> {
  return reader
    .selectFrom('appUser')
    .select(['name', 'twoFactorEnabled'])
    .where('role', '=', 'admin')
    .where('deactivatedAt', 'is', null)
    .orderBy('name')
    .execute();
}

async function lastChanges(reader: Reader, actorId: string): Promise<SettingsReply['lastChanges']> {
  const rows = await reader
    .selectFrom('settingChange')
    .leftJoin('appUser', 'appUser.id', 'settingChange.changedBy')
    .select(['settingChange.name', 'version', 'changedBy', 'changedAt', 'appUser.name as by'])
    .execute();
  return rows.flatMap(({ name, version, changedBy, changedAt, by }) => {
    // A setting that this version no longer has is left out.
    const setting = SETTING_NAMES.find((known) => known === name);
    if (setting === undefined) return [];
    return [{ setting, version, by, isMine: changedBy === actorId, at: changedAt.toISOString() }];
  });
}
