/** Refusals about payments to people, bills and automatic transfers. */
export const PAYMENT_ERRORS = {
  recipient_not_found: [404, 'No one with this address can be paid. Check the spelling.'],
  own_payment: [422, 'This is your own address. Enter a colleague’s address.'],
  payer_not_accepted: [
    403,
    'An administrator must accept you as an employee before you can pay anyone.',
  ],
  own_payouts_frozen: [
    409,
    'No money can leave your accounts, because a change that was not yours was reported. An administrator must check it first.',
  ],
  payment_cooling_off: [
    409,
    'You can pay from {until}, because your password or email address was changed.',
  ],
  payments_stopped: [409, 'Payments are stopped for now. Please ask your administrator.'],
  payment_limit: [422, 'One payment can be at most {limit}'],
  payment_daily_limit: [422, 'This exceeds the daily limit of {limit} for payments to people.'],
  new_browser_limit: [
    422,
    'This browser is new to your account. Until {until} it can send {limit} a day, of which {left} is left today.',
  ],
  bill_not_found: [404, 'This bill was not found.'],
  bill_wrong_status: [409, 'This bill is {status}, so this is not possible.'],
  bill_limit: [422, 'One bill can be at most {limit}'],
  payout_day_invalid: [422, 'Choose a day from {from} to {to}'],
  bill_daily_limit: [422, 'This exceeds the limit of {limit} for bills in one day.'],
  bill_day_invalid: [422, 'Choose a day from {from} to {to}'],
  standing_bill_not_found: [404, 'This standing bill was not found.'],
  standing_bill_ended: [409, 'This standing bill has ended.'],
  standing_bill_limit: [409, 'You have {most} standing bills. Stop one first.'],
  standing_bill_end_invalid: [422, 'Choose a last day of {from} or later'],
  automatic_transfers_changed: [
    409,
    'Your automatic transfers were changed in the meantime. Look at them again.',
  ],
  automatic_transfers_none: [409, 'This account has no automatic transfers.'],
  automatic_percent_sum: [422, 'Percentages can be at most 100% together'],
  automatic_transfer_not_found: [404, 'This automatic transfer was not found.'],
  automatic_transfer_not_movable: [
    409,
    'This transfer went to a bank account or was taken back already, so it cannot be moved back.',
  ],
  payee_not_found: [404, 'This payee was changed or removed.'],
  payee_returned: [
    409,
    'The bank sent back a bill to this payee. Confirm or edit the payee before you pay it.',
  ],
  payee_not_confirmed: [
    409,
    'The bank sent back a bill to this payee. The employee must confirm the payee before this bill is sent.',
  ],
  payee_limit: [409, 'You have {most} saved payees. Remove one to save another.'],
} as const;
