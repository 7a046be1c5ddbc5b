-- What PostgreSQL knows of its tables, brought up to date at once where they have changed as much as
-- autovacuum would ask for: it looks once a minute, and until then the lists and the verification of a
-- company that has just grown from one person to 100,000 are planned for one. The server's role owns no
-- table, and so may not ask for this itself.
CREATE FUNCTION refresh_statistics() RETURNS void LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp
AS $$
DECLARE
  v_table regclass;
BEGIN
  FOR v_table IN
    SELECT relid FROM pg_catalog.pg_stat_user_tables
     WHERE schemaname = 'public' AND n_mod_since_analyze > 50 + 0.1 * n_live_tup
     ORDER BY relid
  LOOP
    EXECUTE pg_catalog.format('ANALYZE %s', v_table);
  END LOOP;
END
$$;
REVOKE ALL ON FUNCTION refresh_statistics() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION refresh_statistics() TO purser_app;
