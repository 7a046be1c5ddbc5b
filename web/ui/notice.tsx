import { Check, CircleAlert, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';

type NoticeTone = 'caution' | 'critical' | 'motion' | 'positive';

/** Icon for each tone, so that color is not the only signal. */
const noticeIcons = {
  caution: TriangleAlert,
  critical: CircleAlert,
  motion: Info,
  positive: Check,
};

interface NoticeProps {
  tone: NoticeTone;
  /** A sentence and the next step. */
  children: ReactNode;
  /** `alert` or `status` for a notice that appears after an action. */
  role?: 'alert' | 'status' | undefined;
}

/** Important message about this page. */
export function Notice({ tone, children, role }: NoticeProps) {
  return (
    <div className={`notice tone-${tone}`} role={role}>
      <Icon of={noticeIcons[tone]} />
      <div>{children}</div>
    </div>
  );
}
