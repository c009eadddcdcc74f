import { InMemoryTransport } from '@modelcontextprotocol/client';
import { expect, it, onTestFinished } from 'vitest';
import { parseImpersonation } from '../../../src/access/impersonation.js';
import { serveSession } from '../../../src/api/mcp/create-mcp-server.js';
import { createSchemaEditor } from '../../../src/project/scaffold/schema-editor.js';
import { openMcpSession } from '../../../src/project/serve/open-mcp-session.js';
import { createLogger } from '../../../src/server/logger.js';
import { connectClient } from '../../api/support/mcp-client.js';
import type { McpTestClient } from '../../api/support/mcp-client.js';
import { createMigratedSite } from '../support/migrated-project.js';

/** Registers a tool whose result is a text. */
const codeOf = (name: string, text: string): string => `
const schema = {
  '~standard': {
    validate: (value) => ({ value }),
    jsonSchema: { input: () => ({ type: 'object' }), output: () => ({ type: 'object' }) },
  },
};
export const bootstrap = ({ strapi }) => {
  strapi.ai.mcp.registerTool({
    name: '${name}',
    title: '${name}',
    description: 'Returns a text.',
    auth: { policies: [{ action: 'api::tag.tag.find' }] },
    resolveOutputSchema: () => schema,
    createHandler: () => async () => ({
      content: [{ type: 'text', text: '${text}' }],
      structuredContent: {},
    }),
  });
};
`;

const connect = async (root: string, as?: string): Promise<McpTestClient> => {
  const opened = await openMcpSession(root, {
    logger: createLogger({ level: 'silent', root }),
    impersonates: as === undefined ? { kind: 'all' } : parseImpersonation(as),
    deletes: undefined,
    schemaEditor: createSchemaEditor(root),
  });
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  const served = serveSession(opened.session, serverSide);
  const client = await connectClient(clientSide);
  onTestFinished(async () => {
    await client.close();
    await served.close();
    await opened.close();
  });
  return client;
};

const registeredNames = async ({ client }: McpTestClient): Promise<readonly string[]> => {
  const names = (await client.listTools()).tools.map(({ name }) => name);
  return names.slice(names.indexOf('change_schema') + 1);
};

it('lists the tools of project code, and replaces them when the code changes', async () => {
  const site = await createMigratedSite();
  site.write({ 'src/index.js': codeOf('greet', 'Hello') });
  const connection = await connect(site.root);
  const { client, call } = connection;
  const notified = new Promise<void>((resolve) => {
    client.setNotificationHandler('notifications/tools/list_changed', () => resolve());
  });
  expect(await registeredNames(connection)).toEqual(['greet']);
  expect((await call('greet')).text).toBe('Hello');
  site.write({ 'src/index.js': codeOf('greet', 'Good morning') });
  expect((await call('greet')).text).toBe('Good morning');
  await notified;
  site.write({ 'src/index.js': codeOf('wave', 'Bye') });
  await expect(call('greet')).rejects.toThrow('Tool greet not found');
  expect(await registeredNames(connection)).toEqual(['wave']);
  expect((await call('wave')).text).toBe('Bye');
});

it('opens them to the callers that --as names by their permissions', async () => {
  const site = await createMigratedSite();
  site.write({ 'src/index.js': codeOf('greet', 'Hello') });
  const connection = await connect(site.root, 'public');
  expect(await registeredNames(connection)).toEqual([]);
  await expect(connection.call('greet')).rejects.toThrow('Tool greet not found');
});

it('reports a name that two tools have, and lists the tools of Galley', async () => {
  const site = await createMigratedSite();
  site.write({ 'src/index.js': codeOf('find', 'Nothing') });
  const connection = await connect(site.root);
  expect((await connection.client.listTools()).tools.map(({ name }) => name)).toContain('change_schema');
  const { isError, text } = await connection.call('list_types');
  expect(isError).toBe(true);
  expect(text).toMatch(/the tool find of src\/index.js:\d+ has the name of the tool find of Galley/);
});
