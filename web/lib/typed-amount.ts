/** Digits without groups, with or without cents. Groups that begin with a zero are no amount (`parseAmount`). */
const PLAIN_AMOUNT = /^([1-9]\d{3,})(\.\d*)?$/;

/** An amount as it is read most easily: "1234567.5" is "1,234,567.5". Anything else stays as typed. */
export function groupAmount(typed: string): string {
  const text = typed.trim();
  const [, whole, rest = ''] = PLAIN_AMOUNT.exec(text) ?? [];
  return whole === undefined ? typed : whole.replaceAll(/\B(?=(\d{3})+$)/g, ',') + rest;
}
