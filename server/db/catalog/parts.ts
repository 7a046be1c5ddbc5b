import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { APP_ROLE } from '../embedded/roles.ts';
import { TABLE_PARTS } from './table-parts.ts';
import { isOurs, rightsOn, role } from './words.ts';

/** Query that returns `name` and `definition` of one kind of object. */
type Part = RawBuilder<unknown>;

const schemas: Part = sql`
  SELECT 'schema ' || nspname AS name, 'of ' || ${role('nspowner')} AS definition
    FROM pg_namespace AS schema WHERE ${isOurs('pg_namespace', 'schema.oid', 'nspname')}`;

const schemaRights: Part = rightsOn(
  sql`'schema ' || nspname`,
  { acl: 'nspacl', kind: 'n', owner: 'nspowner' },
  sql`pg_namespace AS schema WHERE ${isOurs('pg_namespace', 'schema.oid', 'nspname')}`,
);

const functionName = sql`
  'function ' || nspname || '.' || proname || '(' || pg_get_function_identity_arguments(one.oid) || ')'`;
const ourFunctions = sql`
  pg_proc AS one JOIN pg_namespace AS schema ON schema.oid = one.pronamespace
                 JOIN pg_language AS language ON language.oid = one.prolang
   WHERE ${isOurs('pg_proc', 'one.oid', 'nspname')}`;

/** Functions with the hash of their source; the migrations have the source itself. */
const functions: Part = sql`
  SELECT ${functionName} AS name,
         concat_ws(', ', 'of ' || ${role('proowner')}, lanname, 'kind ' || prokind::text,
                   CASE WHEN prosecdef THEN 'as its owner' ELSE 'as its caller' END,
                   'volatility ' || provolatile::text, CASE WHEN proisstrict THEN 'strict' END,
                   CASE WHEN proleakproof THEN 'leakproof' END,
                   'takes ' || pg_get_function_arguments(one.oid),
                   'returns ' || pg_get_function_result(one.oid),
                   'set ' || array_to_string(proconfig, '; '), 'library ' || probin,
                   'sha256 ' || encode(sha256(convert_to(
                     coalesce(pg_get_function_sqlbody(one.oid), prosrc), 'UTF8')), 'hex'))
           AS definition
    FROM ${ourFunctions}`;

const functionRights: Part = rightsOn(
  functionName,
  { acl: 'proacl', kind: 'f', owner: 'proowner' },
  ourFunctions,
);

/** Default rights for objects created later. Purser grants none. */
const defaultRights: Part = sql`
  SELECT 'default rights on objects of kind ' || defaclobjtype::text || ' of ' || ${role('defaclrole')}
           || coalesce(' in ' || nspname, '') AS name,
         array_to_string(defaclacl, ', ') AS definition
    FROM pg_default_acl LEFT JOIN pg_namespace AS schema ON schema.oid = defaclnamespace`;

/** Settings that change the meaning of names and triggers, stored with a role or a database. */
const settings: Part = sql`
  SELECT 'setting ' || split_part(setting, '=', 1) || ' of '
           || CASE WHEN setrole = 0 THEN 'everybody' ELSE ${role('setrole')} END AS name,
         split_part(setting, '=', 2) AS definition
    FROM pg_db_role_setting, unnest(setconfig) AS setting
   WHERE setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
     AND (setrole = 0 OR ${role('setrole')} IN ('owner', 'app'))
     AND setting ~* '^(search_path|session_replication_role|row_security|role|purser\\..*|.*_preload_libraries|check_function_bodies|default_transaction_.*)='
  UNION ALL
  SELECT 'setting session_replication_role of this connection',
         current_setting('session_replication_role')
   WHERE current_setting('session_replication_role') <> 'origin'`;

const appRole: Part = sql`
  SELECT 'rights of app as a role' AS name,
         concat_ws(', ', 'role', CASE WHEN rolsuper THEN 'superuser' END,
                   CASE WHEN rolbypassrls THEN 'bypasses row security' END,
                   CASE WHEN rolcreaterole THEN 'makes roles' END,
                   CASE WHEN rolcreatedb THEN 'makes databases' END,
                   CASE WHEN rolreplication THEN 'replicates' END) AS definition
    FROM pg_roles WHERE rolname = ${APP_ROLE}
  UNION ALL
  SELECT 'rights of app as a member of ' || ${role('roleid')}, 'member'
    FROM pg_auth_members WHERE pg_get_userbyid(member) = ${APP_ROLE}`;

/** Objects that Purser creates none of, and that can change the effect of a statement. */
const others: Part = sql`
  SELECT 'event trigger ' || evtname AS name, 'on ' || evtevent AS definition
    FROM pg_event_trigger AS one WHERE ${isOurs('pg_event_trigger', 'one.oid')}
  UNION ALL
  SELECT 'operator ' || nspname || '.' || oprname || ' on ' || format_type(oprleft, NULL)
           || ' and ' || format_type(oprright, NULL), 'operator'
    FROM pg_operator AS one JOIN pg_namespace AS schema ON schema.oid = one.oprnamespace
   WHERE ${isOurs('pg_operator', 'one.oid', 'nspname')}
  UNION ALL
  SELECT 'cast from ' || format_type(castsource, NULL) || ' to ' || format_type(casttarget, NULL),
         'cast'
    FROM pg_cast AS one WHERE one.oid >= 16384 AND ${isOurs('pg_cast', 'one.oid')}
  UNION ALL
  SELECT 'subscription ' || subname, 'subscription' FROM pg_subscription
   WHERE subdbid = (SELECT oid FROM pg_database WHERE datname = current_database())`;

export const CATALOG_PARTS: readonly Part[] = [
  schemas,
  schemaRights,
  ...TABLE_PARTS,
  functions,
  functionRights,
  defaultRights,
  settings,
  appRole,
  others,
];
