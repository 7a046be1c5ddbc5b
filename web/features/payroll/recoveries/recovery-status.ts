import type { RecoveryStatus } from '#contract/recovery.ts';
import type { StatusName } from '#web/ui/status-table.ts';

/** Look and word of each status of a recovery. */
export const RECOVERY_STATUS: Readonly<
  Record<RecoveryStatus, { status: StatusName; label: string }>
> = {
  proposed: { status: 'pending', label: 'Proposed' },
  accepted: { status: 'processing', label: 'Accepted' },
  finished: { status: 'completed', label: 'Finished' },
  declined: { status: 'rejected', label: 'Declined' },
  expired: { status: 'cancelled', label: 'Not answered' },
  ended: { status: 'cancelled', label: 'Ended' },
};
