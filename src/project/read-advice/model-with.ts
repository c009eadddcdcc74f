import { buildModel } from '../../model/build-model.js';
import type { ContentModel } from '../../model/model.js';
import type { Project } from '../open-project.js';

/** Returns the model as it would be if some attributes of a type were indexed or searched. */
export function modelWith(
  { definitions }: Project,
  uid: string,
  { names, option }: { readonly names: readonly string[]; readonly option: 'index' | 'search' },
): ContentModel | null {
  const types = definitions.types.map((type) => {
    if (type.uid !== uid) return type;
    const attributes = type.attributes.map((attribute) =>
      names.includes(attribute.name)
        ? { ...attribute, options: { ...attribute.options, [option]: true } }
        : attribute,
    );
    return { ...type, attributes };
  });
  return buildModel({ ...definitions, types }).model;
}
