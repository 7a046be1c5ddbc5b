import type { Role } from '#contract/identity.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Button } from '#web/ui/button.tsx';
import { Menu } from '#web/ui/menu.tsx';

const OTHER_AREA = {
  admin: { id: 'money', label: 'My money', href: '/employee/dashboard' },
  employee: { id: 'administration', label: 'Administration', href: '/admin/dashboard' },
} as const satisfies Record<Role, { id: string; label: string; href: string }>;

interface AreaMenuProps {
  name: string;
  avatarUrl: string | null;
  area: Role;
}

/** Avatar with a menu, for an administrator who is also an employee. It opens their other area. */
export function AreaMenu({ name, avatarUrl, area }: AreaMenuProps) {
  return (
    <Menu
      label="Account"
      trigger={
        <Button kind="quiet" shape="icon" aria-label={`Account of ${name}`}>
          <Avatar name={name} src={avatarUrl} />
        </Button>
      }
      actions={[OTHER_AREA[area], { id: 'profile', label: 'Profile', href: `/${area}/profile` }]}
    />
  );
}
