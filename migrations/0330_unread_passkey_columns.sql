-- Kinds of devices, which were written with each passkey and never read.
ALTER TABLE auth_passkey DROP COLUMN device_type, DROP COLUMN backed_up, DROP COLUMN aaguid;
