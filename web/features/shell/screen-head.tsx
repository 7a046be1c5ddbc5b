import { useMatch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useScreens } from '#web/lib/screens.ts';
import { PageTitle } from '#web/ui/page-title.tsx';

interface ScreenHeadProps {
  /** Only where the table of screens leaves the heading to the screen. */
  title?: string | undefined;
  /** A sentence under the heading. */
  subtitle?: ReactNode;
  /** The buttons of the whole screen. */
  actions?: ReactNode;
  /** At the end of the line, as it is. */
  end?: ReactNode;
}

/** The head of a screen. Its heading, also the document's title, is that of the table of screens. */
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
