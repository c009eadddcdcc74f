import type { FastifyRequest } from 'fastify';
import { fail } from '../../errors/catalogue.js';
import { parseFileId } from '../../media/file-id.js';
import type { Intake } from '../../media/media.js';
import { callerOf } from '../guard.js';
import { queryOf } from '../request-params.js';
import type { Handler } from '../rest-parts.js';
import { sendJson } from '../send-json.js';
import { fileInfosOf, hasFileInfo } from './file-info.js';
import { keepForm } from './keep-form.js';
import { readForm } from './read-form.js';
import type { FormFields } from './read-form.js';
import { printFile, printFiles, readFile, readFiles } from './read-files.js';
import type { UploadParts } from './upload-parts.js';

/** The file that `?id=` names; null where new files are to be made. Known to exist, so that nobody sends a large body for nothing. */
const changedFile = async (parts: UploadParts, request: FastifyRequest): Promise<number | null> => {
  const { id } = queryOf(request);
  if (id === undefined) return null;
  const fileId = parseFileId(id);
  await readFile(parts, fileId);
  return fileId;
};

const change = async ({ media }: UploadParts, id: number, intake: Intake, fields: FormFields): Promise<void> => {
  const count = intake.count();
  if (count > 1) throw fail('upload/one-file');
  if (count === 0 && !hasFileInfo(fields)) throw fail('upload/no-files');
  const [info = {}] = fileInfosOf(fields, 1);
  const isChanged = count === 0 ? await media.updateInfo(id, info) : await intake.replace(id, info);
  if (!isChanged) throw fail('request/not-found');
};

/** Takes the request's files in and answers with JSON text. What was not kept is gone by then. */
const receive = async (parts: UploadParts, request: FastifyRequest, id: number | null): Promise<string> => {
  const intake = await parts.media.openIntake();
  try {
    const fields = await readForm(request, intake, parts);
    if (id === null) return printFiles(await readFiles(parts, await keepForm(parts, callerOf(request), intake, fields)));
    await change(parts, id, intake, fields);
    return printFile(await readFile(parts, id));
  } finally {
    await intake.discard();
  }
};

/** POST /api/upload: new files; with `?id=7`, another content for that file or other words about it. */
export function createUploadHandler(parts: UploadParts): Handler {
  return async (request, reply) => {
    if (!request.isMultipart()) throw fail('upload/no-files');
    const id = await changedFile(parts, request);
    return sendJson(reply, id === null ? 201 : 200, await receive(parts, request, id));
  };
}
