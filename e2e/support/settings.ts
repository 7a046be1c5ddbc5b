import { expect } from '@playwright/test';
import { sql } from 'kysely';
import type { SettingValues } from '#contract/settings.ts';
import { withTx } from '#server/db/tx.ts';
import { ask } from './api.ts';
import type { Company } from './company.ts';
import { apiAs } from './people.ts';
import type { Who } from './people.ts';

/** An arbitrary number: the advisory lock of a test that changes settings. */
const SETTINGS_LOCK = 7_265_104;

interface Loosening {
  /** The administrator who accepts. */
  second: Who;
  /** Runs while the change waits for them. */
  whileProposed?: () => Promise<void>;
}

/** Changes settings that nobody has to accept, as the demo company's administrator. */
export async function changeSettings(settings: Partial<SettingValues>): Promise<void> {
  expect((await update(settings)).proposed).toEqual([]);
}

/**
 * Changes settings that take two people: the demo company's administrator proposes, and a second one accepts. One such
 * as the note of deposits takes two only while duties are separated, by whichever test.
 */
export async function loosenSettings(
  company: Company,
  settings: Partial<SettingValues>,
  { second, whileProposed }: Loosening,
): Promise<void> {
  await whileNobodyProposes(company, async () => {
    await update(settings);
    await whileProposed?.();
    await acceptProposed(second);
  });
}

/** Runs a change of settings that may be a proposal. It would replace one that waits, so other tests wait for their turn. */
export async function whileNobodyProposes(
  company: Company,
  change: () => Promise<void>,
): Promise<void> {
  await withTx(company.db, async (tx) => {
    await sql`
      SELECT set_config('idle_in_transaction_session_timeout', '0', true),
             pg_advisory_xact_lock(${SETTINGS_LOCK})`.execute(tx);
    await change();
  });
}

/** Accepts the proposal that waits, if there is one. */
export async function acceptProposed(second: Who): Promise<void> {
  const api = await apiAs(second);
  const { proposal } = await ask(api, 'adminGetSettings', {});
  if (proposal === null) return;
  await ask(api, 'adminAcceptSettingsProposal', { params: { id: proposal.id } });
}

async function update(settings: Partial<SettingValues>) {
  const api = await apiAs('admin');
  const { version } = await ask(api, 'adminGetSettings', {});
  return ask(api, 'adminUpdateSettings', { body: { version, settings } });
}
