import { useQueryClient } from '@tanstack/react-query';
import { LogOut, Menu } from 'lucide-react';
import { Suspense, lazy, useEffect, useState, type ReactNode } from 'react';
import type { User } from '#contract/api.ts';
import type { Role } from '#contract/identity.ts';
import { fullName } from '#contract/person-name.ts';
import { followChanges } from '#web/api/live.ts';
import { useIsPageLocked } from '#web/api/use-page-lock.ts';
import { useUndoKey } from '#web/kit/undo.ts';
import { useCompany } from '#web/lib/company.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Button } from '#web/ui/button.tsx';
import { Drawer } from '#web/ui/drawer.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Wordmark } from '#web/ui/wordmark.tsx';
import { PrivacySwitch } from './privacy-switch.tsx';
import { SideNavigation } from './side-navigation.tsx';

// Few users see the menu, so it is loaded on demand.
const AreaMenu = lazy(async () => {
  const { AreaMenu: menu } = await import('./area-menu.tsx');
  return { default: menu };
});

interface Frame {
  user: User;
  /** Address of the person's picture. Null if they have none. */
  avatarUrl: string | null;
  area: Role;
  isSigningOut: boolean;
  onSignOut: () => void;
  /** Notifications of the person, in the top bar. */
  bell: ReactNode;
  /** Tools in the top bar, before the name of the person. */
  tools?: ReactNode;
  /** Below the screen. */
  foot: ReactNode;
}

/** Frame of both areas: top bar, sidebar (a drawer below 1024 px), and the screen. */
export function AreaLayout({ children, ...frame }: Frame & { children: ReactNode }) {
  const queryClient = useQueryClient();
  const { id } = frame.user;
  const isLocked = useIsPageLocked();
  useEffect(
    () => (isLocked ? undefined : followChanges(queryClient, id)),
    [queryClient, id, isLocked],
  );
  useUndoKey();

  return (
    <>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <TopBar {...frame} />
      <div className="shell">
        <aside className="sidebar">
          <SideNavigation area={frame.area} />
        </aside>
        <main className="main" id="main" tabIndex={-1}>
          {children}
        </main>
        {frame.foot}
      </div>
    </>
  );
}

/** The signed-in person, with a link to the other area for an admin who is also an employee. */
function Person({ user, avatarUrl, area }: Pick<Frame, 'user' | 'avatarUrl' | 'area'>) {
  const avatar = <Avatar name={fullName(user)} src={avatarUrl} />;
  if (user.role !== 'admin' || !user.isEmployee) return avatar;
  return (
    <Suspense fallback={avatar}>
      <AreaMenu name={fullName(user)} avatarUrl={avatarUrl} area={area} />
    </Suspense>
  );
}

function TopBar({ user, avatarUrl, area, isSigningOut, onSignOut, tools, bell }: Frame) {
  const company = useCompany();
  const [isMenuOpen, setIsMenuOpen] = useState(false);
  const logOut = (
    <Button kind="quiet" className="topbar__logout" isPending={isSigningOut} onPress={onSignOut}>
      <Icon of={LogOut} size={16} />
      Log out
    </Button>
  );
  return (
    <header className="topbar">
      <IconButton
        icon={Menu}
        className="topbar__menu"
        label="Open menu"
        aria-expanded={isMenuOpen}
        onPress={() => setIsMenuOpen(true)}
      />
      <Wordmark href="/" />
      <span className="topbar__company">{company.name}</span>
      <div className="topbar__end">
        {tools}
        <span className="topbar__welcome">Welcome, {user.firstName}</span>
        {area === 'employee' && <PrivacySwitch />}
        {bell}
        <Person user={user} avatarUrl={avatarUrl} area={area} />
        {logOut}
      </div>
      <Drawer
        label="Menu"
        isOpen={isMenuOpen}
        onClose={() => setIsMenuOpen(false)}
        head={<Wordmark />}
        foot={
          <>
            <p>Welcome, {user.firstName}</p>
            <p className="meta">{company.name}</p>
            <Button shape="block" className="mt-3" isPending={isSigningOut} onPress={onSignOut}>
              <Icon of={LogOut} size={16} />
              Log out
            </Button>
          </>
        }
      >
        <div className="sidebar">
          <SideNavigation area={area} onNavigate={() => setIsMenuOpen(false)} />
        </div>
      </Drawer>
    </header>
  );
}
