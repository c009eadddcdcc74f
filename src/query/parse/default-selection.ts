import { typeOf } from '../../model/lookup.js';
import type { ContentModel, Uid } from '../../model/model.js';
import { selectableFields } from '../schema-fields.js';
import type { Selection } from '../query.js';

/**
 * Returns the selection used when none is requested: scalars that are neither private nor passwords, times
 * and locale, in model order.
 */
export function defaultSelection(model: ContentModel, type: Uid): Selection {
  return Object.freeze({ fields: selectableFields(typeOf(model, type)), populate: Object.freeze([]) });
}
