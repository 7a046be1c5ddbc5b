import { accountTypeLabel } from '#contract/account-formats.ts';

/** "Harbor Fiber, checking ••5502" of a US account; "Harbor Fiber ••3000" of others, which have no type. */
export function accountLabel(
  name: string,
  { last4, ...account }: Parameters<typeof accountTypeLabel>[0] & { last4: string },
): string {
  const type = accountTypeLabel(account).toLowerCase();
  return `${[name, type].filter(Boolean).join(', ')} ••${last4}`;
}
