import { USER_UID } from '../../../content-types/builtin/registry.js';
import type { AttributeDefinition } from '../../../content-types/definition.js';
import type { SchemaProject } from '../../../scaffold/schema-project.js';
import type { TypeNames } from '../../../scaffold/type-names.js';
import type { AttributeSite } from './attribute-draft.js';

interface SiteHolder {
  readonly uid: string;
  readonly name: string;
  readonly kind: 'type' | 'component';
  readonly localized: boolean;
  readonly attributes: readonly AttributeDefinition[];
  /** Set where the type does not exist yet, so that it can be linked to itself. */
  readonly newType?: TypeNames;
}

const isMorph = ({ options }: AttributeDefinition): boolean => options['relation'] === 'morphToOne' || options['relation'] === 'morphToMany';

/** Types one would link to: the project's own first, then users and files. */
const linkable = ({ definitions }: SchemaProject, { uid, newType }: SiteHolder): AttributeSite['types'] => {
  const own = definitions.types.filter(({ origin }) => origin === 'project');
  const builtin = definitions.types.filter((type) => type.uid === USER_UID);
  return [...(newType === undefined ? [] : [{ uid, ...newType }]), ...own, ...builtin];
};

/** What surrounds an attribute that is about to be asked for. */
export function siteOf(project: SchemaProject, holder: SiteHolder): AttributeSite {
  const { types, components } = project.definitions;
  return {
    holderName: holder.name,
    kind: holder.kind,
    localized: holder.localized,
    taken: holder.attributes.map(({ name, type, options }) => ({ name, json: { type, ...options } })),
    types: linkable(project, holder),
    morphs: types.flatMap(({ uid, attributes }) => attributes.filter(isMorph).map(({ name }) => ({ uid, attribute: name }))),
    components: components.filter(({ uid }) => uid !== holder.uid),
  };
}
