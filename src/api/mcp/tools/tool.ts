import { createError } from '../../../errors/catalogue.js';
import type { GalleyError } from '../../../errors/galley-error.js';
import type { JsonSchema } from '../../../lib/json.js';
import { didYouMean } from '../../../lib/nearest.js';
import { isRecord } from '../../../lib/records.js';
import type { CutPointers } from '../fit-response.js';
import type { McpAbilities, McpCall } from '../mcp-services.js';

export type Arguments = Readonly<Record<string, unknown>>;

/** The result of a tool, before it is cut to the size of a response. */
export interface ToolResult {
  readonly body: Readonly<Record<string, unknown>>;
  /** Default: the texts that name the tool's own arguments. */
  readonly pointers?: CutPointers;
}

/** A tool. Their number and their descriptions do not depend on the project. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The properties of the arguments, as JSON Schema 2020-12. */
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required: readonly string[];
  readonly effect: 'reads' | 'writes' | 'destroys';
  /** Absent: every server has the tool. */
  readonly isAvailable?: (abilities: McpAbilities) => boolean;
  readonly run: (call: McpCall, args: Arguments) => Promise<ToolResult>;
}

/** Returns the JSON Schema of a tool's arguments. */
export function inputSchemaOf({ properties, required }: Tool): Record<string, unknown> {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties,
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

/** Returns the error for an argument that the tool does not accept. */
export function invalidArgument(
  tool: string,
  argument: string,
  { reason, remedy }: { readonly reason: string; readonly remedy: string },
): GalleyError {
  return createError('mcp/invalid-argument', { tool, argument, reason, remedy });
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a text',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
};

const isOfType = (value: unknown, type: string): boolean => {
  switch (type) {
    case 'integer':
      return Number.isSafeInteger(value);
    case 'object':
      return isRecord(value);
    case 'array':
      return Array.isArray(value);
    default:
      return typeof value === type;
  }
};

/** Some clients accept only one `type` in a schema, so that an argument of several types has `anyOf`. */
const typesOf = ({ type, anyOf }: JsonSchema): readonly string[] => {
  if (typeof type === 'string') return [type];
  return Array.isArray(anyOf) ? anyOf.filter(isRecord).flatMap(typesOf) : [];
};

/** Some clients send objects and lists as JSON text, and lists of one text as the text. */
const decodeText = (value: unknown, types: readonly string[]): unknown => {
  if (typeof value !== 'string' || types.includes('string')) return value;
  try {
    return JSON.parse(value);
  } catch {
    return types.includes('array') ? [value] : value;
  }
};

const rangeOf = ({ minimum, maximum }: JsonSchema): string =>
  [
    ...(typeof minimum === 'number' ? [`at least ${minimum}`] : []),
    ...(typeof maximum === 'number' ? [`at most ${maximum}`] : []),
  ].join(' and ');

const isInRange = (value: unknown, { minimum, maximum }: JsonSchema): boolean =>
  typeof value !== 'number' ||
  ((typeof minimum !== 'number' || value >= minimum) && (typeof maximum !== 'number' || value <= maximum));

/** Returns the value of an argument. */
const parseArgument = (tool: Tool, name: string, sent: unknown, schema: JsonSchema): unknown => {
  const types = typesOf(schema);
  const value = decodeText(sent, types);
  const expected = types.map((type) => TYPE_NAMES[type] ?? type).join(' or ');
  const remedy = `Send ${name} as ${expected}.`;
  if (types.length > 0 && !types.some((type) => isOfType(value, type)))
    throw invalidArgument(tool.name, name, { reason: `must be ${expected}`, remedy });
  if (!isInRange(value, schema))
    throw invalidArgument(tool.name, name, { reason: `must be ${rangeOf(schema)}`, remedy });
  const { enum: values } = schema;
  if (!Array.isArray(values) || values.includes(value)) return value;
  const known = values.map(String);
  throw invalidArgument(tool.name, name, {
    reason: `must be one of ${known.join(', ')}`,
    remedy: didYouMean(String(value), known, `Send ${known.join(' or ')}.`),
  });
};

/**
 * Parses the arguments of a call. Null counts as absent.
 *
 * @throws `mcp/invalid-argument`, which names the valid values
 */
export function parseArguments(tool: Tool, sent: unknown): Arguments {
  const { name, properties, required } = tool;
  const known = Object.keys(properties);
  if (!isRecord(sent))
    throw invalidArgument(name, 'arguments', {
      reason: 'must be an object',
      remedy: `Send an object with ${known.join(', ')}.`,
    });
  const args: Record<string, unknown> = {};
  for (const [argument, value] of Object.entries(sent)) {
    if (value === null) continue;
    const schema = Object.hasOwn(properties, argument) ? properties[argument] : undefined;
    if (schema === undefined)
      throw invalidArgument(name, argument.slice(0, 60), {
        reason: 'is unknown',
        remedy: `${didYouMean(argument, known)} Known are ${known.join(', ')}.`.trim(),
      });
    args[argument] = parseArgument(tool, argument, value, schema);
  }
  const missing = required.find((argument) => args[argument] === undefined);
  if (missing !== undefined)
    throw invalidArgument(name, missing, {
      reason: 'is missing',
      remedy: `${name} requires ${required.join(', ')}.`,
    });
  return args;
}

/** Returns an argument that is a text, if it was sent. */
export function textArgument(args: Arguments, name: string): string | undefined {
  const value = args[name];
  return typeof value === 'string' ? value : undefined;
}
