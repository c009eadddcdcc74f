import type { ContentStore } from '../../transfer/store/content-store.js';
import { createError } from '../../errors/catalogue.js';
import type { ContentType } from '../../model/model.js';
import { resolveType } from '../../project/scaffold/resolve-name.js';
import type { BrowsedType, Start } from './state.js';

const withLabels = (types: readonly ContentType[]): readonly BrowsedType[] => {
  const isTaken = (type: ContentType): boolean =>
    types.some((other) => other !== type && other.singularName === type.singularName);
  return types
    .map((type) => ({ type, label: isTaken(type) ? type.uid : type.singularName }))
    .toSorted((left, right) => (left.label < right.label ? -1 : 1));
};

/**
 * Returns what is shown at first: all types but those of accounts and files, unless one of them is named.
 *
 * @throws `cli/invalid-usage` where there is nothing to browse
 */
export async function startOf(
  store: ContentStore,
  named: { readonly type: string | undefined; readonly locale: string | undefined },
): Promise<Omit<Start, 'size'>> {
  const { model } = store;
  const first = named.type === undefined ? null : resolveType(model.types, named.type);
  const types = withLabels(model.types.filter((type) => type.origin !== 'builtin' || type === first));
  if (types.length === 0)
    throw createError('cli/invalid-usage', {
      reason: 'This project has no content-types to browse.',
      remedy: 'Add one with: cms type add',
    });
  const locales = await store.locales();
  const codes = locales.map(({ code }) => code);
  const locale = named.locale ?? locales.find(({ isDefault }) => isDefault)?.code ?? 'en';
  const typeIndex = Math.max(
    0,
    types.findIndex(({ type }) => type === first),
  );
  return { model, types, typeIndex, locales: codes, locale };
}
