export { settlePayoutFiles, settlePrenoteFiles } from './payout-file.ts';
export { bookReturnsJob, sweepReturnFiles } from './returns/book-waiting.ts';
export { postPayoutFileJob, sweepPayoutFiles } from './post-payout-file.ts';
