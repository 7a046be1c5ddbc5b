import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '#web/api/client.ts';

/** Acts on notifications. The lists and the bell's count update by themselves. */
export function useInbox() {
  const queryClient = useQueryClient();
  const refresh = () =>
    Promise.all(
      ['listNotifications', 'countNotifications', 'getShell'].map((name) =>
        queryClient.invalidateQueries({ queryKey: [name] }),
      ),
    );
  return {
    readAll: useMutation({
      mutationFn: () => call('markAllNotificationsRead'),
      onSettled: refresh,
    }),
    readOne: useMutation({
      mutationFn: (id: string) => call('markNotificationRead', { params: { id } }),
      onSettled: refresh,
    }),
    remove: useMutation({
      mutationFn: (id: string) => call('deleteNotification', { params: { id } }),
      onSettled: refresh,
    }),
    restore: useMutation({
      mutationFn: (id: string) => call('restoreNotification', { params: { id } }),
      onSettled: refresh,
    }),
  };
}
