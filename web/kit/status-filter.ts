import { statusTable, type StatusName } from '#web/ui/status-table.ts';

/** The words of a filter by status, as the table of statuses has them. */
export const STATUS_FILTER = {
  label: 'Status',
  nameOf: (status: StatusName) => statusTable[status].label,
};
