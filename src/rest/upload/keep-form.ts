import type { Caller } from '../../access/access.js';
import { fail } from '../../errors/catalogue.js';
import type { Intake } from '../../media/media.js';
import { defaultSelection } from '../../query/default-selection.js';
import { fileInfosOf } from './file-info.js';
import { findLinkTarget } from './link-target.js';
import type { LinkTarget } from './link-target.js';
import type { FormFields } from './read-form.js';
import type { UploadParts } from './upload-parts.js';

const link = async ({ model, documents, access }: UploadParts, caller: Caller, target: LinkTarget, ids: readonly number[]): Promise<void> => {
  const { type, attribute, documentId, locale, status } = target;
  const updated = await documents.update({
    type: type.uid, documentId, locale, status,
    data: { [attribute]: { connect: ids } },
    access: access.accessOf(caller),
    selection: { ...defaultSelection(model, type.uid), fields: [] },
  });
  if (updated === null) throw fail('upload/invalid-reference', { field: 'refId', reason: `there is no ${type.uid} ${documentId} any more` });
};

/** Keeps the files of a form, linked to what it names; answers their ids. Where they cannot be linked none is kept. */
export async function keepForm(parts: UploadParts, caller: Caller, intake: Intake, fields: FormFields): Promise<readonly number[]> {
  if (intake.count() === 0) throw fail('upload/no-files');
  const infos = fileInfosOf(fields, intake.count());
  const target = await findLinkTarget(parts, caller, fields, intake.count());
  const ids = await intake.keep(infos);
  if (target === null) return ids;
  try {
    await link(parts, caller, target, ids);
  } catch (error) {
    for (const id of ids) await parts.media.remove(id);
    throw error;
  }
  return ids;
}
