import type { Caller } from '../../../access/access.js';
import { createError } from '../../../errors/catalogue.js';
import type { UploadSession } from '../../../media/media.js';
import { defaultSelection } from '../../../query/parse/default-selection.js';
import { fileInfosOf } from './file-info.js';
import { findLinkTarget } from './link-target.js';
import type { LinkTarget } from './link-target.js';
import type { FormFields } from './read-form.js';
import type { UploadDependencies } from './upload-dependencies.js';

const linkFiles = async (
  { model, documents, access }: UploadDependencies,
  caller: Caller,
  target: LinkTarget,
  ids: readonly number[],
): Promise<void> => {
  const { type, attribute, documentId, locale, status } = target;
  const updated = await documents.update({
    type: type.uid,
    documentId,
    locale,
    status,
    data: { [attribute]: { connect: ids } },
    access: access.readAccessOf(caller),
    selection: { ...defaultSelection(model, type.uid), fields: [] },
  });
  if (updated === null)
    throw createError('upload/invalid-reference', {
      field: 'refId',
      reason: `there is no ${type.uid} ${documentId} any more`,
    });
};

/**
 * Stores the files of a form, and links them to the document it names. Returns their ids. If they cannot be
 * linked, they are removed again.
 */
export async function saveForm(
  dependencies: UploadDependencies,
  caller: Caller,
  uploadSession: UploadSession,
  fields: FormFields,
): Promise<readonly number[]> {
  if (uploadSession.count() === 0) throw createError('upload/missing-files');
  const infos = fileInfosOf(dependencies.model, fields, uploadSession.count());
  const target = await findLinkTarget(dependencies, caller, fields, uploadSession.count());
  const ids = await uploadSession.commit(infos);
  if (target === null) return ids;
  try {
    await linkFiles(dependencies, caller, target, ids);
  } catch (error) {
    for (const id of ids) await dependencies.media.remove(id);
    throw error;
  }
  return ids;
}
