import type { ContentModel, Uid } from '../model/model.js';
import { selectableFields } from './holder-fields.js';
import type { Selection } from './query.js';
import { typeOf } from './read-context.js';

/** What is answered of a record unless asked otherwise: its scalars, neither private nor passwords, and its times (and locale), in model order. */
export function defaultSelection(model: ContentModel, type: Uid): Selection {
  return Object.freeze({ fields: selectableFields(typeOf(model, type)), populate: Object.freeze([]) });
}
