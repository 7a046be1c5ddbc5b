-- Result of the check of the replica, where reads may go to one; no part of the uptime, because the primary answers for it.
ALTER TABLE health_check ADD COLUMN replica boolean;
