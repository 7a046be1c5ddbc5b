export { settlePayoutFiles } from './payout-file.ts';
