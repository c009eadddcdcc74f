import { parseSync } from 'oxc-parser';
import { childrenOf, isNode, lineCounter, nameOf, pathOf, textOf } from './syntax-tree.js';
import type { Node } from './syntax-tree.js';

/** A reference to another module: import, export from, dynamic import, `import('…')` type or require. */
export interface ModuleReference {
  readonly specifier: string;
  readonly line: number;
  /** Removed by the compiler. Counts for the rows and for cycles, but loads nothing. */
  readonly typeOnly: boolean;
  /** Loaded when the expression runs, not with the file. */
  readonly lazy: boolean;
}

/**
 * A use of something that only some layers may use: `process.env`, `console.log`, a comparison with a
 * database's name.
 */
export interface Usage {
  readonly kind: 'env' | 'print' | 'exit' | 'process' | 'network' | 'dialect-name' | 'computed-import';
  readonly text: string;
  readonly line: number;
}

/** The references and usages of one file. */
export interface Scan {
  readonly references: readonly ModuleReference[];
  readonly usages: readonly Usage[];
  /** Syntax errors. */
  readonly problems: readonly string[];
}

const allTypeSpecifiers = (node: Node): boolean => {
  const specifiers = node['specifiers'];
  if (!Array.isArray(specifiers) || specifiers.length === 0) return false;
  return specifiers.every(
    (specifier: unknown) =>
      isNode(specifier) && (specifier['importKind'] === 'type' || specifier['exportKind'] === 'type'),
  );
};

type FoundReference = Omit<ModuleReference, 'line' | 'specifier'> & { readonly source: unknown };

const STATIC = { typeOnly: false, lazy: false } as const;

const referenceIn = (node: Node): FoundReference | undefined => {
  switch (node.type) {
    case 'ImportDeclaration':
      return {
        ...STATIC,
        source: node['source'],
        typeOnly: node['importKind'] === 'type' || allTypeSpecifiers(node),
      };
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
      return isNode(node['source'])
        ? {
            ...STATIC,
            source: node['source'],
            typeOnly: node['exportKind'] === 'type' || allTypeSpecifiers(node),
          }
        : undefined;
    case 'ImportExpression':
      return { source: node['source'], typeOnly: false, lazy: true };
    case 'TSImportType':
      return { source: node['source'] ?? node['argument'], typeOnly: true, lazy: false };
    case 'TSExternalModuleReference':
      return { ...STATIC, source: node['expression'] };
    case 'CallExpression': {
      const callee = pathOf(node['callee']).join('.');
      const [argument] = node['arguments'] as readonly unknown[];
      return callee === 'require' || callee === 'require.resolve'
        ? { source: argument, typeOnly: false, lazy: true }
        : undefined;
    }
    default:
      return undefined;
  }
};

const DATABASE_NAMES: ReadonlySet<string> = new Set(['sqlite', 'postgresql', 'postgres']);

const comparedName = (node: Node): string | undefined => {
  const sides =
    node.type === 'BinaryExpression' && /^[!=]==?$/.test(String(node['operator']))
      ? [node['left'], node['right']]
      : [];
  const tests = node.type === 'SwitchCase' ? [node['test']] : [];
  return [...sides, ...tests].map(textOf).find((text) => text !== undefined && DATABASE_NAMES.has(text));
};

const PROCESS_MEMBERS: Readonly<Record<string, Usage['kind']>> = {
  env: 'env',
  stdout: 'print',
  stderr: 'print',
  exit: 'exit',
  exitCode: 'exit',
  reallyExit: 'exit',
  abort: 'exit',
};

const kindOfPath = (path: readonly string[]): Usage['kind'] | undefined => {
  if (path[0] === 'import' && path[1] === 'meta') return path[2] === 'env' ? 'env' : undefined;
  if (path.length < 2) return undefined;
  if (path[0] === 'console') return 'print';
  return path[0] === 'process' ? (PROCESS_MEMBERS[path[1] ?? ''] ?? 'process') : undefined;
};

/** `const { env } = process` reads the environment as much as `process.env`. */
const destructuredUsages = (node: Node): readonly Omit<Usage, 'line'>[] => {
  const pattern = node['id'];
  if (node.type !== 'VariableDeclarator' || nameOf(node['init']) !== 'process' || !isNode(pattern)) return [];
  return childrenOf(pattern)
    .map((property) => nameOf(property['key']) ?? '?')
    .map((name) => ({ kind: PROCESS_MEMBERS[name] ?? 'process', text: `process.${name}` }));
};

const NETWORK_CALLS: ReadonlySet<string> = new Set(['fetch', 'WebSocket', 'EventSource']);

const usagesIn = (node: Node): readonly Omit<Usage, 'line'>[] => {
  const database = comparedName(node);
  if (database !== undefined) return [{ kind: 'dialect-name', text: `'${database}'` }];
  if (node.type === 'MemberExpression') {
    const path = pathOf(node);
    const kind = path.length === 2 || path[0] === 'import' ? kindOfPath(path) : undefined;
    return kind === undefined ? [] : [{ kind, text: path.join('.') }];
  }
  const callee =
    node.type === 'CallExpression' || node.type === 'NewExpression' ? pathOf(node['callee']).join('.') : '';
  return NETWORK_CALLS.has(callee) ? [{ kind: 'network', text: callee }] : destructuredUsages(node);
};

/**
 * Finds the references and usages of one TypeScript file in its syntax tree, which leaves out comments and
 * strings.
 */
export function scan(file: string, source: string): Scan {
  const { program, errors } = parseSync(file, source, { lang: 'ts', sourceType: 'module' });
  const lineAt = lineCounter(source);
  const references: ModuleReference[] = [];
  const usages: Usage[] = [];
  const visit = (node: Node): void => {
    const found = referenceIn(node);
    const specifier = found === undefined ? undefined : textOf(found.source);
    if (found !== undefined && specifier !== undefined) {
      references.push({ specifier, line: lineAt(node.start), typeOnly: found.typeOnly, lazy: found.lazy });
    } else if (found !== undefined) {
      usages.push({
        kind: 'computed-import',
        text: 'a module whose name is computed',
        line: lineAt(node.start),
      });
    }
    usages.push(...usagesIn(node).map((usage) => ({ ...usage, line: lineAt(node.start) })));
    childrenOf(node).forEach(visit);
  };
  if (isNode(program)) visit(program);
  return { references, usages, problems: errors.map((error) => error.message) };
}

/** Scans files given by path and source. */
export function scanAll(files: Iterable<readonly [file: string, source: string]>): ReadonlyMap<string, Scan> {
  return new Map([...files].map(([file, source]) => [file, scan(file, source)]));
}
