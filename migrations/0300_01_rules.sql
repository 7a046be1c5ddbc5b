-- The baseline, part 1 of 13: functions that all tables share. The parts are applied in the order of their
-- names. Part 13 has the rights of the server's role and the columns and rows that never change.

GRANT USAGE ON SCHEMA public TO purser_app;

-- Search by any part of a word.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- Rows and columns that stay -----------------------------------------------------------------------

-- Refuses changes of an append-only table, also where the database let us create no separate role.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'insufficient_privilege';
END $$;

-- Refuses an UPDATE, DELETE or TRUNCATE of columns or rows that stay as they were written.
CREATE FUNCTION refuse_fact_change() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
BEGIN
  RAISE EXCEPTION '% on % is refused: what it says never changes', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'insufficient_privilege';
END $$;

-- Declares the columns of a table that change; all others stay. The server's role may update the changing
-- ones alone, and a trigger refuses the others to the owner too, which is the only role that a hosted
-- database may give us. A migration that adds a column, or lets one change, calls this again. Where a new
-- column changes, a GRANT UPDATE of it is enough: the trigger names the columns that stay.
CREATE FUNCTION guard_facts(p_table text, p_changing text[]) RETURNS void LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
DECLARE
  -- In two parts: where the database has no such role, its name in a migration stands for the owner,
  -- and this function is to be the same everywhere.
  c_app CONSTANT text := 'purser_' || 'app';
  v_staying text;
BEGIN
  SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) INTO v_staying
    FROM pg_attribute
   WHERE attrelid = p_table::regclass AND attnum > 0 AND NOT attisdropped
     AND attgenerated = '' AND attname <> ALL (p_changing);
  EXECUTE format('DROP TRIGGER IF EXISTS %I ON %I', p_table || '_facts', p_table);
  EXECUTE format(
    'CREATE TRIGGER %I BEFORE UPDATE OF %s ON %I FOR EACH STATEMENT '
    'EXECUTE FUNCTION refuse_fact_change()', p_table || '_facts', v_staying, p_table);
  IF EXISTS (SELECT FROM pg_class, aclexplode(relacl) AS granted
               JOIN pg_roles ON pg_roles.oid = granted.grantee
              WHERE pg_class.oid = p_table::regclass AND rolname = c_app) THEN
    EXECUTE format('REVOKE UPDATE ON %I FROM %I', p_table, c_app);
    EXECUTE format('GRANT UPDATE (%s) ON %I TO %I', array_to_string(p_changing, ', '), p_table,
                   c_app);
  END IF;
END $$;

-- Search -------------------------------------------------------------------------------------------

-- The form in which texts are compared (docs/decisions/045), the same on every server: lower() and ILIKE
-- depend on the locale of the database, and in locale C leave all letters but ASCII as they are. Lower case;
-- without accents, apostrophes, bullets and invisible characters; letters that Unicode does not decompose in
-- the spelling that banks print; one kind of dash. Depends on its argument alone. Most texts are ASCII, which
-- takes 3 microseconds; translate() with many letters takes 100, so it is called only for texts that have one
-- of them.
CREATE FUNCTION search_text(p_text text) RETURNS text
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  v_text text;
BEGIN
  IF octet_length(p_text) = length(p_text) THEN
    RETURN lower(translate(p_text, '''`', '') COLLATE "C");
  END IF;
  -- Apostrophes; marks of Latin, Greek, Cyrillic, Hebrew and Arabic letters; what is not seen. An acute accent
  -- that stands alone goes first: it would be decomposed to a space and a mark.
  v_text := lower(regexp_replace(
    normalize(replace(p_text, '´', ''), NFKD) COLLATE "C",
    '[''`’‘‛ʼʻʹ′•\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u064b-\u065f\u0670\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]',
    '', 'g') COLLATE "C");
  IF octet_length(v_text) = length(v_text) THEN
    RETURN v_text;
  END IF;
  IF v_text ~ '[ßẞæÆœŒøØłŁđĐðÐþÞı‐-―−ىةـ]' THEN
    v_text := replace(replace(replace(replace(
      translate(v_text, 'ẞØøŁłĐđÐðÞÆŒı‐‑‒–—―−ىةـ', 'ßoollddddþæœi-------يه'),
      'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
  END IF;
  -- Greek, Cyrillic and Armenian capitals, which lower() leaves as they are without a locale.
  IF v_text ~ '[\u0370-\u058f]' THEN
    v_text := translate(v_text,
      'ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣςΤΥΦΧΨΩАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЂЄЅІЈЉЊЋЏҐԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖ',
      'αβγδεζηθικλμνξοπρσστυφχψωабвгдежзиклмнопрстуфхцчшщъыьэюяђєѕіјљњћџґաբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆ');
  END IF;
  RETURN v_text;
END $$;

-- Statistics ---------------------------------------------------------------------------------------

-- Brings PostgreSQL's statistics up to date for the tables that autovacuum would analyze too. It looks once a
-- minute, and until then the lists and the verification of a company that has just grown from one person to
-- 100,000 are planned for one. The server's role owns no table and so may not run ANALYZE itself.
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
