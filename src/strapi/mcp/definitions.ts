import type { RequestFacts } from '../../api/mcp/mcp-services.js';
import { createError } from '../../errors/catalogue.js';
import { isRecord, propertyOf } from '../../lib/records.js';
import type { McpAccess, McpHandlerContext } from './access-rules.js';

/** A problem of a value that does not fit a schema. */
interface Issue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

type Validation<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly Issue[] };

/** A schema of zod, or of another library that implements Standard Schema. */
export interface Schema<Output = unknown> {
  readonly '~standard': {
    readonly validate: (value: unknown) => Validation<Output> | Promise<Validation<Output>>;
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
  };
}

const isSchema = (value: unknown): value is Schema =>
  typeof propertyOf(propertyOf(value, '~standard'), 'validate') === 'function';

/** @throws `strapi/invalid-call` unless the value is a schema */
export function assertSchema(value: unknown, call: string): Schema {
  if (isSchema(value)) return value;
  throw createError('strapi/invalid-call', {
    call,
    reason: "must be a schema, such as z.object of the package '@strapi/utils'",
  });
}

/**
 * Returns the JSON Schema of a schema. Schemas print themselves since zod 4.2; `z` prints older ones.
 *
 * @throws `strapi/invalid-call` unless it describes an object, and errors of the library
 */
export function printSchema(
  schema: Schema,
  side: 'input' | 'output',
  { z, call }: { readonly z: () => unknown; readonly call: string },
): Readonly<Record<string, unknown>> {
  const own = propertyOf(propertyOf(schema['~standard'], 'jsonSchema'), side);
  const print = propertyOf(own === undefined ? z() : undefined, 'toJSONSchema');
  const printed: unknown =
    typeof own === 'function'
      ? own({ target: 'draft-2020-12' })
      : typeof print === 'function'
        ? print(schema, { io: side })
        : null;
  if (isRecord(printed) && printed['type'] === 'object') return printed;
  throw createError('strapi/invalid-call', {
    call,
    reason: printed === null ? 'needs zod 4; run: npm install zod' : 'must describe an object',
  });
}

const printIssue = ({ message, path = [] }: Issue): string => {
  const names = path.map((part) => String(typeof part === 'object' ? part.key : part));
  return names.length === 0 ? message : `${names.join('.')}: ${message}`;
};

/** Returns the parsed value, or the problems as text. */
export async function parseWith(
  schema: Schema,
  value: unknown,
): Promise<{ readonly value: unknown; readonly problems: null } | { readonly problems: string }> {
  const result = await schema['~standard'].validate(value);
  return result.issues === undefined || result.issues.length === 0
    ? { value: 'value' in result ? result.value : value, problems: null }
    : { problems: result.issues.map(printIssue).join('; ') };
}

/** The members that tools, prompts and resources share. */
interface Definition {
  readonly name: string;
  /** Galley sends no telemetry. */
  readonly telemetry?: unknown;
}

/** The result of a tool. Without `isError`, `structuredContent` must fit the schema of the output. */
interface McpToolResult {
  readonly content: readonly object[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
}

interface McpToolParams<Input> {
  /** Absent if the tool has no schema of the input. */
  readonly args: Input;
  readonly extra: RequestFacts;
}

/** A tool in the form of `strapi.ai.mcp.registerTool`. `App` is `strapi`. */
export type McpToolDefinition<App, Input = unknown> = Definition &
  McpAccess & {
    readonly title: string;
    readonly description: string;
    /** Called for each request. */
    readonly resolveInputSchema?: (context: McpHandlerContext) => Schema<Input> | undefined;
    readonly resolveOutputSchema: (context: McpHandlerContext) => Schema;
    readonly createHandler: (
      strapi: App,
      context: McpHandlerContext,
    ) => (params: McpToolParams<Input>) => Promise<McpToolResult>;
  };

interface McpPromptResult {
  readonly description?: string;
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly content: object }[];
}

/** A prompt in the form of `strapi.ai.mcp.registerPrompt`. */
export type McpPromptDefinition<App> = Definition &
  McpAccess & {
    readonly title: string;
    readonly description: string;
    readonly argsSchema?: Schema | undefined;
    /** The handler receives the arguments, if there is `argsSchema`, and the facts about the request. */
    readonly createHandler: (strapi: App) => (...args: never[]) => Promise<McpPromptResult>;
  };

interface McpResourceResult {
  readonly contents: readonly { readonly uri: string; readonly mimeType?: string }[];
}

/** A resource in the form of `strapi.ai.mcp.registerResource`. */
export type McpResourceDefinition<App> = Definition &
  McpAccess & {
    readonly uri: string;
    /** `title`, `description`, `mimeType`, `size`, `icons` and `annotations`. */
    readonly metadata: Readonly<Record<string, unknown>>;
    readonly createHandler: (strapi: App) => (uri: URL, extra: RequestFacts) => Promise<McpResourceResult>;
  };

const TEXTS = {
  tool: ['title', 'description'],
  prompt: ['title', 'description'],
  resource: ['uri'],
} as const;

export type Kind = keyof typeof TEXTS;

const hasPolicies = (auth: unknown): boolean => {
  const policies = isRecord(auth) ? auth['policies'] : undefined;
  return (
    Array.isArray(policies) &&
    policies.length > 0 &&
    policies.every(
      (policy: unknown) =>
        isRecord(policy) &&
        typeof policy['action'] === 'string' &&
        policy['action'] !== '' &&
        ['string', 'undefined'].includes(typeof policy['subject']),
    )
  );
};

const isOneOf = (value: unknown, types: readonly string[]): boolean => types.includes(typeof value);

/** Returns the reason why a value is not a definition. Null: it is one. */
const problemOf = (kind: Kind, definition: unknown): string | null => {
  if (!isRecord(definition)) return 'must be an object';
  const missing = ['name', ...TEXTS[kind]].find(
    (key) => typeof definition[key] !== 'string' || definition[key] === '',
  );
  if (missing !== undefined) return `requires the text ${missing}`;
  if (typeof definition['createHandler'] !== 'function') return 'requires the function createHandler';
  if (kind === 'tool' && typeof definition['resolveOutputSchema'] !== 'function')
    return 'requires the function resolveOutputSchema';
  if (!isOneOf(definition['resolveInputSchema'], ['function', 'undefined']))
    return 'has a resolveInputSchema that is not a function';
  if (kind === 'resource' && !URL.canParse(String(definition['uri'])))
    return 'requires an absolute uri, such as strapi://app/info';
  return definition['devModeOnly'] === true || hasPolicies(definition['auth'])
    ? null
    : 'must declare its callers: devModeOnly: true, or auth: { policies: [{ action, subject }] }';
};

/**
 * Asserts the form of a definition. One without valid access rules is never available.
 *
 * @param call the call that passes it, for the error
 * @throws `strapi/invalid-call`
 */
export function assertDefinition(kind: Kind, definition: unknown, call: string): void {
  const reason = problemOf(kind, definition);
  if (reason === null) return;
  const name = isRecord(definition) && typeof definition['name'] === 'string' ? definition['name'] : '';
  throw createError('strapi/invalid-call', { call, reason: `the ${kind} ${name}`.trim() + ` ${reason}` });
}
