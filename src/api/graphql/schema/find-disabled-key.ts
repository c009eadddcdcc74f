import { isRecord } from '../../../lib/is-record.js';
import type { ContentSchema, ContentModel } from '../../../model/model.js';
import { attributeOfField } from '../field-sources.js';
import type { SchemaSwitches } from './switches.js';

/**
 * Returns the first key of a component's value, or of a value inside of it, whose input is switched off.
 * Unknown keys are left to the validation of the write.
 */
export function findDisabledKey(
  model: ContentModel,
  switches: SchemaSwitches,
  contentSchema: ContentSchema,
  value: unknown,
): string | null {
  if (Array.isArray(value))
    return (
      value
        .map((item) => findDisabledKey(model, switches, contentSchema, item))
        .find((key) => key !== null) ?? null
    );
  if (!isRecord(value)) return null;
  for (const [key, attributeValue] of Object.entries(value)) {
    const attribute = attributeOfField(contentSchema, key);
    if (attribute === undefined) continue;
    const componentSchema =
      attribute.family === 'component' ? model.componentsByUid[attribute.component] : undefined;
    if (
      !switches.hasInput(contentSchema, attribute.name) ||
      (componentSchema !== undefined && !switches.hasType(componentSchema))
    )
      return key;
    const disabledKey =
      componentSchema === undefined
        ? null
        : findDisabledKey(model, switches, componentSchema, attributeValue);
    if (disabledKey !== null) return disabledKey;
  }
  return null;
}
