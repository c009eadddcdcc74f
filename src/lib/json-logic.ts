import jsonLogic from 'json-logic-js';
import type { RulesLogic } from 'json-logic-js';
import { isRecord } from './records.js';

/** An expression of JSON logic: `{"==": [{"var": "type"}, "video"]}`. */
export type LogicRule = unknown;

/** The operators that conditions may have: those of JSON logic that do not run expressions over lists. */
export const LOGIC_OPERATORS: readonly string[] =
  'var missing missing_some and or if ?: == === != !== ! !! < <= > >= in + - * / % min max cat merge'.split(
    ' ',
  );

interface Operation {
  readonly operator: string;
  readonly args: readonly unknown[];
}

/** An object with one key is an operation. Returns null for a literal value. */
const operationOf = (rule: LogicRule): Operation | null => {
  if (!isRecord(rule)) return null;
  const [entry, ...others] = Object.entries(rule);
  if (entry === undefined || others.length > 0) return null;
  const [operator, args] = entry;
  return { operator, args: Array.isArray(args) ? args : [args] };
};

/** True if an expression holds for the values that `valueOf` returns: `seo.title` reads the value `seo`. */
export function holdsLogic(rule: LogicRule, valueOf: (name: string) => unknown): boolean {
  const names = describeLogic(rule).paths.map((path) => path.split('.')[0] ?? path);
  const data = Object.fromEntries(names.map((name) => [name, valueOf(name)]));
  return jsonLogic.truthy(jsonLogic.apply(rule as RulesLogic, data));
}

/** The operators and paths of an expression, including its nested expressions. */
interface LogicParts {
  readonly operators: readonly string[];
  /** The paths that the expression reads, as they are written. */
  readonly paths: readonly string[];
  /** True if the expression computes paths, or contains an object that is not an operation. */
  readonly isUnclear: boolean;
}

const pathArguments = ({ operator, args }: Operation): readonly unknown[] => {
  if (operator === 'var') return args.slice(0, 1);
  if (operator === 'missing') return args.flat();
  return operator === 'missing_some' ? [args[1]].flat() : [];
};

const isName = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Lists the operators of an expression and the paths that it reads. */
export function describeLogic(rule: LogicRule): LogicParts {
  const operation = operationOf(rule);
  const parts = (Array.isArray(rule) ? rule : (operation?.args ?? [])).map(describeLogic);
  const names = operation === null ? [] : pathArguments(operation);
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
