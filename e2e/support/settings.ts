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
 * Changes settings that take two people: the demo company's administrator proposes, and a second one accepts. A
 * proposal replaces the one that waits, so tests of other workers wait for their turn.
 */
export async function loosenSettings(
  company: Company,
  settings: Partial<SettingValues>,
  { second, whileProposed }: Loosening,
): Promise<void> {
  await withTx(company.db, async (tx) => {
    await sql`
      SELECT set_config('idle_in_transaction_session_timeout', '0', true),
             pg_advisory_xact_lock(${SETTINGS_LOCK})`.execute(tx);
    const { proposal } = await update(settings);
    await whileProposed?.();
    await ask(await apiAs(second), 'adminAcceptSettingsProposal', {
      params: { id: proposal?.id ?? '' },
    });
  });
}

async function update(settings: Partial<SettingValues>) {
  const api = await apiAs('admin');
  const { version } = await ask(api, 'adminGetSettings', {});
  return ask(api, 'adminUpdateSettings', { body: { version, settings } });
}
