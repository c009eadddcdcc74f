import { parseSync } from 'oxc-parser';
import { childrenOf, isNode, lineCounter, nameOf } from './syntax-tree.js';
import type { Node } from './syntax-tree.js';

/** Types whose values must be thrown, returned or passed on. */
const ERROR_TYPES: ReadonlySet<string> = new Set(['Error', 'GalleyError']);

/** Returns the operands whose value is unused if the value of this expression is unused. */
const operandsOf = (expression: Node): readonly unknown[] => {
  switch (expression.type) {
    case 'LogicalExpression':
      return [expression['right']];
    case 'ConditionalExpression':
      return [expression['consequent'], expression['alternate']];
    case 'AwaitExpression':
    case 'UnaryExpression':
      return [expression['argument']];
    case 'ParenthesizedExpression':
      return [expression['expression']];
    case 'SequenceExpression':
      return expression['expressions'] as readonly unknown[];
    default:
      return [];
  }
};

const calledName = (node: unknown): string | undefined =>
  isNode(node) && node.type === 'CallExpression' ? nameOf(node['callee']) : undefined;

const returnsErrorType = (fn: Node): boolean => {
  const annotation = isNode(fn['returnType']) ? fn['returnType']['typeAnnotation'] : undefined;
  const name = isNode(annotation) ? nameOf(annotation['typeName']) : undefined;
  return name !== undefined && ERROR_TYPES.has(name);
};

interface NamedFunction {
  readonly name: string;
  readonly fn: Node;
}

const namedFunction = (node: Node): NamedFunction | undefined => {
  const fn = node.type === 'VariableDeclarator' ? node['init'] : node;
  const name = nameOf(node['id']);
  const isFunction =
    isNode(fn) && (fn.type === 'ArrowFunctionExpression' || /^(TSDeclare)?Function/.test(fn.type));
  return isFunction && name !== undefined ? { name, fn } : undefined;
};

const allNodes = (node: Node): readonly Node[] => [node, ...childrenOf(node).flatMap(allNodes)];

/** Functions that return an error: by annotation, or because they only call such a function. */
const errorFunctions = (nodes: readonly Node[]): ReadonlySet<string> => {
  const functions = nodes.map(namedFunction).filter((found) => found !== undefined);
  const names = new Set(functions.filter(({ fn }) => returnsErrorType(fn)).map(({ name }) => name));
  for (let size = -1; size !== names.size;) {
    size = names.size;
    for (const { name, fn } of functions) if (names.has(calledName(fn['body']) ?? '')) names.add(name);
  }
  return names;
};

const discardedErrors = (expression: unknown, names: ReadonlySet<string>): readonly Node[] => {
  if (!isNode(expression)) return [];
  const isErrorCall = names.has(calledName(expression) ?? '');
  const isNewError =
    expression.type === 'NewExpression' && nameOf(expression['callee'])?.endsWith('Error') === true;
  return isErrorCall || isNewError
    ? [expression]
    : operandsOf(expression).flatMap((operand) => discardedErrors(operand, names));
};

/**
 * Finds statements that create an error and discard it, where `throw` was forgotten. Functions are matched by
 * name across all files.
 *
 * @returns `file:line` of each statement.
 */
export function findDiscardedErrors(sources: ReadonlyMap<string, string>): readonly string[] {
  const files = [...sources].map(([file, source]) => {
    const program: unknown = parseSync(file, source, { lang: 'ts', sourceType: 'module' }).program;
    return { file, lineAt: lineCounter(source), nodes: isNode(program) ? allNodes(program) : [] };
  });
  const names = errorFunctions(files.flatMap(({ nodes }) => nodes));
  return files.flatMap(({ file, lineAt, nodes }) =>
    nodes
      .filter(({ type }) => type === 'ExpressionStatement')
      .flatMap((statement) => discardedErrors(statement['expression'], names))
      .map(({ start }) => `${file}:${lineAt(start)}`),
  );
}
