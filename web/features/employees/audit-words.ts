/** What was done to or by a person, in words; an act without any shows its name. */
const WORDS: Readonly<Record<string, string>> = {
  'user.created': 'Account made',
  'user.signed_up': 'Signed up',
  'person.accepted': 'Accepted',
  'person.deactivated': 'Deactivated',
  'person.reactivated': 'Reactivated',
  'person.position_changed': 'Department or position changed',
  'payouts.frozen': 'Payouts frozen',
  'payouts.released': 'Payouts released',
  'password.link_created': 'Link to choose a password made',
  'password.reset_requested': 'New password asked for',
  'password.reset': 'Password chosen by a link',
  'password.changed': 'Password changed',
  'session.started': 'Signed in',
  'session.all_ended': 'All sessions ended',
  'admin.revoked': 'Admin rights removed',
  'invite.redeemed': 'Became an administrator',
  'wallet.opened': 'Account opened',
  'withdrawal.requested': 'Withdrawal requested',
  'withdrawal.approved': 'Withdrawal approved',
  'withdrawal.completed': 'Withdrawal completed',
  'withdrawal.rejected': 'Withdrawal rejected',
  'deposit.requested': 'Deposit requested',
  'deposit.approved': 'Deposit approved',
  'bank_account.added': 'Bank account added',
  'bank_account.verified': 'Bank account verified',
  'bank_account.rejected': 'Bank account rejected',
  'bank_account.revealed': 'Account number opened',
};

/** "withdrawal.approved" is "Withdrawal approved". */
export function auditWords(action: string): string {
  const known = WORDS[action];
  if (known !== undefined) return known;
  const plain = action.replaceAll(/[._]/g, ' ');
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}
