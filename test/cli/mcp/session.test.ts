import { InMemoryTransport } from '@modelcontextprotocol/client';
import { parse } from 'csv-parse/sync';
import { expect, it, onTestFinished } from 'vitest';
import { serveSession } from '../../../src/api/mcp/create-mcp-server.js';
import LocaleAdd from '../../../src/commands/locale/add.js';
import { createSchemaEditor } from '../../../src/project/scaffold/schema-editor.js';
import { openMcpSession } from '../../../src/project/serve/open-mcp-session.js';
import { createLogger } from '../../../src/server/logger.js';
import { connectClient } from '../../api/support/mcp-client.js';
import type { McpTestClient } from '../../api/support/mcp-client.js';
import { createMigratedSite } from '../support/migrated-project.js';
import { runCommand } from '../support/run-command.js';

const CSV = `name,price,slogan,category
Desk lamp,39.90,"Light, where you work",Lamps
Floor lamp,129.00,Tall and calm,Lamps
Oak table,890.00,Room for eight,Tables
`;

const GERMAN: Readonly<Record<string, string>> = {
  'Light, where you work': 'Licht am Arbeitsplatz',
  'Tall and calm': 'Groß und ruhig',
  'Room for eight': 'Platz für acht',
};

/** A scripted client: it reads responses as an agent would, and confirms plans. */
const openScript = async (root: string) => {
  const opened = await openMcpSession(root, {
    logger: createLogger({ level: 'silent', root }),
    impersonates: { kind: 'all' },
    deletes: undefined,
    schemaEditor: createSchemaEditor(root),
  });
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  const served = serveSession(opened.session, serverSide);
  const client: McpTestClient = await connectClient(clientSide);
  onTestFinished(async () => {
    await client.close();
    await served.close();
    await opened.close();
  });
  const transcript: string[] = [];
  const call = async (tool: string, args: Readonly<Record<string, unknown>>) => {
    const { body, isError, text } = await client.call(tool, args);
    expect(isError, text).toBe(false);
    const words = [body['plan'], body['done']].find((value) => typeof value === 'string');
    transcript.push(`${tool}: ${words ?? `${JSON.stringify(body).length} characters`}`);
    return body;
  };
  const confirmed = async (tool: string, args: Readonly<Record<string, unknown>>) => {
    const { confirm } = await call(tool, args);
    return call(tool, { ...args, confirm });
  };
  return { client, call, confirmed, transcript };
};

it('models a small site, fills it from a table, translates it and publishes it', async () => {
  const { root } = await createMigratedSite();
  await runCommand(LocaleAdd, ['de'], { cwd: root });
  const { call, confirmed, client, transcript } = await openScript(root);

  await call('list_types', {});
  await confirmed('change_schema', {
    changes: [
      {
        action: 'addComponent',
        name: 'shared.seo',
        attributes: { metaTitle: 'string', metaDescription: 'text' },
      },
      { action: 'addType', name: 'category', attributes: { name: 'string:required,unique' } },
      {
        action: 'addType',
        name: 'product',
        draftAndPublish: true,
        localized: true,
        attributes: {
          name: { type: 'string', required: true },
          slug: 'uid:targetField=name',
          price: { type: 'decimal', min: 0, pluginOptions: { i18n: { localized: false } } },
          slogan: 'text',
          seo: 'component:component=shared.seo',
          category: 'relation:manyToOne,target=category,inversedBy=products',
        },
      },
    ],
  });
  const { attributes } = await call('describe_type', { type: 'product' });
  expect(Object.keys(attributes as object)).toEqual(['name', 'slug', 'price', 'slogan', 'seo', 'category']);

  const rows = parse(CSV, { columns: true }) as readonly Readonly<Record<string, string>>[];
  const names = [...new Set(rows.map(({ category }) => category))];
  const categories = (
    await confirmed('create', { type: 'category', items: names.map((name) => ({ name })) })
  )['documents'] as readonly { documentId: string }[];
  const items = rows.map(({ name, price, slogan, category }) => ({
    name,
    price: Number(price),
    slogan,
    category: categories[names.indexOf(category)]?.documentId,
  }));
  await confirmed('create', { type: 'product', items });

  const { data } = await call('find', { type: 'product', fields: ['slogan', 'name'], sort: 'id' });
  const products = data as readonly { documentId: string; name: string; slogan: string }[];
  expect(products).toHaveLength(3);
  await confirmed('update', {
    type: 'product',
    locale: 'de',
    items: products.map(({ documentId, name, slogan }) => ({
      documentId,
      data: { name, slogan: GERMAN[slogan] },
    })),
  });
  const documentIds = products.map(({ documentId }) => documentId);
  for (const locale of ['en', 'de']) await confirmed('publish', { type: 'product', documentIds, locale });

  const published = await call('find', {
    type: 'product',
    status: 'published',
    locale: 'de',
    sort: 'id',
    fields: ['name', 'slogan', 'slug', 'price'],
    populate: ['category'],
  });
  expect(published['data']).toEqual([
    expect.objectContaining({ name: 'Desk lamp', slogan: 'Licht am Arbeitsplatz', price: 39.9 }),
    expect.objectContaining({ name: 'Floor lamp', slogan: 'Groß und ruhig', price: 129 }),
    expect.objectContaining({ name: 'Oak table', slogan: 'Platz für acht', price: 890 }),
  ]);

  const rename = [{ action: 'renameAttribute', type: 'product', attribute: 'slogan', to: 'claim' }];
  const plan = await call('change_schema', { changes: rename });
  expect(plan['impact']).toEqual([expect.stringContaining('12 values moved')]);
  await call('change_schema', { changes: rename, confirm: plan['confirm'] });
  const renamed = await call('find', { type: 'product', fields: ['claim'], locale: 'de', sort: 'id' });
  expect(renamed['data']).toContainEqual(expect.objectContaining({ claim: 'Platz für acht' }));

  const removal = { changes: [{ action: 'removeAttribute', type: 'product', attribute: 'claim' }] };
  const losing = await call('change_schema', removal);
  expect(losing['plan']).toContain('Stored values are lost');
  const stale = await client.call('change_schema', {
    changes: [{ action: 'removeAttribute', type: 'product', attribute: 'price' }],
    confirm: losing['confirm'],
  });
  expect(stale.isError).toBe(true);
  expect(transcript).toMatchInlineSnapshot(`
    [
      "list_types: 677 characters",
      "change_schema: Would change 3 files; no stored value changes.",
      "change_schema: Changed 3 files.",
      "describe_type: 900 characters",
      "create: Would create 2 documents of api::category.category.",
      "create: Created 2 documents of api::category.category.",
      "create: Would create 3 documents of api::product.product (en, draft).",
      "create: Created 3 documents of api::product.product (en, draft).",
      "find: 339 characters",
      "update: Would update 3 documents of api::product.product (de, draft): name, slogan.",
      "update: Updated 3 documents of api::product.product (de, draft): name, slogan.",
      "publish: Would publish 3 documents of api::product.product (en).",
      "publish: Published 3 documents of api::product.product (en).",
      "publish: Would publish 3 documents of api::product.product (de).",
      "publish: Published 3 documents of api::product.product (de).",
      "find: 486 characters",
      "change_schema: Would change 1 file; 1 effect.",
      "change_schema: Changed 1 file.",
      "find: 279 characters",
      "change_schema: Would change 1 file; 1 effect. Stored values are lost or become invalid: ask first.",
    ]
  `);
});
