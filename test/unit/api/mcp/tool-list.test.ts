import { InMemoryTransport } from '@modelcontextprotocol/client';
import type { JsonSchemaType } from '@modelcontextprotocol/server';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import { describe, expect, it } from 'vitest';
import { estimateTokens } from '../../../../src/api/mcp/fit-response.js';
import type { McpAbilities, McpServices } from '../../../../src/api/mcp/mcp-services.js';
import { serveSession } from '../../../../src/api/mcp/create-mcp-server.js';
import { createError } from '../../../../src/errors/catalogue.js';
import { connectClient } from '../../../api/support/mcp-client.js';
import { modelFrom } from '../../../support/models.js';

const ALL: McpAbilities = {
  deletes: true,
  maxTokens: 8000,
  uploadFolder: '/project',
  schemas: { plan: () => Promise.reject(new Error()), apply: () => Promise.resolve(null) },
};

const ATTRIBUTES = {
  title: { type: 'string', required: true },
  slug: { type: 'uid', targetField: 'title' },
  body: { type: 'richtext' },
  kind: { type: 'enumeration', enum: ['a', 'b'] },
};

const modelOf = (count: number) =>
  modelFrom({
    types: Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`type-${index}`, { attributes: ATTRIBUTES }]),
    ),
  });

/** Connects a client to a server over a model. Only the list of tools is requested. */
const listTools = async (types: number, abilities: McpAbilities) => {
  const registrations = { tools: [], prompts: [], resources: [] };
  const services = { model: modelOf(types), registrations } as unknown as McpServices;
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  const served = serveSession(
    {
      server: { name: 'galley', version: '1.0.0' },
      abilities,
      docs: [],
      reportError: () => createError('server/internal'),
      onRejected: () => undefined,
      run: (work) =>
        work({ services, abilities, caller: { kind: 'token', tokenId: 0, grants: { kind: 'all' } } }),
    },
    serverSide,
  );
  const { client, close } = await connectClient(clientSide);
  const { tools } = await client.listTools();
  await close();
  await served.close();
  return tools;
};

describe('the list of tools', () => {
  it('is the same for 1, 10 and 100 types, and small', async () => {
    const [one, ten, hundred] = await Promise.all([1, 10, 100].map((count) => listTools(count, ALL)));
    expect(ten).toEqual(one);
    expect(hundred).toEqual(one);
    expect(one?.map(({ name }) => name)).toEqual([
      'list_types',
      'describe_type',
      'find',
      'get',
      'check_content',
      'create',
      'update',
      'publish',
      'delete',
      'trash',
      'upload',
      'change_schema',
    ]);
    expect(estimateTokens(JSON.stringify(one))).toBeLessThan(3200);
  });

  it('omits the tools that are not enabled', async () => {
    const tools = await listTools(1, { ...ALL, deletes: false, schemas: null });
    const names = tools.map(({ name }) => name);
    expect(names).not.toContain('delete');
    expect(names).not.toContain('change_schema');
  });

  it('has no schema with several types, which some clients reject', async () => {
    for (const { name, inputSchema } of await listTools(1, ALL))
      expect(JSON.stringify(inputSchema), name).not.toContain('"type":[');
  });

  it('has valid JSON Schemas of 2020-12, and hints about the effect of each tool', async () => {
    const validator = new AjvJsonSchemaValidator();
    for (const { name, inputSchema, annotations, description } of await listTools(1, ALL)) {
      expect(inputSchema['$schema'], name).toBe('https://json-schema.org/draft/2020-12/schema');
      const check = validator.getValidator(inputSchema as JsonSchemaType);
      expect(check({ nonsense: true }).valid, name).toBe(false);
      expect(annotations?.readOnlyHint, name).toBe(
        ['list_types', 'describe_type', 'find', 'get', 'check_content'].includes(name),
      );
      expect(description?.length, name).toBeGreaterThan(30);
    }
  });
});
