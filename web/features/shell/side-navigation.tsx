import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { apiQuery } from '#web/api/query.ts';
import { badgeCount } from '#web/lib/format.ts';
import type { Role } from '#contract/identity.ts';
import { useScreens, type NavigationEntry } from '#web/lib/screens.ts';
import { navigationOf } from './navigation.ts';

interface SideNavigationProps {
  area: Role;
  /** Called when a link is followed, to close the drawer. */
  onNavigate?: () => void;
}

/** Links of an area, with the number of waiting items. */
export function SideNavigation({ area, onNavigate }: SideNavigationProps) {
  const shell = useQuery(apiQuery('getShell', {}));
  const groups = navigationOf(useScreens()[area]);
  const pathname = useLocation({ select: (location) => location.pathname });
  const isCovered = (covers: readonly string[] = []) =>
    covers.some((path) => pathname === path || pathname.startsWith(`${path}/`));

  function countOf({ waiting, isInbox }: Pick<NavigationEntry, 'waiting' | 'isInbox'>): number {
    if (isInbox === true) return shell.data?.unreadNotifications ?? 0;
    return waiting === undefined ? 0 : (shell.data?.waiting?.[waiting] ?? 0);
  }

  return (
    <nav className="nav" aria-label="Main">
      {groups.map((group) => (
        <div key={group.label ?? 'top'}>
          {group.label !== null && <p className="sidebar__group">{group.label}</p>}
          <ul>
            {group.links.map((link) => (
              <li key={link.to}>
                <Link
                  to={link.to}
                  activeOptions={{ exact: false }}
                  aria-current={isCovered(link.covers) ? 'page' : undefined}
                  onClick={() => onNavigate?.()}
                >
                  {link.label}
                  {countOf(link) > 0 && (
                    <span className="nav__count">
                      {badgeCount(countOf(link))}
                      <span className="vh">{link.isInbox === true ? ' unread' : ' waiting'}</span>
                    </span>
                  )}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
