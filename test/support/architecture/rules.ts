import { posix } from 'node:path';
import { ENTRIES, folderRowOf, isIn, isPure, placeOf, rooms, rowOf } from './rooms.js';
import type { Place } from './rooms.js';
import type { ModuleReference, Scan, Usage } from './scan.js';

export interface Violation {
  readonly file: string;
  readonly line: number;
  /** The name of the broken rule. The checker's tests rely on it. */
  readonly rule: string;
  readonly message: string;
}

interface PlacedFile extends Place {
  readonly file: string;
}

type BrokenRule = Pick<Violation, 'rule' | 'message'>;

/** A package that only some rooms and folders may import. */
interface PackageRule {
  readonly pattern: RegExp;
  readonly places: readonly string[];
}

const DRIVERS = /^(better-sqlite3|pg|@prisma\/adapter-.+)$/;
const DRIVER_PLACES = ['database/prisma', 'database/dialect', 'database/sqlite', 'database/postgres'];

const PACKAGE_RULES: readonly PackageRule[] = [
  {
    pattern: /^(fastify|fastify-.+|@fastify\/.+)$/,
    places: ['api/http', 'api/rest', 'api/graphql', 'api/mcp', 'server', 'strapi', 'project'],
  },
  { pattern: /^(mercurius|mercurius-.+|graphql|graphql-.+|nexus)$/, places: ['api/graphql'] },
  { pattern: /^@modelcontextprotocol\/.+$/, places: ['api/mcp'] },
  { pattern: /^(@prisma|\.prisma)\/client(\/.+)?$/, places: ['database/prisma'] },
  {
    pattern: /^@prisma\/(internals|get-dmmf|param-graph|client-generator.*|.+-wasm)(\/.+)?$/,
    places: ['database/prisma'],
  },
  { pattern: DRIVERS, places: DRIVER_PLACES },
  { pattern: /^@prisma\/driver-adapter-utils$/, places: DRIVER_PLACES },
  {
    pattern: /^kysely$/,
    places: ['database', 'query/compile', 'migrations', 'documents', 'access', 'media', 'transfer'],
  },
  { pattern: /^(@oclif\/.+|@inquirer\/.+)$/, places: ['cli', 'commands'] },
];

const IMPURE_MODULES: ReadonlySet<string> = new Set([
  'fs',
  'net',
  'tls',
  'http',
  'https',
  'http2',
  'dns',
  'dgram',
  'child_process',
  'process',
  'worker_threads',
  'cluster',
  'inspector',
]);

const isImpureModule = (specifier: string): boolean =>
  IMPURE_MODULES.has(specifier.replace(/^node:/, '').replace(/\/promises$/, ''));

/** Pure places that may still read files. */
const mayReadFiles = (file: string): boolean =>
  file.startsWith('src/config/') ||
  file.startsWith('src/database/prisma/') ||
  file === 'src/model/content-types/load-definitions.ts';

/**
 * SQLite creates files that everybody may read, so that its driver creates them first. The driver depends on
 * the version of Node.js.
 */
const mayReachOut = (file: string): boolean => file === 'src/database/sqlite/driver.ts';

/** Files of a driver that is run in threads, since its statements block the one that calls it. */
const mayStartThreads = (file: string): boolean =>
  /^src\/database\/sqlite\/reads\/(start-)?threads?\.ts$/.test(file);

/** Imports that the rows would allow but the design forbids. */
const FORBIDDEN: readonly (readonly [from: string, to: string])[] = [
  ['api/rest', 'database'],
  ['api/rest', 'query/compile'],
  ['api/graphql', 'database'],
  ['api/graphql', 'query/compile'],
  ['api/mcp', 'database'],
  ['api/mcp', 'query/compile'],
];

const print = ({ room, folder }: Place): string => (folder === '.' ? room : `${room}/${folder}`);

/** Compares two rows: of rooms, or of folders of one room. */
const rowRule = (
  [from, fromRow]: readonly [string, number],
  [to, toRow]: readonly [string, number],
): BrokenRule | undefined => {
  if (toRow === fromRow)
    return {
      rule: 'sibling',
      message: `${from} and ${to} are on the same row and may not import one another`,
    };
  if (toRow > fromRow)
    return {
      rule: 'upward',
      message: `${from} (row ${fromRow}) may not import ${to} (row ${toRow}): imports go to lower rows only`,
    };
  return undefined;
};

const placeRule = (from: PlacedFile, to: Place): BrokenRule | undefined => {
  if (rowOf(to.room) === -1) return { rule: 'unknown-room', message: `${to.room} is no room of the table` };
  if (FORBIDDEN.some(([importer, imported]) => isIn(from, [importer]) && isIn(to, [imported])))
    return { rule: 'forbidden', message: `${print(from)} never imports ${print(to)}` };
  if (to.room !== from.room) return rowRule([from.room, rowOf(from.room)], [to.room, rowOf(to.room)]);
  if (to.folder === from.folder) return undefined;
  return rowRule([print(from), folderRowOf(from)], [print(to), folderRowOf(to)]);
};

const packageRule = (
  from: PlacedFile,
  { specifier, typeOnly, lazy }: ModuleReference,
): BrokenRule | undefined => {
  const rule = PACKAGE_RULES.find(({ pattern }) => pattern.test(specifier));
  if (rule !== undefined && !isIn(from, rule.places)) {
    return { rule: 'package', message: `${specifier} may be imported by ${rule.places.join(', ')} only` };
  }
  if (DRIVERS.test(specifier) && !typeOnly && !lazy) {
    return {
      rule: 'eager-driver',
      message: `${specifier} is loaded although another database may be in use; import it where it is opened`,
    };
  }
  const isExempt =
    mayReadFiles(from.file) ||
    mayReachOut(from.file) ||
    (specifier === 'node:worker_threads' && mayStartThreads(from.file));
  if (isPure(from) && isImpureModule(specifier) && !isExempt) {
    return {
      rule: 'impure',
      message: `${print(from)} touches no network, process or disk, and so does not import ${specifier}`,
    };
  }
  return undefined;
};

/** Resolves a relative specifier to a file in src/. */
export function resolveSpecifier(file: string, specifier: string): string {
  return posix.join(posix.dirname(file), specifier).replace(/\.js$/, '.ts');
}

const fileRule = (from: PlacedFile, specifier: string): BrokenRule | undefined => {
  const target = resolveSpecifier(from.file, specifier);
  if (!target.startsWith('src/')) return { rule: 'outside', message: `${specifier} lies outside of src` };
  if (ENTRIES.includes(target)) return { rule: 'entry', message: `nothing inside src imports ${target}` };
  const place = placeOf(target);
  if (place === undefined) return { rule: 'unknown-room', message: `${target} is in no room` };
  if (place.room === 'commands' && from.room !== 'commands')
    return { rule: 'commands', message: 'nothing imports commands' };
  return placeRule(from, place);
};

const CLIENT = ['api/client'];

/** The client is loaded by browsers, with nothing beside it. */
const clientRule = (
  { specifier, typeOnly }: ModuleReference,
  to: Place | undefined,
): BrokenRule | undefined =>
  to !== undefined && (isIn(to, CLIENT) || (typeOnly && isIn(to, ['generate/typegen'])))
    ? undefined
    : { rule: 'client', message: `the client imports its own files and types of typegen, not ${specifier}` };

const targetOf = (file: string, { specifier }: ModuleReference): Place | undefined =>
  specifier.startsWith('.') ? placeOf(resolveSpecifier(file, specifier)) : undefined;

const referenceRule = (from: PlacedFile, reference: ModuleReference): BrokenRule | undefined =>
  (reference.specifier.startsWith('.')
    ? fileRule(from, reference.specifier)
    : packageRule(from, reference)) ??
  (isIn(from, CLIENT) ? clientRule(reference, targetOf(from.file, reference)) : undefined);

const isCli = ({ room }: Place): boolean => room === 'cli' || room === 'commands';

const KNOWS_DATABASES = ['database/dialect', 'database/sqlite', 'database/postgres'];

const usageRule = (from: PlacedFile, { kind, text }: Usage): BrokenRule | undefined => {
  switch (kind) {
    case 'env':
      return from.room === 'config'
        ? undefined
        : { rule: 'environment', message: `only config reads the environment (${text})` };
    case 'print':
      return isCli(from) ? undefined : { rule: 'print', message: `only cli and commands print (${text})` };
    case 'exit':
      return isCli(from)
        ? undefined
        : { rule: 'exit', message: `only cli and commands end the process (${text})` };
    case 'dialect-name':
      return isIn(from, KNOWS_DATABASES)
        ? undefined
        : {
            rule: 'dialect-name',
            message: `only database compares names of databases (${text}); ask the dialect for a capability`,
          };
    case 'process':
    case 'network':
    case 'computed-import':
      return isPure(from) && !mayReadFiles(from.file) && !mayReachOut(from.file)
        ? { rule: 'impure', message: `${print(from)} touches no network, process or disk (${text})` }
        : undefined;
  }
};

const entryRule = (entry: string, reference: ModuleReference): BrokenRule | undefined => {
  const target = targetOf(entry, reference);
  if (entry === 'src/client.ts') return clientRule(reference, target);
  return target !== undefined && isCli(target)
    ? { rule: 'commands', message: 'the public entry imports no command-line code' }
    : undefined;
};

const locationRule = (file: string, place: Place | undefined): BrokenRule | undefined => {
  if (place === undefined || rowOf(place.room) === -1)
    return { rule: 'unknown-room', message: `is in no room of the table (${rooms().join(', ')})` };
  const barrel = file.endsWith('/index.ts') && place.room !== 'commands';
  return barrel
    ? {
        rule: 'barrel',
        message:
          'there are no internal barrels: name the file after what it holds, and import it by that name',
      }
    : undefined;
};

/** Returns all violations of the rules of src/ in one file. `file` is relative to the repository's root. */
export function checkFile(file: string, { references, usages, problems }: Scan): readonly Violation[] {
  const violationsAt =
    (line: number) =>
    (brokenRule: BrokenRule | undefined): readonly Violation[] =>
      brokenRule === undefined ? [] : [{ file, line, ...brokenRule }];
  const unreadable = problems.flatMap((message) => violationsAt(1)({ rule: 'unreadable', message }));
  if (ENTRIES.includes(file))
    return [
      ...unreadable,
      ...references.flatMap((reference) => violationsAt(reference.line)(entryRule(file, reference))),
    ];
  const place = placeOf(file);
  const misplaced = violationsAt(1)(locationRule(file, place));
  if (place === undefined || rowOf(place.room) === -1) return [...unreadable, ...misplaced];
  const from: PlacedFile = { file, ...place };
  return [
    ...unreadable,
    ...misplaced,
    ...references.flatMap((reference) => violationsAt(reference.line)(referenceRule(from, reference))),
    ...usages.flatMap((usage) => violationsAt(usage.line)(usageRule(from, usage))),
  ];
}
