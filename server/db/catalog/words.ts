import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { APP_ROLE } from '../embedded/roles.ts';

/** Purpose of a role; `owner` is the owner of the table of migrations. */
export function role(oidColumn: string): RawBuilder<string> {
  const oid = sql.ref(oidColumn);
  return sql`
    CASE WHEN ${oid} = 0 THEN 'everybody'
         WHEN ${oid} = (SELECT relowner FROM pg_class
                         WHERE oid = 'public.purser_migration'::regclass)
           OR pg_get_userbyid(${oid}) = 'pg_database_owner' THEN 'owner'
         WHEN pg_get_userbyid(${oid}) = ${sql.lit(APP_ROLE)} THEN 'app'
         ELSE 'role ' || pg_get_userbyid(${oid}) END`;
}

/**
 * True if an object belongs neither to PostgreSQL nor to an extension.
 *
 * @param schemaColumn name of its schema, for an object that is in one
 */
export function isOurs(
  catalog: string,
  oidColumn: string,
  schemaColumn?: string,
): RawBuilder<boolean> {
  const isNoExtensions = sql<boolean>`
    NOT EXISTS (SELECT FROM pg_depend
                 WHERE classid = ${sql.lit(catalog)}::regclass AND objid = ${sql.ref(oidColumn)}
                   AND deptype = 'e')`;
  if (schemaColumn === undefined) return isNoExtensions;
  const schema = sql.ref(schemaColumn);
  return sql`(${schema} !~ '^pg_' AND ${schema} <> 'information_schema' AND ${isNoExtensions})`;
}

interface Rights {
  /** Columns of the access list and the owner. */
  acl: string;
  owner: string;
  /** Kind of object, in the notation of acldefault. */
  kind: 'r' | 's' | 'f' | 'n' | 'c';
}

/**
 * Part of the catalog that lists the rights of roles other than the owner on a kind of object.
 * Rights to read are left out: the company decides who may run reports on the books.
 *
 * @param from text after FROM, including a condition
 */
export function rightsOn(
  name: RawBuilder<unknown>,
  { acl, owner, kind }: Rights,
  from: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`
    SELECT 'rights of ' || grantee || ' on ' || object AS name,
           string_agg(privilege_type || CASE WHEN is_grantable THEN ' (may grant it)' ELSE '' END,
                      ', ' ORDER BY privilege_type) AS definition
      FROM (SELECT object, ${role('grant.grantee')} AS grantee, privilege_type, is_grantable
              FROM (SELECT ${name} AS object,
                           coalesce(${sql.ref(acl)}, acldefault(${sql.lit(kind)}, ${sql.ref(owner)}))
                             AS acl
                      FROM ${from}) AS listed
             CROSS JOIN LATERAL aclexplode(listed.acl) AS "grant") AS granted
     WHERE grantee <> 'owner'
       AND NOT (grantee LIKE 'role %' AND privilege_type IN ('SELECT', 'USAGE'))
     GROUP BY grantee, object`;
}
