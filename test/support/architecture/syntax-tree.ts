/** A node of the syntax tree, as oxc-parser returns it. */
export type Node = Readonly<Record<string, unknown>> & { readonly type: string; readonly start: number };

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' &&
  value !== null &&
  'type' in value &&
  typeof value.type === 'string' &&
  'start' in value;

/** All direct children, in the order of the node's properties. */
export const childrenOf = (node: Node): readonly Node[] =>
  Object.values(node)
    .flatMap((value: unknown) => (Array.isArray(value) ? value : [value]))
    .filter(isNode);

/** The value of a string literal or of a template without placeholders. */
export const textOf = (value: unknown): string | undefined => {
  if (!isNode(value)) return undefined;
  if (value.type === 'Literal' && typeof value['value'] === 'string') return value['value'];
  // TSImportType wraps its literal in another node.
  if (value.type === 'TSLiteralType') return textOf(value['literal']);
  if (value.type !== 'TemplateLiteral' || !Array.isArray(value['quasis']) || value['quasis'].length !== 1)
    return undefined;
  const quasi: unknown = value['quasis'][0];
  const cooked: unknown = isNode(quasi) ? Reflect.get(quasi['value'] as object, 'cooked') : undefined;
  return typeof cooked === 'string' ? cooked : undefined;
};

/** The name of an identifier. */
export const nameOf = (value: unknown): string | undefined =>
  isNode(value) && value.type === 'Identifier' ? String(value['name']) : undefined;

/** The names in a member expression: `['process', 'stdout']` for `globalThis.process.stdout`. */
export const pathOf = (value: unknown): readonly string[] => {
  if (!isNode(value)) return [];
  if (value.type === 'Identifier') return [String(value['name'])];
  if (value.type === 'MetaProperty') return ['import', 'meta'];
  if (value.type === 'ChainExpression') return pathOf(value['expression']);
  if (value.type !== 'MemberExpression') return [];
  const property = value['computed'] === true ? textOf(value['property']) : nameOf(value['property']);
  const path = [...pathOf(value['object']), property ?? '?'];
  return path[0] === 'globalThis' ? path.slice(1) : path;
};

/** Returns a function from an offset in the source to its line, 1-based. */
export const lineCounter = (source: string) => {
  const breaks = [...source.matchAll(/\n/g)].map((match) => match.index);
  return (offset: number): number => breaks.filter((position) => position < offset).length + 1;
};
