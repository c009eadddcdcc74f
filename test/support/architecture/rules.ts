import { posix } from 'node:path';
import { ENTRY, LAST_PURE_ROW, ROWS, roomOf, rowOf } from './rows.js';
import type { ModuleReference, Scan, Use } from './scan.js';

export interface Violation {
  readonly file: string;
  readonly line: number;
  /** Which rule was broken; stable, so that the checker itself can be tested. */
  readonly rule: string;
  readonly message: string;
}

interface Subject {
  readonly file: string;
  readonly room: string;
  readonly row: number;
}

type RuleHit = Pick<Violation, 'rule' | 'message'>;

/** A package that only some rooms may import. */
interface PackageRule {
  readonly pattern: RegExp;
  readonly rooms: readonly string[];
  /** Exempts `import type`, which loads nothing. */
  readonly typesAnywhereIn?: readonly string[];
}

const DRIVERS = /^(better-sqlite3|pg|@prisma\/adapter-.+)$/;

const PACKAGE_RULES: readonly PackageRule[] = [
  { pattern: /^(fastify|fastify-.+|@fastify\/.+)$/, rooms: ['rest', 'graphql', 'server', 'app'] },
  { pattern: /^(mercurius|mercurius-.+|graphql|graphql-.+|nexus)$/, rooms: ['graphql'] },
  { pattern: /^(@prisma\/(client|internals|get-dmmf|client-generator.*|.+-wasm)|\.prisma\/client)(\/.+)?$/, rooms: ['database', 'migrations', 'app'] },
  { pattern: DRIVERS, rooms: ['dialects'] },
  { pattern: /^@prisma\/driver-adapter-utils$/, rooms: ['dialects', 'database', 'migrations'] },
  { pattern: /^kysely$/, rooms: ['dialects', 'sql', 'database', 'migrations', 'documents', 'access', 'media'] },
  { pattern: /^(@oclif\/.+|@inquirer\/.+)$/, rooms: ['commands', 'hooks'] },
];

const IMPURE_MODULES = /^(node:)?(fs|fs\/promises|net|tls|http|https|http2|dns|dns\/promises|dgram|child_process|process|worker_threads|cluster|inspector)$/;

/** The rooms and files of the pure rows that may read files all the same. */
const mayReadFiles = (file: string): boolean => file.startsWith('src/config/') || file === 'src/content-types/load.ts';

/** Edges the rows would allow and the design does not. */
const FORBIDDEN_ROOMS: Readonly<Record<string, readonly string[]>> = {
  rest: ['sql', 'database', 'dialects'],
  graphql: ['sql', 'database', 'dialects'],
  database: ['content-types', 'model', 'fields', 'query'],
};

const printRow = (room: string): string => `${room} (row ${rowOf(room)})`;

const roomRule = (from: Subject, to: string): RuleHit | undefined => {
  if (to === from.room) return undefined;
  const row = rowOf(to);
  if (row === -1) return { rule: 'unknown-room', message: `${to} is no room of the table` };
  if (row === from.row) return { rule: 'sibling', message: `${from.room} and ${to} stand on the same row and may not import one another` };
  if (row > from.row) return { rule: 'upward', message: `${printRow(from.room)} may not import ${printRow(to)}: imports go to lower rows only` };
  if (FORBIDDEN_ROOMS[from.room]?.includes(to) === true) return { rule: 'forbidden-room', message: `${from.room} never imports ${to}` };
  return undefined;
};

const packageRule = (from: Subject, { specifier, typeOnly, lazy }: ModuleReference): RuleHit | undefined => {
  const rule = PACKAGE_RULES.find(({ pattern }) => pattern.test(specifier));
  if (rule !== undefined && !rule.rooms.includes(from.room)) {
    return { rule: 'package', message: `${specifier} may be imported by ${rule.rooms.join(', ')} only` };
  }
  if (DRIVERS.test(specifier) && !typeOnly && !lazy) {
    return { rule: 'eager-driver', message: `${specifier} is loaded although another database may be in use; import it where it is opened` };
  }
  if (from.row <= LAST_PURE_ROW && IMPURE_MODULES.test(specifier) && !mayReadFiles(from.file)) {
    return { rule: 'impure', message: `${from.room} touches no network, process or disk, and so does not import ${specifier}` };
  }
  return undefined;
};

/** The file in src/ that a relative specifier means. */
export function resolveSpecifier(file: string, specifier: string): string {
  return posix.join(posix.dirname(file), specifier).replace(/\.js$/, '.ts');
}

const fileRule = (from: Subject, specifier: string): RuleHit | undefined => {
  const target = resolveSpecifier(from.file, specifier);
  if (!target.startsWith('src/')) return { rule: 'outside', message: `${specifier} lies outside of src` };
  if (target === ENTRY) return { rule: 'entry', message: 'nothing inside src imports src/index.ts' };
  const room = roomOf(target);
  if (room === undefined) return { rule: 'unknown-room', message: `${target} stands in no room` };
  if (room === 'commands' && from.room !== 'commands') return { rule: 'commands', message: 'nothing imports commands' };
  return roomRule(from, room);
};

const referenceRule = (from: Subject, reference: ModuleReference): RuleHit | undefined =>
  reference.specifier.startsWith('.') ? fileRule(from, reference.specifier) : packageRule(from, reference);

const useRule = (from: Subject, { kind, text }: Use): RuleHit | undefined => {
  const pure = from.row <= LAST_PURE_ROW && !mayReadFiles(from.file);
  switch (kind) {
    case 'env':
      return from.room === 'config' ? undefined : { rule: 'environment', message: `only config reads the environment (${text})` };
    case 'print':
      return from.room === 'commands' ? undefined : { rule: 'print', message: `only commands print (${text})` };
    case 'exit':
      return from.room === 'commands' ? undefined : { rule: 'exit', message: `only commands end the process (${text})` };
    case 'dialect-name':
      return from.room === 'dialects' ? undefined : { rule: 'dialect-name', message: `only dialects compares database names (${text}); ask the dialect for a capability` };
    case 'process':
    case 'network':
    case 'computed-import':
      return pure ? { rule: 'impure', message: `${from.room} touches no network, process or disk (${text})` } : undefined;
  }
};

const entryRule = (reference: ModuleReference): RuleHit | undefined => {
  if (!reference.specifier.startsWith('.')) return undefined;
  const room = roomOf(resolveSpecifier(ENTRY, reference.specifier));
  return room === 'commands' || room === 'hooks' ? { rule: 'commands', message: 'nothing imports commands' } : undefined;
};

const placeRule = (file: string, room: string | undefined): RuleHit | undefined => {
  if (room === undefined || rowOf(room) === -1) return { rule: 'unknown-room', message: `stands in no room of the table (${ROWS.flat().join(', ')})` };
  const barrel = file.endsWith('/index.ts') && room !== 'commands';
  return barrel ? { rule: 'barrel', message: 'there are no internal barrels: name the file after what it holds, and import it by that name' } : undefined;
};

/** Everything one file does against the rules of src/. `file` is its path from the repository's root. */
export function checkFile(file: string, { references, uses, problems }: Scan): readonly Violation[] {
  const at = (line: number) => (hit: RuleHit | undefined): readonly Violation[] => (hit === undefined ? [] : [{ file, line, ...hit }]);
  const unreadable = problems.flatMap((message) => at(1)({ rule: 'unreadable', message }));
  if (file === ENTRY) return [...unreadable, ...references.flatMap((reference) => at(reference.line)(entryRule(reference)))];
  const room = roomOf(file);
  const misplaced = at(1)(placeRule(file, room));
  if (room === undefined || rowOf(room) === -1) return [...unreadable, ...misplaced];
  const from: Subject = { file, room, row: rowOf(room) };
  return [
    ...unreadable,
    ...misplaced,
    ...references.flatMap((reference) => at(reference.line)(referenceRule(from, reference))),
    ...uses.flatMap((use) => at(use.line)(useRule(from, use))),
  ];
}
