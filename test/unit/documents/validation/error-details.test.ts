import { describe, expect, it } from 'vitest';
import type { StoredScalar } from '../../../../src/lib/stored-value.js';
import { loadFixtureModel, modelFrom } from '../../../support/models.js';
import { errorOf, parseInput } from './support.js';

describe('an invalid key', async () => {
  const model = await loadFixtureModel('magazine');

  it.each<[object, string, string | null]>([
    [{ title: 'x', nope: 1 }, 'nope', null],
    [{ title: 'x', seo: { metaTitle: 'm', social: [{ nope: 1 }] } }, 'nope', 'seo.social'],
    [{ title: 'x', sections: [{ __component: 'sections.text', nope: 1 }] }, 'nope', 'sections'],
  ])('%j: the details name the key and the attributes that lead to it', async (data, key, path) => {
    const { details } = await errorOf(parseInput(model, 'article', data));
    expect(details).toEqual({ key, path, source: 'body' });
  });
});

describe('the values that errors show', () => {
  const guarded = modelFrom({
    types: {
      note: {
        attributes: {
          size: { type: 'integer' },
          big: { type: 'biginteger', max: '5' },
          body: { type: 'blocks' },
          pin: { type: 'password', minLength: 6 },
          hush: { type: 'integer', private: true },
          part: { type: 'component', component: 'shared.part' },
          hidden: { type: 'component', component: 'shared.part', private: true },
        },
      },
    },
    components: { 'shared.part': { attributes: { size: { type: 'integer' }, pin: { type: 'password' } } } },
  });
  const shown = async (data: object, stored?: Readonly<Record<string, StoredScalar>>): Promise<unknown> => {
    const { details } = await errorOf(
      parseInput(guarded, 'note', data, stored === undefined ? {} : { stored }),
    );
    return Object.fromEntries((details.errors ?? []).map(({ path, value }) => [path.join('.'), value]));
  };

  it('are those that were sent, at the path of the error', async () => {
    expect(
      await shown({ size: 'x', big: '7', body: [{ type: 'nope', children: [] }], part: { size: [1] } }),
    ).toEqual({ size: 'x', big: '7', 'body.0': { type: 'nope', children: [] }, 'part.size': [1] });
    expect(await shown({ part: 'text' })).toEqual({ part: 'text' });
  });

  it('are those that are stored, where the draft is published', async () => {
    expect(await shown({}, { size: 1.5, big: 7n })).toMatchObject({ size: 1.5, big: '7' });
  });

  it('are no passwords and nothing private', async () => {
    expect(await shown({ pin: 'short', hush: 'x', part: { pin: 5 }, hidden: { size: 'x' } })).toEqual({
      pin: undefined,
      hush: undefined,
      'part.pin': undefined,
      'hidden.size': undefined,
    });
    expect(await shown({ part: ['secret'] })).toEqual({ part: undefined });
  });
});
