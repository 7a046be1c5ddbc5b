-- A view of a list that an admin keeps under a name: its filters, search and sort.
CREATE TABLE saved_view (
  id         uuid PRIMARY KEY,
  user_id    uuid NOT NULL REFERENCES app_user,
  -- The operation that lists, as in contract/saved-views.ts.
  list       text NOT NULL CHECK (list <> ''),
  name       text NOT NULL CHECK (name <> ''),
  -- The words of the list's declaration with their values, all of them text. It is read through the
  -- declaration each time: what a later version no longer knows is left out.
  view       jsonb NOT NULL CHECK (jsonb_typeof(view) = 'object'),
  created_at timestamptz NOT NULL,
  -- For a day after this it can be restored.
  deleted_at timestamptz
);
CREATE UNIQUE INDEX saved_view_name ON saved_view (user_id, list, lower(name))
  WHERE deleted_at IS NULL;
CREATE INDEX saved_view_deleted ON saved_view (deleted_at) WHERE deleted_at IS NOT NULL;
GRANT SELECT, INSERT, UPDATE, DELETE ON saved_view TO purser_app;
SELECT guard_facts('saved_view', ARRAY['name', 'deleted_at']);
