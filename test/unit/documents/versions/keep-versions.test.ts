import { expect, it } from 'vitest';
import { historyLimit } from '../../../../src/documents/versions/keep-versions.js';
import { modelFrom } from '../../../support/models.js';

it('takes the number of versions from the configuration, a schema file, or the number for all types', () => {
  const attributes = { title: { type: 'string' } };
  const model = modelFrom({
    types: { page: { attributes, options: { history: 0 } }, note: { attributes } },
  });
  const limitOf = (name: string, types: Readonly<Record<string, number>> = {}) =>
    historyLimit({ history: { limit: 20, types } }, model, `api::${name}.${name}`);
  expect(limitOf('note')).toBe(20);
  expect(limitOf('page')).toBe(0);
  expect(limitOf('page', { 'api::page.page': 7 })).toBe(7);
});
