import { createError } from '../../errors/catalogue.js';
import type { ContentModel, ContentSchema, Uid } from '../../model/model.js';
import { typeOf, componentOf } from '../../model/lookup.js';
import { compareSchemas, outlineModel } from '../../model/outline.js';
import type { RemoteAbout } from './about-remote.js';

interface SchemaCheckDependencies {
  /** Of the project at hand. */
  readonly model: ContentModel;
  readonly about: Pick<RemoteAbout, 'schemas'>;
  readonly name: string;
  readonly warn: (message: string) => void;
}

/** Returns the uids of a type and of all components that it holds. */
const schemasOf = (model: ContentModel, uid: Uid): ReadonlySet<Uid> => {
  const found = new Set<Uid>([uid]);
  const visit = ({ attributes }: ContentSchema): void => {
    for (const attribute of Object.values(attributes)) {
      const components =
        attribute.family === 'component'
          ? [attribute.component]
          : attribute.family === 'dynamiczone'
            ? attribute.components
            : [];
      for (const component of components.filter((name) => !found.has(name))) {
        found.add(component);
        visit(componentOf(model, component));
      }
    }
  };
  visit(typeOf(model, uid));
  return found;
};

/**
 * Creates a function that compares the schemas of a type in the project and on a server, once for each type.
 * If attributes differ, warns, and the server accepts or rejects each request.
 *
 * @throws `remote/other-schema` if the server has no such type, or one of another kind
 */
export function createSchemaCheck({ model, about, name, warn }: SchemaCheckDependencies): (uid: Uid) => void {
  const own = outlineModel(model);
  const checked = new Set<Uid>();
  return (type) => {
    if (checked.has(type)) return;
    for (const uid of schemasOf(model, type)) {
      const outline = own[uid];
      if (outline === undefined || checked.has(uid)) continue;
      const difference = compareSchemas(uid, outline, about.schemas[uid]);
      if (difference?.isFundamental === true)
        throw createError('remote/other-schema', { type: uid, name, reason: difference.reasons.join(', ') });
      checked.add(uid);
      if (difference !== null) warn(`${uid} is not the same at ${name}: ${difference.reasons.join(', ')}.`);
    }
  };
}
