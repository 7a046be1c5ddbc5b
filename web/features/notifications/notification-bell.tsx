import { useQuery } from '@tanstack/react-query';
import { Bell } from 'lucide-react';
import { use, useState } from 'react';
import { DialogTrigger, Link, OverlayTriggerStateContext, Popover } from 'react-aria-components';
import type { Notification } from '#contract/api.ts';
import type { Role } from '#contract/identity.ts';
import { apiQuery } from '#web/api/query.ts';
import { badgeCount, formatAge } from '#web/lib/format.ts';
import { useAmountWords } from '#web/lib/privacy.ts';
import { Button } from '#web/ui/button.tsx';
import { Items } from '#web/ui/empty-state.tsx';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { useKeptFocus } from '#web/ui/use-settled-focus.ts';
import { useInbox } from './use-inbox.ts';

const SHOWN = 5;

/**
 * Bell in the top bar, with the number of unread notifications and a popover with the newest. The
 * popover contains no dialog, so it is the dialog itself and carries the bell's name.
 */
export function NotificationBell({ area }: { area: Role }) {
  const shell = useQuery(apiQuery('getShell', {}));
  const unread = shell.data?.unreadNotifications ?? 0;
  const count = badgeCount(unread);
  const label = unread === 0 ? 'Notifications' : `Notifications, ${count} unread`;
  return (
    <DialogTrigger>
      <Button kind="quiet" shape="icon" className="bell" aria-label={label}>
        <Icon of={Bell} />
        {unread > 0 && (
          <span className="bell__count" aria-hidden="true">
            {count}
          </span>
        )}
      </Button>
      <Popover className="popover notifications" placement="bottom end" offset={4}>
        <NotificationList unread={unread} inboxHref={`/${area}/notifications`} />
      </Popover>
    </DialogTrigger>
  );
}

function NotificationList({ unread, inboxHref }: { unread: number; inboxHref: string }) {
  const popover = use(OverlayTriggerStateContext);
  const notifications = useQuery(apiQuery('listNotifications', { query: { pageSize: SHOWN } }));
  const { readAll, readOne } = useInbox();
  const [openedAt] = useState(() => new Date());
  const kept = useKeptFocus<HTMLDivElement>();

  return (
    <LoadedQuery query={notifications} what="your notifications" lines={4}>
      {({ items }) => (
        <div ref={kept} tabIndex={-1}>
          <div className="notifications__head">
            <h2 className="section-title">Notifications</h2>
            {unread > 0 && (
              <Button kind="quiet" shape="text" onPress={() => readAll.mutate()}>
                Mark All as Read
              </Button>
            )}
          </div>
          <Items
            items={items}
            none={{
              title: 'No notifications yet',
              hint: 'Notifications about your money and your account appear here.',
            }}
          >
            {(item) => (
              <NotificationRow
                key={item.id}
                item={item}
                now={openedAt}
                onRead={() => readOne.mutate(item.id)}
                onOpen={() => {
                  if (!item.isRead) readOne.mutate(item.id);
                  popover?.close();
                }}
              />
            )}
          </Items>
          <Link className="notifications__all" href={inboxHref} onPress={() => popover?.close()}>
            See All Notifications
          </Link>
        </div>
      )}
    </LoadedQuery>
  );
}

interface NotificationRowProps {
  item: Notification;
  now: Date;
  onRead: () => void;
  onOpen: () => void;
}

function NotificationRow({ item, now, onRead, onOpen }: NotificationRowProps) {
  const write = useAmountWords();
  return (
    <li className="notifications__item" data-unread={item.isRead ? undefined : 'true'}>
      <p className="strong">
        <Link href={item.place} onPress={onOpen}>
          {item.title}
        </Link>
        {!item.isRead && <span className="vh"> (unread)</span>}
      </p>
      <p className="muted">{write(item.message)}</p>
      <p className="notifications__foot meta">
        {formatAge(item.createdAt, now)}
        {!item.isRead && (
          <Button
            shape="text"
            kind="quiet"
            aria-label={`Mark as read: ${item.title}`}
            onPress={onRead}
          >
            Mark as read
          </Button>
        )}
      </p>
    </li>
  );
}
