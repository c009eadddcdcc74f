import { isRecord } from './is-record.js';

/** An expression of JSON logic: `{"==": [{"var": "type"}, "video"]}`. */
export type LogicRule = unknown;

/** Returns the value that a path such as `seo.title` names. */
type ReadPath = (path: string) => unknown;

/** In JSON logic, a list without items is false. */
const isTrue = (value: unknown): boolean => (Array.isArray(value) ? value.length > 0 : Boolean(value));

/* JSON logic defines these two as the loose comparison of JavaScript. */
// oxlint-disable-next-line eqeqeq
const equals = (left: unknown, right: unknown): boolean => left == right;

type Compare = (left: never, right: never) => boolean;

/** Compares each value with the next one: `{"<": [1, {"var": "age"}, 10]}`. */
const ordered =
  (compare: Compare) =>
  (values: readonly unknown[]): boolean =>
    values.slice(1).every((value, index) => compare(values[index] as never, value as never));

const numbers = (values: readonly unknown[]): readonly number[] => values.map(Number);

const contains = (container: unknown, item: unknown): boolean => {
  if (typeof container === 'string') return container.includes(String(item));
  return Array.isArray(container) && container.includes(item);
};

type Operator = (values: readonly unknown[]) => unknown;

/** Operators over the values of all their arguments. */
const OPERATORS: Readonly<Record<string, Operator>> = {
  '==': ([left, right]) => equals(left, right),
  '===': ([left, right]) => left === right,
  '!=': ([left, right]) => !equals(left, right),
  '!==': ([left, right]) => left !== right,
  '!': ([value]) => !isTrue(value),
  '!!': ([value]) => isTrue(value),
  '<': ordered((left, right) => left < right),
  '<=': ordered((left, right) => left <= right),
  '>': ordered((left, right) => left > right),
  '>=': ordered((left, right) => left >= right),
  in: ([item, container]) => contains(container, item),
  '+': (values) => numbers(values).reduce((sum, value) => sum + value, 0),
  '-': ([left, right]) => (right === undefined ? -Number(left) : Number(left) - Number(right)),
  '*': (values) => numbers(values).reduce((product, value) => product * value, 1),
  '/': ([left, right]) => Number(left) / Number(right),
  '%': ([left, right]) => Number(left) % Number(right),
  min: (values) => Math.min(...numbers(values)),
  max: (values) => Math.max(...numbers(values)),
  cat: (values) => values.map(String).join(''),
  merge: (values) => values.flat(),
};

/** Operators that read values by name, or do not evaluate all their arguments. */
const SPECIAL_OPERATORS = ['var', 'missing', 'missing_some', 'and', 'or', 'if', '?:'] as const;
type SpecialOperator = (typeof SPECIAL_OPERATORS)[number];

export const LOGIC_OPERATORS: readonly string[] = [...SPECIAL_OPERATORS, ...Object.keys(OPERATORS)];

interface Operation {
  readonly operator: string;
  readonly args: readonly unknown[];
}

/** An object with one key is an operation. Returns null for a value that stands for itself. */
const operationOf = (rule: LogicRule): Operation | null => {
  if (!isRecord(rule)) return null;
  const [entry, ...others] = Object.entries(rule);
  if (entry === undefined || others.length > 0) return null;
  const [operator, args] = entry;
  return { operator, args: Array.isArray(args) ? args : [args] };
};

const chooseBranch = (args: readonly unknown[], read: ReadPath): unknown => {
  for (let index = 0; index + 1 < args.length; index += 2)
    if (isTrue(applyLogic(args[index], read))) return applyLogic(args[index + 1], read);
  return args.length % 2 === 1 ? applyLogic(args.at(-1), read) : null;
};

/** Returns the first value that decides, or else the last one. */
const findDeciding = (args: readonly unknown[], read: ReadPath, deciding: boolean): unknown => {
  let value: unknown;
  for (const arg of args) {
    value = applyLogic(arg, read);
    if (isTrue(value) === deciding) break;
  }
  return value;
};

const missingOf = (names: readonly unknown[], read: ReadPath): readonly unknown[] =>
  names.filter((name) => [undefined, null, ''].includes(read(String(name)) as null));

const applySpecial = (operator: SpecialOperator, args: readonly unknown[], read: ReadPath): unknown => {
  const valueOf = (index: number): unknown => applyLogic(args[index], read);
  switch (operator) {
    case 'var':
      return read(String(valueOf(0))) ?? valueOf(1) ?? null;
    case 'missing':
      return missingOf(
        args.flatMap((_, index) => valueOf(index)),
        read,
      );
    case 'missing_some': {
      const names = [valueOf(1)].flat();
      const missing = missingOf(names, read);
      return names.length - missing.length >= Number(valueOf(0)) ? [] : missing;
    }
    case 'and':
    case 'or':
      return findDeciding(args, read, operator === 'or');
    case 'if':
    case '?:':
      return chooseBranch(args, read);
  }
};

const isSpecial = (operator: string): operator is SpecialOperator =>
  SPECIAL_OPERATORS.some((name) => name === operator);

/** Evaluates an expression, whose operators are all of {@link LOGIC_OPERATORS}. */
function applyLogic(rule: LogicRule, read: ReadPath): unknown {
  if (Array.isArray(rule)) return rule.map((item) => applyLogic(item, read));
  const operation = operationOf(rule);
  if (operation === null) return rule;
  const { operator, args } = operation;
  if (isSpecial(operator)) return applySpecial(operator, args, read);
  return OPERATORS[operator]?.(args.map((arg) => applyLogic(arg, read)));
}

/** True if an expression holds for the values that `valueOf` returns: `seo.title` reads the value `seo`. */
export function holdsLogic(rule: LogicRule, valueOf: (name: string) => unknown): boolean {
  const read: ReadPath = (path) => {
    const [name = '', ...keys] = path.split('.');
    return keys.reduce<unknown>(
      (part, key) => (isRecord(part) && Object.hasOwn(part, key) ? part[key] : undefined),
      valueOf(name),
    );
  };
  return isTrue(applyLogic(rule, read));
}

/** What an expression consists of, with its parts. */
interface LogicParts {
  readonly operators: readonly string[];
  /** The paths that it reads, as they are written. */
  readonly paths: readonly string[];
  /** True if it computes paths that it reads, or has an object that is no operation. */
  readonly isUnclear: boolean;
}

const namesOf = ({ operator, args }: Operation): readonly unknown[] => {
  if (operator === 'var') return args.slice(0, 1);
  if (operator === 'missing') return args.flat();
  return operator === 'missing_some' ? [args[1]].flat() : [];
};

const isName = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Lists the operators of an expression and the paths that it reads. */
export function describeLogic(rule: LogicRule): LogicParts {
  const operation = operationOf(rule);
  const parts = (Array.isArray(rule) ? rule : (operation?.args ?? [])).map(describeLogic);
  const names = operation === null ? [] : namesOf(operation);
  return {
    operators: [
      ...(operation === null ? [] : [operation.operator]),
      ...parts.flatMap(({ operators }) => operators),
    ],
    paths: [...names.filter(isName), ...parts.flatMap(({ paths }) => paths)],
    isUnclear:
      (isRecord(rule) && operation === null) ||
      !names.every(isName) ||
      parts.some(({ isUnclear }) => isUnclear),
  };
}

const PATH_OPERATORS = ['var', 'missing', 'missing_some'];

/** Returns JSON with another name at the start of the paths that its expressions read. */
export function renameLogicPath(rule: LogicRule, name: string, newName: string): LogicRule {
  const renamePath = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(renamePath);
    if (typeof value !== 'string') return renameLogicPath(value, name, newName);
    const [first, ...keys] = value.split('.');
    return first === name ? [newName, ...keys].join('.') : value;
  };
  if (Array.isArray(rule)) return rule.map((item) => renameLogicPath(item, name, newName));
  if (!isRecord(rule)) return rule;
  return Object.fromEntries(
    Object.entries(rule).map(([key, value]) => [
      key,
      PATH_OPERATORS.includes(key) ? renamePath(value) : renameLogicPath(value, name, newName),
    ]),
  );
}
