import { describe, expect, it } from 'vitest';
import type { Caller, Grants } from '../../../../src/access/access.js';
import { readAccessOf, authorise, isGranted } from '../../../../src/access/permissions/authorise.js';
import { loadFixtureModel } from '../../../support/models.js';

const TAG = 'api::tag.tag';
const model = await loadFixtureModel('magazine');
const someGrants: Grants = {
  kind: 'actions',
  actions: new Set(['api::tag.tag.find', 'api::tag.tag.create']),
  rules: new Map(),
};
const callerWith = (grants: Grants): Caller => ({ kind: 'token', tokenId: 1, grants });

describe('authorisation', () => {
  it('grants full-access tokens everything, read-only ones find and findOne, others what is listed', () => {
    expect(isGranted({ kind: 'all' }, 'plugin::users-permissions.user', 'destroy')).toBe(true);
    expect(['find', 'findOne'].map((action) => isGranted({ kind: 'read' }, TAG, action))).toEqual([
      true,
      true,
    ]);
    expect(
      ['create', 'update', 'delete', 'upload', 'me', 'count'].filter((action) =>
        isGranted({ kind: 'read' }, TAG, action),
      ),
    ).toEqual([]);
    expect(
      ['find', 'findOne', 'create', 'update', 'delete'].filter((action) =>
        isGranted(someGrants, TAG, action),
      ),
    ).toEqual(['find', 'create']);
    expect(isGranted(someGrants, 'api::article.article', 'find')).toBe(false);
  });

  it('throws a 403 error without the grant', () => {
    expect(() => authorise(callerWith(someGrants), TAG, 'find')).not.toThrow();
    expect(() => authorise(callerWith(someGrants), TAG, 'delete')).toThrow(
      expect.objectContaining({ kind: 'forbidden' }) as Error,
    );
  });

  it('allows relations to types the caller may find, and files for everybody', () => {
    const { canFind } = readAccessOf(model, callerWith(someGrants));
    expect(canFind(TAG)).toBe(true);
    expect(canFind('api::article.article')).toBe(false);
    expect(canFind('plugin::users-permissions.user')).toBe(false);
    expect(canFind('plugin::upload.file')).toBe(true);
  });

  describe('authorisation with limits', () => {
    const rules = new Map([
      [`${TAG}.find`, { fields: new Set(['name']), where: null }],
      [`${TAG}.update`, { fields: null, where: { label: { $eq: '$user.username' } } }],
      ['plugin::users-permissions.user.destroy', { fields: null, where: { id: '$user.id' } }],
      ['api::author.author.find', { fields: null, where: { nosuch: 1 } }],
    ]);
    const limited: Grants = { kind: 'actions', actions: new Set(rules.keys()), rules };
    const user = (attributes: Readonly<Record<string, unknown>>): Caller => ({
      kind: 'user',
      userId: 7,
      documentId: 'd',
      session: null,
      attributes,
      grants: limited,
    });
    const filterFor = (caller: Caller, uid: string, action: string) =>
      readAccessOf(model, caller).scopeOf?.(uid, action)?.filter;
    const MATCH_NOTHING = { kind: 'compare', field: 'id', operator: '$in', operand: [] };

    it("inserts the caller's values into the condition", () => {
      expect(filterFor(user({ username: 'ann' }), TAG, 'update')).toEqual({
        kind: 'compare',
        field: 'label',
        operator: '$eq',
        operand: 'ann',
      });
      expect(filterFor(user({}), 'plugin::users-permissions.user', 'delete')).toEqual({
        kind: 'compare',
        field: 'id',
        operator: '$eq',
        operand: 7,
      });
      expect(readAccessOf(model, user({})).scopeOf?.(TAG, 'find')).toEqual({
        fields: new Set(['name']),
        filter: null,
      });
      expect(readAccessOf(model, user({})).scopeOf?.(TAG, 'create')).toBeNull();
    });

    it('covers nothing if the caller lacks the value or the condition does not fit the model', () => {
      expect(filterFor(user({ username: null }), TAG, 'update')).toEqual(MATCH_NOTHING);
      expect(filterFor({ kind: 'anonymous', grants: limited }, TAG, 'update')).toEqual(MATCH_NOTHING);
      expect(filterFor(user({}), 'api::author.author', 'find')).toEqual(MATCH_NOTHING);
    });
  });
});
