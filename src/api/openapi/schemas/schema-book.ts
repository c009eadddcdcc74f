import type { FieldSchemas } from '../../../model/fields/field-type.js';
import type { JsonSchema } from '../../../lib/json-schema.js';
import type { ContentModel, ContentSchema, ScalarAttribute, Uid } from '../../../model/model.js';
import type { SharedName } from './shared-schemas.js';

/** Role of a schema for a type or component, used as the suffix of its name. */
export type SchemaRole =
  | ''
  | 'Typed'
  | 'ZoneItem'
  | 'Input'
  | 'PartialInput'
  | 'ZoneItemInput'
  | 'ZoneItemPartialInput'
  | 'Filters'
  | 'Populate'
  | 'Populated';

/** The named schemas of one document. Schemas are added when they are first referred to. */
export interface SchemaBook {
  readonly model: ContentModel;
  /** Refers to a schema of a type or component. */
  readonly of: (uid: Uid, role: SchemaRole) => JsonSchema;
  readonly shared: (name: SharedName) => JsonSchema;
  /** The schemas of the values of an attribute, without null. */
  readonly ofField: (
    attribute: Pick<ScalarAttribute, 'field' | 'constraints'>,
    strictness: 'draft' | 'full',
  ) => FieldSchemas;
  /** True if required attributes may be null, since drafts may lack them. */
  readonly hasDrafts: (schema: ContentSchema) => boolean;
  /** Everything that was referred to, by name. */
  readonly all: () => Readonly<Record<string, JsonSchema>>;
}
