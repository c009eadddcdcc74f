import { defaultSelection } from '../../../../src/query/parse/server-queries.js';
import type { PopulateNode, Selection } from '../../../../src/query/query.js';
import { ARTICLE, AUTHOR, magazine, populateOf, TAG } from './read-helpers.js';

export const FILE = 'plugin::upload.file';
export const all = (type: string): Selection => defaultSelection(magazine, type);
export const article = (populate: unknown): readonly PopulateNode[] => populateOf(ARTICLE, populate);

export const base = (attribute: string) => ({ attribute, key: attribute });
export const link = (attribute: string, selection: unknown, options: object = {}) => ({
  kind: 'link',
  ...base(attribute),
  selection,
  filter: null,
  sort: [],
  slice: null,
  count: false,
  ...options,
});
export const component = (attribute: string, ...fields: readonly string[]) => ({
  kind: 'component',
  ...base(attribute),
  selection: { fields, populate: [] },
});
export const zone = (attribute: string, on: unknown) => ({ kind: 'zone', ...base(attribute), on });
export const plain = (...fields: readonly string[]) => ({ fields, populate: [] });
export const withPopulate = (type: string, ...populate: readonly unknown[]) => ({ ...all(type), populate });

export const author = link('author', all(AUTHOR));
export const tags = link('tags', all(TAG));
