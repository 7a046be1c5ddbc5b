import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { isOurs, rightsOn, role } from './words.ts';

/** Query for tables or objects attached to them; each returns `name` and `definition`. */
type Part = RawBuilder<unknown>;

/** Tables, views, sequences and similar relations; indexes have a part of their own. */
const ourRelations = sql`
  pg_class AS relation JOIN pg_namespace AS schema ON schema.oid = relation.relnamespace
   WHERE relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
     AND ${isOurs('pg_class', 'relation.oid', 'nspname')}`;
const kindAndName = sql`
  CASE relkind WHEN 'r' THEN 'table ' WHEN 'v' THEN 'view ' WHEN 'S' THEN 'sequence '
               ELSE 'relation of kind ' || relkind::text || ' ' END || nspname || '.' || relname`;

const relations: Part = sql`
  SELECT ${kindAndName} AS name,
         concat_ws(', ', 'of ' || ${role('relowner')}, 'persistence ' || relpersistence::text,
                   CASE WHEN relrowsecurity THEN 'row security' END,
                   CASE WHEN relforcerowsecurity THEN 'row security for its owner' END,
                   CASE WHEN relispartition OR relhassubclass THEN 'part of another, or has parts' END,
                   CASE WHEN relkind IN ('v', 'm')
                        THEN regexp_replace(pg_get_viewdef(relation.oid), '\\s+', ' ', 'g') END)
           AS definition
    FROM ${ourRelations}`;

const relationRights: Part = rightsOn(
  kindAndName,
  { acl: 'relacl', kind: 'r', owner: 'relowner' },
  sql`${ourRelations} AND relkind <> 'S'`,
);

const sequenceRights: Part = rightsOn(
  kindAndName,
  { acl: 'relacl', kind: 's', owner: 'relowner' },
  sql`${ourRelations} AND relkind = 'S'`,
);

const columnName = sql`'column ' || nspname || '.' || relname || '.' || attname`;
const ourColumns = sql`
  pg_attribute AS one JOIN pg_class AS relation ON relation.oid = one.attrelid
                      JOIN pg_namespace AS schema ON schema.oid = relation.relnamespace
   WHERE relkind IN ('r', 'p', 'v', 'm', 'f') AND attnum > 0 AND NOT attisdropped
     AND ${isOurs('pg_class', 'relation.oid', 'nspname')}`;

const columns: Part = sql`
  SELECT ${columnName} AS name,
         concat_ws(' ', format_type(atttypid, atttypmod), CASE WHEN attnotnull THEN 'not null' END,
                   'identity ' || nullif(attidentity::text, ''), 'generated ' || nullif(attgenerated::text, ''),
                   'default ' || (SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef
                                   WHERE adrelid = one.attrelid AND adnum = one.attnum))
           AS definition
    FROM ${ourColumns}`;

const columnRights: Part = rightsOn(
  columnName,
  { acl: 'attacl', kind: 'c', owner: 'relowner' },
  ourColumns,
);

/** NOT NULL is part of the column: version 18 makes constraints of it, and earlier ones do not. */
const constraints: Part = sql`
  SELECT 'constraint ' || nspname || '.' || relname || '.' || conname AS name,
         pg_get_constraintdef(one.oid) || CASE WHEN convalidated THEN '' ELSE ' (not validated)' END
           AS definition
    FROM pg_constraint AS one JOIN pg_class AS relation ON relation.oid = one.conrelid
                              JOIN pg_namespace AS schema ON schema.oid = relation.relnamespace
   WHERE contype NOT IN ('n', 't') AND ${isOurs('pg_class', 'relation.oid', 'nspname')}`;

/** Other indexes only make reading quick, and may be added and removed. */
const uniqueIndexes: Part = sql`
  SELECT 'unique index ' || nspname || '.' || relation.relname AS name,
         concat_ws(', ', pg_get_indexdef(one.indexrelid),
                   CASE WHEN NOT (indisvalid AND indisready AND indislive) THEN 'not in use' END,
                   CASE WHEN NOT indimmediate THEN 'deferrable' END) AS definition
    FROM pg_index AS one JOIN pg_class AS relation ON relation.oid = one.indexrelid
                         JOIN pg_namespace AS schema ON schema.oid = relation.relnamespace
   WHERE indisunique AND nspname NOT IN ('pg_toast')
     AND ${isOurs('pg_class', 'relation.oid', 'nspname')}`;

/** Foreign keys use system triggers, whose names differ, so they are listed only when disabled. */
const triggers: Part = sql`
  SELECT 'trigger ' || nspname || '.' || relname || '.'
           || CASE WHEN tgisinternal THEN 'of a foreign key' ELSE tgname::text END AS name,
         pg_get_triggerdef(one.oid)
           || CASE tgenabled::text WHEN 'O' THEN '' ELSE ' (off: ' || tgenabled::text || ')' END AS definition
    FROM pg_trigger AS one JOIN pg_class AS relation ON relation.oid = one.tgrelid
                           JOIN pg_namespace AS schema ON schema.oid = relation.relnamespace
   WHERE (NOT tgisinternal OR tgenabled <> 'O')
     AND ${isOurs('pg_class', 'relation.oid', 'nspname')}`;

/** Rules, except those that define views. */
const rules: Part = sql`
  SELECT 'rule ' || nspname || '.' || relname || '.' || rulename AS name,
         pg_get_ruledef(one.oid) || ' ' || ev_enabled::text AS definition
    FROM pg_rewrite AS one JOIN pg_class AS relation ON relation.oid = one.ev_class
                           JOIN pg_namespace AS schema ON schema.oid = relation.relnamespace
   WHERE rulename <> '_RETURN' AND ${isOurs('pg_class', 'relation.oid', 'nspname')}`;

const policies: Part = sql`
  SELECT 'policy ' || polname || ' on ' || nspname || '.' || relname AS name,
         concat_ws(', ', CASE WHEN polpermissive THEN 'permissive' ELSE 'restrictive' END,
                   'for ' || polcmd::text,
                   'to ' || (SELECT string_agg(${role('member')}, ' and ' ORDER BY member::text)
                               FROM unnest(polroles) AS member),
                   'using ' || pg_get_expr(polqual, polrelid),
                   'with check ' || pg_get_expr(polwithcheck, polrelid)) AS definition
    FROM pg_policy AS one JOIN pg_class AS relation ON relation.oid = one.polrelid
                          JOIN pg_namespace AS schema ON schema.oid = relation.relnamespace`;

export const TABLE_PARTS: readonly Part[] = [
  relations,
  relationRights,
  sequenceRights,
  columns,
  columnRights,
  constraints,
  uniqueIndexes,
  triggers,
  rules,
  policies,
];
