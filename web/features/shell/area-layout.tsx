import { useQueryClient } from '@tanstack/react-query';
import { LogOut, Menu } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import type { User } from '#contract/api.ts';
import type { Role } from '#contract/identity.ts';
import { fullName } from '#contract/person-name.ts';
import { followChanges } from '#web/api/live.ts';
import { useUndoKey } from '#web/kit/undo.ts';
import { useCompany } from '#web/lib/company.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Button } from '#web/ui/button.tsx';
import { Drawer } from '#web/ui/drawer.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Wordmark } from '#web/ui/wordmark.tsx';
import { PrivacySwitch } from './privacy-switch.tsx';
import { SideNavigation } from './side-navigation.tsx';

interface Frame {
  user: User;
  area: Role;
  isSigningOut: boolean;
  onSignOut: () => void;
  /** In the top bar: the person's notifications. */
  bell: ReactNode;
  /** In the top bar, before who is signed in. */
  tools?: ReactNode;
}

/** The frame of both areas: top bar, sidebar (a drawer below 1024 px), and the screen. */
export function AreaLayout({ children, ...frame }: Frame & { children: ReactNode }) {
  const queryClient = useQueryClient();
  const { id } = frame.user;
  useEffect(() => followChanges(queryClient, id), [queryClient, id]);
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
      </div>
    </>
  );
}

function TopBar({ user, area, isSigningOut, onSignOut, tools, bell }: Frame) {
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
      <Button
        kind="quiet"
        shape="icon"
        className="topbar__menu"
        aria-label="Open menu"
        aria-expanded={isMenuOpen}
        onPress={() => setIsMenuOpen(true)}
      >
        <Icon of={Menu} />
      </Button>
      <Wordmark href="/" />
      <span className="topbar__company">{company.name}</span>
      <div className="topbar__end">
        {tools}
        <span className="topbar__welcome">Welcome, {user.firstName}</span>
        {area === 'employee' && <PrivacySwitch />}
        {bell}
        <Avatar name={fullName(user)} />
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
