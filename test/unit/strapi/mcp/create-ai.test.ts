import { describe, expect, it } from 'vitest';
import { NO_GRANTS } from '../../../../src/access/access.js';
import type { Caller, GrantRule, Grants } from '../../../../src/access/access.js';
import type { Config } from '../../../../src/config/config.js';
import { createAi } from '../../../../src/strapi/mcp/create-ai.js';
import type { McpAccess } from '../../../../src/strapi/mcp/access-rules.js';
import { modelFrom } from '../../../support/models.js';

const MODEL = modelFrom({
  types: {
    article: { attributes: { title: { type: 'string' } }, options: { draftAndPublish: true } },
    tag: { attributes: { name: { type: 'string' } }, options: { draftAndPublish: false } },
    home: { kind: 'singleType', attributes: { title: { type: 'string' } } },
  },
});

/** A schema of Standard Schema that accepts everything. */
const ANYTHING = {
  '~standard': {
    validate: (value: unknown) => ({ value }),
    jsonSchema: { input: () => ({ type: 'object' }), output: () => ({ type: 'object' }) },
  },
};

const FULL: Caller = { kind: 'token', tokenId: 1, grants: { kind: 'all' } };
const READER: Caller = { kind: 'token', tokenId: 2, grants: { kind: 'read' } };
const callerWith = (actions: readonly string[], rules: readonly string[] = []): Caller => ({
  kind: 'token',
  tokenId: 3,
  grants: {
    kind: 'actions',
    actions: new Set([...actions, ...rules]),
    rules: new Map(rules.map((name): [string, GrantRule] => [name, { fields: null, where: { id: 1 } }])),
  } satisfies Grants,
});

const create = (environment: Config['environment'] = 'production') => {
  const warnings: string[] = [];
  const strapi = {
    log: { warn: (...values: readonly unknown[]) => void warnings.push(values.join(' ')) },
    utils: { z: undefined },
  };
  return { ...createAi({ root: '/project', config: { environment }, model: MODEL, strapi }), warnings };
};

const POLICY: McpAccess = { auth: { policies: [{ action: 'plugin::shop.sell' }] } };

const toolWith = (members: object) =>
  ({
    name: 'greet',
    title: 'Greet',
    description: 'Greets.',
    ...POLICY,
    resolveOutputSchema: () => ANYTHING,
    createHandler: () => async () => ({ content: [], structuredContent: {} }),
    ...members,
  }) as never;

const promptWith = (members: object) =>
  ({
    name: 'tone',
    title: 'Tone',
    description: 'Sets the tone.',
    ...POLICY,
    createHandler: () => async () => ({ messages: [] }),
    ...members,
  }) as never;

const resourceWith = (members: object) =>
  ({
    name: 'info',
    uri: 'strapi://app/info',
    metadata: {},
    ...POLICY,
    createHandler: () => async () => ({ contents: [] }),
    ...members,
  }) as never;

describe('strapi.ai.mcp', () => {
  it.each([
    [
      'of a tool of Galley',
      (ai: ReturnType<typeof create>['ai']) => ai.mcp.registerTool(toolWith({ name: 'find' })),
      /the tool find of .* has the name of the tool find of Galley/,
    ],
    [
      'of a tool that not every server has',
      (ai: ReturnType<typeof create>['ai']) => ai.mcp.registerTool(toolWith({ name: 'change_schema' })),
      'change_schema of Galley',
    ],
    [
      'of a prompt of Galley',
      (ai: ReturnType<typeof create>['ai']) => ai.mcp.registerPrompt(promptWith({ name: 'translate' })),
      'the prompt translate of Galley',
    ],
    [
      'of a resource of Galley',
      (ai: ReturnType<typeof create>['ai']) =>
        ai.mcp.registerResource(resourceWith({ uri: 'galley://model' })),
      'the resource galley://model of Galley',
    ],
    [
      'that is in use',
      (ai: ReturnType<typeof create>['ai']) => {
        ai.mcp.registerTool(toolWith({}));
        ai.mcp.registerTool(toolWith({}));
      },
      /the tool greet of .* has the name of the tool greet of a plugin/,
    ],
    [
      'and an address that is in use',
      (ai: ReturnType<typeof create>['ai']) => {
        ai.mcp.registerResource(resourceWith({}));
        ai.mcp.registerResource(resourceWith({ name: 'other' }));
      },
      'the resource strapi://app/info of',
    ],
  ])('rejects a name %s, and names both', (_case, register, message) => {
    expect(() => register(create().ai)).toThrow(message);
  });

  it.each([
    [{ auth: undefined }, 'must declare its callers'],
    [{ auth: { policies: [] } }, 'must declare its callers'],
    [{ auth: { policies: [{ action: '' }] } }, 'must declare its callers'],
    [{ auth: { policies: [{ action: 'a', subject: 1 }] } }, 'must declare its callers'],
    [{ devModeOnly: false, auth: undefined }, 'must declare its callers'],
    [{ name: '' }, 'requires the text name'],
    [{ createHandler: undefined }, 'requires the function createHandler'],
    [{ resolveOutputSchema: undefined }, 'requires the function resolveOutputSchema'],
  ])('rejects a tool with %j', (members, message) => {
    const { ai, registrations } = create();
    expect(() => ai.mcp.registerTool(toolWith(members))).toThrow(message);
    expect(registrations.tools).toEqual([]);
  });

  it('rejects registrations after the start, and calls that start or stop the server', () => {
    const { ai, start } = create();
    expect(ai.mcp.isEnabled()).toBe(true);
    expect(ai.mcp.isRunning()).toBe(false);
    start();
    expect(ai.mcp.isRunning()).toBe(true);
    expect(() => ai.mcp.registerTool(toolWith({}))).toThrow('in register or bootstrap');
    expect(() => Reflect.get(ai.mcp, 'start')).toThrow('strapi.ai.mcp.start does not exist here');
    expect(Reflect.get(ai, 'admin')).toBeUndefined();
  });

  it('serves tools for development only there, to callers with full access', () => {
    const tool = toolWith({ devModeOnly: true, auth: undefined });
    for (const [environment, isPermitted] of [
      ['development', true],
      ['production', false],
      ['staging', false],
      ['test', false],
    ] as const) {
      const { ai, registrations } = create(environment);
      ai.mcp.registerTool(tool);
      expect(registrations.tools[0]?.isPermitted(FULL)).toBe(isPermitted);
      expect(registrations.tools[0]?.isPermitted(READER)).toBe(false);
    }
  });

  it.each([
    ['explorer.read', 'api::tag.tag', ['api::tag.tag.find', 'api::tag.tag.findOne']],
    [
      'explorer.read',
      'api::article.article',
      ['api::article.article.find', 'api::article.article.findOne', 'api::article.article.findDrafts'],
    ],
    ['explorer.create', 'api::tag.tag', ['api::tag.tag.create']],
    ['explorer.create', 'api::home.home', ['api::home.home.update']],
    ['explorer.update', 'api::tag.tag', ['api::tag.tag.update']],
    ['explorer.delete', 'api::tag.tag', ['api::tag.tag.delete']],
    ['explorer.publish', 'api::article.article', ['api::article.article.update']],
  ])('opens a tool for %s of %s to callers with %j', (name, subject, required) => {
    const { ai, registrations, warnings } = create();
    const action = `plugin::content-manager.${name}`;
    ai.mcp.registerTool(toolWith({ auth: { policies: [{ action, subject }] } }));
    const isPermitted = (caller: Caller) => registrations.tools[0]?.isPermitted(caller);
    expect(isPermitted(FULL)).toBe(true);
    expect(isPermitted(callerWith(required))).toBe(true);
    for (const missing of required) {
      const others = required.filter((each) => each !== missing);
      expect(isPermitted(callerWith(others)), missing).toBe(false);
      // The calls of project code would not apply the condition.
      expect(isPermitted(callerWith(others, [missing])), `limited ${missing}`).toBe(false);
    }
    expect(isPermitted({ kind: 'anonymous', grants: NO_GRANTS })).toBe(false);
    expect(warnings).toEqual([]);
  });

  it.each([
    [{ action: 'plugin::shop.sell' }, 'requires plugin::shop.sell, which only callers with full access'],
    [{ action: 'plugin::content-manager.explorer.read' }, 'explorer.read, which'],
    [
      { action: 'plugin::content-manager.explorer.read', subject: 'plugin::users-permissions.user' },
      'explorer.read of plugin::users-permissions.user',
    ],
    [{ action: 'api::tag.tag.find', subject: 'api::tag.tag' }, 'api::tag.tag.find of api::tag.tag'],
    [{ action: 'plugin::cms.tokens.read' }, 'plugin::cms.tokens.read'],
  ])('opens a tool with the policy %j to full access only, with a warning', (policy, message) => {
    const { ai, registrations, warnings } = create();
    ai.mcp.registerTool(toolWith({ auth: { policies: [policy] } }));
    const tool = registrations.tools[0];
    expect(tool?.isPermitted(FULL)).toBe(true);
    expect(tool?.isPermitted(READER)).toBe(false);
    expect(tool?.isPermitted(callerWith(['plugin::shop.sell', 'plugin::cms.tokens.read']))).toBe(false);
    expect(warnings).toEqual([expect.stringContaining(message)]);
  });

  it('opens a tool to callers with any of its policies, also permissions of the API', () => {
    const { ai, registrations } = create();
    const policies = [{ action: 'api::tag.tag.find' }, { action: 'api::tag.tag.update' }];
    ai.mcp.registerTool(toolWith({ auth: { policies } }));
    const tool = registrations.tools[0];
    expect(tool?.isPermitted(READER)).toBe(true);
    expect(tool?.isPermitted(callerWith(['api::tag.tag.update']))).toBe(true);
    expect(tool?.isPermitted(callerWith(['api::tag.tag.create']))).toBe(false);
  });

  it.each([
    ['is no schema', () => null, 'must be a schema'],
    ['cannot be printed', () => ({ '~standard': { validate: ANYTHING['~standard'].validate } }), 'zod 4'],
    [
      'describes no object',
      () => ({
        '~standard': { ...ANYTHING['~standard'], jsonSchema: { output: () => ({ type: 'array' }) } },
      }),
      'must describe an object',
    ],
  ])('does not list a tool whose schema %s, with a warning', (_case, resolveOutputSchema, message) => {
    const { ai, registrations, warnings } = create();
    ai.mcp.registerTool(
      toolWith({ auth: { policies: [{ action: 'api::tag.tag.find' }] }, resolveOutputSchema }),
    );
    expect(registrations.tools[0]?.describe(FULL)).toBeNull();
    expect(warnings).toEqual([expect.stringMatching(new RegExp(`tool greet .*${message}`))]);
  });
});
