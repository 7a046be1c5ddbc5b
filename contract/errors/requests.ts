/** Refusals about wallets, bank accounts, deposits, withdrawals and payout files. */
export const REQUEST_ERRORS = {
  no_accounts: [404, 'No Accounts Available'],
  wallet_not_found: [404, 'This account was not found.'],
  same_wallet: [422, 'Choose two different accounts'],
  wallet_exists: [409, 'You already have an account of this kind.'],
  wallet_closed: [409, 'Your account of this kind was closed. Please ask your administrator.'],
  wallet_not_empty: [409, 'This account is not empty. Only an empty account can be closed.'],
  wallet_in_use: [
    409,
    'This account is in use by a deposit, a payroll or a standing bill. Please end that first.',
  ],
  bank_account_not_found: [404, 'This bank account was not found.'],
  bank_account_not_verified: [422, 'Please select a valid bank account'],
  bank_account_in_use: [409, 'This bank account is used by a withdrawal in progress.'],
  bank_account_exists: [409, 'You have already added this bank account.'],
  holder_reason_required: [
    422,
    'The account is in another name than its owner’s. Enter why it is right.',
  ],
  bank_account_untested: [409, 'This bank account can be verified after its prenote. {why}'],
  bank_account_unproved: [
    409,
    'This bank account can be verified after its owner entered the amounts of its micro-deposits. {why}',
  ],
  micro_deposits_closed: [409, 'The amounts cannot be entered now. {why}'],
  bank_account_not_pending: [409, 'This bank account was already verified or rejected.'],
  routing_number_invalid: [422, 'Enter a valid 9-digit routing number'],

  question_not_found: [404, 'This question was not found.'],
  question_waiting: [409, 'Your last question about this has not been answered yet.'],
  question_answered: [409, 'This question has already been answered.'],

  audit_event_not_found: [404, 'This record was not found.'],

  // Money requests
  amount_invalid: [422, 'Please enter a valid amount'],
  balance_differs: [
    409,
    'This account is being checked: its balance is not the sum of its entries. Nothing was changed. Please try again later.',
  ],
  month_closed: [
    409,
    'This would count in a month that is closed. A correction is posted in an open month.',
  ],
  month_not_found: [404, 'Nothing was posted in this month.'],
  month_wrong_status: [409, '{month} cannot be {done} now. Months close in their order.'],
  month_blocked: [409, '{month} cannot be closed yet. {task}.'],
  chart_incomplete: [409, 'The journal cannot be exported: map {accounts} first.'],
  time_zone_of_closed_months: [
    409,
    'The time zone cannot change while months are closed, because they would begin and end at other times.',
  ],
  insufficient_funds: [422, 'Insufficient funds. Available: {available}'],
  nothing_to_pay_out: [409, 'Nothing is available in their accounts.'],
  identity_not_approved: [
    403,
    'Your identity must be approved before money can leave your wallet. See KYC Status.',
  ],
  withdrawal_not_found: [404, 'This withdrawal was not found.'],
  withdrawal_not_cancellable: [409, 'Unable to cancel this withdrawal request'],
  withdrawal_wrong_status: [409, 'This withdrawal is {status}, so this is not possible.'],
  payouts_stopped: [
    409,
    'Payouts are stopped, because the last verification of the books found a problem. See System Health.',
  ],
  payout_cooling_off: [
    409,
    'This can be paid from {until}, because the account, the password or the email address is new or was changed.',
  ],
  payout_account_returned: [
    409,
    'The bank sent back a payout to this account. The account must be verified again before money is sent to it.',
  ],
  payout_change_open: [
    409,
    'The bank of this account asked for other details. Keep its old number on Returns, or stop this payment and update the account there.',
  ],
  payouts_by_hand: [
    409,
    'Enter your bank in Settings, under Payout files, before you make a file.',
  ],
  nacha_in_dollars: [
    409,
    'NACHA files pay in US dollars only. Choose ISO 20022 in Settings, under Payout files.',
  ],
  payout_in_file: [409, 'This is in payout file {number}. Cancel the file first.'],
  payout_sent_in_file: [
    409,
    'This was sent in payout file {number}. It is completed when the file is settled.',
  ],
  payout_item_not_ready: [409, '{reference} cannot be paid now. {why}'],
  payout_item_unwritable: [422, '{reference} cannot be written to the file: {why}.'],
  payout_file_not_found: [404, 'This payout file was not found.'],
  payout_file_wrong_status: [409, 'This payout file is {status}, so this is not possible.'],
  payout_file_unposted: [
    409,
    'The payments of this file are still being posted. Try again in a minute.',
  ],
  payout_settled_by_line: [
    409,
    'Your bank’s statements are imported. This file is settled when its line is matched on Company Bank.',
  ],
  payout_file_differs: [
    409,
    'This file can no longer be made as it was. Cancel it and make a new one.',
  ],
  payout_check_failed: [409, '{why} Cancel this file and make another one.'],
  payouts_changed: [409, 'What is ready to pay has changed. Look at it again.'],
  same_day_passed: [409, 'Payments can no longer arrive today. Choose the next banking day.'],
  payout_item_not_found: [404, 'This payment was not found.'],
  payout_reversal_not_found: [404, 'This reversal was not found.'],
  payout_reversal_wrong_status: [409, 'This reversal is {status}, so this is not possible.'],
  payout_reversal_asked: [409, 'Your bank was asked to take this payment back already.'],
  payout_not_reversible: [409, 'This payment cannot be taken back. {why}'],
  payout_reversal_late: [
    409,
    'It would reach the other bank after its day. Cancel it and prepare another one while there is time.',
  ],
  payout_files_full: [409, 'No more than {most} payout files can be made in one day.'],
  return_file_too_large: [
    413,
    'This file is too large. A returns file has at most 100 MB and 100,000 entries.',
  ],
  return_file_unreadable: [
    422,
    'This file does not add up, so nothing of it was booked. {place}: {why}.',
  ],
  return_file_booked: [409, 'This file was booked before. Nothing of it was booked again.'],
  return_file_not_found: [404, 'This returns file was not found.'],
  return_entry_not_found: [404, 'This entry was not found.'],
  return_disputed: [
    409,
    'Another bank has rejected this return. It cannot be sent again until the banks agree.',
  ],
  request_sent_again: [409, 'This was sent again already.'],
  return_entry_decided: [409, 'Another administrator has decided on this entry.'],
  return_item_differs: [
    409,
    'A return can be booked only to a payment of the same amount that was sent and has not come back.',
  ],
  change_outdated: [
    409,
    'This bank account was changed or removed since, so there is nothing to update.',
  ],
  payouts_not_frozen: [409, 'The payouts of this person are not frozen.'],
  payouts_frozen_already: [409, 'The payouts of this person are already frozen.'],
  payouts_frozen: [
    409,
    'Payouts of this person are frozen, because they reported a change that was not theirs.',
  ],
  own_request: [403, 'Someone else must decide on your own request.'],
  transaction_not_found: [404, 'This transaction was not found.'],
  deposit_not_found: [404, 'This deposit was not found.'],
  deposit_wrong_status: [409, 'This deposit is {status}, so this is not possible.'],
  deposit_already_decided: [409, 'This deposit is already {status}.'],
  deposit_out_of_range: [422, 'Amount must be between {min} and {max}'],
  deposit_method_unavailable: [
    422,
    'This deposit method is not offered. Please choose another one.',
  ],
  deposit_not_cancellable: [409, 'Unable to cancel this deposit request'],
  deposit_takes_no_images: [409, 'This deposit is not made by mobile check.'],
  deposit_unconfirmed: [
    409,
    'This deposit takes two administrators: one confirms that it arrived, then another one approves it.',
  ],
  deposit_confirmation_unneeded: [
    409,
    'This deposit takes no further confirmation. It waits for its approval.',
  ],
  deposit_images_missing: [409, 'Both photographs of the check are needed before it is approved.'],
  deposit_confirmed: [
    409,
    'An administrator has confirmed this deposit by its photographs, so they stay as they are.',
  ],
  check_image_used: [409, 'This photograph was sent with another deposit.'],
  deposit_daily_limit: [422, 'This exceeds the daily limit of {limit} for this method.'],
} as const;
