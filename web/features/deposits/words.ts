import { DEPOSIT_METHODS, methodInSentence, type DepositMethodId } from '#contract/deposits.ts';
import { formatMoney, money, type Currency } from '#contract/money.ts';

/** "$25.00 fee", "2.5% + $0.30 fee", "Free" */
export function feeWords(method: DepositMethodId, currency: Currency): string {
  const { basisPoints, fixedMinor } = DEPOSIT_METHODS[method].fee;
  const parts: string[] = [];
  if (basisPoints > 0n) parts.push(percentWords(basisPoints));
  if (fixedMinor > 0n) parts.push(formatMoney(money(fixedMinor, currency)));
  return parts.length === 0 ? 'Free' : `${parts.join(' + ')} fee`;
}

/** 250 basis points are "2.5%". */
function percentWords(basisPoints: bigint): string {
  const rest = (basisPoints % 100n).toString().padStart(2, '0').replace(/0+$/, '');
  return `${basisPoints / 100n}${rest === '' ? '' : `.${rest}`}%`;
}

/** "$1 to $10,000 each, $25,000 a day"; limits are whole units. */
export function limitWords(method: DepositMethodId, currency: Currency): string {
  const { minMinor, maxMinor, dailyMinor } = DEPOSIT_METHODS[method];
  const whole = (minor: bigint) => formatMoney(money(minor, currency)).replace(/\.00$/, '');
  return `${whole(minMinor)} to ${whole(maxMinor)} each, ${whole(dailyMinor)} a day`;
}

/** "1–3 business days", with a dash as wide as it is in print. */
export function timeWords(method: DepositMethodId): string {
  return DEPOSIT_METHODS[method].processingTime.replace(/(\d)-(\d)/, '$1–$2');
}

/** Name of a method in "You can send $500.00 more by … today." */
export function byMethod(method: DepositMethodId, currency: Currency): string {
  if (method === 'physical_check') return 'check';
  if (currency === 'USD' && method === 'ach') return 'ACH';
  if (currency === 'USD' && method === 'wire') return 'wire';
  return methodInSentence(method, currency);
}

interface MethodWords {
  before: string;
  title: string;
  hint: string;
  waiting: string;
}

/** Steps of the person, before and after they confirm. Elsewhere a wire is a transfer like any other. */
export function methodWords(method: DepositMethodId, currency: Currency): MethodWords {
  if (currency === 'USD' || (method !== 'ach' && method !== 'wire')) return METHOD_WORDS[method];
  return { ...METHOD_WORDS.ach, title: `Send your ${methodInSentence(method, currency)}` };
}

const METHOD_WORDS: Record<DepositMethodId, MethodWords> = {
  ach: {
    before:
      'Nothing is taken from your bank. You send the transfer yourself, with the details we show next.',
    title: 'Send your ACH transfer',
    hint: 'From your bank’s app or branch. The reference tells us it is yours.',
    waiting: 'matches your transfer to',
  },
  wire: {
    before:
      'Nothing is taken from your bank. You send the wire yourself, with the details we show next.',
    title: 'Send your wire',
    hint: 'A domestic wire from your bank. The reference tells us it is yours.',
    waiting: 'matches your wire to',
  },
  card: {
    before: 'You pay on your employer’s card page, which we show next.',
    title: 'Pay by card',
    hint: 'On your employer’s card page. Purser never asks for a card number.',
    waiting: 'matches your payment to',
  },
  mobile_check: {
    before: 'You photograph both sides of your check next.',
    title: 'Photograph your check',
    hint: 'Write the reference on the memo line and sign the back. Keep the paper until the deposit has arrived.',
    waiting: 'compares your check with',
  },
  physical_check: {
    before: 'You mail the check yourself, to the address we show next.',
    title: 'Mail your check',
    hint: 'Never mail cash. The days are counted from the day the check is received.',
    waiting: 'matches your check to',
  },
  secure_transfer: {
    before:
      'Your employer calls you to agree on the details. Do not send anything before the call.',
    title: 'Wait for our call',
    hint: 'For large amounts we agree on the details by phone, never by e-mail. Do not send anything before the call.',
    waiting: 'calls you about',
  },
};
