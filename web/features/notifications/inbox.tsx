import { failedToLoad } from '#web/kit/query-error.tsx';
import { Check, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-aria-components';
import type { Notification } from '#contract/api.ts';
import { notificationList } from '#contract/lists.ts';
import type { NotificationType } from '#contract/notifications.ts';
import { errorMessage } from '#web/api/query.ts';
import { offerUndo } from '#web/kit/undo.ts';
import { useList } from '#web/kit/use-list.ts';
import { formatAge } from '#web/lib/format.ts';
import { useAmountWords } from '#web/lib/privacy.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { ListFrame } from '#web/ui/list-frame.tsx';
import { Section } from '#web/ui/section.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { useMoments } from '#web/ui/time.tsx';
import { toast } from '#web/ui/toast-queue.ts';
import { useKeptFocus } from '#web/ui/use-settled-focus.ts';
import { useInbox } from './use-inbox.ts';
import './inbox.css';

/** Badge of a notification, by its type. */
const BADGES: Readonly<Record<NotificationType, string>> = {
  deposit: 'Deposit',
  withdrawal: 'Withdrawal',
  verification: 'Verification',
  payroll: 'Payroll',
  info: 'Info',
  profile: 'Profile',
  security: 'Other',
  system: 'Other',
};

/** A person's notifications, in pages. @param unread number of unread ones on all pages */
export function Inbox({ unread }: { unread: number }) {
  const { paged, goTo } = useList(notificationList);
  const { readAll, readOne, remove, restore } = useInbox();
  const hasActed = [readAll, readOne, remove].some(({ isIdle }) => !isIdle);
  const kept = useKeptFocus<HTMLDivElement>(hasActed);
  const [openedAt] = useState(() => new Date());

  function deleteOne({ id, title }: Notification): void {
    remove.mutate(id, {
      onSuccess: () =>
        offerUndo({
          title: 'Notification Deleted',
          message: title,
          undo: () => restore.mutateAsync(id),
          failed: 'It could not be restored',
        }),
      onError: (error) => failed(error, 'It could not be deleted'),
    });
  }

  return (
    <div className="inbox" ref={kept} tabIndex={-1}>
      <Section
        title="Recent Notifications"
        end={
          unread > 0 && (
            <Button
              shape="text"
              isPending={readAll.isPending}
              onPress={() =>
                readAll.mutate(undefined, {
                  onSuccess: () => toast({ title: 'All Notifications Read', tone: 'positive' }),
                  onError: (error) => failed(error, 'They could not be marked as read'),
                })
              }
            >
              Mark All as Read
            </Button>
          )
        }
      >
        <ListFrame
          list={paged}
          errorTitle={failedToLoad('your notifications')}
          empty={
            <EmptyState
              title="No notifications yet"
              hint="Notifications about your money and your account appear here."
            />
          }
          itemNoun="notifications"
          onGoTo={goTo}
        >
          {({ rows, isLoading, placeholder }) =>
            placeholder ??
            (isLoading ? (
              <Skeleton lines={6} />
            ) : (
              <ul>
                {rows.map((item) => (
                  <InboxItem
                    key={item.id}
                    item={item}
                    now={openedAt}
                    onRead={() =>
                      readOne.mutate(item.id, {
                        onSuccess: () => toast({ title: 'Marked as Read', tone: 'positive' }),
                        onError: (error) => failed(error, 'It could not be marked as read'),
                      })
                    }
                    onOpen={() => !item.isRead && readOne.mutate(item.id)}
                    onDelete={() => deleteOne(item)}
                  />
                ))}
              </ul>
            ))
          }
        </ListFrame>
      </Section>
    </div>
  );
}

function failed(error: unknown, title: string): void {
  toast({ title, message: errorMessage(error, 'Please try again.'), tone: 'critical' });
}

interface InboxItemProps {
  item: Notification;
  now: Date;
  onRead: () => void;
  onOpen: () => void;
  onDelete: () => void;
}

/** One notification with its actions. */
export function InboxItem({ item, now, onRead, onOpen, onDelete }: InboxItemProps) {
  const write = useAmountWords();
  const writeMoment = useMoments();
  return (
    <li className="inbox__item" data-unread={item.isRead ? undefined : 'true'}>
      <div>
        <p className="inbox__title">
          <Link href={item.place} onPress={onOpen}>
            {item.title}
          </Link>
          {!item.isRead && <span className="vh"> (unread)</span>}
        </p>
        <p className="inbox__text num">{write(item.message)}</p>
        <p className="inbox__meta meta">
          <Tag>{BADGES[item.type]}</Tag>
          <time dateTime={item.createdAt} title={writeMoment(item.createdAt, 'shortDateTime')}>
            {formatAge(item.createdAt, now)}
          </time>
        </p>
      </div>
      <div className="inbox__acts">
        {!item.isRead && (
          <IconButton
            icon={Check}
            size={16}
            label={`Mark as read: ${item.title}`}
            onPress={onRead}
          />
        )}
        <IconButton icon={Trash2} size={16} label={`Delete: ${item.title}`} onPress={onDelete} />
      </div>
    </li>
  );
}
