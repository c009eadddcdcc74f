import { FILE_UID } from '../../../model/content-types/builtin/registry.js';
import { createError } from '../../../errors/catalogue.js';
import { parseSentFileInfo } from '../../../media/file-info.js';
import { parseFileId, readFile, removeFileRecord } from '../../../media/file-records.js';
import type { FileReadOptions } from '../../../media/file-records.js';
import { typeOf } from '../../../model/lookup.js';
import type { PluginMutationCall } from '../graphql-context.js';
import { planRootSelection } from '../selection/plan-read.js';
import { parseRecord } from './root-field.js';

/** Returns the read of the fields that the operation selects. */
const readOptionsOf = ({ context, info }: PluginMutationCall): FileReadOptions => ({
  selection: planRootSelection({
    context,
    info,
    type: typeOf(context.dependencies.model, FILE_UID),
    action: 'find',
    recordsField: null,
  }),
  locale: context.dependencies.access.locales.defaultCode(),
});

/** Resolves `updateUploadFile` to the updated file. Throws `request/not-found`. */
export async function updateFile(call: PluginMutationCall): Promise<unknown> {
  const { media, model, documents } = call.context.dependencies;
  const id = parseFileId(call.args['id']);
  const isUpdated = await media.updateInfo(id, parseSentFileInfo(model, call.args['info'] ?? null));
  if (!isUpdated) throw createError('request/not-found');
  return parseRecord(await readFile(documents, id, readOptionsOf(call)));
}

/** Resolves `deleteUploadFile` to the record that the file had. Throws `request/not-found`. */
export async function deleteFile(call: PluginMutationCall): Promise<unknown> {
  const id = parseFileId(call.args['id']);
  return parseRecord(await removeFileRecord(call.context.dependencies, id, readOptionsOf(call)));
}
