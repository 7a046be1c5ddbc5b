export { settlePayoutFile } from './payout-file.ts';
