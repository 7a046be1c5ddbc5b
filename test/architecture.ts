import { posix } from 'node:path';

/** One source file: its path from the repository's root, with forward slashes, and its text. */
export interface SourceFile {
  path: string;
  text: string;
}

interface Import {
  /** Path from the root for our own files, otherwise the bare package name or `node:` module. */
  target: string;
  isOwn: boolean;
  /** Loaded only when that line is reached. */
  isDynamic: boolean;
}

/** A module of the server and its tier: it may import lower tiers, through their index.ts. */
export const TIERS: Readonly<Record<string, number>> = {
  audit: 0,
  'access-log': 1,
  settings: 1,
  'saved-views': 1,
  notifications: 1,
  journal: 2,
  identity: 3,
  webhooks: 3,
  ledger: 3,
  kyc: 4,
  wallets: 4,
  security: 4,
  imports: 4,
  acts: 5,
  employees: 6,
  'bank-accounts': 6,
  'usual-pay': 6,
  deposits: 7,
  withdrawals: 7,
  payments: 7,
  payroll: 7,
  deliveries: 8,
  history: 8,
  transfers: 8,
  verification: 8,
  payouts: 8,
  'account-documents': 9,
  questions: 9,
  books: 9,
  'company-bank': 9,
  closing: 10,
  activity: 10,
  company: 10,
};

const MODULES = Object.keys(TIERS);

/** The folders inside a module. One imports those named before it, never those after. */
export const ROOMS: Readonly<Record<string, readonly string[]>> = {
  'account-documents': ['pdf'],
  'company-bank': ['statements'],
  kyc: ['documents', 'application', 'review', 'retention'],
  ledger: ['sealing', 'verify'],
  payroll: ['recoveries', 'drafts', 'funding'],
  employees: ['imports'],
  history: ['proof', 'log'],
  payouts: ['nacha', 'pain001', 'iso-answers', 'reversals', 'returns'],
  identity: [
    'sessions',
    'passwords',
    'second-factor',
    'sign-up',
    'sign-in',
    'api-keys',
    'calendar',
    'email-change',
    'invites',
    'lockout',
    'new-password',
    'people',
  ],
};

/** Parts of the web app's frame that are no module of the business. */
const FRAME_FEATURES = ['api-reference', 'session', 'shell', 'command', 'marketing'];

/** Every folder that may hold files. A new one is a decision: enter it here and in the docs. */
export const FOLDERS: ReadonlySet<string> = new Set([
  '.',
  'contract',
  'contract/errors',
  'contract/events',
  'contract/routes',
  'contract/settings',
  'contract/things',
  'server',
  'server/modules',
  'server/events',
  'server/http',
  'server/jobs',
  'server/lib',
  'server/programs',
  'server/startup',
  'server/config',
  'server/metrics',
  'server/backups',
  'server/system-tests',
  'server/system-tests/stories',
  'server/db',
  'server/db/batch',
  'server/db/catalog',
  'server/db/embedded',
  'server/providers',
  'server/vault',
  ...['mail', 'files', 'roots'].map((name) => `server/providers/${name}`),
  ...MODULES.map((name) => `server/modules/${name}`),
  ...Object.entries(ROOMS).flatMap(([module, rooms]) =>
    rooms.map((room) => `server/modules/${module}/${room}`),
  ),
  'migrations',
  'web',
  'web/pages',
  'web/ui',
  'web/api',
  'web/lib',
  'web/styles',
  'web/public',
  'web/kit',
  'web/kit/columns',
  'web/desk',
  'web/pages/public',
  'web/pages/employee',
  'web/pages/admin',
  'web/pages/dev',
  'web/pages/admin/employees',
  'web/pages/admin/payroll',
  'web/pages/admin/transactions',
  'web/pages/admin/payouts',
  'web/pages/admin/employees/$id',
  'web/pages/admin/employees/$id/documents',
  'web/pages/employee/documents',
  ...[...MODULES, ...FRAME_FEATURES].map((name) => `web/features/${name}`),
  ...['onboarding', 'review', 'status'].map((part) => `web/features/kyc/${part}`),
  ...['sign-in', 'security', 'invites', 'api-keys'].map((part) => `web/features/identity/${part}`),
  'web/features/payroll/funding',
  'web/features/payroll/drafts',
  'web/features/payroll/review',
  'web/features/payroll/recoveries',
  'web/features/history/log',
  'web/features/history/proof',
  'e2e',
  'e2e/support',
  'test',
  'test/factories',
  'scripts',
  'scripts/demo',
  'scripts/real-parts',
  'scripts/release',
  'scripts/point-in-time',
  'deploy',
  'bench',
  'bench/chaos',
  'bench/model',
  'bench/soak',
  'docs',
  'docs/decisions',
  'docs/images',
]);

/** Folders of the server that know nothing of how it starts. */
const BELOW_STARTUP = ['modules', 'providers', 'http', 'jobs', 'vault', 'events', 'db', 'lib'].map(
  (name) => `server/${name}`,
);

/** Imports allowed to the second level of server/ and web/, in addition to itself and contract/. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  'server/lib': [],
  'server/db': ['server/lib'],
  'server/events': ['server/db', 'server/lib'],
  'server/providers': ['server/lib'],
  'server/http': ['server/events', 'server/db', 'server/lib'],
  'server/jobs': ['server/events', 'server/db', 'server/lib'],
  'server/vault': ['server/db', 'server/lib'],
  'server/modules': ['server/events', 'server/vault', 'server/db', 'server/lib'],
  'server/config': ['server/vault', 'server/modules', 'server/providers', 'server/lib'],
  'server/metrics': ['server/modules', 'server/http', 'server/events', 'server/db', 'server/lib'],
  'server/startup': ['server/config', 'server/metrics', ...BELOW_STARTUP],
  'server/backups': ['server/db', 'server/lib'],
  'server/programs': ['server/startup', 'server/config', 'server/backups', ...BELOW_STARTUP],
  'web/lib': [],
  'web/ui': ['web/lib'],
  'web/api': ['web/lib'],
  'web/kit': ['web/api', 'web/ui', 'web/lib'],
  'web/desk': ['web/kit', 'web/api', 'web/ui', 'web/lib'],
  'web/features': ['web/desk', 'web/kit', 'web/api', 'web/ui', 'web/lib'],
  'web/pages': ['web/features', 'web/desk', 'web/kit', 'web/api', 'web/ui', 'web/lib'],
};

/** Roots that a root may import. */
const ROOTS: Readonly<Record<string, readonly string[]>> = {
  contract: ['contract'],
  server: ['contract', 'server'],
  web: ['contract', 'web'],
  scripts: ['contract', 'server', 'scripts'],
  bench: ['contract', 'server', 'scripts', 'test', 'bench'],
  test: ['contract', 'server', 'scripts', 'test'],
  e2e: ['contract', 'server', 'scripts', 'test', 'e2e'],
};

/**
 * Doors that lie outside the order, since every part of the server shares them: what a command
 * needs, how a module offers its handlers, and what a transaction is.
 */
const SHARED_DOORS = new Set([
  'server/services.ts',
  'server/http/handlers.ts',
  'server/http/list-handlers.ts',
  'server/db/tx.ts',
]);

/**
 * Puts the handlers of all modules together. It alone imports them (and tests), so that
 * a command does not load them.
 */
const HANDLERS = 'server/startup/handlers.ts';

/** Folders that hold a file and are not listed. */
export function findUnlistedFolders(paths: readonly string[]): string[] {
  const folders = new Set(paths.map((path) => posix.dirname(path)));
  return [...folders].filter((folder) => !FOLDERS.has(folder)).toSorted();
}

/**
 * Files that may name the queue's own tables: those that read them, and the one that makes their index.
 */
const QUEUE_INSIDERS = ['server/events/queue-tables.ts', 'server/db/migrate.ts'];

/** One sentence for each thing in the file that the architecture does not allow. */
export function findViolations(file: SourceFile): string[] {
  const problems = importsOf(file).flatMap((each) => {
    const reason = refuse(file.path, each);
    return reason === undefined ? [] : [`${file.path} imports ${each.target}: ${reason}`];
  });
  const isConfig = /^[^/]+\.config\.ts$/.test(file.path);
  if (!isConfig && /^export default\b/m.test(file.text)) {
    problems.push(`${file.path} has a default export`);
  }
  const isServer = file.path.startsWith('server/') && !file.path.endsWith('.test.ts');
  if (isServer && !QUEUE_INSIDERS.includes(file.path) && file.text.includes('_private_')) {
    problems.push(`${file.path} names a private table of the queue`);
  }
  return problems;
}

/**
 * Files that import each other in a circle, also for a type alone or once a line is reached, and files between two
 * circles. Whatever imports nothing that is left, or is imported by nothing that is left, is in none.
 */
export function findCircles(files: readonly SourceFile[]): string[] {
  const left = new Map(
    files.map((file) => [file.path, new Set(importsOf(file).map(({ target }) => target))]),
  );
  for (let before = Infinity; left.size < before;) {
    before = left.size;
    const imported = new Set([...left.values()].flatMap((targets) => [...targets]));
    for (const [path, targets] of left) {
      if (!imported.has(path) || ![...targets].some((target) => left.has(target)))
        left.delete(path);
    }
  }
  return [...left.keys()].toSorted();
}

function refuse(from: string, { target, isOwn, isDynamic }: Import): string | undefined {
  const fromRoot = rootOf(from);
  const isTest = from.endsWith('.test.ts') || from.endsWith('.test.tsx');
  if (!isOwn) {
    const isForeign = fromRoot === 'contract' && target !== 'zod' && !isTest;
    return isForeign ? 'contract imports zod and nothing else' : undefined;
  }
  if (target.startsWith('..')) return 'it lies outside the repository';
  // Manifest and configuration files at the top stand above the tree.
  if (!from.includes('/')) return undefined;
  // Tests next to the code import what those in test/ do.
  const isTestedRoot = fromRoot === 'server' || fromRoot === 'scripts';
  const roots = [...((isTest && isTestedRoot ? ROOTS['test'] : ROOTS[fromRoot]) ?? [])];
  // The composition root makes the demo company, and loads what makes it only then.
  if (from === 'server/programs/main.ts' && isDynamic) roots.push('scripts');
  // All tests wait in the same way.
  if (isTest && target === 'test/until-holds.ts') return undefined;
  // The table of screens, so that none is forgotten.
  if (fromRoot === 'e2e' && target === 'web/screens.ts') return undefined;
  if (!roots.includes(rootOf(target))) return `${fromRoot} does not import ${rootOf(target)}`;
  if (fromRoot !== rootOf(target)) return undefined;
  if (fromRoot === 'server') return refuseInServer(from, target, isTest);
  if (fromRoot === 'web') return refuseInWeb(from, target);
  return undefined;
}

function refuseInServer(from: string, target: string, isTest: boolean): string | undefined {
  const fromModule = moduleOf(from, 'server/modules');
  const targetModule = moduleOf(target, 'server/modules');
  if (targetModule !== undefined && targetModule !== fromModule) {
    const door = `server/modules/${targetModule}/index.ts`;
    const isHandlers = (from === HANDLERS || isTest) && target.endsWith('routes.ts');
    if (target !== door && !isHandlers) return 'a module is entered through its index.ts';
  }
  if (isTest || SHARED_DOORS.has(target)) return undefined;
  if (fromModule !== undefined && targetModule !== undefined && fromModule !== targetModule) {
    const isLower = tierOf(targetModule) < tierOf(fromModule);
    return isLower ? undefined : 'a module imports only modules of a lower tier';
  }
  if (fromModule !== undefined && fromModule === targetModule) {
    const isDoor = from === `server/modules/${fromModule}/index.ts`;
    if (isDoor && target.endsWith('routes.ts'))
      return 'handlers are no part of what a module offers';
    return refuseByRoom(fromModule, from, target);
  }
  return refuseByOrder(from, target);
}

function refuseByRoom(module: string, from: string, target: string): string | undefined {
  const order = ROOMS[module] ?? [];
  const placeOf = (path: string) => order.indexOf(path.split('/')[3] ?? '');
  // Files next to the rooms are shared by all of them.
  if (placeOf(from) < 0 || placeOf(target) <= placeOf(from)) return undefined;
  return 'a room of a module imports only the rooms before it';
}

function refuseInWeb(from: string, target: string): string | undefined {
  const fromFeature = moduleOf(from, 'web/features');
  const targetFeature = moduleOf(target, 'web/features');
  if (fromFeature !== undefined && targetFeature !== undefined && fromFeature !== targetFeature) {
    return 'features never import each other; pages compose';
  }
  return refuseByOrder(from, target);
}

/** Files directly in web/ put everything together, as server/startup/ does, and nothing imports them. */
function refuseByOrder(from: string, target: string): string | undefined {
  const [fromZone, targetZone] = [zoneOf(from), zoneOf(target)];
  if (fromZone === undefined || fromZone === targetZone) return undefined;
  if (targetZone !== undefined && ALLOWED[fromZone]?.includes(targetZone)) return undefined;
  return `${fromZone} does not import ${targetZone ?? 'what puts it together'}`;
}

function tierOf(module: string): number {
  return TIERS[module] ?? Number.NaN;
}

function rootOf(path: string): string {
  return path.split('/')[0] ?? '';
}

function zoneOf(path: string): string | undefined {
  const parts = path.split('/');
  return parts.length > 2 ? `${parts[0]}/${parts[1]}` : undefined;
}

function moduleOf(path: string, parent: string): string | undefined {
  return path.startsWith(`${parent}/`) ? path.slice(parent.length + 1).split('/')[0] : undefined;
}

const STATIC_IMPORT = /^(?:import|export)\s(?:[^'";]*?\sfrom\s+)?['"]([^'"\n]+)['"]/gm;
const DYNAMIC_IMPORT = /\bimport\(\s*['"]([^'"]+)['"]/g;

/** Reads the text alone; every import of ours begins its line, as the formatter leaves it. */
function importsOf({ path, text }: SourceFile): Import[] {
  return [STATIC_IMPORT, DYNAMIC_IMPORT].flatMap((pattern) =>
    Array.from(text.matchAll(pattern), ([, name = '']) => ({
      ...locate(path, name),
      isDynamic: pattern === DYNAMIC_IMPORT,
    })),
  );
}

function locate(from: string, name: string): Pick<Import, 'target' | 'isOwn'> {
  if (name.startsWith('#')) return { target: posix.normalize(name.slice(1)), isOwn: true };
  if (name.startsWith('.')) {
    return { target: posix.join(posix.dirname(from), name), isOwn: true };
  }
  if (name.startsWith('/') || name.startsWith('file:')) return { target: '..', isOwn: true };
  return { target: name, isOwn: false };
}
