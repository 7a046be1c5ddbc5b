import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { apiQuery } from '#web/api/query.ts';
import { formatCount } from '#web/lib/format.ts';
import type { NavigationGroup, NavigationLink } from './navigation.ts';

interface SideNavigationProps {
  groups: readonly NavigationGroup[];
  /** A link was followed: the drawer closes. */
  onNavigate?: () => void;
}

/** The links of an area, with what waits behind them. */
export function SideNavigation({ groups, onNavigate }: SideNavigationProps) {
  const shell = useQuery(apiQuery('getShell', {}));

  function countOf(link: NavigationLink): number {
    return shell.data === undefined ? 0 : (link.waiting?.(shell.data) ?? 0);
  }

  return (
    <nav className="nav" aria-label="Main">
      {groups.map((group) => (
        <div key={group.label ?? 'top'}>
          {group.label !== null && <p className="sidebar__group">{group.label}</p>}
          <ul>
            {group.links.map((link) => (
              <li key={link.to}>
                <Link to={link.to} activeOptions={{ exact: false }} onClick={() => onNavigate?.()}>
                  {link.label}
                  {countOf(link) > 0 && (
                    <span className="nav__count">
                      {formatCount(countOf(link))}
                      <span className="vh"> waiting</span>
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
