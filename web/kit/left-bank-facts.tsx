import type { Withdrawal } from '#contract/api.ts';
import { formatDay } from '#web/lib/format.ts';
import type { Fact } from '#web/ui/facts.tsx';

/** Route of a completed payout through the bank, as far as it was entered. */
export function leftBankFacts({
  leftBankOn,
  bankReference,
}: Pick<Withdrawal, 'leftBankOn' | 'bankReference'>): Fact[] {
  return [
    ...(leftBankOn === null
      ? []
      : [{ label: 'Left the bank on', value: formatDay(leftBankOn, 'date') }]),
    ...(bankReference === null
      ? []
      : [{ label: 'Bank reference', value: <span dir="auto">{bankReference}</span> }]),
  ];
}
