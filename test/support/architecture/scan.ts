import { parseSync } from 'oxc-parser';

/** One mention of another module: import, export from, dynamic import, `import('…')` type or require. */
export interface ModuleReference {
  readonly specifier: string;
  readonly line: number;
  /** Gone after compilation. Counts for the rows and for cycles, not for what is loaded. */
  readonly typeOnly: boolean;
  /** Loaded when reached, not when the file is. */
  readonly lazy: boolean;
}

/** A use of something that only some rooms may use: `process.env`, `console.log`, a comparison with a database's name. */
export interface Use {
  readonly kind: 'env' | 'print' | 'exit' | 'process' | 'network' | 'dialect-name' | 'computed-import';
  readonly text: string;
  readonly line: number;
}

/** What the rules need to know of one file. */
export interface Scan {
  readonly references: readonly ModuleReference[];
  readonly uses: readonly Use[];
  /** What the parser could not read. */
  readonly problems: readonly string[];
}

type Node = Readonly<Record<string, unknown>> & { readonly type: string; readonly start: number };

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string' && 'start' in value;

const childrenOf = (node: Node): readonly Node[] => Object.values(node).flatMap((value: unknown) => (Array.isArray(value) ? value : [value])).filter(isNode);

const textOf = (value: unknown): string | undefined => {
  if (!isNode(value)) return undefined;
  if (value.type === 'Literal' && typeof value['value'] === 'string') return value['value'];
  // TSImportType wraps its literal once more; a template without placeholders is a literal, too.
  if (value.type === 'TSLiteralType') return textOf(value['literal']);
  if (value.type !== 'TemplateLiteral' || !Array.isArray(value['quasis']) || value['quasis'].length !== 1) return undefined;
  const quasi: unknown = value['quasis'][0];
  const cooked: unknown = isNode(quasi) ? Reflect.get(quasi['value'] as object, 'cooked') : undefined;
  return typeof cooked === 'string' ? cooked : undefined;
};

const nameOf = (value: unknown): string | undefined => (isNode(value) && value.type === 'Identifier' ? String(value['name']) : undefined);

/** `process.stdout` → `['process', 'stdout']`, also for `process['stdout']` and `globalThis.process.stdout`. */
const pathOf = (value: unknown): readonly string[] => {
  if (!isNode(value)) return [];
  if (value.type === 'Identifier') return [String(value['name'])];
  if (value.type === 'MetaProperty') return ['import', 'meta'];
  if (value.type === 'ChainExpression') return pathOf(value['expression']);
  if (value.type !== 'MemberExpression') return [];
  const property = value['computed'] === true ? textOf(value['property']) : nameOf(value['property']);
  const path = [...pathOf(value['object']), property ?? '?'];
  return path[0] === 'globalThis' ? path.slice(1) : path;
};

const allTypeSpecifiers = (node: Node): boolean => {
  const specifiers = node['specifiers'];
  if (!Array.isArray(specifiers) || specifiers.length === 0) return false;
  return specifiers.every((specifier: unknown) => isNode(specifier) && (specifier['importKind'] === 'type' || specifier['exportKind'] === 'type'));
};

type Found = Omit<ModuleReference, 'line' | 'specifier'> & { readonly source: unknown };

const STATIC = { typeOnly: false, lazy: false } as const;

const referenceIn = (node: Node): Found | undefined => {
  switch (node.type) {
    case 'ImportDeclaration':
      return { ...STATIC, source: node['source'], typeOnly: node['importKind'] === 'type' || allTypeSpecifiers(node) };
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
      return isNode(node['source']) ? { ...STATIC, source: node['source'], typeOnly: node['exportKind'] === 'type' || allTypeSpecifiers(node) } : undefined;
    case 'ImportExpression':
      return { source: node['source'], typeOnly: false, lazy: true };
    case 'TSImportType':
      return { source: node['source'] ?? node['argument'], typeOnly: true, lazy: false };
    case 'TSExternalModuleReference':
      return { ...STATIC, source: node['expression'] };
    case 'CallExpression': {
      const callee = pathOf(node['callee']).join('.');
      const [argument] = node['arguments'] as readonly unknown[];
      return callee === 'require' || callee === 'require.resolve' ? { source: argument, typeOnly: false, lazy: true } : undefined;
    }
    default:
      return undefined;
  }
};

const DATABASE_NAMES: ReadonlySet<string> = new Set(['sqlite', 'postgresql', 'postgres']);

const comparedName = (node: Node): string | undefined => {
  const sides = node.type === 'BinaryExpression' && /^[!=]==?$/.test(String(node['operator'])) ? [node['left'], node['right']] : [];
  const tests = node.type === 'SwitchCase' ? [node['test']] : [];
  return [...sides, ...tests].map(textOf).find((text) => text !== undefined && DATABASE_NAMES.has(text));
};

const PROCESS_PARTS: Readonly<Record<string, Use['kind']>> = {
  env: 'env', stdout: 'print', stderr: 'print', exit: 'exit', exitCode: 'exit', reallyExit: 'exit', abort: 'exit',
};

const kindOfPath = (path: readonly string[]): Use['kind'] | undefined => {
  if (path[0] === 'import' && path[1] === 'meta') return path[2] === 'env' ? 'env' : undefined;
  if (path.length < 2) return undefined;
  if (path[0] === 'console') return 'print';
  return path[0] === 'process' ? PROCESS_PARTS[path[1] ?? ''] ?? 'process' : undefined;
};

/** `const { env } = process` reads the environment as much as `process.env`. */
const destructured = (node: Node): readonly Omit<Use, 'line'>[] => {
  const pattern = node['id'];
  if (node.type !== 'VariableDeclarator' || nameOf(node['init']) !== 'process' || !isNode(pattern)) return [];
  return childrenOf(pattern).map((property) => nameOf(property['key']) ?? '?').map((name) => ({ kind: PROCESS_PARTS[name] ?? 'process', text: `process.${name}` }));
};

const NETWORK_CALLS: ReadonlySet<string> = new Set(['fetch', 'WebSocket', 'EventSource']);

const usesIn = (node: Node): readonly Omit<Use, 'line'>[] => {
  const database = comparedName(node);
  if (database !== undefined) return [{ kind: 'dialect-name', text: `'${database}'` }];
  if (node.type === 'MemberExpression') {
    const path = pathOf(node);
    const kind = path.length === 2 || path[0] === 'import' ? kindOfPath(path) : undefined;
    return kind === undefined ? [] : [{ kind, text: path.join('.') }];
  }
  const callee = node.type === 'CallExpression' || node.type === 'NewExpression' ? pathOf(node['callee']).join('.') : '';
  return NETWORK_CALLS.has(callee) ? [{ kind: 'network', text: callee }] : destructured(node);
};

const lineCounter = (source: string) => {
  const breaks = [...source.matchAll(/\n/g)].map((match) => match.index);
  return (offset: number): number => breaks.filter((position) => position < offset).length + 1;
};

/** Reads one TypeScript file: what it refers to and what it uses, from its syntax tree (comments and strings cannot deceive it). */
export function scan(file: string, source: string): Scan {
  const { program, errors } = parseSync(file, source, { lang: 'ts', sourceType: 'module' });
  const lineAt = lineCounter(source);
  const references: ModuleReference[] = [];
  const uses: Use[] = [];
  const visit = (node: Node): void => {
    const found = referenceIn(node);
    const specifier = found === undefined ? undefined : textOf(found.source);
    if (found !== undefined && specifier !== undefined) {
      references.push({ specifier, line: lineAt(node.start), typeOnly: found.typeOnly, lazy: found.lazy });
    } else if (found !== undefined) {
      uses.push({ kind: 'computed-import', text: 'a module whose name is computed', line: lineAt(node.start) });
    }
    uses.push(...usesIn(node).map((use) => ({ ...use, line: lineAt(node.start) })));
    childrenOf(node).forEach(visit);
  };
  if (isNode(program)) visit(program);
  return { references, uses, problems: errors.map((error) => error.message) };
}
