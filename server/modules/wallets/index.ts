export { contentHash as walletContentHash } from './content-hash.ts';
export { holdFunds } from './hold-funds.ts';
export { lockForTransfer, lockWallet } from './lock-wallet.ts';
export { openWallet } from './open-wallet.ts';
export type { OpenedWallet } from './open-wallet.ts';
export { listWallets } from './queries.ts';
export type { WalletRecord } from './rows.ts';
export { walletHandlers } from './routes.ts';
