import type { GlyphName } from './glyph.tsx';

export type StatusTone = 'positive' | 'caution' | 'critical' | 'motion' | 'muted';

export interface StatusLook {
  label: string;
  tone: StatusTone;
  glyph: GlyphName;
}

/**
 * Word and look of each status. It is the only domain knowledge in this folder. The glyph shows
 * progress. The tone shows the next actor: caution waits for a person, motion is on its way.
 */
export const statusTable = {
  open: { label: 'Open', tone: 'muted', glyph: 'ring' },
  ready: { label: 'Ready to close', tone: 'caution', glyph: 'quarter' },
  closed: { label: 'Closed', tone: 'positive', glyph: 'tick' },
  draft: { label: 'Draft', tone: 'muted', glyph: 'ring' },
  not_started: { label: 'Not started', tone: 'muted', glyph: 'ring' },
  not_uploaded: { label: 'Not uploaded', tone: 'muted', glyph: 'ring' },
  in_progress: { label: 'In progress', tone: 'muted', glyph: 'ring' },
  pending: { label: 'Pending', tone: 'caution', glyph: 'quarter' },
  pending_verification: { label: 'Pending verification', tone: 'caution', glyph: 'quarter' },
  scheduled: { label: 'Scheduled', tone: 'caution', glyph: 'quarter' },
  due: { label: 'Due', tone: 'caution', glyph: 'half' },
  sent: { label: 'Sent', tone: 'motion', glyph: 'three-quarters' },
  paid: { label: 'Paid', tone: 'positive', glyph: 'tick' },
  prepared: { label: 'Prepared', tone: 'caution', glyph: 'quarter' },
  downloaded: { label: 'Downloaded', tone: 'caution', glyph: 'half' },
  settled: { label: 'Settled', tone: 'positive', glyph: 'tick' },
  submitted: { label: 'Submitted', tone: 'caution', glyph: 'quarter' },
  in_review: { label: 'In review', tone: 'motion', glyph: 'half' },
  under_review: { label: 'Under review', tone: 'motion', glyph: 'half' },
  approved: { label: 'Approved', tone: 'motion', glyph: 'half' },
  processing: { label: 'Processing', tone: 'motion', glyph: 'three-quarters' },
  processed: { label: 'Processed', tone: 'positive', glyph: 'tick' },
  completed: { label: 'Completed', tone: 'positive', glyph: 'tick' },
  verified: { label: 'Verified', tone: 'positive', glyph: 'tick' },
  active: { label: 'Active', tone: 'positive', glyph: 'tick' },
  rejected: { label: 'Rejected', tone: 'critical', glyph: 'cross' },
  failed: { label: 'Failed', tone: 'critical', glyph: 'cross' },
  returned: { label: 'Returned', tone: 'critical', glyph: 'cross' },
  cancelled: { label: 'Cancelled', tone: 'muted', glyph: 'dash' },
  skipped: { label: 'Skipped', tone: 'muted', glyph: 'dash' },
  reversed: { label: 'Reversed', tone: 'muted', glyph: 'dash' },
  inactive: { label: 'Inactive', tone: 'muted', glyph: 'dash' },
  on: { label: 'On', tone: 'positive', glyph: 'tick' },
  off: { label: 'Off', tone: 'muted', glyph: 'ring' },
  name_equal: { label: 'Same name', tone: 'positive', glyph: 'tick' },
  name_similar: { label: 'Similar name', tone: 'caution', glyph: 'half' },
  name_different: { label: 'Different name', tone: 'critical', glyph: 'cross' },
  resubmit_required: { label: 'Resubmit required', tone: 'caution', glyph: 'back' },
} satisfies Record<string, StatusLook>;

export type StatusName = keyof typeof statusTable;
