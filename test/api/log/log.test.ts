import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';

type Json = Readonly<Record<string, unknown>>;

describe.each(databases)('the log on $name', (database) => {
  let site: Site;
  const send = async (
    method: string,
    to: string,
    body?: unknown,
    token: string | null = site.tokens['full'] ?? '',
  ) => {
    const response = await fetch(`${site.server.url}${to}`, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as Json };
  };
  const list = async (filter: Json = {}): Promise<readonly Json[]> => {
    const { status, body } = await send('POST', '/api/cms/log/list', filter);
    expect({ status, body }).toMatchObject({ status: 200 });
    return (body['data'] as { readonly entries: readonly Json[] }).entries;
  };

  beforeAll(async () => {
    site = await createSite({ project: 'magazine', database });
  });
  afterAll(() => site.close());

  it('names the token of a REST request', async () => {
    const { body } = await send('POST', '/api/tags', { data: { name: 'red' } });
    const { documentId } = body['data'] as Json;
    const entries = await list({ documentId });
    expect(entries).toMatchObject([
      {
        kind: 'token',
        who: 'full',
        via: 'rest',
        action: 'create',
        type: 'api::tag.tag',
        attributes: ['name'],
      },
    ]);
  });
});
