import type { ReactNode } from 'react';
import { ScreenHead } from '#web/kit/screen-head.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { LinkButton, TextLink } from '#web/ui/link-button.tsx';

interface DraftScreenProps {
  /** Id of the draft that the address names; undefined where it names none. */
  id: string | undefined;
  /** Title and hint in place of the draft, where there is none. */
  empty: { title: string; hint: string };
  children: (id: string) => ReactNode;
}

/** A screen about one payroll draft, under the link back to its form. */
export function DraftScreen({ id, empty, children }: DraftScreenProps) {
  return (
    <>
      <p className="mb-3">
        <TextLink href={id === undefined ? '/admin/payroll' : `/admin/payroll?draft=${id}`}>
          Send Payroll
        </TextLink>
      </p>
      {id === undefined ? (
        <>
          <ScreenHead />
          <EmptyState
            {...empty}
            action={<LinkButton href="/admin/payroll">Send Payroll</LinkButton>}
          />
        </>
      ) : (
        children(id)
      )}
    </>
  );
}
