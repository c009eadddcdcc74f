import { describe, expect, it } from 'vitest';
import { restRoutes } from '../../../../../src/api/rest/routes/rest-routes.js';
import { buildFiles, typePath, typeText } from '../../../../support/schema-files.js';
import { defined } from '../../../../../src/lib/assert.js';

/** The owners of each route, by its method and pattern. */
const routesWith = (singularName: string, pluralName: string): ReadonlyMap<string, readonly string[]> => {
  const text = typeText(singularName, [], { pluralName, collectionName: 'mine' });
  const model = defined(buildFiles({ [typePath(singularName)]: text }).model, 'the model');
  const owners = new Map<string, readonly string[]>();
  for (const { method, path, contentType } of restRoutes({
    model,
    prefix: '/api',
    accounts: { mode: 'plain' },
  })) {
    const pattern = `${method} ${path.replaceAll(/:\w+/g, ':')}`;
    owners.set(pattern, [...(owners.get(pattern) ?? []), String(contentType)]);
  }
  return owners;
};

describe('a content-type at the path of built-in routes', () => {
  it('takes the place of those at the same path', () => {
    const users = routesWith('user', 'users');
    expect(users.get('GET /api/users')).toEqual(['api::user.user']);
    expect(users.get('GET /api/users/:')).toEqual(['api::user.user']);
    expect(users.get('DELETE /api/users/:')).toEqual(['api::user.user']);
    expect(users.get('GET /api/users/me')).toEqual(['plugin::users-permissions.user']);
    const uploads = routesWith('item', 'upload');
    expect(uploads.get('POST /api/upload')).toEqual(['api::item.item']);
    expect(uploads.get('GET /api/upload/files')).toEqual(['plugin::upload.file']);
  });

  it('leaves the other address of events', () => {
    const events = routesWith('event', 'events');
    expect(events.get('GET /api/events')).toEqual(['api::event.event']);
    expect(events.get('GET /api/cms/events')).toEqual(['null']);
    expect(routesWith('item', 'items').get('GET /api/events')).toEqual(['null']);
  });

  it('leaves none twice', () => {
    for (const route of routesWith('user', 'users').values()) expect(route).toHaveLength(1);
  });
});
