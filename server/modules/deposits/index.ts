export { depositActs } from './acts.ts';
export { instructionsHash } from './instructions.ts';
export { describeDeposit } from './present.ts';
export { recentDeposits } from './queries.ts';
export { requestDeposit } from './request-deposit.ts';
export type { NewDeposit } from './request-deposit.ts';
export { sweepCheckImages } from './sweep-images.ts';
export { attachCheckImage } from './upload-check-image.ts';
