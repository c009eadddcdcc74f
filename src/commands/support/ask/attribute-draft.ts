import type { ComponentDefinition, ContentTypeDefinition } from '../../../content-types/definition.js';
import type { NamedAttribute } from '../../../scaffold/attribute-shorthand.js';

/** What questions about an attribute need to know of what is around it. */
export interface AttributeSite {
  /** The singular name of the type, or the component's name: for suggestions and questions. */
  readonly holderName: string;
  readonly kind: 'type' | 'component';
  /** Values may differ per locale. */
  readonly localized: boolean;
  /** Attributes the holder has already, those just answered included. */
  readonly taken: readonly NamedAttribute[];
  /** Types that can be linked to; the one being made included. */
  readonly types: readonly Pick<ContentTypeDefinition, 'uid' | 'singularName' | 'pluralName' | 'displayName'>[];
  /** Polymorphic relations of any type, which a document can be linked from. */
  readonly morphs: readonly { readonly uid: string; readonly attribute: string }[];
  readonly components: readonly Pick<ComponentDefinition, 'uid' | 'displayName'>[];
}

/** Options of an attribute as they are answered, by their name in a schema file. */
export type Options = Readonly<Record<string, unknown>>;
