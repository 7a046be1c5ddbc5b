-- People and requests are found without case, accents and apostrophes, on every server alike: lower()
-- and ILIKE depend on the locale of the database, and in locale C leave all letters but ASCII as they are.

-- The form in which texts are compared. Lower case; without accents, apostrophes, bullets and characters
-- that are not seen; letters that Unicode does not decompose in the spelling that banks print; one kind of
-- dash. Depends on nothing but its argument. Most texts are ASCII, which takes 3 microseconds; translate()
-- with many letters takes 100, so it is called only for texts that have one of them.
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
REVOKE ALL ON FUNCTION search_text FROM PUBLIC;
GRANT EXECUTE ON FUNCTION search_text TO purser_app;

-- The names of people are kept in one normal form. Older rows are brought into it by their owner. Bank accounts,
-- payees and bills stay as they were entered: the audit trail has a hash of what was entered.
ALTER TABLE app_user DISABLE TRIGGER USER;
UPDATE app_user SET first_name = normalize(first_name), last_name = normalize(last_name),
                    name = normalize(name)
 WHERE (first_name || last_name || name) IS NOT NFC NORMALIZED;
ALTER TABLE app_user ENABLE TRIGGER USER;

DROP INDEX app_user_search, app_user_directory_search, withdrawal_search, deposit_search, bill_search,
  bank_account_search, person_payment_search;

ALTER TABLE app_user
  ADD CONSTRAINT app_user_normal_names CHECK ((first_name || last_name || name) IS NFC NORMALIZED),
  ADD COLUMN search_words text NOT NULL GENERATED ALWAYS AS (
    search_text(first_name || ' ' || last_name || ' ' || email || ' ' || coalesce(employee_number, '')))
    STORED;
ALTER TABLE bank_account
  ADD COLUMN search_words text NOT NULL GENERATED ALWAYS AS (search_text(bank_name)) STORED;
ALTER TABLE withdrawal ADD COLUMN search_words text NOT NULL GENERATED ALWAYS AS (
  search_text(bank_name || ' ' || reason || ' ' || reference)) STORED;
ALTER TABLE deposit ADD COLUMN search_words text NOT NULL GENERATED ALWAYS AS (
  search_text(description || ' ' || reference)) STORED;
ALTER TABLE bill ADD COLUMN search_words text NOT NULL GENERATED ALWAYS AS (
  search_text(payee_name || ' ' || memo || ' ' || reference)) STORED;
ALTER TABLE person_payment ADD COLUMN search_words text NOT NULL GENERATED ALWAYS AS (
  search_text(note || ' ' || reference)) STORED;

CREATE INDEX app_user_search ON app_user USING gin (search_words gin_trgm_ops);
-- Repeated word for word by the lists of employees (server/db/search.ts).
CREATE INDEX app_user_directory_search ON app_user USING gin
  ((search_words || ' ' || replace(department, '-', ' ')) gin_trgm_ops) WHERE is_employee;
CREATE INDEX withdrawal_search ON withdrawal USING gin (search_words gin_trgm_ops);
CREATE INDEX deposit_search ON deposit USING gin (search_words gin_trgm_ops);
CREATE INDEX bill_search ON bill USING gin (search_words gin_trgm_ops);
CREATE INDEX bank_account_search ON bank_account USING gin (search_words gin_trgm_ops);
CREATE INDEX person_payment_search ON person_payment USING gin (search_words gin_trgm_ops);
