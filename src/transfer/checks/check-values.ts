import { MUST_BE_SET } from '../../documents/validation/attribute-state.js';
import { compileInput } from '../../documents/validation/compile-input.js';
import type { InputValidator } from '../../documents/validation/input.js';
import { memoize } from '../../lib/collections.js';
import { typeOf } from '../../model/lookup.js';
import type { Attribute, ContentModel, Uid } from '../../model/model.js';
import { isFileAttribute } from '../../query/parse/server-queries.js';
import type { StoredDocument } from '../store/read-documents.js';
import { examinedVersions, problemOf } from './check.js';
import type { Problem } from './check.js';

type Schema = { readonly attributes: Readonly<Record<string, Attribute>> };

const withReadAttributes = <S extends Schema>(schema: S): S => ({
  ...schema,
  attributes: Object.fromEntries(
    Object.entries(schema.attributes).filter(([, attribute]) => isFileAttribute(attribute)),
  ),
});

/** Returns the model without attributes that reads omit: hashes, and the inverse sides of relations. */
const withoutUnreadAttributes = (model: ContentModel): ContentModel => {
  const types = model.types.map(withReadAttributes);
  const components = model.components.map(withReadAttributes);
  return {
    ...model,
    types,
    components,
    typesByUid: Object.fromEntries(types.map((type) => [type.uid, type])),
    componentsByUid: Object.fromEntries(components.map((component) => [component.uid, component])),
  };
};

/**
 * Creates the rules `required-value` and `invalid-value`: the validation of writes, applied to what is
 * stored. Drafts are checked as drafts, which may lack values.
 *
 * @param model the model of the reads
 */
export function createValueRules(
  model: ContentModel,
): (page: readonly StoredDocument[]) => readonly Problem[] {
  const read = withoutUnreadAttributes(model);
  const validatorOf = memoize((uid: Uid): InputValidator => compileInput(read, typeOf(read, uid)));
  return (page) =>
    page.flatMap((document) =>
      examinedVersions(document).flatMap((version) => {
        const isDraft = document.type.draftAndPublish && version.status === 'draft';
        const issues = validatorOf(document.type.uid).check(version.data, isDraft ? 'draft' : 'full');
        return issues.map(({ path, message }) =>
          problemOf(document, version, {
            rule: message === MUST_BE_SET ? 'required-value' : 'invalid-value',
            path: path.join('.'),
            message: `The value ${message}.`,
          }),
        );
      }),
    );
}
