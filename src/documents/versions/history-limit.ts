import type { Config } from '../../config/config.js';
import { typeOf } from '../../model/lookup.js';
import type { ContentModel, Uid } from '../../model/model.js';

/**
 * Returns the number of versions to keep of a type's documents. The configuration takes precedence over the
 * schema file.
 */
export function historyLimit(
  { history: { limit, types } }: Pick<Config, 'history'>,
  model: ContentModel,
  uid: Uid,
): number {
  const { history } = typeOf(model, uid).options;
  return types[uid] ?? (typeof history === 'number' ? history : limit);
}
