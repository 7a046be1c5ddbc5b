export { settlePayoutFiles, settlePrenoteFiles } from './payout-file.ts';
export { postPayoutFileJob, sweepPayoutFiles } from './post-payout-file.ts';
