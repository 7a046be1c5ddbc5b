/**
 * Time from which money can be sent to a bank account, if it is in the future: some hours after the
 * account was entered or changed, or its owner's password was reset. Null if money can be sent now.
 */
export function stillCoolingOff(
  { payableFrom = null }: { payableFrom?: string | null },
  nowMs = Date.now(),
): string | null {
  return payableFrom !== null && new Date(payableFrom).getTime() > nowMs ? payableFrom : null;
}
