import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createDocumentHooks } from '../../../src/documents/hooks.js';
import type { WriteAccess } from '../../../src/documents/documents.js';
import { databases } from '../../support/databases.js';
import { createTestEnvironment } from '../../support/test-environment.js';
import type { TestEnvironment } from '../../support/test-environment.js';
import { createApi, dumpContent, errorOf } from './service.js';
import type { Api } from './service.js';

const ACTIONS = ['create', 'update', 'delete', 'publish', 'unpublish', 'discardDraft'] as const;

const SELECTION = { fields: [], populate: [] };

/** Permissions that cover only documents whose `owner` is Ada. */
const ACCESS: WriteAccess = {
  canFind: () => true,
  scopeOf: (_type, action) =>
    action === 'find'
      ? null
      : {
          fields: null,
          filter: { kind: 'compare', field: 'owner', operator: '$eq', operand: 'Ada' },
        },
};

const ATTRIBUTES = { owner: { type: 'string' }, title: { type: 'string' } };

describe.each(databases)('listeners and permissions on documents on $name', (database) => {
  let testEnvironment: TestEnvironment;
  let events: string[];
  let api: Api;

  beforeAll(async () => {
    testEnvironment = await createTestEnvironment({
      model: {
        types: {
          page: { draftAndPublish: true, attributes: ATTRIBUTES },
          home: { kind: 'singleType', draftAndPublish: true, attributes: ATTRIBUTES },
        },
      },
      database,
    });
  });
  afterAll(() => testEnvironment.close());

  beforeEach(() => {
    events = [];
    const hooks = createDocumentHooks({ onError: () => {} });
    for (const action of ACTIONS) {
      hooks.before(action, () => void events.push(`before ${action}`));
      hooks.after(action, () => void events.push(`after ${action}`));
    }
    api = createApi(testEnvironment, { hooks });
  });

  const createPage = async (owner: string): Promise<string> => {
    const { documentId } = await createApi(testEnvironment).create('page', { owner, title: 't' });
    return documentId;
  };

  const writesOf = (documentId: string) => {
    const params = { type: 'api::page.page', documentId, selection: SELECTION, access: ACCESS };
    return {
      update: () => api.documents.update({ ...params, data: { title: 'u' } }),
      publish: () => api.documents.publish(params),
      discardDraft: () => api.documents.discardDraft(params),
      unpublish: () => api.documents.unpublish(params),
      delete: () => api.documents.delete(params),
    };
  };

  it.each(['update', 'publish', 'discardDraft', 'unpublish', 'delete'] as const)(
    '%s of a document that the permission does not cover is forbidden before any listener runs',
    async (action) => {
      const documentId = await createPage('Bob');
      const before = await dumpContent(testEnvironment);
      expect((await errorOf(writesOf(documentId)[action]())).code).toBe('request/forbidden');
      expect(events).toEqual([]);
      expect(await dumpContent(testEnvironment)).toEqual(before);
    },
  );

  it.each(['update', 'publish', 'discardDraft', 'unpublish', 'delete'] as const)(
    '%s of a document that the permission covers runs its listeners',
    async (action) => {
      const documentId = await createPage('Ada');
      expect(await writesOf(documentId)[action]()).not.toBeNull();
      expect(events).toEqual([`before ${action}`, `after ${action}`]);
    },
  );

  it('create on an existing single type checks the permission before any listener runs', async () => {
    await createApi(testEnvironment).create('home', { owner: 'Bob', title: 't' });
    const write = api.documents.create({
      type: 'api::home.home',
      data: { owner: 'Ada' },
      selection: SELECTION,
      access: ACCESS,
    });
    expect((await errorOf(write)).code).toBe('request/forbidden');
    expect(events).toEqual([]);
  });

  it('a write with a forbidden result is rolled back, and no after listener runs', async () => {
    const before = await dumpContent(testEnvironment);
    const write = api.documents.create({
      type: 'api::page.page',
      data: { owner: 'Bob' },
      selection: SELECTION,
      access: ACCESS,
    });
    expect((await errorOf(write)).code).toBe('request/forbidden');
    expect(events).toEqual(['before create']);
    expect(await dumpContent(testEnvironment)).toEqual(before);
  });

  it('a write keeps the values that a before listener has written to the same document', async () => {
    const hooks = createDocumentHooks({ onError: () => {} });
    const nested = createApi(testEnvironment, { hooks });
    const { documentId } = await nested.create('page', { owner: 'Ada', title: 'old' });
    hooks.before('publish', async (event, tx) => {
      await tx.documents('api::page.page').update({ documentId: event.documentId, data: { title: 'new' } });
    });
    await nested.act('publish', 'page', documentId);
    expect(await nested.one('page', documentId)).toMatchObject({ title: 'new' });
  });
});
