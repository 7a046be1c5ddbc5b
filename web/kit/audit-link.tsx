import type { AuditThing } from '#contract/audit.ts';
import { TextLink } from '#web/ui/link-button.tsx';

interface AuditLinkProps {
  /** Kind of the thing. */
  thing: AuditThing;
  /** The id of one thing, and of whom it is; left out: all of them. */
  subject?: string;
  person?: string;
  label?: string;
}

/** Leads to the records of the audit trail about a thing. */
export function AuditLink({ label = 'All records', ...filters }: AuditLinkProps) {
  return <TextLink href={`/admin/audit?${new URLSearchParams({ ...filters })}`}>{label}</TextLink>;
}
