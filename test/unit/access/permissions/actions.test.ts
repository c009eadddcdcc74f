import { describe, expect, it } from 'vitest';
import {
  listActionGroups,
  resolveActionNames,
  resolveActions,
} from '../../../../src/access/permissions/actions.js';
import { parseControllerActions } from '../../../../src/model/content-types/load-definitions.js';
import { modelFrom } from '../../../support/models.js';

const model = modelFrom({
  types: {
    article: { attributes: { title: { type: 'string' } } },
    homepage: { kind: 'singleType', attributes: { headline: { type: 'string' } } },
  },
});

describe('what can be granted', () => {
  it("includes every action of the project's types and of the plugins, but none of built-in types", () => {
    const groups = Object.fromEntries(listActionGroups(model).map(({ uid, actions }) => [uid, actions]));
    expect(groups['api::article.article']).toEqual(['find', 'findOne', 'create', 'update', 'delete']);
    expect(groups['api::homepage.homepage']).toEqual(['find', 'update', 'delete']);
    expect(groups['plugin::users-permissions.user']).toContain('me');
    expect(groups['plugin::upload.content-api']).toEqual(['find', 'findOne', 'upload', 'destroy']);
    expect(groups).not.toHaveProperty(['plugin::upload.file']);
    expect(Object.keys(groups)).toEqual(Object.keys(groups).toSorted());
  });

  it('is resolved to full names, sorted and without duplicates, and * to all', () => {
    expect(resolveActions(model, 'api::article.article', ['findOne', 'find', 'find'])).toEqual([
      'api::article.article.find',
      'api::article.article.findOne',
    ]);
    expect(resolveActions(model, 'api::homepage.homepage', ['*'])).toHaveLength(3);
    expect(
      resolveActionNames(model, ['api::article.article.*', 'plugin::upload.content-api.upload']),
    ).toHaveLength(6);
  });

  it("includes the actions that the project's routes name", () => {
    const text = `module.exports = { routes: [
      // { handler: 'article.retired' },
      { method: 'GET', path: '/top', handler: 'article.top' },
      { method: 'GET', path: '/other', "handler": "api::stats.report.show" },
      { method: 'GET', path: '/inline', handler: (ctx) => ctx.send(1) },
    ] };`;
    const controllerActions = parseControllerActions([
      { api: 'article', text },
      { api: 'article', text: "export default { routes: [{ handler: 'article.find' }] };" },
    ]);
    expect(controllerActions).toEqual([
      { uid: 'api::article.article', actions: ['find', 'top'] },
      { uid: 'api::stats.report', actions: ['show'] },
    ]);
    const own = { ...model, controllerActions };
    expect(resolveActions(own, 'api::stats.report', ['show'])).toEqual(['api::stats.report.show']);
    expect(resolveActions(own, 'api::article.article', ['top', 'find'])).toEqual([
      'api::article.article.find',
      'api::article.article.top',
    ]);
    const group = listActionGroups(own).find(({ uid }) => uid === 'api::article.article');
    expect(group?.actions).toEqual(['find', 'findOne', 'create', 'update', 'delete', 'top']);
  });

  it('leaves out what routes compute, and never suggests it', () => {
    const text = `const routeOf = (name) => ({ method: 'GET', path: '/' + name, handler: 'article.' + name });
      const other = (name) => ({ handler: 'article' + '.' + name });
      const third = (name) => ({ handler: "article.".concat(name) });
      const fourth = (name) => ({ handler: \`article.\${name}\` });
      module.exports = { routes: ['top'].map(routeOf) };`;
    expect(parseControllerActions([{ api: 'article', text }])).toEqual([]);
  });

  it('suggests the nearest name', () => {
    const errorOf = (work: () => unknown): unknown => {
      try {
        return work();
      } catch (error) {
        return error;
      }
    };
    expect(errorOf(() => resolveActions(model, 'api::artcile.article', ['find']))).toMatchObject({
      code: 'access/unknown-action',
      hint: 'Did you mean api::article.article?',
    });
    expect(errorOf(() => resolveActions(model, 'api::article.article', ['finde']))).toMatchObject({
      code: 'access/unknown-action',
      hint: 'Did you mean find?',
    });
    expect(errorOf(() => resolveActions(model, 'api::homepage.homepage', ['findOne']))).toMatchObject({
      code: 'access/unknown-action',
    });
    expect(errorOf(() => resolveActionNames(model, ['nonsense']))).toMatchObject({
      code: 'access/unknown-action',
    });
  });
});
