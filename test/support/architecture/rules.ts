import { posix } from 'node:path';
import { ENTRIES, LAST_PURE_LEVEL, LAYER_LEVELS, layerOf, levelOf } from './layers.js';
import type { ModuleReference, Scan, Usage } from './scan.js';

export interface Violation {
  readonly file: string;
  readonly line: number;
  /** The name of the broken rule. The checker's tests rely on it. */
  readonly rule: string;
  readonly message: string;
}

interface LayerFile {
  readonly file: string;
  readonly layer: string;
  readonly level: number;
}

type BrokenRule = Pick<Violation, 'rule' | 'message'>;

/** A package that only some layers may import. */
interface PackageRule {
  readonly pattern: RegExp;
  readonly layers: readonly string[];
  /** Exempts `import type`, which loads nothing. */
  readonly typesAnywhereIn?: readonly string[];
}

const DRIVERS = /^(better-sqlite3|pg|@prisma\/adapter-.+)$/;

const PACKAGE_RULES: readonly PackageRule[] = [
  {
    pattern: /^(fastify|fastify-.+|@fastify\/.+)$/,
    layers: ['http', 'telemetry', 'rest', 'graphql', 'server', 'strapi', 'app'],
  },
  { pattern: /^(mercurius|mercurius-.+|graphql|graphql-.+|nexus)$/, layers: ['graphql'] },
  { pattern: /^(@prisma|\.prisma)\/client(\/.+)?$/, layers: ['prisma'] },
  {
    pattern: /^@prisma\/(internals|get-dmmf|param-graph|client-generator.*|.+-wasm)(\/.+)?$/,
    layers: ['prisma'],
  },
  { pattern: DRIVERS, layers: ['prisma', 'dialects'] },
  { pattern: /^@prisma\/driver-adapter-utils$/, layers: ['prisma', 'dialects'] },
  {
    pattern: /^kysely$/,
    layers: [
      'dialects',
      'sql',
      'database',
      'migrations',
      'documents',
      'access',
      'media',
      'history',
      'transfer',
    ],
  },
  { pattern: /^(@oclif\/.+|@inquirer\/.+)$/, layers: ['cli', 'commands', 'hooks'] },
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

/** Layers and files of the pure rows that may still read files. */
const mayReadFiles = (file: string): boolean =>
  file.startsWith('src/config/') ||
  file.startsWith('src/prisma/') ||
  file === 'src/content-types/load-definitions.ts';

/** SQLite creates files that everybody may read, so that its driver creates them first. */
const mayCreateFiles = (file: string): boolean => file === 'src/dialects/sqlite/create-private-file.ts';

/** Files of a driver that is run in threads, since its statements block the one that calls it. */
const mayStartThreads = (file: string): boolean =>
  /^src\/dialects\/sqlite\/reads\/(start-)?threads?\.ts$/.test(file);

/** Imports that the rows would allow but the design forbids. */
const FORBIDDEN_LAYERS: Readonly<Record<string, readonly string[]>> = {
  rest: ['sql', 'database', 'dialects'],
  graphql: ['sql', 'database', 'dialects'],
  database: ['content-types', 'model', 'fields', 'query'],
};

const printLevel = (layer: string): string => `${layer} (row ${levelOf(layer)})`;

const layerRule = (from: LayerFile, to: string): BrokenRule | undefined => {
  if (to === from.layer) return undefined;
  const level = levelOf(to);
  if (level === -1) return { rule: 'unknown-layer', message: `${to} is no layer of the table` };
  if (level === from.level)
    return {
      rule: 'sibling',
      message: `${from.layer} and ${to} are on the same row and may not import one another`,
    };
  if (level > from.level)
    return {
      rule: 'upward',
      message: `${printLevel(from.layer)} may not import ${printLevel(to)}: imports go to lower rows only`,
    };
  if (FORBIDDEN_LAYERS[from.layer]?.includes(to) === true)
    return { rule: 'forbidden-layer', message: `${from.layer} never imports ${to}` };
  return undefined;
};

const packageRule = (
  from: LayerFile,
  { specifier, typeOnly, lazy }: ModuleReference,
): BrokenRule | undefined => {
  const rule = PACKAGE_RULES.find(({ pattern }) => pattern.test(specifier));
  if (rule !== undefined && !rule.layers.includes(from.layer)) {
    return { rule: 'package', message: `${specifier} may be imported by ${rule.layers.join(', ')} only` };
  }
  if (DRIVERS.test(specifier) && !typeOnly && !lazy) {
    return {
      rule: 'eager-driver',
      message: `${specifier} is loaded although another database may be in use; import it where it is opened`,
    };
  }
  const isExempt =
    mayReadFiles(from.file) ||
    mayCreateFiles(from.file) ||
    (specifier === 'node:worker_threads' && mayStartThreads(from.file));
  if (from.level <= LAST_PURE_LEVEL && isImpureModule(specifier) && !isExempt) {
    return {
      rule: 'impure',
      message: `${from.layer} touches no network, process or disk, and so does not import ${specifier}`,
    };
  }
  return undefined;
};

/** Resolves a relative specifier to a file in src/. */
export function resolveSpecifier(file: string, specifier: string): string {
  return posix.join(posix.dirname(file), specifier).replace(/\.js$/, '.ts');
}

const fileRule = (from: LayerFile, specifier: string): BrokenRule | undefined => {
  const target = resolveSpecifier(from.file, specifier);
  if (!target.startsWith('src/')) return { rule: 'outside', message: `${specifier} lies outside of src` };
  if (ENTRIES.includes(target)) return { rule: 'entry', message: `nothing inside src imports ${target}` };
  const layer = layerOf(target);
  if (layer === undefined) return { rule: 'unknown-layer', message: `${target} is in no layer` };
  if (layer === 'commands' && from.layer !== 'commands')
    return { rule: 'commands', message: 'nothing imports commands' };
  return layerRule(from, layer);
};

/** The client is loaded by browsers, with nothing beside it. */
const clientRule = (
  { specifier, typeOnly }: ModuleReference,
  layer: string | undefined,
): BrokenRule | undefined =>
  layer === 'client' || (layer === 'typegen' && typeOnly)
    ? undefined
    : { rule: 'client', message: `the client imports its own files and types of typegen, not ${specifier}` };

const referenceRule = (from: LayerFile, reference: ModuleReference): BrokenRule | undefined => {
  const isFile = reference.specifier.startsWith('.');
  const target = isFile ? layerOf(resolveSpecifier(from.file, reference.specifier)) : undefined;
  return (
    (isFile ? fileRule(from, reference.specifier) : packageRule(from, reference)) ??
    (from.layer === 'client' ? clientRule(reference, target) : undefined)
  );
};

const isCli = ({ layer }: LayerFile): boolean => layer === 'cli' || layer === 'commands';

const usageRule = (from: LayerFile, { kind, text }: Usage): BrokenRule | undefined => {
  const pure = from.level <= LAST_PURE_LEVEL && !mayReadFiles(from.file);
  switch (kind) {
    case 'env':
      return from.layer === 'config'
        ? undefined
        : { rule: 'environment', message: `only config reads the environment (${text})` };
    case 'print':
      return isCli(from) ? undefined : { rule: 'print', message: `only cli and commands print (${text})` };
    case 'exit':
      return isCli(from)
        ? undefined
        : { rule: 'exit', message: `only cli and commands end the process (${text})` };
    case 'dialect-name':
      return from.layer === 'dialects'
        ? undefined
        : {
            rule: 'dialect-name',
            message: `only dialects compares database names (${text}); ask the dialect for a capability`,
          };
    case 'process':
    case 'network':
    case 'computed-import':
      return pure
        ? { rule: 'impure', message: `${from.layer} touches no network, process or disk (${text})` }
        : undefined;
  }
};

const entryRule = (entry: string, reference: ModuleReference): BrokenRule | undefined => {
  const layer = reference.specifier.startsWith('.')
    ? layerOf(resolveSpecifier(entry, reference.specifier))
    : undefined;
  if (entry === 'src/client.ts') return clientRule(reference, layer);
  return layer === 'cli' || layer === 'commands' || layer === 'hooks'
    ? { rule: 'commands', message: 'the public entry imports no command-line code' }
    : undefined;
};

const locationRule = (file: string, layer: string | undefined): BrokenRule | undefined => {
  if (layer === undefined || levelOf(layer) === -1)
    return {
      rule: 'unknown-layer',
      message: `is in no layer of the table (${LAYER_LEVELS.flat().join(', ')})`,
    };
  const barrel = file.endsWith('/index.ts') && layer !== 'commands';
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
  const layer = layerOf(file);
  const misplaced = violationsAt(1)(locationRule(file, layer));
  if (layer === undefined || levelOf(layer) === -1) return [...unreadable, ...misplaced];
  const from: LayerFile = { file, layer, level: levelOf(layer) };
  return [
    ...unreadable,
    ...misplaced,
    ...references.flatMap((reference) => violationsAt(reference.line)(referenceRule(from, reference))),
    ...usages.flatMap((usage) => violationsAt(usage.line)(usageRule(from, usage))),
  ];
}
