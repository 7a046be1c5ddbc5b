import { sql } from 'kysely';
import type { UsualPay, UsualPayChange } from '#contract/api.ts';
import { addDays, dayIn } from '#contract/calendar.ts';
import { money } from '#contract/money.ts';
import type { Currency } from '#contract/money.ts';
import { usualPayChange } from '#contract/things/usual-pay-change.ts';
import { WALLET_TYPES } from '#contract/wallets.ts';
import type { WalletType } from '#contract/wallets.ts';
import { personName } from '#server/db/person-name.ts';
import type { Reader } from '#server/db/tx.ts';
import type { Actor } from '#server/lib/actor.ts';
import { paydaysAfter } from '#server/lib/calendar.ts';
import { withActs } from '#server/modules/acts/index.ts';
import type { OfferedAct } from '#server/modules/acts/index.ts';
import {
  presentSecondPeople,
  readDuties,
  refusalOf,
  thresholdInForce,
} from '#server/modules/security/index.ts';
import type { Duties } from '#server/modules/security/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import { byWalletType } from '#server/modules/wallets/index.ts';
import type { Services } from '#server/services.ts';
import { presentLines, usualPayChanges } from './change.ts';
import { isPaidSql } from './paid.ts';
import { paydaysToBegin } from './rules.ts';
import { readPerson } from './usual-pay.ts';
import type { PersonOnDay } from './usual-pay.ts';

/** The proposer of a change does not confirm it. */
const [PROPOSED] = usualPayChange.acts.confirm.secondPerson;

/**
 * Usual pay of a person as an administrator sees it, with all changes and the reader's acts on each.
 *
 * @throws {AppError} `person_not_found`
 */
export async function readUsualPay(
  reader: Reader,
  services: Pick<Services, 'clock'>,
  actor: Actor,
  userId: string,
): Promise<UsualPay> {
  const settings = await readSettings(reader);
  const duties = await readDuties(reader, settings);
  const { currency, timeZone } = settings;
  const now = services.clock.now();
  const today = dayIn(timeZone, now);
  const on = paydaysAfter(settings, addDays(today, -1), 1)[0]?.on ?? today;
  const person = await readPerson(reader, { userId, validFrom: on }, now);
  const changes = await withActs(
    reader,
    services,
    usualPayChanges,
    { actor, as: 'admin' },
    selectChanges(reader, userId),
    settings,
  );
  const wallets = await walletsOf(reader, person, currency);
  const total = wallets.reduce((sum, { amount }) => sum + BigInt(amount.minor), 0n);
  return {
    on,
    wallets,
    isPaid: person.isPaid,
    total: money(total, currency),
    paydays: paydaysToBegin(settings, now),
    rule: ruleFor(person, { duties, actorId: actor.id, currency }),
    changes: changes.map((change) => presentChange(change, { duties, actorId: actor.id })),
  };
}

function selectChanges(reader: Reader, userId: string) {
  return reader
    .selectFrom('usualPayChange')
    .innerJoin('appUser as owner', 'owner.id', 'usualPayChange.userId')
    .selectAll('usualPayChange')
    .select(personName('usual_pay_change.created_by').as('makerName'))
    .select(personName<string | null>('usual_pay_change.moved_by').as('deciderName'))
    .select(['usualPayChange.createdBy as proposedBy', isPaidSql('owner').as('isPaid')])
    .select(
      sql<{ walletType: WalletType; beforeMinor: string; amountMinor: string }[]>`(
        SELECT json_agg(json_build_object('walletType', line.wallet_type,
                 'beforeMinor', line.before_minor::text, 'amountMinor', line.amount_minor::text)
                 ORDER BY ${byWalletType('line.wallet_type')})
          FROM usual_pay_line AS line WHERE line.change_id = usual_pay_change.id)`.as('lines'),
    )
    .where('usualPayChange.userId', '=', userId)
    .orderBy('usualPayChange.validFrom', 'desc')
    .orderBy('usualPayChange.id', 'desc');
}
type ChangeRow = Awaited<ReturnType<ReturnType<typeof selectChanges>['execute']>>[number];

interface AsReader {
  duties: Duties;
  actorId: string;
}

function presentChange(
  row: ChangeRow & { acts: OfferedAct<typeof usualPayChange>[] },
  reader: AsReader,
): UsualPayChange {
  const { id, status, validFrom, reason, needsSecond, acts } = row;
  const currency = row.currency as Currency;
  return {
    id,
    status,
    validFrom,
    reason,
    needsSecond,
    acts,
    lines: presentLines(row.lines, currency),
    changedBy: { id: row.createdBy, name: row.makerName },
    changedAt: row.createdAt.toISOString(),
    decided:
      row.movedAt === null || row.deciderName === null
        ? null
        : { by: row.deciderName, at: row.movedAt.toISOString(), reason: row.rejectionReason },
    approval: approvalOf(row, reader),
  };
}

/** People who may confirm a change; null if it does not wait. */
function approvalOf(row: ChangeRow, { duties, actorId }: AsReader): UsualPayChange['approval'] {
  if (row.status !== 'waiting') return null;
  const isOwn = row.userId === actorId;
  const refusal = refusalOf(
    duties,
    actorId,
    { ...PROPOSED, rule: 'always' },
    {
      doneBy: [row.createdBy],
      notBy: row.userId,
    },
  );
  return {
    mayApprove: refusal === null && !isOwn,
    isMine: row.createdBy === actorId,
    people: presentSecondPeople(refusal?.people ?? []),
  };
}

/** The rule about two people for a change that this administrator would make; null where it is not in force. */
function ruleFor(
  { id, aloneMinor }: PersonOnDay,
  { duties, actorId, currency }: AsReader & { currency: Currency },
): UsualPay['rule'] {
  const leastMinor = thresholdInForce(duties, 'usualPay');
  if (leastMinor === null) return null;
  const refusal = refusalOf(
    duties,
    actorId,
    { ...PROPOSED, rule: 'always' },
    {
      doneBy: [actorId],
      notBy: id,
    },
  );
  return {
    least: money(leastMinor, currency),
    recent: money(aloneMinor, currency),
    people: presentSecondPeople((refusal?.people ?? []).filter(({ name }) => name !== 'You')),
  };
}

/** Wallets of each type that is open or paid, with the amount of a day. */
async function walletsOf(
  reader: Reader,
  { id, valid }: PersonOnDay,
  currency: Currency,
): Promise<UsualPay['wallets']> {
  const open = await reader
    .selectFrom('wallet')
    .select(['type', 'last4'])
    .where('userId', '=', id)
    .where('closedAt', 'is', null)
    .execute();
  return WALLET_TYPES.flatMap((walletType) => {
    const wallet = open.find(({ type }) => type === walletType);
    const { minor = '0', from = null } = valid[walletType] ?? {};
    const isPaid = minor !== '0';
    if (wallet === undefined && !isPaid) return [];
    return [
      {
        walletType,
        last4: wallet?.last4 ?? null,
        amount: { minor, currency },
        validFrom: isPaid ? from : null,
      },
    ];
  });
}
