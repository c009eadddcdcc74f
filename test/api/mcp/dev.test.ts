import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createToken } from '../../../src/access/tokens.js';
import { openProjectDatabase } from '../../../src/project/open/open-database.js';
import { openProject } from '../../../src/project/open/open-project.js';
import { createSchemaEditor } from '../../../src/project/scaffold/schema-editor.js';
import { startDev } from '../../../src/project/serve/start-dev.js';
import type { DevEvent, DevServer } from '../../../src/project/serve/start-dev.js';
import { createLogger } from '../../../src/server/logger.js';
import { databases } from '../../support/databases.js';
import { connectHttp } from '../support/mcp-client.js';
import type { McpTestClient } from '../support/mcp-client.js';
import { createSiteFolder } from '../support/site.js';

const NOTE_FILE = 'src/api/note/content-types/note/schema.json';
const ADD_NOTE = {
  changes: [{ action: 'addType', name: 'note', attributes: { text: 'string:required', mood: 'string' } }],
};
const REMOVE_MOOD = { changes: [{ action: 'removeAttribute', type: 'note', attribute: 'mood' }] };

/** Registers a prompt. */
const codeOf = (text: string): string => `export const register = ({ strapi }) => {
  strapi.ai.mcp.registerPrompt({
    name: 'tone',
    title: 'Tone',
    description: 'Sets the tone.',
    devModeOnly: true,
    createHandler: () => async () => ({
      messages: [{ role: 'user', content: { type: 'text', text: '${text}' } }],
    }),
  });
};
`;

describe.each(databases)('the endpoint /mcp of cms dev on $name', (database) => {
  let root = '';
  let remove: () => Promise<void>;
  let server: DevServer;
  let full: McpTestClient;
  let reader: McpTestClient;
  const keys: Record<string, string> = {};
  const events: DevEvent[] = [];

  /** Waits until an app serves that was built after the work. */
  const rebuilt = async <T>(work: () => Promise<T>): Promise<T> => {
    const seen = events.length;
    const result = await work();
    await expect.poll(() => events.length, { timeout: 20_000, interval: 20 }).toBeGreaterThan(seen);
    expect(events.at(-1)).toMatchObject({ kind: 'serving' });
    return result;
  };

  /** The configuration restores the environment before each test. */
  const setDevelopment = (): void => void vi.stubEnv('NODE_ENV', 'development');
  beforeEach(setDevelopment);
  beforeAll(async () => {
    setDevelopment();
    ({ root, remove } = await createSiteFolder({ project: 'magazine', database }));
    server = await startDev(root, {
      overrides: { host: '127.0.0.1', port: 0 },
      logger: createLogger({ level: 'silent', root }),
      onEvent: (event) => events.push(event),
      schemaEditor: createSchemaEditor(root),
    });
    const { context, close } = await openProjectDatabase(await openProject(root));
    for (const type of ['full-access', 'read-only'] as const)
      keys[type] = (await createToken(context, { name: type, type })).accessKey;
    await close();
    const read = async (key: string): Promise<void> => {
      const headers = { authorization: `Bearer ${key}` };
      const { status } = await fetch(`${server.url}/api/tags`, { headers });
      if (status !== 200) throw new Error(`The token is not known yet: ${status}`);
    };
    for (const key of Object.values(keys)) await vi.waitFor(() => read(key), { timeout: 20_000 });
    full = await connectHttp(server.url, keys['full-access'] ?? '');
    reader = await connectHttp(server.url, keys['read-only'] ?? '');
  });
  afterAll(async () => {
    await full.close();
    await reader.close();
    await server.close();
    await remove();
  });

  it('plans a new type, and adds and serves it after the confirmation', async () => {
    const plan = await full.succeed('change_schema', ADD_NOTE);
    expect(plan).toMatchObject({
      plan: 'Would change 1 file; no stored value changes.',
      files: [{ path: NOTE_FILE, diff: expect.stringContaining('+') }],
      sql: expect.stringContaining('notes'),
    });
    await expect(readFile(join(root, NOTE_FILE))).rejects.toThrow('ENOENT');
    expect((await full.call('find', { type: 'note' })).body['error']).toMatchObject({
      code: 'mcp/unknown-type',
    });
    const applied = await rebuilt(() =>
      full.succeed('change_schema', { ...ADD_NOTE, confirm: plan['confirm'] }),
    );
    expect(applied).toMatchObject({ done: 'Changed 1 file.', files: [NOTE_FILE] });
    await full.succeed('create', { type: 'note', data: { text: 'Hello', mood: 'calm' } });
    expect((await full.succeed('find', { type: 'note' }))['data']).toEqual([
      expect.objectContaining({ text: 'Hello', mood: 'calm' }),
    ]);
    const response = await fetch(`${server.url}/api/notes`, {
      headers: { authorization: `Bearer ${keys['full-access']}` },
    });
    expect(await response.json()).toMatchObject({ data: [{ text: 'Hello' }] });
  });

  it('states the loss of values in the plan, and rejects confirmations of other plans', async () => {
    const plan = await full.succeed('change_schema', REMOVE_MOOD);
    expect(plan['plan']).toContain('Stored values are lost');
    expect(plan['impact']).toEqual([expect.stringContaining('1 value')]);
    for (const call of [
      { ...REMOVE_MOOD, confirm: 'zzzzz.AAAA' },
      {
        changes: [{ action: 'removeAttribute', type: 'note', attribute: 'text' }],
        confirm: plan['confirm'],
      },
    ]) {
      const { isError, body } = await full.call('change_schema', call);
      expect(isError).toBe(true);
      expect(body['error']).toMatchObject({ code: 'mcp/plan-changed' });
    }
    expect((await full.succeed('find', { type: 'note' }))['data']).toEqual([
      expect.objectContaining({ text: 'Hello', mood: 'calm' }),
    ]);
    await rebuilt(() => full.succeed('change_schema', { ...REMOVE_MOOD, confirm: plan['confirm'] }));
    const [note] = (await full.succeed('find', { type: 'note' }))['data'] as readonly object[];
    expect(note).toMatchObject({ text: 'Hello' });
    expect(note).not.toHaveProperty('mood');
  });

  it('changes nothing for a token without full access', async () => {
    const { isError, body } = await reader.call('change_schema', ADD_NOTE);
    expect(isError).toBe(true);
    expect(body['error']).toMatchObject({
      code: 'mcp/forbidden',
      hint: expect.stringContaining('full access'),
    });
  });

  it('replaces the prompts of project code when it changes', async () => {
    const textOf = async (): Promise<unknown> =>
      (await full.client.getPrompt({ name: 'tone' })).messages[0]?.content;
    for (const text of ['Calm', 'Cheerful']) {
      await rebuilt(() => writeFile(join(root, 'src/index.mjs'), codeOf(text)));
      expect(await textOf()).toEqual({ type: 'text', text });
    }
    expect(JSON.stringify(await reader.client.listPrompts())).not.toContain('tone');
    await rebuilt(() => writeFile(join(root, 'src/index.mjs'), ''));
    await expect(textOf()).rejects.toThrow('Prompt tone not found');
  });
});
