import { sql } from 'kysely';
import type { RouteArguments } from '#contract/api.ts';
import type { NotificationKindSpec } from '#contract/notification-kinds.ts';
import { EMAIL_SWITCHES } from '#contract/notifications.ts';
import type { EmailPreferences } from '#contract/notifications.ts';
import { prepared } from '#server/db/statement-names.ts';
import type { Reader, Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import type { Services } from '#server/services.ts';

/** Columns that a person can set. */
const PREFERENCE_COLUMNS = ['emailEnabled', 'emailFrequency', ...EMAIL_SWITCHES] as const;

/** Preferences of a person who has set none: all mails, immediately. */
const DEFAULTS: EmailPreferences = {
  emailEnabled: true,
  emailFrequency: 'immediate',
  depositAlerts: true,
  withdrawalUpdates: true,
  verificationAlerts: true,
  securityAlerts: true,
  infoNotifications: true,
  profileUpdates: true,
  kycUpdates: true,
};

/**
 * Gives new people the initial preferences of the company's settings. Existing preferences stay.
 */
export async function startEmailPreferences(
  tx: Tx,
  { clock }: Pick<Services, 'clock'>,
  userIds: readonly string[],
): Promise<void> {
  const people = sql<{ userId: string }>`unnest(${userIds}::uuid[])`;
  await tx
    .insertInto('emailPreference')
    .columns([
      ...(['userId', 'updatedAt', 'emailEnabled', 'emailFrequency', 'depositAlerts'] as const),
      ...(['withdrawalUpdates', 'verificationAlerts', 'securityAlerts'] as const),
      ...(['infoNotifications', 'profileUpdates', 'kycUpdates'] as const),
    ])
    .expression((from) =>
      // In the order of the columns.
      from
        .selectFrom(['companySettings', people.as<'person'>(sql`person (user_id)`)])
        .select([
          'person.userId',
          sql.val(clock.now()).as('updatedAt'),
          'initialEmailEnabled as emailEnabled',
          'initialEmailFrequency as emailFrequency',
          'initialDepositAlerts as depositAlerts',
          'initialWithdrawalUpdates as withdrawalUpdates',
          'initialVerificationAlerts as verificationAlerts',
          'initialSecurityAlerts as securityAlerts',
          'initialInfoNotifications as infoNotifications',
          'initialProfileUpdates as profileUpdates',
          'initialKycUpdates as kycUpdates',
        ]),
    )
    .onConflict((conflict) => conflict.column('userId').doNothing())
    .execute();
}

/** The person's email preferences. */
export async function readEmailPreferences(
  reader: Reader,
  userId: string,
): Promise<EmailPreferences> {
  const chosen = await reader
    .selectFrom('emailPreference')
    .modifyFront(prepared)
    .select(PREFERENCE_COLUMNS)
    .where('userId', '=', userId)
    .executeTakeFirst();
  return chosen ?? DEFAULTS;
}

/**
 * Changes the actor's email preferences; omitted ones stay. Like reading the inbox, this changes
 * nothing for other people and leaves no audit row. Mails that matter for security are sent in any
 * case.
 */
export async function changeEmailPreferences(
  tx: Tx,
  { clock }: Pick<Services, 'clock'>,
  { actor }: CommandContext,
  change: RouteArguments<'changeEmailPreferences'>['body'],
): Promise<EmailPreferences> {
  await writeEmailPreferences(tx, actor.id, { change, at: clock.now() });
  return readEmailPreferences(tx, actor.id);
}

/** {@link changeEmailPreferences} for a person who uses a link in their mail. */
export async function writeEmailPreferences(
  tx: Tx,
  userId: string,
  { change, at }: { change: RouteArguments<'changeEmailPreferences'>['body']; at: Date },
): Promise<void> {
  await tx
    .insertInto('emailPreference')
    .values({ userId, ...change, updatedAt: at })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet({ ...change, updatedAt: at }))
    .execute();
}

/**
 * Decides about a notification's mail: `send` it now, `gather` it for the next digest, or `drop` it
 * because the person switched it off.
 */
export function mailFor(
  mail: NotificationKindSpec['mail'],
  preferences: EmailPreferences | null,
): 'send' | 'gather' | 'drop' {
  const { emailEnabled, emailFrequency, ...switches } = preferences ?? DEFAULTS;
  if (mail === 'always' || mail === 'admins') return 'send';
  if (mail === 'never' || !emailEnabled || !switches[mail]) return 'drop';
  return emailFrequency === 'immediate' ? 'send' : 'gather';
}
