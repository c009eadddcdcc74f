/**
 * Implements `strapi.ai.mcp`, with which project code registers tools, prompts and resources of the Model
 * Context Protocol. Start at {@link createAi}.
 */
import { MCP_PROMPTS } from '../../api/mcp/prompts-and-resources.js';
import type {
  RegisteredPrompt,
  RegisteredResource,
  RegisteredTool,
  Registrations,
} from '../../api/mcp/mcp-services.js';
import { TOOLS } from '../../api/mcp/tools/all-tools.js';
import type { Config } from '../../config/config.js';
import { createError } from '../../errors/catalogue.js';
import { findSource, messageOf } from '../../lib/caught-errors.js';
import { isRecord, propertyOf } from '../../lib/records.js';
import type { ContentModel } from '../../model/model.js';
import type { Log } from '../runtime/log.js';
import { withUnavailable } from '../unavailable.js';
import { createAccessRules } from './access-rules.js';
import type { AccessRules, McpAccess } from './access-rules.js';
import { assertDefinition, assertSchema, parseWith, printSchema } from './definitions.js';
import type {
  Kind,
  McpPromptDefinition,
  McpResourceDefinition,
  McpToolDefinition,
  Schema,
} from './definitions.js';

/** `strapi.ai` */
export interface Ai<App> {
  readonly mcp: {
    /** True: `cms mcp` serves tools in each environment. */
    readonly isEnabled: () => boolean;
    /** True when the app has started. */
    readonly isRunning: () => boolean;
    readonly registerTool: <Input>(definition: McpToolDefinition<App, Input>) => void;
    readonly registerPrompt: (definition: McpPromptDefinition<App>) => void;
    readonly registerResource: (definition: McpResourceDefinition<App>) => void;
  };
}

/** The parts of `strapi` that this file uses. */
interface HostApp {
  readonly log: Pick<Log, 'warn'>;
  readonly utils: Readonly<Record<string, unknown>>;
}

interface AiDependencies<App> {
  readonly root: string;
  readonly config: Pick<Config, 'environment'>;
  readonly model: ContentModel;
  readonly strapi: App;
}

/** `strapi.ai` of one app, and the registrations of its code. */
interface CreatedAi<App> {
  readonly ai: Ai<App>;
  readonly registrations: Registrations;
  /** Ends the time in which code registers. Call it after `bootstrap`. */
  readonly start: () => void;
}

const METHODS = { tool: 'registerTool', prompt: 'registerPrompt', resource: 'registerResource' } as const;

/** Galley's tools and prompts by their kind. Its resources have addresses that begin with `galley:`. */
const RESERVED: Readonly<Record<Kind, ReadonlySet<string>>> = {
  tool: new Set(TOOLS.map(({ name }) => name)),
  prompt: new Set(MCP_PROMPTS.map(({ name }) => name)),
  resource: new Set(),
};

const RESERVED_SCHEME = 'galley:';

const REMEDIES = {
  start: 'Galley serves tools at /mcp and in cms mcp by itself; see mcp.enabled in cms.config.',
  stop: 'Galley serves tools at /mcp and in cms mcp by itself; see mcp.enabled in cms.config.',
};

/** The dependencies of the requests that the code of an app handles. */
interface Handling<App> {
  readonly strapi: App;
  readonly rules: AccessRules;
}

const invalidCall = (call: string, reason: string): Error =>
  createError('strapi/invalid-call', { call, reason });

/** Returns the arguments of a call, parsed by the schema of the input. */
const parseArguments = async (schema: Schema, name: string, args: unknown): Promise<unknown> => {
  const parsed = await parseWith(schema, args ?? {});
  if (parsed.problems === null) return parsed.value;
  throw createError('mcp/invalid-argument', {
    tool: name,
    argument: 'arguments',
    reason: `are not valid: ${parsed.problems}`,
    remedy: `Send arguments that fit the schema of ${name}.`,
  });
};

/** Returns the result of a handler, whose member must be a list. */
const resultOf = (result: unknown, member: string, call: string): Readonly<Record<string, unknown>> => {
  if (isRecord(result) && Array.isArray(result[member])) return result;
  throw invalidCall(call, `the result must be an object with the list ${member}`);
};

/** Returns a description, or null with a message in the log. */
const describeOrWarn = <T>(
  { strapi }: Pick<Handling<HostApp>, 'strapi'>,
  part: string,
  describe: () => T,
): T | null => {
  try {
    return describe();
  } catch (error) {
    strapi.log.warn(`The ${part} of strapi.ai.mcp is not listed: ${messageOf(error)}`);
    return null;
  }
};

const EMPTY_INPUT: Readonly<Record<string, unknown>> = {
  type: 'object',
  properties: {},
  additionalProperties: false,
};

const toTool = <App extends HostApp>(
  definition: McpToolDefinition<App>,
  handling: Handling<App>,
): RegisteredTool => {
  const { name, title, description, resolveInputSchema, resolveOutputSchema, createHandler } = definition;
  const { strapi, rules } = handling;
  const call = `The tool ${name}`;
  const z = (): unknown => strapi.utils['z'];
  return {
    name,
    isPermitted: (caller) => rules.isPermitted(definition, caller),
    describe: (caller) =>
      describeOrWarn(handling, `tool ${name}`, () => {
        const context = rules.contextOf(caller);
        const input = resolveInputSchema?.(context);
        const output = assertSchema(resolveOutputSchema(context), `${call}: the schema of the output`);
        return {
          title,
          description,
          inputSchema: input === undefined ? EMPTY_INPUT : printSchema(input, 'input', { z, call }),
          outputSchema: printSchema(output, 'output', { z, call }),
        };
      }),
    call: async ({ caller, args, facts }) => {
      const context = rules.contextOf(caller);
      const input = resolveInputSchema?.(context);
      const parsed = input === undefined ? {} : { args: await parseArguments(input, name, args) };
      const handle = createHandler(strapi, context);
      const result = resultOf(await handle({ args: undefined, ...parsed, extra: facts }), 'content', call);
      const { content, structuredContent, isError } = result;
      if (isError === true) return { content: content as object[], isError: true };
      const output = assertSchema(resolveOutputSchema(context), `${call}: the schema of the output`);
      const { problems } = await parseWith(output, structuredContent);
      if (problems !== null || !isRecord(structuredContent))
        throw invalidCall(call, `structuredContent does not fit the schema of the output: ${problems ?? ''}`);
      return { content: content as object[], structuredContent };
    },
  };
};

const toPrompt = <App extends HostApp>(
  definition: McpPromptDefinition<App>,
  handling: Handling<App>,
): RegisteredPrompt => {
  const { name, title, description, argsSchema, createHandler } = definition;
  const { strapi, rules } = handling;
  const call = `The prompt ${name}`;
  return {
    name,
    isPermitted: (caller) => rules.isPermitted(definition, caller),
    describe: () =>
      describeOrWarn(handling, `prompt ${name}`, () => {
        const z = (): unknown => strapi.utils['z'];
        const schema = argsSchema === undefined ? EMPTY_INPUT : printSchema(argsSchema, 'input', { z, call });
        const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
        const properties = Object.entries(isRecord(schema['properties']) ? schema['properties'] : {});
        return {
          title,
          description,
          arguments: properties.map(([argument, property]) => {
            const text = propertyOf(property, 'description');
            return {
              name: argument,
              ...(typeof text === 'string' ? { description: text } : {}),
              required: required.includes(argument),
            };
          }),
        };
      }),
    get: async ({ args, facts }) => {
      const parsed = argsSchema === undefined ? [] : [await parseArguments(argsSchema, name, args)];
      const handle = createHandler(strapi) as (...values: readonly unknown[]) => Promise<unknown>;
      return resultOf(await handle(...parsed, facts), 'messages', call);
    },
  };
};

const toResource = <App extends HostApp>(
  definition: McpResourceDefinition<App>,
  { strapi, rules }: Handling<App>,
): RegisteredResource => {
  const { name, uri, metadata, createHandler } = definition;
  const { title, description, mimeType, size, icons, annotations, _meta } = metadata ?? {};
  const address = new URL(uri);
  return {
    name,
    uri: address.toString(),
    metadata: { title, description, mimeType, size, icons, annotations, _meta },
    isPermitted: (caller) => rules.isPermitted(definition, caller),
    read: async ({ facts }) =>
      resultOf(await createHandler(strapi)(new URL(address), facts), 'contents', `The resource ${name}`),
  };
};

/**
 * Returns a function that reserves a name. It throws `strapi/invalid-call`, with both places, if it is in
 * use.
 */
const createReservations = (sourceOf: () => string) => {
  const sources = new Map<string, string>();
  return (kind: Kind, name: string, isReserved: boolean): void => {
    const key = `${kind} ${name}`;
    const place = sourceOf();
    const source = sources.get(key) ?? (isReserved ? 'Galley' : undefined);
    if (source !== undefined)
      throw invalidCall(
        `strapi.ai.mcp.${METHODS[kind]}`,
        `the ${key} of ${place} has the name of the ${key} of ${source}`,
      );
    sources.set(key, place);
  };
};

/** Creates `strapi.ai` of an app. */
export function createAi<App extends HostApp>({
  root,
  config,
  model,
  strapi,
}: AiDependencies<App>): CreatedAi<App> {
  const rules = createAccessRules(model, config.environment === 'development');
  const handling: Handling<App> = { strapi, rules };
  const tools: RegisteredTool[] = [];
  const prompts: RegisteredPrompt[] = [];
  const resources: RegisteredResource[] = [];
  const sourceOf = (): string => findSource(root, new Error('here')) ?? 'a plugin';
  const reserve = createReservations(sourceOf);
  let isStarted = false;
  const warnOfAccess = (kind: Kind, definition: McpAccess & { readonly name: string }): void => {
    const policies = rules.fullAccessOnly(definition);
    if (policies.length === 0) return;
    const names = policies.map(({ action, subject }) => [action, subject].filter(Boolean).join(' of '));
    strapi.log.warn(
      `The ${kind} ${definition.name} of ${sourceOf()} requires ${names.join(' or ')}, which only ` +
        'callers with full access have. See docs/strapi.md.',
    );
  };
  const register = (kind: Kind, definition: McpAccess & { readonly name: string }): void => {
    const call = `strapi.ai.mcp.${METHODS[kind]}`;
    if (isStarted)
      throw invalidCall(call, `register ${kind}s in register or bootstrap, before the server starts`);
    assertDefinition(kind, definition, call);
    reserve(kind, definition.name, RESERVED[kind].has(definition.name));
    warnOfAccess(kind, definition);
  };
  const mcp: Ai<App>['mcp'] = {
    isEnabled: () => true,
    isRunning: () => isStarted,
    registerTool: (definition) => {
      register('tool', definition);
      tools.push(toTool(definition as McpToolDefinition<App>, handling));
    },
    registerPrompt: (definition) => {
      register('prompt', definition);
      prompts.push(toPrompt(definition, handling));
    },
    registerResource: (definition) => {
      register('resource', definition);
      const resource = toResource(definition, handling);
      reserve('resource', resource.uri, resource.uri.startsWith(RESERVED_SCHEME));
      resources.push(resource);
    },
  };
  return {
    ai: withUnavailable(
      { mcp: withUnavailable(mcp, 'strapi.ai.mcp', { remedies: REMEDIES }) },
      'strapi.ai',
      // Exists in Strapi only with a license.
      { absent: ['admin'] },
    ),
    registrations: { tools, prompts, resources },
    start: () => {
      isStarted = true;
    },
  };
}
