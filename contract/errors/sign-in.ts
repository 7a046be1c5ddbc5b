/** Refusals that anyone may meet, and those of signing in. */
export const SIGN_IN_ERRORS = {
  // Anyone, anywhere
  invalid_request: [422, 'Please check the highlighted fields.'],
  malformed_request: [400, 'The server could not read the request.'],
  body_too_large: [413, 'The request is too large.'],
  not_found: [404, 'Not found.'],
  method_not_allowed: [405, 'This address does not support that method.'],
  unauthenticated: [401, 'User not authenticated'],
  other_person: [
    409,
    'Someone else has signed in with this browser since this page was opened. Nothing was changed.',
  ],
  api_key_invalid: [401, 'This API key does not work: it is wrong, has expired or was revoked.'],
  api_key_refused: [403, 'This API key may not do this.'],
  forbidden: [403, 'You do not have access to this.'],
  origin_refused: [403, 'The request came from another site.'],
  too_many_requests: [429, 'Too many attempts. Please try again in {wait}.'],
  too_many_reads: [429, 'Too many requests within a minute. Please try again in {wait}.'],
  hourly_limit: [429, 'You have done this too often in the last hour. Please try again in {wait}.'],
  unavailable: [503, 'The service is not available right now. Please try again.'],
  internal: [500, 'Something went wrong on our side. Nothing was changed.'],
  idempotency_key_required: [400, 'Money requests need an Idempotency-Key header.'],
  idempotency_key_reused: [422, 'This Idempotency-Key was used for a different request.'],
  conflict: [409, 'This was changed by someone else. Please check it again.'],

  data_destroyed: [410, 'This was destroyed at the end of its retention period.'],

  // Identity
  invalid_credentials: [401, 'Invalid login credentials'],
  email_not_confirmed: [403, 'Email not confirmed'],
  account_exists: [409, 'User already registered'],
  account_deactivated: [
    403,
    'This account is deactivated. Ask your administrator for a link to your payslips.',
  ],
  passwords_too_weak: [422, 'Password is too weak.'],
  invalid_password: [422, 'Invalid password'],
  link_invalid: [410, 'This link is no longer valid. Please ask for a new one.'],
  invite_invalid: [410, 'Please check your token and try again.'],
  invite_other_email: [403, 'This invite was made for another email address.'],
  code_invalid: [422, 'That code is not right. Wait for the next one, then try again.'],
  sign_in_expired: [410, 'This sign-in took too long. Please sign in again.'],
  no_email_change: [409, 'You have no pending change of your email address.'],
  passkey_refused: [
    422,
    'That passkey could not be used. Please try again, or sign in another way.',
  ],
  passkey_expired: [410, 'This took too long or was done already. Please try again.'],
  passkeys_full: [409, 'You have {most} passkeys already. Please remove one first.'],
  two_factor_is_on: [409, 'Two-factor is already on.'],
  two_factor_is_off: [409, 'Two-factor is off.'],
  two_factor_required: [403, 'Your company requires two-factor. Please set it up first.'],
  confirmation_needed: [403, 'Please confirm that it is you.'],
  last_session: [409, 'This is the session you are using. Sign out instead.'],

  sign_up_closed: [
    403,
    'Only people an administrator added can join. Please ask your administrator.',
  ],
  sign_up_other_domain: [403, 'Please sign up with your address at the company.'],

  mail_not_stopped: [404, 'Mail to this address is no longer stopped.'],
  calendar_feed_not_found: [404, 'You have no calendar address.'],
} as const;
