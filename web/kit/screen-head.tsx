import { useMatch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useScreens } from '#web/lib/screens.ts';
import { PageTitle } from '#web/ui/page-title.tsx';

interface ScreenHeadProps {
  /** Heading. Only needed if the table of screens leaves it to the screen. */
  title?: string | undefined;
  /** Sentence under the heading. */
  subtitle?: ReactNode;
  /** Buttons for the whole screen. */
  actions?: ReactNode;
  /** Content at the end of the line. */
  end?: ReactNode;
}

/** Head of a screen. The table of screens gives its heading, which is also the document's title. */
export function ScreenHead({ title, subtitle, actions, end }: ScreenHeadProps) {
  const path = useMatch({ strict: false, select: ({ fullPath }) => fullPath as string });
  const { employee, admin } = useScreens();
  const own = [...employee, ...admin].find((screen) => screen.path === path)?.title;
  const heading = <PageTitle>{title ?? own ?? ''}</PageTitle>;
  return (
    <div className="page-head">
      {subtitle === undefined ? (
        heading
      ) : (
        <div>
          {heading}
          <p className="page-head__sub">{subtitle}</p>
        </div>
      )}
      {actions !== undefined && <div className="page-head__actions">{actions}</div>}
      {end}
    </div>
  );
}
