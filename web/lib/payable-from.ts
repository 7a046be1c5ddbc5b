/**
 * When money can leave for a bank account, while that is still to come: some hours after the account
 * was entered or changed, or its owner's password reset. Null once it can.
 */
export function stillCoolingOff(
  { payableFrom = null }: { payableFrom?: string | null },
  nowMs = Date.now(),
): string | null {
  return payableFrom !== null && new Date(payableFrom).getTime() > nowMs ? payableFrom : null;
}
