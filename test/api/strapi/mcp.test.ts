import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { connectHttp } from '../support/mcp-client.js';
import type { McpTestClient } from '../support/mcp-client.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';

const { resolve } = createRequire(import.meta.url);
const ZOD = createRequire(resolve('@modelcontextprotocol/server')).resolve('zod');

const READ_TAGS =
  "{ policies: [{ action: 'plugin::content-manager.explorer.read', subject: 'api::tag.tag' }] }";
const SELL = "{ policies: [{ action: 'plugin::shop.sell' }] }";

/** Tools, prompts and resources in the form of Strapi's documentation. */
const INDEX = `
import { ai } from '@strapi/strapi';
import { errors, z } from '@strapi/utils';

const countTags = ai.mcp.defineTool({
  name: 'count_tags',
  title: 'Count tags',
  description: 'Counts the tags whose name begins with a text.',
  auth: ${READ_TAGS},
  resolveInputSchema: () => z.object({ prefix: z.string().describe('The text.').default('') }),
  resolveOutputSchema: () =>
    z.object({ count: z.number(), seesArticles: z.boolean(), user: z.null(), facts: z.array(z.string()) }),
  createHandler: (strapi, { userAbility, user }) => async ({ args, extra }) => {
    const filters = { name: { $startsWith: args.prefix } };
    const count = await strapi.documents('api::tag.tag').count({ filters });
    const seesArticles = userAbility.can('plugin::content-manager.explorer.read', 'api::article.article');
    const facts = [typeof extra.requestId, extra.signal.constructor.name, extra.requestInfo.url.pathname];
    return {
      content: [{ type: 'text', text: count + ' tags' }],
      structuredContent: { count, seesArticles, user: user.id, facts },
    };
  },
});

const failingTool = (name, fail) => ({
  name,
  title: name,
  description: 'Fails.',
  auth: ${SELL},
  resolveOutputSchema: () => z.object({ count: z.number() }),
  createHandler: fail,
});

export const register = ({ strapi }) => {
  if (!strapi.ai.mcp.isEnabled()) return;
  const { mcp } = strapi.ai;
  mcp.registerTool(countTags);
  mcp.registerTool(failingTool('throw_secret', () => async () => { throw new Error('secret-of-the-code'); }));
  mcp.registerTool(failingTool('throw_factory', () => { throw new Error('secret-of-the-code'); }));
  mcp.registerTool(
    failingTool('throw_message', () => async () => { throw new errors.ApplicationError('Sold out'); }),
  );
  mcp.registerTool(
    failingTool('return_error', () => async () => ({
      content: [{ type: 'text', text: 'No' }],
      isError: true,
    })),
  );
  mcp.registerTool(
    failingTool('return_nonsense', () => async () => ({ content: [], structuredContent: { count: 'many' } })),
  );
  mcp.registerTool({
    ...failingTool('unlisted', () => async () => ({ content: [], structuredContent: {} })),
    resolveOutputSchema: () => z.object({ at: z.date() }),
  });
  mcp.registerTool({
    ...failingTool('of_development', () => async () => ({ content: [], structuredContent: { count: 1 } })),
    auth: undefined,
    devModeOnly: true,
  });
};

export const bootstrap = ({ strapi }) => {
  const { mcp } = strapi.ai;
  mcp.registerPrompt(
    ai.mcp.definePrompt({
      name: 'tone',
      title: 'Tone',
      description: 'Sets the tone.',
      auth: ${READ_TAGS},
      argsSchema: z.object({ mood: z.string().describe('The mood.'), length: z.string().optional() }),
      createHandler: (strapi) => async ({ mood }, extra) => {
        const text = [typeof strapi.documents, mood, typeof extra.signal].join(' ');
        return { messages: [{ role: 'user', content: { type: 'text', text } }] };
      },
    }),
  );
  mcp.registerPrompt({
    name: 'plain',
    title: 'Plain',
    description: 'Has no arguments.',
    auth: ${READ_TAGS},
    createHandler: () => async (extra) => ({
      messages: [{ role: 'user', content: { type: 'text', text: typeof extra.requestId } }],
    }),
  });
  mcp.registerResource(
    ai.mcp.defineResource({
      name: 'app-info',
      uri: 'strapi://app/info',
      metadata: { title: 'Info', description: 'About the app', mimeType: 'application/json' },
      auth: ${READ_TAGS},
      createHandler: () => async (uri) => ({
        contents: [{ uri: uri.href, mimeType: 'application/json', text: '{"ok":true}' }],
      }),
    }),
  );
};
`;

const [DATABASE] = databases;

describe.runIf(DATABASE !== undefined)('strapi.ai.mcp at /mcp', () => {
  let site: Site;
  const clients = new Map<string, McpTestClient>();
  const clientOf = (name: string): McpTestClient => clients.get(name) as McpTestClient;
  beforeAll(async () => {
    site = await createSite({
      project: 'magazine',
      database: DATABASE as (typeof databases)[number],
      config: { mcp: { enabled: 'always' } },
      files: {
        'src/index.mjs': INDEX,
        'node_modules/zod/package.json': JSON.stringify({ name: 'zod', main: 'index.cjs' }),
        'node_modules/zod/index.cjs': `module.exports = require(${JSON.stringify(ZOD)});`,
      },
    });
    for (const name of ['full', 'readonly', 'tagger'])
      clients.set(name, await connectHttp(site.server.url, site.tokens[name] ?? ''));
  });
  afterAll(async () => {
    for (const { close } of clients.values()) await close();
    await site.close();
  });

  const toolNames = async (name: string): Promise<readonly string[]> =>
    (await clientOf(name).client.listTools()).tools.map((tool) => tool.name);

  it('lists tools after those of Galley, to callers whose permissions satisfy their policies', async () => {
    const full = await toolNames('full');
    expect(full.slice(full.indexOf('upload') + 1)).toEqual([
      'count_tags',
      'throw_secret',
      'throw_factory',
      'throw_message',
      'return_error',
      'return_nonsense',
    ]);
    const readonly = await toolNames('readonly');
    expect(readonly.slice(readonly.indexOf('upload') + 1)).toEqual(['count_tags']);
    expect(await toolNames('tagger')).not.toContain('count_tags');
    const { tools } = await clientOf('full').client.listTools();
    expect(tools.find(({ name }) => name === 'count_tags')).toMatchObject({
      title: 'Count tags',
      inputSchema: {
        type: 'object',
        properties: { prefix: { type: 'string', description: 'The text.', default: '' } },
      },
      outputSchema: { type: 'object', required: ['count', 'seesArticles', 'user', 'facts'] },
    });
  });

  it('warns of policies that only full access satisfies, and of tools that cannot be listed', async () => {
    await toolNames('full');
    const messages = site.log.map((line) => (JSON.parse(line) as { readonly msg: string }).msg);
    expect(messages).toContainEqual(
      expect.stringMatching(/^The tool throw_secret of src\/index.mjs:\d+ requires plugin::shop.sell, which/),
    );
    expect(messages).toContainEqual(
      expect.stringContaining('The tool unlisted of strapi.ai.mcp is not listed'),
    );
    expect(messages.join('\n')).not.toContain('count_tags');
  });

  it('passes parsed arguments, the rights of the client and the facts about the request', async () => {
    await clientOf('full').call('create', { type: 'tag', data: { name: 'mcp-a' } });
    const call = { name: 'count_tags', arguments: { prefix: 'mcp-' } };
    const facts = ['number', 'AbortSignal', '/mcp'];
    const seen = await clientOf('full').client.callTool(call);
    expect(seen.content).toEqual([{ type: 'text', text: '1 tags' }]);
    expect(seen.structuredContent).toEqual({ count: 1, seesArticles: true, user: null, facts });
    const read = await clientOf('readonly').client.callTool({ ...call, arguments: {} });
    expect(read.structuredContent).toMatchObject({ seesArticles: false });
    const invalid = await clientOf('full').call('count_tags', { prefix: 1 });
    expect(invalid.isError).toBe(true);
    expect(invalid.body['error']).toMatchObject({
      code: 'mcp/invalid-argument',
      message: expect.stringContaining('prefix: '),
    });
  });

  it.each(['count_tags', 'throw_message', 'of_development', 'no_such_tool'])(
    'rejects calls of %s by a client that may not use it, like calls of a missing tool',
    async (name) => {
      await expect(clientOf('tagger').call(name)).rejects.toThrow(`Tool ${name} not found`);
    },
  );

  it.each([
    ['throw_secret', 'Internal Server Error'],
    ['throw_factory', 'Internal Server Error'],
    ['throw_message', 'Sold out'],
    ['return_error', 'No'],
    ['return_nonsense', 'structuredContent does not fit the schema of the output: count: '],
  ])('turns the failure of %s into an error of the tool', async (name, text) => {
    const response = await clientOf('full').call(name);
    expect(response.isError).toBe(true);
    expect(response.text).toContain(text);
    expect(response.text).not.toContain('secret');
    expect((await clientOf('full').call('list_types')).isError).toBe(false);
  });

  it('serves prompts and resources', async () => {
    const { client } = clientOf('readonly');
    const { prompts } = await client.listPrompts();
    expect(prompts.find(({ name }) => name === 'tone')).toEqual({
      name: 'tone',
      title: 'Tone',
      description: 'Sets the tone.',
      arguments: [
        { name: 'mood', description: 'The mood.', required: true },
        { name: 'length', required: false },
      ],
    });
    const textOf = async (name: string, args?: Record<string, string>): Promise<unknown> =>
      (await client.getPrompt({ name, ...(args === undefined ? {} : { arguments: args }) })).messages[0]
        ?.content;
    expect(await textOf('tone', { mood: 'calm' })).toEqual({ type: 'text', text: 'function calm object' });
    expect(await textOf('plain')).toEqual({ type: 'text', text: 'number' });
    await expect(textOf('tone', {})).rejects.toThrow('mood');
    const { resources } = await client.listResources();
    expect(resources.find(({ uri }) => uri === 'strapi://app/info')).toEqual({
      name: 'app-info',
      uri: 'strapi://app/info',
      title: 'Info',
      description: 'About the app',
      mimeType: 'application/json',
    });
    expect((await client.readResource({ uri: 'strapi://app/info' })).contents).toEqual([
      { uri: 'strapi://app/info', mimeType: 'application/json', text: '{"ok":true}' },
    ]);
    const tagger = clientOf('tagger').client;
    expect(JSON.stringify(await tagger.listPrompts())).not.toContain('tone');
    expect(JSON.stringify(await tagger.listResources())).not.toContain('strapi://');
    await expect(tagger.getPrompt({ name: 'plain' })).rejects.toThrow('Prompt plain not found');
    await expect(tagger.readResource({ uri: 'strapi://app/info' })).rejects.toThrow();
  });
});
