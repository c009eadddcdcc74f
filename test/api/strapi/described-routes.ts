import { expect } from 'vitest';
import { createOpenapiDocument } from '../../../src/project/openapi-document.js';
import { listStrapiRoutes } from '../../../src/strapi/list-routes.js';
import type { Site } from '../support/site.js';

/** Expects that a server describes itself as the command describes its project. */
export async function expectDescribedRoutes({ server, project }: Site): Promise<void> {
  const response = await fetch(`${server.url}/api/openapi.json`);
  const body = (await response.json()) as { readonly paths: Readonly<Record<string, object>> };
  const described = createOpenapiDocument(project, await listStrapiRoutes(project));
  expect(body).toEqual(JSON.parse(JSON.stringify(described)));
  expect(Object.keys(body.paths)).toContain('/api/tags/popular');
  expect(body.paths['/api/categories/{documentId}']).not.toHaveProperty('delete');
}

/** Expects the server to log the routes of the project that replace built-in ones. */
export function expectReplacedRoutes({ log }: Pick<Site, 'log'>): void {
  const messages = log.map((line) => (JSON.parse(line) as { readonly msg: string }).msg);
  expect(messages.filter((message) => message.includes('replaces the built-in'))).toEqual([
    'GET /api/upload/files/:id of src/api/tag/routes/zz-late.js replaces the built-in ' +
      'GET /api/upload/files/page',
    'GET /api/upload/files/:id of src/api/tag/routes/zz-late.js replaces the built-in ' +
      'GET /api/upload/files/:id',
  ]);
}
