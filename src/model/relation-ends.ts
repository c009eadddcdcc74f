import type { AttributeDefinition, ContentTypeDefinition } from './content-types/definition.js';
import { defined } from '../lib/defined.js';
import { withSuggestion } from '../lib/nearest.js';
import type { RelationKind } from './model.js';
import type { InverseOption } from './relation-rules.js';
import { findAttribute, textOption } from './resolution.js';
import type { Resolution, SchemaDefinition } from './resolution.js';

export interface AttributeRef {
  readonly schema: SchemaDefinition;
  readonly attribute: AttributeDefinition;
}

/** `api::tag.tag "articles" in src/api/tag/content-types/tag/schema.json` */
export const describeAttribute = (schema: SchemaDefinition, name: string): string =>
  `${schema.uid} "${name}"${schema.file === null ? '' : ` in ${schema.file}`}`;

/** Returns why an attribute cannot be the other end, or null if it can. */
export const endMismatch = (
  { schema }: AttributeRef,
  expectedKinds: readonly RelationKind[],
  target: SchemaDefinition,
  other: AttributeDefinition,
): string | null => {
  const otherKind = textOption(other, 'relation');
  const label = describeAttribute(target, other.name);
  if (other.type !== 'relation') return `${label} is not a relation but of type ${other.type}`;
  if (!expectedKinds.some((candidate) => candidate === otherKind))
    return `${label} must be ${expectedKinds.join(' or ')}, but is ${String(otherKind)}`;
  const otherTarget = textOption(other, 'target');
  return otherTarget === undefined || otherTarget === schema.uid
    ? null
    : `${label} points at ${otherTarget}, not at ${schema.uid}`;
};

/** The attribute that an option names, or null after reporting that there is none. */
export const findNamed = (
  resolution: Resolution,
  { schema, attribute }: AttributeRef,
  option: InverseOption,
  { target, consequence }: { readonly target: ContentTypeDefinition; readonly consequence: string },
): AttributeDefinition | null => {
  const name = defined(textOption(attribute, option), `The option ${option}`);
  const other = findAttribute(target, name);
  if (other !== undefined) return other;
  const relations = target.attributes
    .filter((candidate) => candidate.type === 'relation')
    .map((candidate) => candidate.name);
  resolution.problems.add(
    { schema, attribute, option },
    {
      severity: consequence === '' ? 'error' : 'warning',
      code: 'missing-inverse',
      message: withSuggestion(
        `${describeAttribute(target, name)} does not exist${consequence}`,
        name,
        relations,
      ),
      allowed: relations,
    },
  );
  return null;
};
