import { isRecord } from '../../lib/is-record.js';
import type { AttributeHolder, ContentModel } from '../../model/model.js';
import { attributeOfField } from '../holder-fields.js';
import type { SchemaSwitches } from './switches.js';

/** The first key of a component's value, or of what it holds, whose input is switched off. Unknown keys are refused by whoever writes. */
export function refusedKeyOf(model: ContentModel, switches: SchemaSwitches, holder: AttributeHolder, value: unknown): string | null {
  if (Array.isArray(value)) return value.map((item) => refusedKeyOf(model, switches, holder, item)).find((key) => key !== null) ?? null;
  if (!isRecord(value)) return null;
  for (const [key, own] of Object.entries(value)) {
    const attribute = attributeOfField(holder, key);
    if (attribute === undefined) continue;
    const inner = attribute.family === 'component' ? model.componentsByUid[attribute.component] : undefined;
    if (!switches.hasInput(holder, attribute.name) || (inner !== undefined && !switches.hasHolder(inner))) return key;
    const refused = inner === undefined ? null : refusedKeyOf(model, switches, inner, own);
    if (refused !== null) return refused;
  }
  return null;
}
