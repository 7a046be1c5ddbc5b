import type { ProveNumberProps } from './proof-target.ts';
import { loadedDialog } from '#web/kit/loaded-dialog.tsx';

export const ProveNumber = loadedDialog<ProveNumberProps>(
  async () => (await import('./proof-dialog.tsx')).ProofDialog,
);
