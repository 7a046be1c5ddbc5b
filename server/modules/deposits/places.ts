import type { RouteArguments, RouteReply } from '#contract/api.ts';
import type { Reader, Tx } from '#server/db/tx.ts';
import { publish } from '#server/events/outbox.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { lockSettings, readSettings, updateSettings } from '#server/modules/settings/index.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';

type DepositPlaces = RouteReply<'adminGetDepositPlaces'>;

/** Where money that comes in goes; empty texts where nothing is set. */
export async function getDepositPlaces(reader: Reader): Promise<DepositPlaces> {
  return presentPlaces(await readSettings(reader));
}

/**
 * Changes where money that comes in goes. Requests that are made keep their instructions. A bank
 * without an address, or the other way round, counts as none.
 *
 * @throws {AppError} `conflict` where they are no longer what the admin saw
 */
export async function updateDepositPlaces(
  tx: Tx,
  services: Pick<Services, 'clock'>,
  by: CommandContext,
  { seen, ...places }: RouteArguments<'adminUpdateDepositPlaces'>['body'],
): Promise<DepositPlaces> {
  await lockSettings(tx);
  const before = await getDepositPlaces(tx);
  const names = Object.keys(before) as (keyof DepositPlaces)[];
  if (names.some((name) => before[name] !== seen[name])) throw new AppError('conflict');
  if (names.every((name) => before[name] === places[name])) return before;
  const { receivingBankName: name, receivingBankAddress: address } = places;
  const after = await updateSettings(tx, services, by, {
    supportEmail: orNone(places.supportEmail),
    mailingAddress: orNone(places.mailingAddress),
    receivingBank: name === '' || address === '' ? null : { name, address },
    cardPaymentPage: orNone(places.cardPaymentPage),
  });
  publish(tx, { topic: 'deposits', userId: null });
  return presentPlaces(after);
}

function orNone(text: string): string | null {
  return text === '' ? null : text;
}

function presentPlaces(settings: CompanySettings): DepositPlaces {
  return {
    supportEmail: settings.supportEmail ?? '',
    mailingAddress: settings.mailingAddress ?? '',
    receivingBankName: settings.receivingBank?.name ?? '',
    receivingBankAddress: settings.receivingBank?.address ?? '',
    cardPaymentPage: settings.cardPaymentPage ?? '',
  };
}
