import { Check, CircleAlert, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';

type NoticeTone = 'caution' | 'critical' | 'motion' | 'positive';

/** The icon that says a tone without its colour. */
const noticeIcons = {
  caution: TriangleAlert,
  critical: CircleAlert,
  motion: Info,
  positive: Check,
};

interface NoticeProps {
  tone: NoticeTone;
  /** A sentence, and what to do next. */
  children: ReactNode;
  /** `alert` or `status` where it appears in answer to an action. */
  role?: 'alert' | 'status' | undefined;
}

/** Something about this page that must not be missed. */
export function Notice({ tone, children, role }: NoticeProps) {
  return (
    <div className={`notice tone-${tone}`} role={role}>
      <Icon of={noticeIcons[tone]} />
      <div>{children}</div>
    </div>
  );
}
