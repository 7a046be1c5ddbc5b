import { SecuritySettings } from '#web/features/identity/security-settings.tsx';
import { ScreenHead } from '#web/features/shell/screen-head.tsx';

/** `/admin/profile`: how an administrator signs in. */
export function AdminProfilePage() {
  return (
    <>
      <ScreenHead />
      <SecuritySettings role="admin" />
    </>
  );
}
