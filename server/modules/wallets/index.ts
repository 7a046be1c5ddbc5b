export { closeWallet, refusalsToClose } from './close-wallet.ts';
export { contentHash as walletContentHash } from './content-hash.ts';
export { holdFunds, lockForMove, lockForTransfer, lockWallet, lockWallets } from './lock-wallet.ts';
export { lockForReturn } from './reopen-wallet.ts';
export { openWallet, openWallets } from './open-wallet.ts';
export type { OpenedWallet } from './open-wallet.ts';
export { listWallets, openWalletsOf } from './queries.ts';
export { byWalletType } from './rows.ts';
export type { WalletRecord } from './rows.ts';
