import { describe, expect, it } from 'vitest';
import type { Caller, Grants } from '../../../src/access/access.js';
import { accessOf, authorise, isGranted } from '../../../src/access/decide.js';
import { loadFixtureModel } from '../../support/models.js';

const TAG = 'api::tag.tag';
const model = await loadFixtureModel('magazine');
const some: Grants = { kind: 'actions', actions: new Set(['api::tag.tag.find', 'api::tag.tag.create']), rules: new Map() };
const callerWith = (grants: Grants): Caller => ({ kind: 'token', tokenId: 1, grants });

describe('the decision', () => {
  it('gives full access everything, read-only find and findOne everywhere, the rest what is listed', () => {
    expect(isGranted({ kind: 'all' }, 'plugin::users-permissions.user', 'destroy')).toBe(true);
    expect(['find', 'findOne'].map((action) => isGranted({ kind: 'read' }, TAG, action))).toEqual([true, true]);
    expect(['create', 'update', 'delete', 'upload', 'me', 'count'].filter((action) => isGranted({ kind: 'read' }, TAG, action))).toEqual([]);
    expect(['find', 'findOne', 'create', 'update', 'delete'].filter((action) => isGranted(some, TAG, action))).toEqual(['find', 'create']);
    expect(isGranted(some, 'api::article.article', 'find')).toBe(false);
  });

  it('is a 403 for whoever was not granted the action', () => {
    expect(() => authorise(callerWith(some), TAG, 'find')).not.toThrow();
    expect(() => authorise(callerWith(some), TAG, 'delete')).toThrow(expect.objectContaining({ kind: 'forbidden' }) as Error);
  });

  it('shows relations to types that may be found, and files to everybody', () => {
    const { canFind } = accessOf(model, callerWith(some));
    expect(canFind(TAG)).toBe(true);
    expect(canFind('api::article.article')).toBe(false);
    expect(canFind('plugin::users-permissions.user')).toBe(false);
    expect(canFind('plugin::upload.file')).toBe(true);
  });

  describe('of what is limited', () => {
    const rules = new Map([
      [`${TAG}.find`, { fields: new Set(['name']), where: null }],
      [`${TAG}.update`, { fields: null, where: { label: { $eq: '$user.username' } } }],
      ['plugin::users-permissions.user.destroy', { fields: null, where: { id: '$user.id' } }],
      ['api::author.author.find', { fields: null, where: { nosuch: 1 } }],
    ]);
    const limited: Grants = { kind: 'actions', actions: new Set(rules.keys()), rules };
    const user = (attributes: Readonly<Record<string, unknown>>): Caller => ({ kind: 'user', userId: 7, documentId: 'd', session: null, attributes, grants: limited });
    const filterFor = (caller: Caller, uid: string, action: string) => accessOf(model, caller).limitsOf?.(uid, action)?.filter;
    const NOTHING = { kind: 'compare', field: 'id', operator: '$in', operand: [] };

    it('puts the caller into the condition', () => {
      expect(filterFor(user({ username: 'ann' }), TAG, 'update')).toEqual({ kind: 'compare', field: 'label', operator: '$eq', operand: 'ann' });
      expect(filterFor(user({}), 'plugin::users-permissions.user', 'delete')).toEqual({ kind: 'compare', field: 'id', operator: '$eq', operand: 7 });
      expect(accessOf(model, user({})).limitsOf?.(TAG, 'find')).toEqual({ fields: new Set(['name']), filter: null });
      expect(accessOf(model, user({})).limitsOf?.(TAG, 'create')).toBeNull();
    });

    it('covers nothing where the caller has no such value, is no user, or the condition fits the model no more', () => {
      expect(filterFor(user({ username: null }), TAG, 'update')).toEqual(NOTHING);
      expect(filterFor({ kind: 'anonymous', grants: limited }, TAG, 'update')).toEqual(NOTHING);
      expect(filterFor(user({}), 'api::author.author', 'find')).toEqual(NOTHING);
    });
  });
});
