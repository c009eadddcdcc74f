import {
  getOperationAST,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  parse,
  typeFromAST,
} from 'graphql';
import type {
  GraphQLInputObjectType,
  GraphQLInputType,
  GraphQLSchema,
  OperationDefinitionNode,
} from 'graphql';
import { createError } from '../../../errors/catalogue.js';
import { isRecord } from '../../../lib/records.js';
import type { OperationRequest } from './parse-request.js';

/** Maximum nesting, far deeper than any filter, component or block of text. */
const MAX_DEPTH = 100;

/** Maximum characters of a key. Values of json attributes contain keys, too, and have no other limit. */
const MAX_KEY_LENGTH = 4096;

/** Variables up to this size cost little, even if they are invalid. */
const SMALL = { values: 1000, characters: 20_000 };

/**
 * Maximum list items and input object fields that graphql-js visits for one request. An object costs all
 * fields of its type, even omitted ones. Values of json attributes are not visited.
 */
const MAX_STEPS = 200_000;

/** Counts the cost of coercing the variables of one request. */
export interface VariableBudget {
  readonly charge: (steps: number) => void;
}

export function createVariableBudget(): VariableBudget {
  let total = 0;
  return {
    charge: (steps) => {
      total += steps;
      if (total > MAX_STEPS) throw createError('graphql/variables-too-large', { limit: MAX_STEPS });
    },
  };
}

const assertKey = (key: string): void => {
  if (key.length <= MAX_KEY_LENGTH) return;
  const reason = `A name is longer than ${MAX_KEY_LENGTH} characters.`;
  throw createError('graphql/invalid-request', { reason });
};

/**
 * True if variables are small, regardless of their types. Visits them level by level, so that no depth can
 * exhaust the stack.
 *
 * @throws `graphql/invalid-request` for long keys, `graphql/variables-too-deep`
 */
export function areSmallVariables(variables: Readonly<Record<string, unknown>>): boolean {
  let [values, characters] = [0, 0];
  let level: readonly unknown[] = [variables];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) throw createError('graphql/variables-too-deep', { limit: MAX_DEPTH });
    const next: unknown[] = [];
    values += level.length;
    for (const value of level) {
      if (typeof value === 'string') characters += value.length;
      if (typeof value !== 'object' || value === null) continue;
      if (Array.isArray(value)) for (const item of value) next.push(item);
      else
        for (const [key, child] of Object.entries(value)) {
          assertKey(key);
          characters += key.length;
          next.push(child);
        }
    }
    level = next;
  }
  return values <= SMALL.values && characters <= SMALL.characters;
}

interface Position {
  readonly variable: string;
  readonly path: string;
  readonly budget: VariableBudget;
}

const invalidValue = ({ variable, path }: Position, reason: string): Error =>
  createError('graphql/invalid-variable', { variable, path, reason });

const assertObject = (type: GraphQLInputObjectType, value: unknown, position: Position): void => {
  if (!isRecord(value)) throw invalidValue(position, `Expected type "${type.name}" to be an object.`);
  const fields = type.getFields();
  position.budget.charge(Object.keys(fields).length);
  for (const key of Object.keys(value))
    if (!Object.hasOwn(fields, key))
      throw invalidValue(position, `Field "${key.slice(0, 60)}" is not defined by type "${type.name}".`);
  for (const field of Object.values(fields)) {
    const child = value[field.name];
    if (child !== undefined)
      assertValue(field.type, child, { ...position, path: `${position.path}.${field.name}` });
    else if (isRequiredInputField(field))
      throw invalidValue(
        position,
        `Field "${field.name}" of required type "${String(field.type)}" is missing.`,
      );
  }
};

const assertLeaf = (parseValue: () => unknown, position: Position): void => {
  try {
    parseValue();
  } catch (error) {
    throw invalidValue(position, (error as Error).message);
  }
};

const assertValue = (type: GraphQLInputType, value: unknown, position: Position): void => {
  if (isNonNullType(type)) {
    if (value === null) throw invalidValue(position, `Expected type "${String(type)}" not to be null.`);
    return assertValue(type.ofType, value, position);
  }
  if (value === null) return;
  if (isListType(type)) {
    const items = Array.isArray(value) ? value : [value];
    position.budget.charge(items.length);
    for (const [index, item] of items.entries())
      assertValue(type.ofType, item, { ...position, path: `${position.path}[${index}]` });
  } else if (isInputObjectType(type)) assertObject(type, value, position);
  else assertLeaf(() => type.parseValue(value), position);
};

/** Returns the operation. Null: the document is invalid or lacks the operation, which execution reports. */
const operationOf = (
  { query, operationName }: OperationRequest,
  maxTokens: number,
): OperationDefinitionNode | null => {
  try {
    return getOperationAST(parse(query, { maxTokens }), operationName) ?? null;
  } catch {
    return null;
  }
};

/**
 * Checks large variables before graphql-js does, which visits them without a limit and reports each invalid
 * value in full. Stops at the first value that does not match its type.
 *
 * @throws `graphql/variables-too-large`, `graphql/variables-too-deep`, `graphql/invalid-variable`,
 *   `graphql/invalid-request`
 */
export function assertVariables(
  operation: OperationRequest,
  {
    schema,
    tokenLimit,
    budget,
  }: {
    readonly schema: GraphQLSchema;
    readonly tokenLimit: number;
    readonly budget: VariableBudget;
  },
): void {
  const { variables } = operation;
  if (areSmallVariables(variables)) return;
  for (const { variable, type: node } of operationOf(operation, tokenLimit)?.variableDefinitions ?? []) {
    const { value: name } = variable.name;
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    const type = typeFromAST(schema, node) as GraphQLInputType | undefined;
    if (type === undefined || value === undefined) continue;
    assertValue(type, value, { variable: name, path: name, budget });
  }
}
