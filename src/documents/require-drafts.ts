import { fail } from '../errors/catalogue.js';
import type { ContentType } from '../model/model.js';

/** The type, which must have drafts. Throws `request/invalid-parameter`. */
export function requireDrafts(type: ContentType): ContentType {
  if (type.draftAndPublish) return type;
  throw fail('request/invalid-parameter', { parameter: 'status', reason: `${type.singularName} has no drafts: what is written is published at once.` });
}
