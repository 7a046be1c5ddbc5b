import { NotificationsScreen } from '../notifications-screen.tsx';

/** `/admin/notifications` */
export function AdminNotificationsPage() {
  return <NotificationsScreen area="admin" />;
}
